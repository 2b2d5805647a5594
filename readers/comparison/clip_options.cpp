#include "comparison/clip_options.h"

#include <algorithm>
#include <utility>

#include "common/console.h"
#include "common/format.h"
#include "library/lists.h"

namespace vmaf::tool {
namespace {

/// The names that options of colour take (spec ssimulacra2 2), of H.273 codes.
struct Named {
    std::vector<int> codes;
    const char *name;
};

const std::vector<Named> &transfers()
{
    using namespace h273;
    static const std::vector<Named> list{{{1, 4, 5, 6, 7, 11, 12, 14, 15}, "sdr"},
                                         {{kSrgb}, "srgb"},
                                         {{kPq}, "pq"},
                                         {{kHlg}, "hlg"},
                                         {{kLinear}, "linear"}};
    return list;
}

/// Names of primaries. BT.601's and EBU's differ little from BT.709's.
const std::vector<Named> &primaries()
{
    using namespace h273;
    static const std::vector<Named> list{{{1, 5, 6, 7, 22}, "bt709"}, {{kBt2020}, "bt2020"}, {{11, kP3D65}, "p3"}};
    return list;
}

/// The matrices' numbers in limited range and in full range.
struct Numbered {
    int canonical, limited, full;
};
constexpr Numbered kMatrices[] = {{h273::kBt709, 0, 2}, {h273::kSmpte170m, 1, 3}, {h273::kBt2020Nc, 4, 5}};

const char *find(const std::vector<Named> &list, int code)
{
    for (const Named &named : list)
        if (std::ranges::find(named.codes, code) != named.codes.end())
            return named.name;
    return nullptr;
}

bool is_hdr(const ClipFacts &facts)
{
    return h273::is_hdr(facts.colour.transfer);
}

/// Collects the options of one feature.
class Filler {
  public:
    Filler(std::string_view feature, const std::vector<OptionValue> &given, const ClipFacts &facts)
        : feature_(feature), given_(given), facts_(facts)
    {
    }

    ClipOptions fill(const VmafFeatureInfo &info)
    {
        for (std::size_t i = 0; info.options[i] != nullptr; ++i) {
            const VmafOptionInfo &option = *info.options[i];
            if (!is_given(option.name) && option.in_names == 0)
                fill(option);
        }
        if (!colour_.empty())
            result_.notes.push_back(formatted("the reference's colour: --feature {}={}", feature_, colour_));
        fill_encode(info);
        return std::move(result_);
    }

  private:
    bool is_given(std::string_view name) const
    {
        return std::ranges::any_of(given_, [name](const OptionValue &value) { return value.first == name; });
    }

    void fill(const VmafOptionInfo &option)
    {
        switch (option.role) {
        case VMAF_ROLE_FRAME_RATE:
            return fill_frame_rate(option);
        case VMAF_ROLE_MATRIX:
            return fill_matrix(option);
        case VMAF_ROLE_TRANSFER:
            return fill_transfer(option);
        case VMAF_ROLE_PRIMARIES:
            return fill_primaries(option);
        case VMAF_ROLE_DISPLAY:
            return fill_display(option);
        default:
            return;
        }
    }

    void set(const VmafOptionInfo &option, const std::string &value)
    {
        if (value == default_text(option))
            return;
        result_.values.emplace_back(option.name, value);
        colour_ += formatted("{}{}={}", colour_.empty() ? "" : ":", option.name, value);
    }

    void fill_encode(const VmafFeatureInfo &info);
    void fill_frame_rate(const VmafOptionInfo &option);
    void fill_matrix(const VmafOptionInfo &option);
    void fill_transfer(const VmafOptionInfo &option);
    void fill_primaries(const VmafOptionInfo &option);
    void fill_display(const VmafOptionInfo &option);
    void doubt(const VmafOptionInfo &option, const char *what, std::string_view tag);

