#include "feature/cambi/cambi_heatmaps.h"

#include <bit>
#include <cerrno>
#include <cstring>

#include "base/log.h"
#include "base/platform.h"

namespace vmaf {
namespace {

static_assert(std::endian::native == std::endian::little, "files hold little-endian samples");

/// With its parents. Those that exist are no failure; whether they are folders shows when files are
/// opened in them.
int make_folders(const std::string &path)
{
    for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
        if (!make_folder(path.substr(0, end)) && errno != EEXIST)
            return errno;
        if (end == std::string::npos)
            return 0;
    }
}

std::string file_name(unsigned scale, const PictureSize &size)
{
    return "cambi_heatmap_scale_" + std::to_string(scale) + "_" + std::to_string(size.width_px) + "x" +
           std::to_string(size.height_px) + "_16b.gray";
}

} // namespace

CambiHeatmaps::~CambiHeatmaps()
{
    close();
}

void CambiHeatmaps::close()
{
    for (int &file : files_)
        if (file >= 0) {
            close_file(file);
            file = -1;
        }
}

Status CambiHeatmaps::open(const PictureSize &processed)
{
    close();
    if (const int error = make_folders(folder_); error != 0) {
        log(LogLevel::error, "cambi: cannot make the folder %s: %s", folder_.c_str(), std::strerror(error));
        return Status::error(EINVAL);
    }
    PictureSize size = processed;
    for (unsigned scale = 0; scale < kCambiScales; ++scale, size = size.halved()) {
        const std::string path = folder_ + "/" + file_name(scale, size);
        files_[scale] = open_for_writing_at(path);
        if (files_[scale] < 0) {
            log(LogLevel::error, "cambi: cannot write %s: %s", path.c_str(), std::strerror(errno));
            return Status::error(EINVAL);
        }
    }
    return {};
}

Status CambiHeatmaps::write(unsigned scale, unsigned frame_index, std::span<const std::uint16_t> samples) const
{
    const auto bytes = std::as_bytes(samples);
    std::size_t done = 0;
    while (done < bytes.size()) {
        const std::uint64_t offset = std::uint64_t{frame_index} * bytes.size() + done;
        const std::ptrdiff_t written = write_at(files_[scale], bytes.data() + done, bytes.size() - done, offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            log(LogLevel::error, "cambi: frame %u: cannot write the heatmap of scale %u: %s", frame_index, scale,
                std::strerror(errno));
            return Status::error(EIO);
        }
        done += static_cast<std::size_t>(written);
    }
    return {};
}

} // namespace vmaf
