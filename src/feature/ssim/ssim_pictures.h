#pragma once

#include <memory>
#include <utility>

#include "feature/feature.h"
#include "feature/ssim/ssim_window.h"

namespace vmaf {

/// The CPU backend of a feature that evaluates one image of each picture.
class SsimPicturesCpu final : public CpuLadderExtractorOf<SsimSums> {
  public:
    /// @param size of an image. @param ref and `dis` make them. @param map as for
    /// SsimWindow::evaluate().
    SsimPicturesCpu(PictureSize size, const SsimLoops &loops, std::unique_ptr<SsimPictureRows> ref,
                    std::unique_ptr<SsimPictureRows> dis, float *map = nullptr)
        : size_(size), ref_(std::move(ref)), dis_(std::move(dis)), window_(size.width_px, loops), map_(map)
    {
    }

  protected:
    Status extract(std::span<const FramePlanes> frames, std::span<SsimSums> sums) override
    {
        ref_->set(frames.front().ref);
        const auto rows = [&](std::size_t image) -> SsimRows & {
            dis_->set(frames[image].dis);
            return *dis_;
        };
        window_.evaluate(*ref_, rows, size_, SsimValues::not_negative, sums, map_);
        return {};
    }

  private:
    PictureSize size_;
    std::unique_ptr<SsimPictureRows> ref_, dis_;
    SsimWindow window_;
    float *map_;
};

} // namespace vmaf
