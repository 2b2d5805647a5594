#pragma once

#include <cstdint>

#include "base/cpu.h"
#include "feature/ssim/ssim_params.h"

namespace vmaf {

struct SsimMoments {
    const float *plane[kSsimPlanes];
};

/// l, c, s, q of the positions of one row.
struct SsimTerms {
    double *l, *c, *s, *q;
};

/// Row steps. Sums are binary64 and in the order of the taps for every sample (spec ssim 3.2, 3.5).
struct SsimLoops {
    /// spec ssim 3.1: p of 8-bit samples, and of deeper ones given 1 / D.
    void (*widen_8bit)(const std::uint8_t *samples, unsigned count, float *out);
    void (*widen_16bit)(const std::uint16_t *samples, unsigned count, float inverse_divisor, float *out);

    void (*multiply)(const float *a, const float *b, unsigned count, float *out);
    /// The window filter, tap k over the samples from rows[k] on: rows of an image, or one row from
    /// eleven positions on. No sample is negative, or for filter_signed any may be.
    void (*filter)(const float *const rows[kSsimTaps], unsigned count, float *out);
    void (*filter_signed)(const float *const rows[kSsimTaps], unsigned count, float *out);
    /// spec ssim 3.3.
    void (*terms)(const SsimMoments &moments, unsigned count, const SsimTerms &out);

    /// spec ssim 3.4: adds a row's products, and adds up the sums of `factor` columns. Neither
    /// rounds before the end, so any order will do.
    void (*add_products)(const float *in, float tap, unsigned count, double *sums);
    void (*reduce)(const double *sums, unsigned factor, unsigned count, float *out);
    /// Every second sample, from the first and from the second on.
    void (*split)(const float *in, unsigned count, float *even, float *odd);
    /// Adds the taps of one split row to each sum; `distance` rows away from the centre, the taps
    /// of sum x start at even[x]. The last sum's end at even[count + 3] and odd[count + 2].
    void (*add_low_passed)(const float *even, const float *odd, unsigned distance, unsigned count, double *sums);
    void (*narrow)(const double *sums, unsigned count, float *out);
    /// 1 if a sign is set, else 0.
    unsigned (*any_negative)(const float *values, unsigned count);
};

VMAF_DECLARE_VECTOR_VARIANTS(SsimLoops, kSsimLoops)

} // namespace vmaf
