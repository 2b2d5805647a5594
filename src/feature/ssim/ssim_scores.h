#pragma once

#include "feature/common/picture_size.h"
#include "feature/feature.h"
#include "feature/picture_format.h"
#include "feature/ssim/ssim_params.h"

namespace vmaf {

/// The options that both features have.
constexpr OptionSpec kSsimLcsOption =
    bool_option("enable_lcs", nullptr, false, InName::no, "add the luminance, contrast and structure terms");
constexpr OptionSpec kSsimDbOption = bool_option("enable_db", nullptr, false, InName::no, "the score in decibels");
constexpr OptionSpec kSsimClipOption =
    bool_option("clip_db", nullptr, false, InName::no, "with enable_db, cap the score");

/// An output that option enable_lcs adds.
constexpr OutputDescription ssim_term(const char *name, double least, const char *help)
{
    return higher_is_better(name, "", least, 1, help).with("enable_lcs").not_for_models();
}

struct SsimOptions {
    bool enable_lcs;
    bool enable_db;
    bool clip_db;

    /// spec ssim 3.6: the main output.
    double output(double score, const PictureFormat &format) const;
};

/// spec ssim 3.3: the results for one evaluated image.
struct SsimMeans {
    float l, c, s, ssim;

    SsimMeans(const SsimSums &sums, PictureSize evaluated);
};

} // namespace vmaf
