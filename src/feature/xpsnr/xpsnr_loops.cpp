#include "feature/xpsnr/xpsnr_loops.h"

#include "base/vectors.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

using V = Vectors;
using Int = V::Int;

template <class Sample> inline const Sample *row_of(const XpsnrSamples &samples, unsigned y)
{
    return reinterpret_cast<const Sample *>(samples.first + samples.stride_bytes * static_cast<std::ptrdiff_t>(y));
}

// ---- registers of samples ----

/// Ones in the last registers' lanes: load at n for a register whose last n lanes are kept.
template <class Lane, unsigned kLanes> struct Kept {
    Lane lane[2 * kLanes];
    constexpr Kept() : lane()
    {
        for (unsigned i = 0; i < 2 * kLanes; ++i)
            lane[i] = i < kLanes ? 0 : static_cast<Lane>(-1);
    }
};

/// Samples of 8 bits in 16-bit lanes: all that blocks are made of is below 2^15.
struct Bytes {
    using Sample = std::uint8_t;
    static constexpr unsigned kLanes = V::kLanes16;
    /// Rows of a block whose sums fit 32-bit lanes: squares of a register add at most 2 * 255^2 to
    /// each.
    static constexpr unsigned kRowsAtOnce = 32;
    static_assert((kXpsnrMostColumns / kLanes + 1) * kRowsAtOnce <= 0xffffffffU / (2 * 255 * 255));

    static Int load(const Sample *from) { return V::load_widened(from); }
    static Int kept(unsigned lanes)
    {
        static constexpr Kept<std::int16_t, kLanes> kKept;
        return V::load16(kKept.lane + lanes);
    }
    static Int add(Int a, Int b) { return V::add16(a, b); }
    static Int subtract(Int a, Int b) { return V::subtract16(a, b); }
    static Int times12(Int v) { return V::multiply_low16(v, V::set16(12)); }
    static Int add_magnitudes(Int sums, Int v)
    {
        return V::add_pair_products(sums, V::max16(v, V::subtract16(V::set16(0), v)), V::set16(1));
    }
    static Int add_squares(Int sums, Int v) { return V::add_pair_products(sums, v, v); }
    static std::uint64_t total(Int sums) { return static_cast<std::uint64_t>(total_of_32bit<std::uint32_t>(sums)); }
};

/// Samples of 16 bits in 32-bit lanes, sums in 64-bit ones.
struct Words {
    using Sample = std::uint16_t;
    static constexpr unsigned kLanes = V::kLanes32;
    static constexpr unsigned kRowsAtOnce = ~0U;

    static Int load(const Sample *from) { return V::load_widened(from); }
    static Int kept(unsigned lanes)
    {
        static constexpr Kept<std::int32_t, kLanes> kKept;
        return V::load32(kKept.lane + lanes);
    }
    static Int add(Int a, Int b) { return V::add32(a, b); }
    static Int subtract(Int a, Int b) { return V::subtract32(a, b); }
    static Int times12(Int v) { return V::add32(V::shift_left32(v, 3), V::shift_left32(v, 2)); }
    static Int add_magnitudes(Int sums, Int v) { return V::add_widened32(sums, V::abs32(v)); }
    static Int add_squares(Int sums, Int v) { return V::add_widened32(sums, V::multiply_low32(v, v)); }
    static std::uint64_t total(Int sums) { return total_of_64bit(sums); }
};

inline std::uint64_t magnitude(std::int32_t v)
{
    return static_cast<std::uint32_t>(v < 0 ? -v : v);
}
inline std::uint64_t square(std::int32_t v)
{
    const std::uint64_t size = magnitude(v);
    return size * size;
}

/// The sum over a block of what `add(sums, x, y, keep)` adds of a register's lanes that are kept,
/// or `one(x, y)` of one sample.
template <class Lanes, class Add, class One>
inline std::uint64_t block_sum(unsigned width, unsigned height, Add add, One one)
{
    std::uint64_t total = 0;
    if (width < Lanes::kLanes) {
        for (unsigned y = 0; y < height; ++y)
            for (unsigned x = 0; x < width; ++x)
                total += one(static_cast<int>(x), y);
        return total;
    }
    const unsigned rest = width % Lanes::kLanes;
    const Int all = V::pin(Lanes::kept(Lanes::kLanes)), last = V::pin(Lanes::kept(rest));
    for (unsigned top = 0; top < height;) {
        const unsigned bottom = height - top < Lanes::kRowsAtOnce ? height : top + Lanes::kRowsAtOnce;
        Int sums = V::set32(0);
        for (; top < bottom; ++top) {
            for (unsigned x = 0; x + Lanes::kLanes <= width; x += Lanes::kLanes)
                sums = add(sums, static_cast<int>(x), top, all);
            if (rest != 0)
                sums = add(sums, static_cast<int>(width - Lanes::kLanes), top, last);
        }
        total += Lanes::total(sums);
    }
    return total;
}

