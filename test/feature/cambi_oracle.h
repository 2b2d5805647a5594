#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/plane_view.h"

/// CAMBI of one picture, written from the chapter step by step, without regard to speed: windows
/// are counted again for each pixel.
namespace vmaf::test {

struct CambiOracleOptions {
    unsigned width = 0, height = 0; ///< size of processing; 0: the picture's
    unsigned enc_bitdepth = 0;      ///< 0: the picture's
    unsigned window_size = 65;
    int steps = 4;
    double tvi_threshold = 0.019;
    double luminance_threshold = 0;
    bool pq = false;
    double topk = 0.6;
    bool half_size = false;
};

struct CambiOracleScale {
    int width, height;
    std::vector<int> mask;
    std::vector<int> picture; ///< after the mode filter
    std::vector<float> c;
    std::size_t top_count;
    double top_sum; ///< in the chapter's order

    std::uint64_t mask_count() const;
    std::uint64_t picture_sum() const;
    std::uint64_t positive_count() const;
    float kth_largest() const;
    float largest() const;
};

struct CambiOracle {
    std::uint64_t sample_sum; ///< at 10 bits, before any halving
    std::uint64_t mask_count;
    int mask_threshold;
    int window;
    std::vector<CambiOracleScale> scales;
    double score;
};

CambiOracle cambi_oracle(const PlaneView &luma, const CambiOracleOptions &options = {});

/// Sum of the `top_count` largest values in the chapter's order, by its second description of the
/// partition.
double cambi_oracle_top_sum(std::vector<float> values, std::size_t top_count);

} // namespace vmaf::test
