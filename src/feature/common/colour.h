#pragma once

#include <array>
#include <optional>
#include <string_view>

/// Colour in binary64: what signals stand for, before anything is tabulated for a backend
/// (common/light.h).

namespace vmaf {

/// How components become light (spec hdr 1).
enum class Transfer { srgb, bt1886, pq, hlg, linear };

/// By the name that options have. "sdr" is the metric's own curve for standard dynamic range.
std::optional<Transfer> find_transfer(std::string_view name, Transfer sdr);
inline constexpr const char *kTransferNames = "sdr, srgb, bt1886, pq, hlg or linear";

/// Light of a component from 0 to 1. PQ: in cd/m2. HLG: scene light from 0 to 1. The others:
/// relative to white.
double light_of(Transfer transfer, double component);
/// The inverse of PQ's: from cd/m2 to 0 to 1.
double pq_component(double light);
/// HLG's system gamma on a display of that peak (cd/m2) in that ambient light (lux). Ambient light
/// counts above 1000 cd/m2, and is then not 0.
double hlg_gamma(double peak, double ambient);
/// The weights of R, G, B in the luminance that HLG's system gamma is applied to, and in BT.2020's
/// luma.
inline constexpr double kBt2020Luma[3] = {0.2627, 0.6780, 0.0593};

/// White of SDR and of HDR mean the same light: that of BT.2408's reference white, in cd/m2.
inline constexpr double kReferenceWhite = 203;

/// Chromaticities of red, green and blue. White is D65.
enum class Primaries { bt709, bt2020, p3 };

std::optional<Primaries> find_primaries(std::string_view name);
inline constexpr const char *kPrimariesNames = "bt709, bt2020 or p3";

/// Rows of weights.
using ColourMatrix = std::array<std::array<double, 3>, 3>;

ColourMatrix product(const ColourMatrix &a, const ColourMatrix &b);
ColourMatrix inverse(const ColourMatrix &matrix);
/// Linear R, G, B to X, Y, Z, as follows from the chromaticities. White has Y = 1.
ColourMatrix rgb_to_xyz(Primaries primaries);
/// Linear R, G, B of `from` to those of `to`. White stays white.
ColourMatrix conversion(Primaries from, Primaries to);

} // namespace vmaf
