#include "input/media/av_input.h"

#include <cerrno>
#include <cstdio>
#include <utility>

namespace vmaf::tool {
namespace {

constexpr int kBufferBytes = 64 * 1024;

} // namespace

AvInput::AvInput(InputFile file) : file_(std::move(file))
{
    auto *buffer = static_cast<unsigned char *>(allocated(av_malloc(kBufferBytes)));
    context_.reset(
        avio_alloc_context(buffer, kBufferBytes, 0, this, read, nullptr, file_.is_seekable() ? seek : nullptr));
    if (!context_) {
        av_free(buffer);
        throw std::bad_alloc();
    }
    context_->seekable = file_.is_seekable() ? AVIO_SEEKABLE_NORMAL : 0;
}

/// The library may have taken another buffer meanwhile.
void AvInput::FreeContext::operator()(AVIOContext *context) const
{
    av_freep(&context->buffer);
    avio_context_free(&context);
}

void AvInput::cancel()
{
    cancelled_ = true;
    file_.cancel();
}

void AvInput::rethrow()
{
    if (thrown_)
        std::rethrow_exception(std::exchange(thrown_, nullptr));
    if (cancelled_)
        throw ReadCancelled{};
}

int AvInput::read(void *self, std::uint8_t *destination, int bytes)
{
    return static_cast<AvInput *>(self)->read_some(destination, bytes);
}

std::int64_t AvInput::seek(void *self, std::int64_t offset, int whence)
{
    return static_cast<AvInput *>(self)->seek_to(offset, whence);
}

/// Called from C: nothing may be thrown.
int AvInput::read_some(std::uint8_t *destination, int bytes)
{
    try {
        const auto got = static_cast<int>(file_.read_available(destination, static_cast<std::size_t>(bytes)));
        position_ += got;
        has_ended_ = got == 0;
        return got == 0 ? AVERROR_EOF : got;
    } catch (...) {
        thrown_ = std::current_exception();
        return AVERROR_EXIT;
    }
}

std::int64_t AvInput::seek_to(std::int64_t offset, int whence)
{
    const auto size = static_cast<std::int64_t>(file_.size_bytes().value_or(0));
    switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE:
        return size;
    case SEEK_CUR:
        offset += position_;
        break;
    case SEEK_END:
        offset += size;
        break;
    default:
        break;
    }
    if (offset < 0 || !file_.seek_to(static_cast<std::uint64_t>(offset)))
        return AVERROR(EINVAL);
    has_ended_ = false;
    position_ = offset;
    return offset;
}

} // namespace vmaf::tool
