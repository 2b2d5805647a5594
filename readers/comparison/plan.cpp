#include "comparison/plan.h"

#include <algorithm>
#include <cstdint>

#include "common/format.h"
#include "input/compatibility.h"

namespace vmaf::tool {
namespace {

using Kind = Decision::Kind;

/// A plan that grows, one kind of decision after the other.
class Planner {
  public:
    Planner(const VideoDescription &ref, const VideoDescription &dis, const InputOptions &options)
        : ref_(ref), dis_(dis), options_(options), any_media_(ref.tags.is_media || dis.tags.is_media)
    {
        plan_.ref.form = ref.form;
        plan_.dis.form = dis.form;
    }

    Plan plan()
    {
        check_frame_rates();
        match_sizes();
        match_layouts();
        match_ranges();
        compare_colours();
        compare_pixel_aspects();
        tell_filters(Side::reference, ref_);
        tell_filters(Side::distorted, dis_);
        check_interlacing(Side::reference, ref_);
        check_interlacing(Side::distorted, dis_);
        check_deinterlacing();
        compare_film_grain();
        return std::move(plan_);
    }

  private:
    void decide(Kind kind, Side side, Severity severity, std::string text)
    {
        plan_.decisions.push_back({kind, side, severity, std::move(text)});
    }

    /// The same, of what one side's frames go through.
    void convert(Kind kind, Side side, Severity severity, const std::string &text)
    {
        decide(kind, side, severity, formatted("{}: {}", side == Side::reference ? "reference" : "distorted", text));
        delivery(side).conversions.push_back(text);
    }

    Delivery &delivery(Side side) { return side == Side::reference ? plan_.ref : plan_.dis; }

    void check_frame_rates();
    void match_sizes();
    void scale(Side side, unsigned width_px, unsigned height_px);
    void match_layouts();
    void bring_to_layout(Side side, VmafPixelFormat pix_fmt, unsigned depth);
    void match_ranges();
    void compare_colours();
    void compare_pixel_aspects();
    void tell_filters(Side side, const VideoDescription &video);
    void check_interlacing(Side side, const VideoDescription &video);
    void check_deinterlacing();
    void compare_film_grain();

