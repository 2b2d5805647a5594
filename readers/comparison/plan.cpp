#include "comparison/plan.h"

#include <algorithm>

#include "common/format.h"
#include "comparison/aspects.h"
#include "comparison/display_size.h"
#include "comparison/frame_rates.h"
#include "input/colour_rows.h"

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
        for (const Side side : {Side::reference, Side::distorted}) {
            check_playlist(side, video(side));
            tell_orientation(side, video(side).tags.orientation);
            crop(side);
        }
        const PictureShape ref = shape(Side::reference), dis = shape(Side::distorted);
        match_alpha();
        match_sizes();
        match_layouts();
        match_matrices();
        match_ranges();
        compare_colours();
        compare_aspects(ref, dis);
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

    /// Adds a conversion that one side's frames go through.
    void convert(Kind kind, Side side, Severity severity, const std::string &text)
    {
        decide(kind, side, severity, formatted("{}: {}", side == Side::reference ? "reference" : "distorted", text));
        delivery(side).conversions.push_back(text);
    }

    const VideoDescription &video(Side side) const { return side == Side::reference ? ref_ : dis_; }
    const Delivery &delivery(Side side) const { return side == Side::reference ? plan_.ref : plan_.dis; }
    Delivery &delivery(Side side) { return side == Side::reference ? plan_.ref : plan_.dis; }

    void check_frame_rates();
    void check_playlist(Side side, const VideoDescription &video);
    void tell_orientation(Side side, const Orientation &orientation);
    void crop(Side side);
    void crop_bars(Side side);
    Pictures pictures_inside_bars() const;
    void cut_out(Side side, const Crop &crop, const char *why);
    void match_alpha();
    void match_sizes();
    void show_on_display();
    void scale(Side side, unsigned width_px, unsigned height_px);
    void match_layouts();
    void bring_to_layout(Side side, VmafPixelFormat pix_fmt, unsigned depth);
    bool are_sdr() const;
    void match_matrices();
    void convert_rgb(Side side, const VideoDescription &video, const VideoDescription &other);
    void match_yuv_matrices();
    void match_ranges();
    void compare_colours();
    bool are_of_one_dynamic_range();
    PictureShape shape(Side side) const;
    void compare_aspects(const PictureShape &ref, const PictureShape &dis);
    bool tell_pixel_aspects(const PictureShape &ref, const PictureShape &dis);
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

/// Time stamps of raw and Y4M videos are a guess of whoever wrote them.
void Planner::check_frame_rates()
{
    if (!rates_differ(ref_.frame_rate, dis_.frame_rate))
        return;
    const bool is_error = ref_.tags.is_media && dis_.tags.is_media && !options_.allow_fps_mismatch;
    const std::string rates = formatted("frame rates differ: {} and {}", rate_text(ref_), rate_text(dis_));
    const std::string cure = formatted("convert one first: {}", converting_command(ref_, dis_));
    decide(Kind::frame_rate, Side::both, is_error ? Severity::error : Severity::warning,
           is_error
               ? formatted("{}; {}; to compare frame by frame all the same: --allow_fps_mismatch", rates, cure)
               : formatted("{}; frames are compared by number, so out of step if these are true; {}", rates, cure));
}

void Planner::check_playlist(Side side, const VideoDescription &video)
{
    if (video.tags.is_live)
        decide(Kind::live_playlist, side, Severity::note,
               formatted("{}: live playlist without an end, read as it stands from its first segment", video.name));
}

/// Frames come turned; this says so.
void Planner::tell_orientation(Side side, const Orientation &orientation)
{
    if (orientation == Orientation())
        return;
    std::string how = orientation.is_mirrored ? "mirrored" : "";
    if (orientation.quarter_turns > 0)
        how +=
            formatted("{}rotated by {} degrees clockwise", how.empty() ? "" : " and ", 90 * orientation.quarter_turns);
    convert(Kind::orientation, side, Severity::note,
            formatted("{}, as its file says (--no_autorotate scores it as stored)", how));
}

void Planner::crop(Side side)
{
    const bool is_ref = side == Side::reference;
    const CropOption &option = options_.crop_of(is_ref ? options_.ref : options_.dis);
    const VideoFormat &format = delivery(side).form.format;
    if (option.kind == CropOption::Kind::none)
        return;
    if (option.kind == CropOption::Kind::automatic)
        return crop_bars(side);
    const ResolvedCrop resolved = resolve_crop(option, format, is_ref ? "--crop_ref" : "--crop_dist");
    if (!resolved.problem.empty())
        return decide(Kind::crop, side, Severity::error, resolved.problem);
    cut_out(side, resolved.crop, "");
}

