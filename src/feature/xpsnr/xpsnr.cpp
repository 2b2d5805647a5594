#include "feature/xpsnr/xpsnr.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/round_up.h"
#include "feature/common/frame_values.h"

namespace vmaf {
namespace {

constexpr std::array kOptions{
    double_option("fps", nullptr, 0, 0, 1000000, InName::no,
                  "frame rate; from 32 on two earlier pictures are looked at")
        .with(VMAF_ROLE_FRAME_RATE),
    bool_option("enable_chroma", nullptr, true, InName::no, "measure Cb and Cr too"),
};

constexpr OutputDescription xpsnr_output(const char *name, const char *help)
{
    return higher_is_better(name, "dB", -kUnbounded, kUnbounded, help);
}
constexpr std::array kOutputs{
    xpsnr_output("xpsnr_y", "XPSNR of Y; identical planes have infinity"),
    xpsnr_output("xpsnr_cb", "XPSNR of Cb").with("enable_chroma"),
    xpsnr_output("xpsnr_cr", "XPSNR of Cr").with("enable_chroma"),
    xpsnr_output("axpsnr_y", "XPSNR of the clip's Y").of_clip(),
    xpsnr_output("axpsnr_cb", "XPSNR of the clip's Cb").with("enable_chroma").of_clip(),
    xpsnr_output("axpsnr_cr", "XPSNR of the clip's Cr").with("enable_chroma").of_clip(),
    xpsnr_output("axpsnr_min", "the smallest of the clip's three").with("enable_chroma").of_clip(),
    xpsnr_output("axpsnr_w", "the clip's three, 4:1:1 in the domain of errors").with("enable_chroma").of_clip(),
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct XpsnrOptions {
    explicit XpsnrOptions(const OptionsOf<kOptions> &values)
        : second_order(values.real("fps") >= 32), enable_chroma(values.boolean("enable_chroma"))
    {
    }

    bool second_order;
    bool enable_chroma;

    /// 4:0:0 has luma only, whatever the option says.
    unsigned planes_measured(const PictureFormat &format) const { return enable_chroma ? format.plane_count() : 1; }
};

/// spec xpsnr 3.1. Of the picture's width and height all that takes a root or a division.
XpsnrGrid make_grid(const XpsnrOptions &options, const PictureFormat &format)
{
    const std::uint64_t area = std::uint64_t{format.width} * format.height;
    const double relative = static_cast<double>(area) / 8294400.0;
    XpsnrGrid grid{};
    grid.width_px = static_cast<int>(format.width);
    grid.height_px = static_cast<int>(format.height);
    grid.sample_bytes = static_cast<int>(format.sample_bytes());
    grid.plane_count = static_cast<int>(options.planes_measured(format));
    grid.chroma_shift_x = format.plane_width(1) == format.width ? 0 : 1;
    grid.chroma_shift_y = format.plane_height(1) == format.height ? 0 : 1;
    grid.block_px = 4 * static_cast<int>(32.0 * std::sqrt(relative) + 0.5);
    grid.unweighted = grid.block_px == 0 ? 1 : 0;
    if (grid.unweighted != 0)
        grid.block_px = static_cast<int>(round_up(std::max(format.width, format.height), 4));
    grid.step = area > 2048 * 1152 ? 2 : 1;
    grid.columns = static_cast<int>(blocks_for(format.width, static_cast<unsigned>(grid.block_px)));
    grid.rows = static_cast<int>(blocks_for(format.height, static_cast<unsigned>(grid.block_px)));
    grid.second_order = options.second_order ? 1 : 0;
    grid.scale = std::sqrt(16.0 * static_cast<double>(std::uint64_t{1} << (2 * format.bpc - 9)) / std::sqrt(relative));
    grid.least_weight = static_cast<double>(1U << (format.bpc - 6));
    return grid;
}

/// spec xpsnr 3.1: N.
double largest_error(const PictureFormat &format, unsigned plane)
{
    const std::uint64_t peak = (1U << format.bpc) - 1;
    return static_cast<double>(std::uint64_t{format.plane_width(plane)} * format.plane_height(plane) * peak * peak);
}

struct FrameErrors {
    std::uint64_t call;
    XpsnrSums sums;
};

/// spec xpsnr 3.7: the XPSNR of the clip, from the roots of its frames' errors in the order in
/// which they were read.
class XpsnrClipState final : public FrameValuesState<FrameErrors> {
  public:
    XpsnrClipState(unsigned planes, const PictureFormat &format) : planes_(planes), format_(format) {}

    void add(unsigned frame_index, std::uint64_t call, const void *sums) override
    {
        kept_frames().add(frame_index, {call, *static_cast<const XpsnrSums *>(sums)});
    }

    void load(unsigned frame_index, const std::byte *kept) override
    {
        FrameValuesState::load(frame_index, kept);
        kept_frames().add(frame_index,
                          {frame_index, kept_frames().find(frame_index)->sums}); // the segment's calls were others
    }

    Status flush(ClipOutputs &scores) override
    {
        std::vector<FrameErrors> frames;
        kept_frames().for_each([&](unsigned, const FrameErrors &frame) { frames.push_back(frame); });
        std::sort(frames.begin(), frames.end(),
                  [](const FrameErrors &a, const FrameErrors &b) { return a.call < b.call; });
        std::array<double, 3> xpsnr{}, errors{};
        for (unsigned plane = 0; plane < planes_; ++plane) {
            double roots = 0;
            for (const FrameErrors &frame : frames)
                roots = roots + std::sqrt(static_cast<double>(frame.sums.error[plane]));
            const auto count = static_cast<double>(frames.size());
            const double root = roots / count, largest = largest_error(format_, plane);
            xpsnr[plane] = roots >= count ? 10.0 * std::log10(largest / (root * root)) : kInfinity;
            errors[plane] = xpsnr[plane] == kInfinity ? 0.0 : (root * root) / largest;
            VMAF_TRY(scores.write_aggregate(planes_ + plane, xpsnr[plane]));
        }
        if (planes_ == 1)
            return {};
        VMAF_TRY(scores.write_aggregate(2 * std::size_t{planes_}, std::min({xpsnr[0], xpsnr[1], xpsnr[2]})));
        const double error = (4.0 * errors[0] + errors[1] + errors[2]) / 6.0;
        return scores.write_aggregate(2 * std::size_t{planes_} + 1, error > 0 ? -10.0 * std::log10(error) : kInfinity);
    }

  private:
    unsigned planes_;
    PictureFormat format_;
};

class Xpsnr final : public FeatureOf<XpsnrSums> {
  public:
    explicit Xpsnr(const OptionValues &values) : options_(values) {}

    std::vector<OutputSpec> outputs(const PictureFormat &format) const override
    {
        return outputs_of(kOutputs, options_.planes_measured(format) > 1);
    }

    /// Earlier references count by the calls in which this feature saw them: without them a frame
    /// is compared with black.
    ReadingWindow window(const PictureFormat &format) const override
    {
        const PlaneMask planes = options_.planes_measured(format) == 1 ? kLuma : kAllPlanes;
        ReadingWindow window{.pair = {planes, planes}, .missing = ReadingWindow::Missing::is_counted_by_calls};
        window.earlier[0].ref = kLuma;
        if (options_.second_order)
            window.earlier[1].ref = kLuma;
        return window;
    }

    std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const override
    {
        return make_xpsnr_cpu(make_grid(options_, format), target);
    }

    std::unique_ptr<ClipState> make_clip_state(const PictureFormat &format) const override
    {
        return std::make_unique<XpsnrClipState>(options_.planes_measured(format), format);
    }

  protected:
    /// spec xpsnr 3.6
    void finish(const XpsnrSums &sums, const PictureFormat &format, std::span<double> scores) const override
    {
        for (unsigned plane = 0; plane < options_.planes_measured(format); ++plane) {
            const double root = std::sqrt(static_cast<double>(sums.error[plane]));
            scores[plane] = root >= 1.0 ? 10.0 * std::log10(largest_error(format, plane) / (root * root)) : kInfinity;
        }
    }

  private:
    XpsnrOptions options_;
};

std::unique_ptr<Feature> create(const OptionValues &options)
{
    return std::make_unique<Xpsnr>(options);
}

} // namespace

XpsnrGrid xpsnr_grid(const OptionValues &options, const PictureFormat &format)
{
    return make_grid(XpsnrOptions(options), format);
}

constinit const FeatureSpec kXpsnr = feature_spec("xpsnr", "PSNR of each plane, weighted by visual activity",
                                                  list_of<kOptions>(), list_of<kOutputs>(), create)
                                         .with(&FeatureSpec::reads_chroma, 1)
                                         .with(&FeatureSpec::chroma_option, "enable_chroma")
                                         .with(&FeatureSpec::sees_every_frame, 1);

} // namespace vmaf