// ---- blocks ----

template <class Lanes>
std::uint64_t sse(const XpsnrSamples &ref, const XpsnrSamples &dis, unsigned width, unsigned height)
{
    using Sample = typename Lanes::Sample;
    return block_sum<Lanes>(
        width, height,
        [&](Int sums, int x, unsigned y, Int keep) {
            const Int difference =
                Lanes::subtract(Lanes::load(row_of<Sample>(ref, y) + x), Lanes::load(row_of<Sample>(dis, y) + x));
            return Lanes::add_squares(sums, V::bit_and(difference, keep));
        },
        [&](int x, unsigned y) { return square(row_of<Sample>(ref, y)[x] - row_of<Sample>(dis, y)[x]); });
}

template <class Lanes> std::uint64_t spatial(const XpsnrSamples &ref, unsigned width, unsigned height)
{
    using Sample = typename Lanes::Sample;
    const auto row = [&](unsigned y, std::ptrdiff_t offset) {
        return reinterpret_cast<const Sample *>(ref.first +
                                                ref.stride_bytes * (static_cast<std::ptrdiff_t>(y) + offset));
    };
    return block_sum<Lanes>(
        width, height,
        [&](Int sums, int x, unsigned y, Int keep) {
            const Sample *above = row(y, -1) + x, *same = row(y, 0) + x, *below = row(y, 1) + x;
            const Int cross = Lanes::add(Lanes::add(Lanes::load(above), Lanes::load(below)),
                                         Lanes::add(Lanes::load(same - 1), Lanes::load(same + 1)));
            const Int corners = Lanes::add(Lanes::add(Lanes::load(above - 1), Lanes::load(above + 1)),
                                           Lanes::add(Lanes::load(below - 1), Lanes::load(below + 1)));
            const Int around = Lanes::add(Lanes::add(cross, cross), corners);
            const Int f = Lanes::subtract(Lanes::times12(Lanes::load(same)), around);
            return Lanes::add_magnitudes(sums, V::bit_and(f, keep));
        },
        [&](int x, unsigned y) {
            const Sample *above = row(y, -1) + x, *same = row(y, 0) + x, *below = row(y, 1) + x;
            const std::int32_t cross = above[0] + below[0] + same[-1] + same[1];
            return magnitude(12 * same[0] - 2 * cross - above[-1] - above[1] - below[-1] - below[1]);
        });
}

template <class Lanes> std::uint64_t temporal(const XpsnrReferences &pictures, unsigned width, unsigned height)
{
    using Sample = typename Lanes::Sample;
    const auto row = [](const XpsnrSamples &picture, unsigned y) { return row_of<Sample>(picture, y); };
    if (pictures.before_earlier.first == nullptr)
        return block_sum<Lanes>(
            width, height,
            [&](Int sums, int x, unsigned y, Int keep) {
                const Int v = Lanes::subtract(Lanes::load(row(pictures.current, y) + x),
                                              Lanes::load(row(pictures.earlier, y) + x));
                return Lanes::add_magnitudes(sums, V::bit_and(v, keep));
            },
            [&](int x, unsigned y) { return magnitude(row(pictures.current, y)[x] - row(pictures.earlier, y)[x]); });
    return block_sum<Lanes>(
        width, height,
        [&](Int sums, int x, unsigned y, Int keep) {
            const Int earlier = Lanes::load(row(pictures.earlier, y) + x);
            const Int ends =
                Lanes::add(Lanes::load(row(pictures.current, y) + x), Lanes::load(row(pictures.before_earlier, y) + x));
            return Lanes::add_magnitudes(sums, V::bit_and(Lanes::subtract(ends, Lanes::add(earlier, earlier)), keep));
        },
        [&](int x, unsigned y) {
            return magnitude(row(pictures.current, y)[x] - 2 * row(pictures.earlier, y)[x] +
                             row(pictures.before_earlier, y)[x]);
        });
}

// ---- rows of quads ----

/// Columns of quads that are worked on at once, with two more on each side.
constexpr unsigned kQuads = 32, kAround = 2, kColumns = 2 * kQuads + 2 * kAround;

/// Samples up to that have column sums, and twice their differences, of 16 bits: all of 8, 10 and
/// 12 bits that are valid.
constexpr unsigned kMostNarrow = 8191;

