#include <fcntl.h>
#include <io.h>
#include <share.h>

#include <cerrno>
#include <filesystem>

#include "base/native.h"
#include "base/wide_text.h"
#include "common/checked_io.h"
#include "common/failure.h"
#include "common/format.h"
#include "common/platform.h"
#include "libvmaf/libvmaf_ext.h"
#include "output/score_text.h"

namespace vmaf::tool {
namespace {

/// A name in the user's folder of temporary files, for as long as this lives.
class TemporaryFile {
  public:
    TemporaryFile()
    {
        std::uint64_t number = 0;
        std::error_code error;
        const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
        if (error || !files::random_number(number))
            throw Failure(kExitSetup, cannot_write("scores"));
        path_ = path_text(folder / formatted("vmaf-{:016x}", number));
    }
    ~TemporaryFile() { files::remove(path_); }
    TemporaryFile(const TemporaryFile &) = delete;

    const std::string &path() const { return path_; }

  private:
    std::string path_;
};

} // namespace

/// The library opens files by name, and a pipe has none here that it could open.
void pipe_scores(VmafContext *context, VmafOutputFormat format, NumberFormat numbers,
                 const std::function<void(UniqueFd)> &read)
{
    const TemporaryFile file;
    const std::string number_format = numbers.printf_format();
    const int error = vmaf_write_output_with_format(context, file.path().c_str(), format,
                                                    numbers.is_established() ? nullptr : number_format.c_str());
    errno = -error;
    int fd = -1;
    if (!error)
        _wsopen_s(&fd, wide_text(file.path()).c_str(), _O_RDONLY | _O_BINARY | _O_NOINHERIT, _SH_DENYNO, 0);
    if (fd < 0)
        throw Failure(kExitSetup, cannot_write("scores"));
    read(UniqueFd(fd));
}

} // namespace vmaf::tool
