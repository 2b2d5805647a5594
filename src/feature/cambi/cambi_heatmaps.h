#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "feature/cambi/cambi_geometry.h"

namespace vmaf {

/// spec cambi 4: one file of raw 16-bit frames per scale. Any number of threads may write at a
/// time.
class CambiHeatmaps {
  public:
    explicit CambiHeatmaps(std::string folder) : folder_(std::move(folder)) {}
    ~CambiHeatmaps();
    CambiHeatmaps(const CambiHeatmaps &) = delete;
    CambiHeatmaps &operator=(const CambiHeatmaps &) = delete;

    /// Makes the folder and empty files. -EINVAL with one log line if that fails.
    /// @param processed the size before scale 0 is halved, which names the files.
    Status open(const PictureSize &processed);

    /// -EIO with one log line.
    Status write(unsigned scale, unsigned frame_index, std::span<const std::uint16_t> samples) const;

  private:
    void close();

    std::string folder_;
    std::array<int, kCambiScales> files_{-1, -1, -1, -1, -1};
};

} // namespace vmaf
