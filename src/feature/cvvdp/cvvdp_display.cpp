#include "feature/cvvdp/cvvdp_display.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <numbers>
#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/log.h"
#include "base/native.h"

namespace vmaf {
namespace {

constexpr double kInch = 0.0254;
constexpr double kReflectivity = 0.005;
constexpr double kContrast = 500; ///< of a file that says nothing of it

/// Field of view of a screen: its diagonal in degrees.
struct Sight {
    double degrees;
};

double ppd_of(double pixel, double distance)
{
    return 1 / (2 * std::atan(pixel / (2 * distance)) * 180 / std::numbers::pi);
}

/// spec cvvdp 3.1.
double ppd_of(double width_px, double height_px, double diagonal_inch, double distance_m)
{
    return ppd_of(kInch * diagonal_inch / std::hypot(width_px, height_px), distance_m);
}

/// spec cvvdp 3.1: the distance cancels out.
double ppd_of(double width_px, double height_px, Sight diagonal)
{
    const double distance_px =
        std::hypot(width_px, height_px) / (2 * std::tan(diagonal.degrees * std::numbers::pi / 360));
    return ppd_of(1, distance_px);
}

double reflected_light(double reflectivity, double ambient)
{
    return reflectivity * ambient / std::numbers::pi;
}

/// A row of the authors' list.
struct Listed {
    const char *name;
    double width_px, height_px;
    double diagonal_inch, diagonal_degrees; ///< one of them is 0
    double distance_m;
    double peak, contrast, ambient;
    Transfer transfer = Transfer::srgb;
    Primaries primaries = Primaries::bt709;

