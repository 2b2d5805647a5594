#pragma once

#include <cstddef>
#include <cstdint>

namespace vmaf {

constexpr unsigned kAdmScales = 4;
/// Bands that are summed, in this order everywhere: H (vertical high), V (horizontal high), D (both
/// high).
constexpr unsigned kAdmBands = 3;
enum AdmBand : unsigned { kAdmH, kAdmV, kAdmD };

/// What a device hands to the host for one frame: N of spec adm 3.6 and D of 3.7, whose rows are
/// already rounded.
struct AdmSums {
    std::int64_t num[kAdmScales][kAdmBands];
    std::int64_t aim[kAdmScales][kAdmBands];
    std::uint64_t den[kAdmScales][kAdmBands];
};
static_assert(sizeof(AdmSums) == 288);

/// Low pass (sum 46342) and high pass (sum 0) of spec adm 3.1.
constexpr std::int32_t kAdmLow[4] = {15826, 27411, 7345, -4240};
constexpr std::int32_t kAdmHigh[4] = {-4240, -7345, 27411, -15826};

/// One scale of one picture size: band size, summation region (spec adm 3.2), integer weights (3.4)
/// and shifts (3.6, 3.7).
struct AdmScale {
    std::uint32_t width;
    std::uint32_t height;
    std::uint32_t left;
    std::uint32_t top;
    std::uint32_t right;  ///< one past the last column
    std::uint32_t bottom; ///< one past the last row
    std::uint32_t weight[kAdmBands];
    std::uint32_t cube_shift[kAdmBands]; ///< e of the numerators
    std::uint32_t row_shift;             ///< g of the numerators
    std::uint32_t den_cube_shift;        ///< e of the denominator; 0 at scale 0, which has none
    std::uint32_t den_row_shift;         ///< g of the denominator
};

/// A gain limit that limits nothing: every product that is not 0 is above its target. No whole
/// number.
constexpr double kAdmNoGainLimit = 0x1p31 - 0.5;

struct AdmParams {
    AdmScale scale[kAdmScales];
    double gain_limit;
    std::uint32_t bpc;         ///< bits per sample, 8..16
    std::uint32_t skip_scale0; ///< not 0: the sums of scale 0 stay 0
    std::uint32_t skip_aim;    ///< not 0: all `aim` sums stay 0
};
static_assert(sizeof(AdmParams) == 4 * 60 + 8 + 16);

/// Columns [begin, end) of a row.
struct AdmSpan {
    std::size_t begin;
    std::size_t end;
};

/// The cropped margin of a line of n band samples: trunc(n * 0.1 - 0.5) (spec adm 3.2).
constexpr std::uint32_t adm_crop(std::uint32_t n)
{
    return n < 5 ? 0 : (n - 5) / 10;
}

} // namespace vmaf
