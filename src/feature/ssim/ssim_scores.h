#pragma once

#include "feature/common/picture_size.h"
#include "feature/options.h"
#include "feature/picture_format.h"
#include "feature/ssim/ssim_params.h"

namespace vmaf {

/// The options that both features have.
constexpr OptionSpec kSsimLcsOption =
    bool_option("enable_lcs", nullptr, false, InName::no, "add the luminance, contrast and structure terms");
constexpr OptionSpec kSsimDbOption = bool_option("enable_db", nullptr, false, InName::no, "the score in decibels");
constexpr OptionSpec kSsimClipOption =
    bool_option("clip_db", nullptr, false, InName::no, "with enable_db, cap the score");

struct SsimOptions {
    bool enable_lcs;
    bool enable_db;
    bool clip_db;

    explicit SsimOptions(const OptionValues &values)
        : enable_lcs(values.boolean("enable_lcs")), enable_db(values.boolean("enable_db")),
          clip_db(values.boolean("clip_db"))
    {
    }

    /// spec ssim 3.6: the main output.
    double output(double score, const PictureFormat &format) const;
};

/// spec ssim 3.3: the results for one evaluated image.
struct SsimMeans {
    float l, c, s, ssim;

    SsimMeans(const SsimSums &sums, PictureSize evaluated);
};

} // namespace vmaf