    CvvdpDisplay display() const
    {
        return {transfer,
                primaries,
                peak,
                peak / contrast,
                reflected_light(kReflectivity, ambient),
                ambient,
                1,
                diagonal_inch > 0 ? ppd_of(width_px, height_px, diagonal_inch, distance_m)
                                  : ppd_of(width_px, height_px, Sight{diagonal_degrees})};
    }
};

constexpr Transfer kPq = Transfer::pq, kHlg = Transfer::hlg, kLinear = Transfer::linear;
constexpr Primaries kWide = Primaries::bt2020;
// The least luminance of some is what the list gives.
constexpr std::array kDisplays{
    Listed{"standard_4k", 3840, 2160, 30, 0, 0.7472, 200, 1000, 250},
    Listed{"standard_hdr_pq", 3840, 2160, 30, 0, 0.7472, 1500, 1e6, 10, kPq, kWide},
    Listed{"standard_hdr_hlg", 3840, 2160, 30, 0, 0.7472, 1500, 1e6, 10, kHlg, kWide},
    Listed{"standard_hdr_linear", 3840, 2160, 30, 0, 0.7472, 1500, 1e6, 10, kLinear},
    Listed{"standard_hdr_linear_dark", 3840, 2160, 30, 0, 0.7472, 1500, 1e6, 0, kLinear},
    Listed{"standard_hdr_linear_zoom", 3840, 2160, 30, 0, 0.25, 10000, 1e6, 10, kLinear},
    Listed{"standard_fhd", 1920, 1080, 24, 0, 0.6, 200, 1000, 250},
    Listed{"standard_hmd", 1440, 1600, 0, 110, 3, 100, 100 / 0.1, 0},
    Listed{"standard_phone", 2400, 1080, 6, 0, 0.4, 500, 500 / 0.05, 250},
    Listed{"sdr_4k_30", 3840, 2160, 30, 0, 0.6, 100, 1000, 250},
    Listed{"sdr_fhd_24", 1920, 1080, 24, 0, 0.6, 100, 1000, 250},
    Listed{"htc_vive_pro", 1440, 1600, 0, 110, 3, 133.3, 133.3 / 0.1, 0},
    Listed{"iphone_12_pro", 2532, 1170, 6.1, 0, 20 * kInch, 825, 825 / 0.0004, 250},
    Listed{"iphone_14_pro", 2532, 1170, 6.1, 0, 20 * kInch, 1025, 1025 / 0.0004, 250},
    Listed{"iphone_14_pro_vert", 1170, 2532, 6.1, 0, 20 * kInch, 1025, 1025 / 0.0004, 250},
    Listed{"iphone_14_pro_hdr", 2532, 1170, 6.1, 0, 20 * kInch, 1590, 1590 / 0.0004, 10, kHlg, kWide},
    Listed{"iphone_14_pro_hdr_vert", 1170, 2532, 6.1, 0, 20 * kInch, 1590, 1590 / 0.0004, 10, kHlg, kWide},
    Listed{"ipad_pro_12_9", 2732, 2048, 12.9, 0, 20 * kInch, 600, 600 / 0.37, 250},
    Listed{"macbook_pro_16", 3072, 1920, 16, 0, 25 * kInch, 500, 500 / 0.37, 250},
    Listed{"lg_oled_2017_sdr", 3840, 2160, 64.5, 0, 101 * kInch, 272, 272 / 0.014, 100},
    Listed{"lg_oled_2017_hdr", 3840, 2160, 64.5, 0, 101 * kInch, 754, 754 / 0.038, 100},
    Listed{"eizo_CG3146", 4096, 2160, 31.063, 0, 0.73406, 300, 3000, 0},
};

struct ColourSpace {
    std::string_view name;
    Transfer transfer;
    Primaries primaries;
};
constexpr std::array kColourSpaces{
    ColourSpace{"sRGB", Transfer::srgb, Primaries::bt709},
    ColourSpace{"BT.709", Transfer::srgb, Primaries::bt709},
    ColourSpace{"BT.709-linear", Transfer::linear, Primaries::bt709},
    ColourSpace{"BT.2020-PQ", Transfer::pq, Primaries::bt2020},
    ColourSpace{"BT.2020-HLG", Transfer::hlg, Primaries::bt2020},
    ColourSpace{"BT.2020-linear", Transfer::linear, Primaries::bt2020},
};

/// Keys that a file may have, and the numbers that they take.
struct Key {
    std::string_view name;
    double least, most;
};
constexpr double kTiny = 1e-9;
constexpr std::array kNumbers{
    Key{"viewing_distance_meters", 1e-3, 1000},
    Key{"viewing_distance_inches", 1e-2, 1e5},
    Key{"diagonal_size_inches", 0.1, 10000},
    Key{"fov_diagonal", 1, 179},
    Key{"max_luminance", 0.01, 1e5},
    Key{"min_luminance", 0, 1e5},
    Key{"contrast", 1, 1e12},
    Key{"E_ambient", 0, 1e6},
    Key{"k_refl", 0, 1},
    Key{"exposure", kTiny, 1e6},
    Key{"pixels_per_degree", 1, 200},
};

/// A display of a file as it is read. Each step returns nothing, or what is wrong.
class DisplayFile {
  public:
    using Fault = std::optional<std::string>;

    Fault read(const nlohmann::json &file)
    {
        if (!file.is_object())
            return "is no JSON object";
        for (const auto &[key, value] : file.items())
            if (Fault fault = take(key, value))
                return fault;
        for (const auto &[one, other] : {std::pair{"contrast", "min_luminance"},
                                         {"viewing_distance_meters", "viewing_distance_inches"},
                                         {"diagonal_size_inches", "fov_diagonal"}})
            if (has(one) && has(other))
                return std::string("has both ") + one + " and " + other;
        if (!has("max_luminance"))
            return "lacks max_luminance";
        return finish();
    }

    const CvvdpDisplay &display() const { return display_; }

  private:
    bool has(const std::string &key) const { return numbers_.contains(key); }
    double number(const std::string &key, double missing) const
    {
        const auto found = numbers_.find(key);
        return found != numbers_.end() ? found->second : missing;
    }

    Fault take(const std::string &key, const nlohmann::json &value)
    {
        if (key == "colorspace")
            return take_colour_space(value);
        if (key == "resolution")
            return take_resolution(value);
        const auto *const known = std::ranges::find(kNumbers, key, &Key::name);
        if (known == kNumbers.end())
            return "has the unknown key " + key;
        if (!value.is_number() || !(value.get<double>() >= known->least && value.get<double>() <= known->most))
            return "has a wrong " + key + ": it should be a number from " + nlohmann::json(known->least).dump() +
                   " to " + nlohmann::json(known->most).dump();
        numbers_[key] = value.get<double>();
        return std::nullopt;
    }