void Planner::crop_bars(Side side)
{
    const VideoDescription &of = video(side);
    if (!of.found)
        return;
    const char *const name = side == Side::reference ? "reference" : "distorted";
    if (of.found->frames < kLeastBarFrames)
        return decide(Kind::crop, side, Severity::note,
                      formatted("{}: not cropped: {} sampled frames are not black, {} are needed to find bars", name,
                                of.found->frames, kLeastBarFrames));
    const VideoFormat &format = delivery(side).form.format;
    const Pictures pictures = pictures_inside_bars();
    const Crop &picture = side == Side::reference ? pictures.ref : pictures.dis;
    if (picture == whole_picture(format))
        return decide(Kind::crop, side, Severity::note, formatted("{}: not cropped: it has no bars", name));
    cut_out(side, picture, ", its picture inside bars");
}

/// The whole picture where nothing was looked for.
Pictures Planner::pictures_inside_bars() const
{
    const auto inside = [](const VideoDescription &video) {
        const VideoFormat &format = video.form.format;
        return video.found ? rounded_inward(video.found->picture, format) : whole_picture(format);
    };
    const Pictures own{inside(ref_), inside(dis_)};
    const auto has_bars = [](const Crop &picture, const VideoDescription &video) {
        return picture != whole_picture(video.form.format);
    };
    return has_bars(own.ref, ref_) && has_bars(own.dis, dis_)
               ? aligned_pictures(own, ref_.form.format, dis_.form.format)
               : own;
}

void Planner::cut_out(Side side, const Crop &crop, const char *why)
{
    VideoFormat &format = delivery(side).form.format;
    if (crop == whole_picture(format))
        return;
    convert(Kind::crop, side, Severity::note,
            formatted("{}x{} cropped to {}{}", format.width_px, format.height_px, crop_text(crop), why));
    delivery(side).crop = crop;
    format.width_px = crop.width_px;
    format.height_px = crop.height_px;
}

