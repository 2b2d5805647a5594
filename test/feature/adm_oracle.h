#pragma once

#include <cstdint>
#include <vector>

#include "feature/adm/adm_csf.h"
#include "feature/adm/adm_params.h"

/// spec adm 3.1 to 3.7 written down once more: whole planes, one operation in each line, 64-bit
/// integers, no tricks.
namespace vmaf::test {

struct AdmPlane {
    std::int64_t width = 0;
    std::int64_t height = 0;
    std::vector<std::int64_t> samples;

    AdmPlane() = default;
    AdmPlane(std::int64_t w, std::int64_t h) : width(w), height(h), samples(static_cast<std::size_t>(w * h)) {}

    std::int64_t &at(std::int64_t x, std::int64_t y) { return samples[static_cast<std::size_t>(y * width + x)]; }
    std::int64_t at(std::int64_t x, std::int64_t y) const { return samples[static_cast<std::size_t>(y * width + x)]; }
};

struct AdmOracleOptions {
    unsigned bpc = 8;
    double gain_limit = 100;
    AdmCsf csf{};
};

/// Cubes of each place in the bands, by scale and band.
struct AdmOracleCubes {
    AdmPlane num[kAdmScales][kAdmBands], den[kAdmScales][kAdmBands];
};

/// @param cubes receives the cubes; may be null.
AdmSums adm_oracle(const AdmPlane &ref, const AdmPlane &dis, const AdmOracleOptions &options,
                   AdmOracleCubes *cubes = nullptr);

/// spec adm 3.2, in double as written.
std::int64_t adm_oracle_crop(std::int64_t n);
/// spec adm 3.3.
bool adm_oracle_flag(std::int64_t ref_h, std::int64_t ref_v, std::int64_t dis_h, std::int64_t dis_v);
std::int64_t adm_oracle_restored(unsigned scale, std::int64_t o, std::int64_t t, bool flag, double gain_limit);

} // namespace vmaf::test