    Fault take_colour_space(const nlohmann::json &value)
    {
        const auto *const found = value.is_string()
                                      ? std::ranges::find(kColourSpaces, value.get<std::string>(), &ColourSpace::name)
                                      : kColourSpaces.end();
        if (found == kColourSpaces.end())
            return "has a wrong colorspace: it should be sRGB, BT.709, BT.709-linear, BT.2020-PQ, BT.2020-HLG or "
                   "BT.2020-linear";
        display_.transfer = found->transfer;
        display_.primaries = found->primaries;
        return std::nullopt;
    }

    Fault take_resolution(const nlohmann::json &value)
    {
        const auto is_side = [](const nlohmann::json &side) {
            return side.is_number() && side.get<double>() >= 1 && side.get<double>() <= 1e6;
        };
        if (!value.is_array() || value.size() != 2 || !is_side(value[0]) || !is_side(value[1]))
            return "has a wrong resolution: it should be [width, height] in pixels";
        width_px_ = value[0].get<double>();
        height_px_ = value[1].get<double>();
        return std::nullopt;
    }

    Fault finish()
    {
        display_.peak = number("max_luminance", 0);
        display_.black =
            has("min_luminance") ? number("min_luminance", 0) : display_.peak / number("contrast", kContrast);
        display_.ambient = number("E_ambient", 0);
        display_.reflected = reflected_light(number("k_refl", kReflectivity), display_.ambient);
        display_.exposure = number("exposure", 1);
        if (!(display_.black < display_.peak))
            return "has a min_luminance that is not below max_luminance";
        if (has("pixels_per_degree")) {
            display_.ppd = number("pixels_per_degree", 0);
            return std::nullopt;
        }
        const double distance_m = number("viewing_distance_meters", number("viewing_distance_inches", 0) * kInch);
        if (width_px_ == 0 || !(has("fov_diagonal") || (has("diagonal_size_inches") && distance_m > 0)))
            return "needs pixels_per_degree, or resolution with fov_diagonal, or resolution with diagonal_size_inches "
                   "and a viewing distance";
        display_.ppd = has("fov_diagonal")
                           ? ppd_of(width_px_, height_px_, Sight{number("fov_diagonal", 0)})
                           : ppd_of(width_px_, height_px_, number("diagonal_size_inches", 0), distance_m);
        if (!(display_.ppd >= 1 && display_.ppd <= 200))
            return "has " + nlohmann::json(display_.ppd).dump() + " pixels per degree, should have 1 to 200";
        return std::nullopt;
    }

    CvvdpDisplay display_;
    double width_px_ = 0, height_px_ = 0;
    std::map<std::string, double> numbers_;
};

Result<CvvdpDisplay> read_display(const std::string &path)
{
    constexpr std::size_t kMostBytes = 1 << 20;
    std::ifstream stream(native_path(path), std::ios::binary);
    std::string text(kMostBytes, '\0');
    stream.read(text.data(), kMostBytes);
    text.resize(static_cast<std::size_t>(stream.gcount()));
    if (text.empty()) {
        std::string names;
        for (const Listed &listed : kDisplays)
            names += std::string(listed.name) + ", ";
        log(LogLevel::error, "cvvdp: option display is \"%s\", should be %sor the path of a JSON file", path.c_str(),
            names.c_str());
        return Status::error(EINVAL);
    }
    const nlohmann::json file = nlohmann::json::parse(text, nullptr, false);
    DisplayFile display;
    const DisplayFile::Fault fault = file.is_discarded() ? DisplayFile::Fault("is no JSON file") : display.read(file);
    if (fault) {
        log(LogLevel::error, "cvvdp: display %s %s", path.c_str(), fault->c_str());
        return Status::error(EINVAL);
    }
    return display.display();
}

} // namespace

Result<CvvdpDisplay> find_cvvdp_display(const std::string &name)
{
    const auto *const listed = std::ranges::find(kDisplays, std::string_view(name), &Listed::name);
    return listed != kDisplays.end() ? listed->display() : read_display(name);
}

} // namespace vmaf
