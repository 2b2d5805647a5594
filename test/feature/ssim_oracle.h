#pragma once

#include <vector>

#include "feature/feature_runner.h"
#include "feature/ssim/ssim_params.h"

/// A plain version of spec ssim 3: one sample after another, directly from the formulas.
namespace vmaf::test::ssim_oracle {

struct Image {
    unsigned width, height;
    std::vector<float> value;

    Image(unsigned w, unsigned h) : width(w), height(h), value(std::size_t{w} * h) {}
    float &at(unsigned x, unsigned y) { return value[std::size_t{y} * width + x]; }
    float at(unsigned x, unsigned y) const { return value[std::size_t{y} * width + x]; }
};

Image luma(const TestPicture &picture);
Image reduced(const Image &in, unsigned factor);
Image halved(const Image &in);
SsimSums sums(const Image &ref, const Image &dis);

} // namespace vmaf::test::ssim_oracle