void Planner::match_alpha()
{
    const bool ref = ref_.tags.has_alpha;
    const bool dis = dis_.tags.has_alpha;
    if (options_.background) {
        const std::string text = "transparency is composed over the background";
        if (ref)
            convert(Kind::alpha, Side::reference, Severity::note, text);
        if (dis)
            convert(Kind::alpha, Side::distorted, Severity::note, text);
    } else if (ref && dis) {
        decide(Kind::alpha, Side::both, Severity::warning,
               "both videos have transparency, which is not scored: --background 000000 composes them over a colour");
    } else if (ref || dis) {
        decide(Kind::alpha, ref ? Side::reference : Side::distorted, Severity::warning,
               formatted("{} has transparency, which is not scored, and {} has none: --background 000000 composes it "
                         "over a colour",
                         ref ? ref_.name : dis_.name, ref ? dis_.name : ref_.name));
    }
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

/// The reference's shape decides.
void Planner::show_on_display()
{
    const char *const display = display_text(options_.display);
    if (options_.scale.kind != ScaleOption::Kind::automatic)
        return decide(
            Kind::display, Side::both, Severity::error,
            formatted("--display {} scales both videos, and --scale says otherwise: leave one of them out", display));
    const VideoFormat size = fitted(plan_.ref.form.format, pixel_aspect(ref_.tags), options_.display);
    decide(Kind::display, Side::both, Severity::detail,
           formatted("display {}: pictures are {}x{}", display, size.width_px, size.height_px));
    scale(Side::reference, size.width_px, size.height_px);
    scale(Side::distorted, size.width_px, size.height_px);
}

void Planner::match_sizes()
{
    if (options_.display != Display::none)
        return show_on_display();
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
    const bool is_left_out = pix_fmt == VMAF_PIX_FMT_YUV400P;
    std::string fate = is_left_out ? "left out" : formatted("scaled to {}", pixel_format_text(pix_fmt));
    if (is_left_out && options_.pix_fmt.kind == PixelFormatOption::Kind::automatic)
        fate += formatted(", as the other video has none (--pix_fmt {} compares it with neutral chroma)",
                          common_format_text({.pix_fmt = format.pix_fmt, .depth = depth}));
    if (format.pix_fmt != pix_fmt)
        convert(Kind::layout, side, Severity::note,
                formatted("chroma {} is {}", pixel_format_text(format.pix_fmt), fate));
    if (format.depth != depth)
        convert(Kind::depth, side, Severity::detail, formatted("{} bits are made {}", format.depth, depth));
    format.pix_fmt = pix_fmt;
    format.depth = depth;
}

bool Planner::are_sdr() const
{
    return !h273::is_hdr(ref_.tags.colour.transfer) && !h273::is_hdr(dis_.tags.colour.transfer);
}

void Planner::match_layouts()
{
    const PixelFormatOption &option = options_.pix_fmt;
    const VideoFormat ref = plan_.ref.form.format;
    const VideoFormat dis = plan_.dis.form.format;
    const VmafPixelFormat common = dis.pix_fmt == VMAF_PIX_FMT_YUV400P ? dis.pix_fmt : ref.pix_fmt;
    const auto bring_to = [this](VmafPixelFormat of_ref, VmafPixelFormat of_dis, unsigned depth) {
        bring_to_layout(Side::reference, of_ref, depth);
        bring_to_layout(Side::distorted, of_dis, depth);
    };
    if (option.kind == PixelFormatOption::Kind::named)
        return bring_to(option.pix_fmt, option.pix_fmt, option.depth);
    const bool is_automatic = option.kind == PixelFormatOption::Kind::automatic;
    const bool has_own_depth = is_automatic && options_.sdr_depth != 0 && are_sdr();
    const unsigned depth = has_own_depth ? options_.sdr_depth : std::max(ref.depth, dis.depth);
    if (is_automatic && any_media_)
        bring_to(common, common, depth);
    else if (has_own_depth || (options_.unequal_depths_allowed && ref.pix_fmt == dis.pix_fmt))
        bring_to(ref.pix_fmt, dis.pix_fmt, depth);
}

/// The matrix that a video without a tag counts as. JPEG has BT.601 at every size.
int assumed_matrix_of(const VideoDescription &video)
{
    const bool is_jpeg = video.tags.stored_format.starts_with("yuvj");
    return is_jpeg ? h273::kSmpte170m : assumed_matrix(video.form.format.height_px);
}

/// Convert RGB to the matrix and range of the other video.
void Planner::convert_rgb(Side side, const VideoDescription &video, const VideoDescription &other)
{
    PictureForm &form = delivery(side).form;
    Severity severity = Severity::note;
    std::string doubt;
    if (other.tags.is_rgb) {
        form.matrix = h273::kBt709;
        form.range = Range::limited;
    } else {
        form.matrix = other.form.matrix;
        form.range = other.form.range;
    }
    if (!luma_weights(form.matrix)) {
        const bool is_tagged = h273::canonical(h273::Kind::matrix, form.matrix) != h273::kUnspecified;
        const std::string_view tagged = h273::name(h273::Kind::matrix, form.matrix);
        form.matrix = assumed_matrix_of(other);
        severity = Severity::warning;
        doubt = is_tagged ? formatted("; matrix {} of {} is not supported", tagged, other.name)
                          : formatted("; {} does not say its matrix (--matrix_{} bt601, bt709 or bt2020)", other.name,
                                      side == Side::reference ? "dist" : "ref");
    }
    convert(Kind::matrix, side, severity,
            formatted("{} is converted to YUV by {}, {} range", video.tags.stored_format,
                      h273::name(h273::Kind::matrix, form.matrix), range_text(form.range)) +
                doubt);
}

/// Matches the matrices of two YUV videos.
void Planner::match_yuv_matrices()
{
    const int ref = ref_.form.matrix;
    const int dis = dis_.form.matrix;
    if (!h273::differ(h273::Kind::matrix, ref, dis) || dis_.form.format.pix_fmt == VMAF_PIX_FMT_YUV400P)
        return;
    const std::string_view ref_name = h273::name(h273::Kind::matrix, ref);
    const std::string_view dis_name = h273::name(h273::Kind::matrix, dis);
    if (!luma_weights(ref) || !luma_weights(dis))
        return decide(Kind::matrix, Side::both, Severity::warning,
                      formatted("matrices differ: {} and {}; nothing is converted", ref_name, dis_name));
    convert(Kind::matrix, Side::distorted, Severity::note,
            formatted("matrix {} is converted to the reference's {}", dis_name, ref_name));
    plan_.dis.form.matrix = ref;
}

void Planner::match_matrices()
{
    if (ref_.tags.is_rgb)
        convert_rgb(Side::reference, ref_, dis_);
    if (dis_.tags.is_rgb)
        convert_rgb(Side::distorted, dis_, ref_);
    if (!ref_.tags.is_rgb && !dis_.tags.is_rgb)
        match_yuv_matrices();
}

void Planner::match_ranges()
{
    const Range range = plan_.ref.form.range;
    Range &own = plan_.dis.form.range;
    if (own != range)
        convert(Kind::range, Side::distorted, Severity::note,
                formatted("{} range is converted to the reference's {} range", range_text(own), range_text(range)));
    own = range;
}

/// Says so if one of them is HDR alone. What cannot say is taken for what the other one is.
bool Planner::are_of_one_dynamic_range()
{
    const bool ref_is_hdr = h273::is_hdr(ref_.tags.colour.transfer);
    if (ref_is_hdr == h273::is_hdr(dis_.tags.colour.transfer))
        return true;
    const VideoDescription &hdr = ref_is_hdr ? ref_ : dis_, &other = ref_is_hdr ? dis_ : ref_;
    const Side side = ref_is_hdr ? Side::distorted : Side::reference;
    const std::string_view transfer = h273::name(h273::Kind::transfer, hdr.tags.colour.transfer);
    if (may_be_hdr(other.tags)) {
        decide(Kind::dynamic_range, side, Severity::note,
               formatted("{} says nothing of its transfer function: it is taken for HDR ({}), as {}", other.name,
                         transfer, hdr.name));
        return true;
    }
    decide(
        Kind::dynamic_range, side, Severity::warning,
        formatted("the score means nothing: one video is HDR ({} is {}, {} is not)", hdr.name, transfer, other.name));
    return false;
}

void Planner::compare_colours()
{
    if (!are_of_one_dynamic_range())
        return;
    const auto compare = [&](Kind kind, h273::Kind tag, const char *what, int ref, int dis) {
        if (h273::differ(tag, ref, dis))
            decide(kind, Side::both, Severity::warning,
                   formatted("{} differ: {} and {}; nothing is converted", what, h273::name(tag, ref),
                             h273::name(tag, dis)));
    };
    const ColourTags &ref = ref_.tags.colour;
    const ColourTags &dis = dis_.tags.colour;
    compare(Kind::primaries, h273::Kind::primaries, "primaries", ref.primaries, dis.primaries);
    compare(Kind::transfer, h273::Kind::transfer, "transfer functions", ref.transfer, dis.transfer);
}

/// Before it is scaled.
PictureShape Planner::shape(Side side) const
{
    const VideoFormat &format = delivery(side).form.format;
    return {format.width_px, format.height_px, pixel_aspect(video(side).tags)};
}

/// The display sizes decide: if these have one shape, it is right to scale the distorted picture to
/// the reference's size.
bool Planner::tell_pixel_aspects(const PictureShape &ref, const PictureShape &dis)
{
    if (!any_media_ && options_.display == Display::none)
        return false; // nothing is scaled by it
    if (!ref.pixels.is_known() || !dis.pixels.is_known() || ref.pixels == dis.pixels)
        return false;
    const std::string pixels = formatted("pixels of {}:{} and {}:{} are shown as {:.0f}x{} and {:.0f}x{}",
                                         ref.pixels.num, ref.pixels.den, dis.pixels.num, dis.pixels.den,
                                         ref.display_width(), ref.height_px, dis.display_width(), dis.height_px);
    if (are_of_one_shape(ref, dis))
        decide(Kind::pixel_aspect, Side::distorted, Severity::note,
               formatted("distorted: {}, one shape: it is scaled to the reference's", pixels));
    else
        decide(
            Kind::pixel_aspect, Side::both, Severity::warning,
            formatted("{}, two shapes: the distorted picture is compared as if it had the reference's (if its tag is "
                      "wrong: --filter_dist setsar={}/{})",
                      pixels, ref.pixels.num, ref.pixels.den));
    return true;
}

/// @param ref, dis before they were scaled.
void Planner::compare_aspects(const PictureShape &ref, const PictureShape &dis)
{
    if (tell_pixel_aspects(ref, dis))
        return;
    if (options_.display != Display::none) {
        if (const auto doubt = doubt_about_aspect({dis, ref, "dist", "ref"}))
            decide(Kind::aspect, Side::distorted, Severity::warning, *doubt);
        return;
    }
    const bool is_size_named = options_.scale.kind == ScaleOption::Kind::size;
    const auto scaled = [&](Side side) {
        const VideoFormat &format = delivery(side).form.format;
        return PictureShape{format.width_px, format.height_px, is_size_named ? PixelAspect() : ref.pixels};
    };
    if (const auto doubt = doubt_about_aspect({ref, scaled(Side::reference), "ref", is_size_named ? "" : "dist"}))
        decide(Kind::aspect, Side::reference, Severity::warning, *doubt);
    if (const auto doubt = doubt_about_aspect({dis, scaled(Side::distorted), "dist", is_size_named ? "" : "ref"}))
        decide(Kind::aspect, Side::distorted, Severity::warning, *doubt);
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
               formatted("--deinterlace does nothing: neither video is marked as interlaced (--filter_ref {0} "
                         "--filter_dist {0} deinterlaces both)",
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

bool may_be_hdr(const VideoTags &tags)
{
    return h273::is_hdr(tags.colour.transfer) || (!tags.is_media && tags.colour.transfer == h273::kUnspecified);
}

Plan plan_comparison(const VideoDescription &ref, const VideoDescription &dis, const InputOptions &options)
{
    return Planner(ref, dis, options).plan();
}

} // namespace vmaf::tool
