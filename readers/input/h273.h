#pragma once

#include <optional>
#include <string_view>

/// The code points of ITU-T H.273 for colour, which every tag of a video says or stands for.
namespace vmaf::tool::h273 {

/// Code of every kind for a video that does not say.
constexpr int kUnspecified = 2;

/// Matrices.
constexpr int kRgb = 0;
constexpr int kBt709 = 1; ///< of primaries and transfers too
constexpr int kFcc = 4;
constexpr int kBt470bg = 5;
constexpr int kSmpte170m = 6;
constexpr int kSmpte240m = 7;
constexpr int kBt2020Nc = 9;

/// Primaries.
constexpr int kBt2020 = 9;
constexpr int kP3D65 = 12;

/// Transfers.
constexpr int kLinear = 8;
constexpr int kSrgb = 13;
constexpr int kPq = 16;
constexpr int kHlg = 18;

enum class Kind { matrix, primaries, transfer };

/// ffmpeg's name, such as "bt709". "unspecified" for 2 and for unknown codes.
std::string_view name(Kind kind, int code);

/// The code that stands for all codes of the same meaning, 6 for matrix 5. kUnspecified for codes
/// that mean nothing.
int canonical(Kind kind, int code);

/// The code of a name; empty: there is none. Of matrices "bt601" and "bt2020" are names too.
std::optional<int> code_of(Kind kind, std::string_view name);

/// Whether both codes are specified and mean different things.
bool differ(Kind kind, int a, int b);

/// Whether a transfer is of high dynamic range: PQ or HLG.
constexpr bool is_hdr(int transfer)
{
    return transfer == kPq || transfer == kHlg;
}

} // namespace vmaf::tool::h273