inline Int load16(const std::uint8_t *from)
{
    return V::load_widened(from);
}
inline Int load16(const std::uint16_t *from)
{
    return V::load16(from);
}

/// Whether all samples are narrow: those of the columns that were met.
class Narrow {
  public:
    Int met(Int samples)
    {
        bits_ = V::bit_or(bits_, samples);
        return samples;
    }
    int met(int sample)
    {
        rest_ |= sample;
        return sample;
    }
    bool are_all() const
    {
        constexpr std::uint32_t kBeyond = 0xffff & ~kMostNarrow;
        return V::is_zero(V::bit_and(bits_, V::set16(static_cast<int>(kBeyond)))) &&
               (static_cast<std::uint32_t>(rest_) & kBeyond) == 0;
    }

  private:
    Int bits_ = V::set32(0);
    int rest_ = 0;
};

/// put(x, value) for `count` columns: registers of a(x) made by `registers`, single ones by
/// `single`.
template <class Registers, class Single> inline void for_columns(unsigned count, Registers registers, Single single)
{
    if (!for_registers(0, count, V::kLanes16, registers))
        for (unsigned x = 0; x < count; ++x)
            single(static_cast<std::ptrdiff_t>(x));
}

/// f of the quad whose first column is x, of any samples.
template <class Sample> inline std::int32_t quad_f(const Sample *const rows[6], std::ptrdiff_t x)
{
    const auto column = [&](std::ptrdiff_t at, std::int32_t middle, std::int32_t next, std::int32_t outer) {
        return middle * (rows[2][at] + rows[3][at]) + next * (rows[1][at] + rows[4][at]) +
               outer * (rows[0][at] + rows[5][at]);
    };
    return column(x - 2, -1, -1, 0) + column(x - 1, -3, -2, -1) + column(x, 12, -3, -1) + column(x + 1, 12, -3, -1) +
           column(x + 2, -3, -2, -1) + column(x + 3, -1, -1, 0);
}

/// Sums of rows y and y+1, y-1 and y+2, y-2 and y+3, from the second column before the first quad
/// on.
struct ColumnSums {
    alignas(64) std::int16_t middle[kColumns], next[kColumns], outer[kColumns];

    template <class Sample> bool fill(const Sample *const rows[6], std::ptrdiff_t first, unsigned columns)
    {
        Narrow narrow;
        const auto pair = [&](std::int16_t *sums, const Sample *a, const Sample *b) {
            for_columns(
                columns,
                [&](std::ptrdiff_t x) {
                    V::store16(sums + x,
                               V::add16(narrow.met(load16(a + first + x)), narrow.met(load16(b + first + x))));
                },
                [&](std::ptrdiff_t x) {
                    sums[x] = static_cast<std::int16_t>(narrow.met(int{a[first + x]}) + narrow.met(int{b[first + x]}));
                });
        };
        pair(middle, rows[2], rows[3]);
        pair(next, rows[1], rows[4]);
        pair(outer, rows[0], rows[5]);
        return narrow.are_all();
    }

    std::int32_t f(unsigned x) const
    {
        const auto sum = [x](const std::int16_t *of, int a, int b, int c) {
            return a * (of[x] + of[x + 5]) + b * (of[x + 1] + of[x + 4]) + c * (of[x + 2] + of[x + 3]);
        };
        return sum(middle, -1, -3, 12) + sum(next, -1, -2, -3) + sum(outer, 0, -1, -1);
    }
};

/// `wide(first, quads)` sums what `fill(first, columns)` found not narrow.
template <class Sample> std::uint64_t quad_spatial(const Sample *const rows[6], unsigned quads)
{
    const Int middle[3] = {V::set_pair16(-1, -3), V::set_pair16(12, 12), V::set_pair16(-3, -1)};
    const Int next[3] = {V::set_pair16(-1, -2), V::set_pair16(-3, -3), V::set_pair16(-2, -1)};
    const Int outer[3] = {V::set_pair16(0, -1), V::set_pair16(-1, -1), V::set_pair16(-1, 0)};
    ColumnSums sums;
    Int totals = V::set32(0);
    std::uint64_t total = 0;
    for (unsigned start = 0; start < quads; start += kQuads) {
        const unsigned count = quads - start < kQuads ? quads - start : kQuads;
        const std::ptrdiff_t first = 2 * static_cast<std::ptrdiff_t>(start);
        if (!sums.fill(rows, first - static_cast<std::ptrdiff_t>(kAround), 2 * (count + kAround))) {
            for (unsigned quad = 0; quad < count; ++quad)
                total += magnitude(quad_f(rows, first + static_cast<std::ptrdiff_t>(2 * quad)));
            continue;
        }
        unsigned quad = 0;
        for (; quad + V::kLanes32 <= count; quad += V::kLanes32) {
            Int f = V::set32(0);
            for (unsigned k = 0; k < 3; ++k) {
                f = V::add_pair_products(f, V::load_pairs16(sums.middle + 2 * (quad + k)), middle[k]);
                f = V::add_pair_products(f, V::load_pairs16(sums.next + 2 * (quad + k)), next[k]);
                f = V::add_pair_products(f, V::load_pairs16(sums.outer + 2 * (quad + k)), outer[k]);
            }
            totals = V::add_widened32(totals, V::abs32(f));
        }
        for (; quad < count; ++quad)
            total += magnitude(sums.f(2 * quad));
    }
    return total + total_of_64bit(totals);
}