    const VideoDescription &ref_;
    const VideoDescription &dis_;
    const InputOptions &options_;
    const bool any_media_;
    Plan plan_;
};

void Planner::check_frame_rates()
{
    if (!ref_.tags.is_media || !dis_.tags.is_media || options_.allow_fps_mismatch ||
        !rates_differ(ref_.frame_rate, dis_.frame_rate))
        return;
    decide(Kind::frame_rate, Side::both, Severity::error,
           formatted("frame rates differ: {:.6g} and {:.6g}; frames would be compared out of step "
                     "(--allow_fps_mismatch to go on)",
                     *ref_.frame_rate, *dis_.frame_rate));
}

void Planner::scale(Side side, unsigned width_px, unsigned height_px)
{
    const char *const how = options_.scaler == ScalerChoice::integer ? "bicubic, in integers" : "bicubic";
    VideoFormat &format = delivery(side).form.format;
    if (format.width_px != width_px || format.height_px != height_px)
        convert(Kind::size, side, Severity::note,
                formatted("{}x{} scaled to {}x{} ({})", format.width_px, format.height_px, width_px, height_px, how));
    format.width_px = width_px;
    format.height_px = height_px;
    delivery(side).other_sizes = OtherSizes::are_scaled;
}

void Planner::match_sizes()
{
    const ScaleOption &option = options_.scale;
    const VideoFormat &ref = plan_.ref.form.format;
    switch (option.kind) {
    case ScaleOption::Kind::automatic:
        if (!any_media_)
            return;
        [[fallthrough]];
    case ScaleOption::Kind::reference:
        return scale(Side::distorted, ref.width_px, ref.height_px);
    case ScaleOption::Kind::size:
        scale(Side::reference, option.width_px, option.height_px);
        return scale(Side::distorted, option.width_px, option.height_px);
    case ScaleOption::Kind::none:
        return;
    }
}

void Planner::bring_to_layout(Side side, VmafPixelFormat pix_fmt, unsigned depth)
{
    VideoFormat &format = delivery(side).form.format;
    const std::string fate =
        pix_fmt == VMAF_PIX_FMT_YUV400P ? "left out" : formatted("scaled to {}", pixel_format_text(pix_fmt));
    if (format.pix_fmt != pix_fmt)
        convert(Kind::layout, side, Severity::note,
                formatted("chroma {} is {}", pixel_format_text(format.pix_fmt), fate));
    if (format.depth != depth)
        convert(Kind::depth, side, Severity::detail, formatted("{} bits are made {}", format.depth, depth));
    format.pix_fmt = pix_fmt;
    format.depth = depth;
}

void Planner::match_layouts()
{
    const PixelFormatOption &option = options_.pix_fmt;
    const VideoFormat &ref = plan_.ref.form.format;
    const VideoFormat &dis = plan_.dis.form.format;
    VmafPixelFormat pix_fmt = dis.pix_fmt == VMAF_PIX_FMT_YUV400P ? dis.pix_fmt : ref.pix_fmt;
    unsigned depth = std::max(ref.depth, dis.depth);
    if (option.kind == PixelFormatOption::Kind::named) {
        pix_fmt = option.pix_fmt;
        depth = option.depth;
    } else if (option.kind == PixelFormatOption::Kind::none || !any_media_) {
        return;
    }
    bring_to_layout(Side::reference, pix_fmt, depth);
    bring_to_layout(Side::distorted, pix_fmt, depth);
}

void Planner::match_ranges()
{
    const Range range = plan_.ref.form.range;
    Range &own = plan_.dis.form.range;
    if (own != range)
        convert(Kind::range, Side::distorted, Severity::warning,
                formatted("{} range is converted to the reference's {} range", range_text(own), range_text(range)));
    own = range;
}

void Planner::compare_colours()
{
    const auto compare = [&](Kind kind, h273::Kind tag, const char *what, int ref, int dis) {
        if (h273::differ(tag, ref, dis))
            decide(kind, Side::both, Severity::warning,
                   formatted("{} differ: {} and {}; nothing is converted", what, h273::name(tag, ref),
                             h273::name(tag, dis)));
    };
    const ColourTags &ref = ref_.tags.colour;
    const ColourTags &dis = dis_.tags.colour;
    if (!ref_.tags.is_rgb && !dis_.tags.is_rgb)
        compare(Kind::matrix, h273::Kind::matrix, "matrices", ref.matrix, dis.matrix);
    compare(Kind::primaries, h273::Kind::primaries, "primaries", ref.primaries, dis.primaries);
    compare(Kind::transfer, h273::Kind::transfer, "transfer functions", ref.transfer, dis.transfer);
}

void Planner::compare_pixel_aspects()
{
    const VideoTags &ref = ref_.tags;
    const VideoTags &dis = dis_.tags;
    const bool differ = std::int64_t{ref.pixel_aspect_num} * dis.pixel_aspect_den !=
                        std::int64_t{dis.pixel_aspect_num} * ref.pixel_aspect_den;
    if (ref.pixel_aspect_num > 0 && dis.pixel_aspect_num > 0 && differ)
        decide(Kind::pixel_aspect, Side::both, Severity::warning,
               formatted("aspect ratios of pixels differ: {}:{} and {}:{}; they are ignored", ref.pixel_aspect_num,
                         ref.pixel_aspect_den, dis.pixel_aspect_num, dis.pixel_aspect_den));
}

void Planner::check_interlacing(Side side, const VideoDescription &video)
{
    if (video.tags.is_interlaced)
        decide(Kind::interlace, side, Severity::warning,
               formatted("{}: interlaced video, scored as stored (--deinterlace makes a progressive frame of each)",
                         video.name));
}

void Planner::tell_filters(Side side, const VideoDescription &video)
{
    if (!video.tags.filters.empty())
        convert(Kind::filter, side, Severity::note, formatted("filtered by \"{}\"", printable(video.tags.filters)));
}

void Planner::check_deinterlacing()
{
    const auto is_deinterlaced = [](const VideoDescription &video) {
        return video.tags.filters.starts_with(kDeinterlacer);
    };
    if (options_.deinterlace && !is_deinterlaced(ref_) && !is_deinterlaced(dis_))
        decide(Kind::interlace, Side::both, Severity::warning,
               formatted("--deinterlace does nothing: neither video says that it is interlaced "
                         "(--filter_ref {0} --filter_dist {0} deinterlaces both)",
                         kDeinterlacer));
}

void Planner::compare_film_grain()
{
    const bool ref = ref_.tags.has_film_grain;
    const bool dis = dis_.tags.has_film_grain;
    if (options_.film_grain == FilmGrain::remove) {
        for (const Side side : {Side::reference, Side::distorted})
            if (side == Side::reference ? ref : dis)
                convert(Kind::film_grain, side, Severity::note, "film grain is left out");
    } else if (ref != dis) {
        decide(Kind::film_grain, Side::both, Severity::note,
               formatted("{} has film grain that the decoder adds, {} has none (--film_grain remove leaves it out)",
                         (ref ? ref_ : dis_).name, (ref ? dis_ : ref_).name));
    }
}

} // namespace

Plan plan_comparison(const VideoDescription &ref, const VideoDescription &dis, const InputOptions &options)
{
    return Planner(ref, dis, options).plan();
}

} // namespace vmaf::tool