    std::string_view feature_;
    const std::vector<OptionValue> &given_;
    const ClipFacts &facts_;
    ClipOptions result_;
    std::string colour_; ///< options that follow the reference's
};

/// spec comparison 5.
void Filler::fill_encode(const VmafFeatureInfo &info)
{
    ClipOptions encode = encode_options(info, facts_);
    std::erase_if(encode.values, [this](const OptionValue &value) { return is_given(value.first); });
    result_.values.insert(result_.values.end(), encode.values.begin(), encode.values.end());
    result_.doubts.insert(result_.doubts.end(), encode.doubts.begin(), encode.doubts.end());
    std::string said;
    for (const auto &[name, value] : encode.values)
        said += formatted("{}{}={}", said.empty() ? "" : ":", name, value);
    if (!said.empty())
        result_.notes.push_back(formatted("{} measures {} as it was encoded: --feature {}={}", feature_,
                                          facts_.encode->name, feature_, said));
}

/// spec xpsnr 2, cvvdp 2.
void Filler::fill_frame_rate(const VmafOptionInfo &option)
{
    const std::optional<double> rate = facts_.frame_rate;
    // A default of 0 stands for a rate that is not known.
    if (rate && option.least <= *rate && *rate <= option.most) {
        result_.values.emplace_back(option.name, formatted("{}", *rate));
    } else if (option.default_number != 0) {
        const std::string known = rate ? formatted("is {}, which it does not take", *rate) : "is not known";
        result_.doubts.push_back(formatted("{} takes the video for one of {} frames/s: the reference's frame rate {}",
                                           feature_, default_text(option), known));
    }
}

void Filler::doubt(const VmafOptionInfo &option, const char *what, std::string_view tag)
{
    result_.doubts.push_back(formatted("{} does not know the reference's {} {}: --feature {}={}=... says what to take",
                                       feature_, what, tag, feature_, option.name));
}

void Filler::fill_matrix(const VmafOptionInfo &option)
{
    const int matrix = facts_.form.matrix;
    const bool is_full = facts_.form.range == Range::full;
    const bool is_specified = h273::canonical(h273::Kind::matrix, matrix) != h273::kUnspecified;
    // One that does not say has the feature's default, that of HDR or of BT.709, in its own range.
    const int meant = is_specified ? matrix : is_hdr(facts_) ? h273::kBt2020Nc : h273::kBt709;
    if (!is_specified && !is_full && !is_hdr(facts_))
        return;
    const auto *const found =
        std::ranges::find(kMatrices, h273::canonical(h273::Kind::matrix, meant), &Numbered::canonical);
    if (found == std::end(kMatrices))
        return doubt(option, "matrix", h273::name(h273::Kind::matrix, matrix));
    set(option, formatted("{}", is_full ? found->full : found->limited));
}

void Filler::fill_transfer(const VmafOptionInfo &option)
{
    const int transfer = facts_.colour.transfer;
    if (h273::canonical(h273::Kind::transfer, transfer) == h273::kUnspecified) {
        if (facts_.is_still)
            set(option, "srgb");
        return;
    }
    const char *const name = find(transfers(), transfer);
    if (name == nullptr)
        return doubt(option, "transfer", h273::name(h273::Kind::transfer, transfer));
    set(option, name);
}

void Filler::fill_primaries(const VmafOptionInfo &option)
{
    const int code = facts_.colour.primaries;
    if (h273::canonical(h273::Kind::primaries, code) == h273::kUnspecified) {
        if (is_hdr(facts_))
            set(option, "bt2020"); // ITU-R BT.2100 has no others
        return;
    }
    const char *const name = find(primaries(), code);
    if (name == nullptr)
        return doubt(option, "primaries", h273::name(h273::Kind::primaries, code));
    set(option, name);
}

void Filler::fill_display(const VmafOptionInfo &option)
{
    constexpr unsigned kFullHdPx = 1920;
    if (facts_.colour == ColourTags())
        return;
    switch (facts_.colour.transfer) {
    case h273::kPq:
        return set(option, "standard_hdr_pq");
    case h273::kHlg:
        return set(option, "standard_hdr_hlg");
    case h273::kLinear:
        return set(option, "standard_hdr_linear");
    default:
        return set(option, facts_.form.format.width_px <= kFullHdPx ? "standard_fhd" : "standard_4k");
    }
}

} // namespace

ClipFacts facts_of(const VideoReader &ref, const VideoReader &dis, Display display)
{
    VideoFormat encoded = dis.stored_format();
    if (dis.tags().orientation.quarter_turns % 2 != 0)
        std::swap(encoded.width_px, encoded.height_px);
    if (const auto crop = dis.crop()) {
        encoded.width_px = crop->width_px;
        encoded.height_px = crop->height_px;
    }
    return {.form = ref.form(),
            .colour = ref.tags().colour,
            .is_still = ref.tags().is_still,
            .frame_rate = ref.frame_rate(),
            .encode = EncodedVideo{printable(dis.file().path()), encoded, dis.frame_rate()},
            .display = display,
            .any_is_media = ref.tags().is_media || dis.tags().is_media};
}

ClipOptions encode_options(const VmafFeatureInfo &feature, const ClipFacts &facts)
{
    ClipOptions result;
    if (!facts.encode)
        return result;
    const VideoFormat &scored = facts.form.format;
    const VideoFormat &encoded = facts.encode->format;
    const auto takes = [](const VmafOptionInfo *option, unsigned value) {
        return option->least <= value && value <= option->most;
    };
    const VmafOptionInfo *const width = find_option(feature, VMAF_ROLE_ENCODE_WIDTH);
    const VmafOptionInfo *const height = find_option(feature, VMAF_ROLE_ENCODE_HEIGHT);
    const bool is_scaled = encoded.width_px != scored.width_px || encoded.height_px != scored.height_px;
    const bool is_enlarged = encoded.width_px <= scored.width_px && encoded.height_px <= scored.height_px;
    if (width != nullptr && height != nullptr && is_scaled) {
        if (takes(width, encoded.width_px) && takes(height, encoded.height_px)) {
            result.values.emplace_back(width->name, formatted("{}", encoded.width_px));
            result.values.emplace_back(height->name, formatted("{}", encoded.height_px));
        } else if (is_enlarged) {
            result.doubts.push_back(formatted("{} cannot measure {} at {}x{}, as it was encoded: it measures it at "
                                              "{}x{}",
                                              feature.name, facts.encode->name, encoded.width_px, encoded.height_px,
                                              scored.width_px, scored.height_px));
        }
    }
    if (const VmafOptionInfo *depth = find_option(feature, VMAF_ROLE_ENCODE_DEPTH))
        if (encoded.depth < scored.depth && takes(depth, encoded.depth))
            result.values.emplace_back(depth->name, formatted("{}", encoded.depth));
    return result;
}

ClipOptions clip_options(std::string_view feature, const std::vector<OptionValue> &given, const ClipFacts &facts)
{
    const VmafFeatureInfo *const info = find_feature_info(feature);
    return info != nullptr ? Filler(feature, given, facts).fill(*info) : ClipOptions();
}

void add_clip_options(std::string_view feature, std::vector<OptionValue> &given, const ClipFacts &facts,
                      Warnings &warnings)
{
    const ClipOptions options = clip_options(feature, given, facts);
    given.insert(given.end(), options.values.begin(), options.values.end());
    for (const std::string &text : options.notes)
        warnings.note(text);
    for (const std::string &text : options.doubts)
        warnings.warn_at_start(text);
}

} // namespace vmaf::tool