/// v of both rows' samples in a column.
template <class Sample> inline std::int32_t column_v(const XpsnrRowPairs<Sample> &rows, std::ptrdiff_t x)
{
    const std::int32_t current = rows.current[0][x] + rows.current[1][x];
    const std::int32_t earlier = rows.earlier[0][x] + rows.earlier[1][x];
    if (rows.before_earlier[0] == nullptr)
        return current - earlier;
    return current - 2 * earlier + rows.before_earlier[0][x] + rows.before_earlier[1][x];
}

/// column_v of `columns` columns from `first` on; false if samples are not narrow.
template <class Sample>
inline bool fill_column_v(const XpsnrRowPairs<Sample> &rows, std::ptrdiff_t first, unsigned columns, std::int16_t *v)
{
    Narrow narrow;
    const auto sum = [&](const Sample *const(&pair)[2], std::ptrdiff_t x) {
        return V::add16(narrow.met(load16(pair[0] + first + x)), narrow.met(load16(pair[1] + first + x)));
    };
    const auto meet = [&](const Sample *const(&pair)[2], std::ptrdiff_t x) {
        narrow.met(int{pair[0][first + x]});
        narrow.met(int{pair[1][first + x]});
    };
    const bool second_order = rows.before_earlier[0] != nullptr;
    for_columns(
        columns,
        [&](std::ptrdiff_t x) {
            const Int earlier = sum(rows.earlier, x);
            Int value = V::subtract16(sum(rows.current, x), earlier);
            if (second_order)
                value = V::add16(V::subtract16(value, earlier), sum(rows.before_earlier, x));
            V::store16(v + x, value);
        },
        [&](std::ptrdiff_t x) {
            meet(rows.current, x);
            meet(rows.earlier, x);
            if (second_order)
                meet(rows.before_earlier, x);
            v[x] = static_cast<std::int16_t>(column_v(rows, first + x));
        });
    return narrow.are_all();
}

template <class Sample> std::uint64_t quad_temporal(const XpsnrRowPairs<Sample> &rows, unsigned quads)
{
    const Int both = V::set_pair16(1, 1);
    alignas(64) std::int16_t v[2 * kQuads];
    Int totals = V::set32(0);
    std::uint64_t total = 0;
    for (unsigned start = 0; start < quads; start += kQuads) {
        const unsigned count = quads - start < kQuads ? quads - start : kQuads;
        const std::ptrdiff_t first = 2 * static_cast<std::ptrdiff_t>(start);
        if (!fill_column_v(rows, first, 2 * count, v)) {
            for (std::ptrdiff_t x = first; x < first + static_cast<std::ptrdiff_t>(2 * count); x += 2)
                total += magnitude(column_v(rows, x) + column_v(rows, x + 1));
            continue;
        }
        unsigned quad = 0;
        for (; quad + V::kLanes32 <= count; quad += V::kLanes32)
            totals = V::add_widened32(totals, V::abs32(V::multiply_pairs(V::load_pairs16(v + 2 * quad), both)));
        for (; quad < count; ++quad)
            total += magnitude(v[2 * quad] + v[2 * quad + 1]);
    }
    return total + total_of_64bit(totals);
}

} // namespace

extern const XpsnrLoops kXpsnrLoops = {
    sse<Bytes>,
    sse<Words>,
    spatial<Bytes>,
    spatial<Words>,
    temporal<Bytes>,
    temporal<Words>,
    quad_spatial<std::uint8_t>,
    quad_spatial<std::uint16_t>,
    quad_temporal<std::uint8_t>,
    quad_temporal<std::uint16_t>,
};

} // namespace vmaf::VMAF_CPU_TARGET
