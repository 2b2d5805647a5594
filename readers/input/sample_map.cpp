#include "input/sample_map.h"

#include <algorithm>
#include <cstring>

namespace vmaf::tool {
namespace {

std::int64_t floor_divided(std::int64_t value, std::int64_t divisor)
{
    const std::int64_t quotient = value / divisor;
    return value % divisor < 0 ? quotient - 1 : quotient;
}

std::vector<std::uint16_t> make_table(const SampleCoding &from, const SampleCoding &to, PlaneKind kind)
{
    const CodeScale stored = code_scale(from, kind);
    const CodeScale wanted = code_scale(to, kind);
    const std::int64_t largest = (std::int64_t{1} << to.depth) - 1;
    std::vector<std::uint16_t> table(std::size_t{1} << from.depth);
    for (std::size_t code = 0; code < table.size(); ++code) {
        const std::int64_t scaled = (static_cast<std::int64_t>(code) - stored.origin) * wanted.span;
        const std::int64_t rounded = floor_divided(2 * scaled + stored.span, 2 * stored.span) + wanted.origin;
        table[code] = static_cast<std::uint16_t>(std::clamp<std::int64_t>(rounded, 0, largest));
    }
    return table;
}

bool is_left_shift(const SampleCoding &from, const SampleCoding &to)
{
    return from.range == Range::limited && to.range == Range::limited && from.depth < to.depth;
}

std::size_t sample_bytes(const SampleCoding &coding)
{
    return coding.depth > 8 ? 2 : 1;
}

template <std::size_t from_bytes, std::size_t to_bytes, class Convert>
void convert_row(const std::byte *from, std::byte *to, std::size_t samples, const Convert &convert)
{
    for (std::size_t x = 0; x < samples; ++x) {
        std::uint16_t sample = 0;
        std::memcpy(&sample, from + x * from_bytes, from_bytes);
        sample = convert(sample);
        std::memcpy(to + x * to_bytes, &sample, to_bytes);
    }
}

} // namespace

CodeScale code_scale(const SampleCoding &coding, PlaneKind kind)
{
    const std::int64_t step = std::int64_t{1} << (coding.depth - 8);
    const std::int64_t middle = std::int64_t{1} << (coding.depth - 1);
    if (coding.range == Range::full)
        return {kind == PlaneKind::luma ? 0 : middle, 2 * middle - 1};
    return kind == PlaneKind::luma ? CodeScale{16 * step, 219 * step} : CodeScale{middle, 224 * step};
}

SampleMap::SampleMap(const SampleCoding &from, const SampleCoding &to, PlaneKind kind)
    : from_(from), to_(to), is_shift_(is_left_shift(from, to))
{
    if (!is_copy() && !is_shift_)
        table_ = make_table(from, to, kind);
}

void SampleMap::convert(const std::byte *from, std::byte *to, std::size_t samples) const
{
    if (is_copy()) {
        std::memcpy(to, from, samples * sample_bytes(from_));
        return;
    }
    const auto convert_all = [&](const auto &convert) {
        if (sample_bytes(from_) == 2 && sample_bytes(to_) == 2)
            convert_row<2, 2>(from, to, samples, convert);
        else if (sample_bytes(from_) == 2)
            convert_row<2, 1>(from, to, samples, convert);
        else if (sample_bytes(to_) == 2)
            convert_row<1, 2>(from, to, samples, convert);
        else
            convert_row<1, 1>(from, to, samples, convert);
    };
    if (is_shift_) {
        const unsigned shift = to_.depth - from_.depth;
        convert_all([shift](std::uint16_t sample) { return static_cast<std::uint16_t>(sample << shift); });
        return;
    }
    // Files may hold samples that their depth does not allow.
    const std::size_t last = table_.size() - 1;
    convert_all([this, last](std::uint16_t sample) { return table_[std::min<std::size_t>(sample, last)]; });
}

} // namespace vmaf::tool
