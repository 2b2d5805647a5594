#include "model/model_file.h"

#include <cstdarg>
#include <cstdio>

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>

#include "base/log.h"
#include "base/native.h"

namespace vmaf {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20; // spec models 3
constexpr std::size_t kChunkBytes = std::size_t{1} << 16;

} // namespace

Result<std::string> ModelFile::read() const
{
    std::ifstream stream(native_path(path_), std::ios::binary);
    if (!stream)
        return fail("cannot be opened");
    std::string text; // takes the chunks itself: a caller's stack may be as small as one
    while (stream && text.size() <= kMaxFileBytes) {
        const std::size_t used = text.size();
        text.resize(used + kChunkBytes);
        stream.read(text.data() + used, kChunkBytes);
        text.resize(used + static_cast<std::size_t>(stream.gcount()));
    }
    if (stream.bad())
        return fail("cannot be read");
    if (text.size() > kMaxFileBytes)
        return fail("larger than %zu MiB", kMaxFileBytes >> 20);
    return text;
}

Status ModelFile::fail(const char *format, ...) const
{
    std::array<char, 256> reason{};
    va_list args;
    va_start(args, format);
    std::vsnprintf(reason.data(), reason.size(), format, args);
    va_end(args);
    log(LogLevel::error, "model file %s: %s%s", path_.c_str(), reason.data(),
        path_.ends_with(".pkl") ? "; only JSON models are supported" : "");
    return Status::error(EINVAL);
}

} // namespace vmaf
