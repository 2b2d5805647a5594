#pragma once

#include <cstring>

namespace vmaf::VMAF_CPU_TARGET {
namespace {

/// Where no set of instructions is known: eight 16-bit or four 32-bit lanes as the compiler makes
/// them. The manual of Vectors, too.
///
/// Int holds 16-bit or 32-bit lanes, signed or not, in memory order; of the two 16-bit lanes in a
/// 32-bit one the first is the lower half. All arithmetic is modulo 2^16 or 2^32.
///
/// Or it holds pairs of 16-bit values, one for each 32-bit lane, which are multiplied and added as
/// such. Where the two lie is the target's matter (is_second_of_pair): side by side in the 32-bit
/// lane, or in the lower and the upper half of the register. So pairs are made by the operations
/// that have "pair" in their names alone; store16 and load16 keep them.
///
/// Registers larger than 128 bits do in each block of 128 bits what smaller ones do (pairs, pack,
/// split), so what pairs_low16 and pairs_high16 take apart pack_signed32 and split_halves put
/// together again in order.
struct Vectors {
    struct Int {
        alignas(16) std::uint32_t lane[4];
    };
    struct Float {
        float lane[4];
        friend Float operator+(Float a, Float b)
        {
            return map(a, b, [](float x, float y) { return x + y; });
        }
        friend Float operator-(Float a, Float b)
        {
            return map(a, b, [](float x, float y) { return x - y; });
        }
        friend Float operator*(Float a, Float b)
        {
            return map(a, b, [](float x, float y) { return x * y; });
        }
        friend Float operator/(Float a, Float b)
        {
            return map(a, b, [](float x, float y) { return x / y; });
        }

        template <class Operation> static Float map(Float a, Float b, Operation operation)
        {
            for (int i = 0; i < 4; ++i)
                a.lane[i] = operation(a.lane[i], b.lane[i]);
            return a;
        }
    };
    struct Double {
        double lane[2];
        friend Double operator+(Double a, Double b) { return {{a.lane[0] + b.lane[0], a.lane[1] + b.lane[1]}}; }
        friend Double operator-(Double a, Double b) { return {{a.lane[0] - b.lane[0], a.lane[1] - b.lane[1]}}; }
        friend Double operator*(Double a, Double b) { return {{a.lane[0] * b.lane[0], a.lane[1] * b.lane[1]}}; }
        friend Double operator/(Double a, Double b) { return {{a.lane[0] / b.lane[0], a.lane[1] / b.lane[1]}}; }
    };
    /// A yes or no for every 32-bit lane, or every 16-bit lane.
    using Mask = Int;
    using Mask16 = Int;
    static constexpr unsigned kLanes16 = 8, kLanes32 = 4;
    /// Number of the processor's registers of this size.
    static constexpr unsigned kRegisters = 16;
    /// Whether a 16-bit lane of a register of pairs holds a second value.
    static constexpr bool is_second_of_pair(unsigned lane) { return lane % 2 != 0; }
    /// look_up() takes tables of 2^kLookupBits values.
    static constexpr unsigned kLookupBits = 0;

    // Loads and stores are of any alignment.
    static Int load16(const std::int16_t *from)
    {
        return map16([from](unsigned i) { return static_cast<std::uint16_t>(from[i]); });
    }
    static Int load16(const std::uint16_t *from)
    {
        return map16([from](unsigned i) { return from[i]; });
    }
    static Int load32(const std::int32_t *from)
    {
        return map32([from](unsigned i) { return static_cast<std::uint32_t>(from[i]); });
    }
    /// Each value and the next one, of kLanes16 values.
    static Int load_pairs16(const std::int16_t *from) { return load16(from); }
    static void store16(std::int16_t *to, Int v)
    {
        for (unsigned i = 0; i < kLanes16; ++i)
            to[i] = static_cast<std::int16_t>(half(v, i));
    }
    static void store32(std::int32_t *to, Int v)
    {
        for (unsigned i = 0; i < kLanes32; ++i)
            to[i] = static_cast<std::int32_t>(v.lane[i]);
    }
    /// kLanes16 bytes as 16-bit lanes.
    static Int load_widened(const std::uint8_t *from)
    {
        return map16([from](unsigned i) { return from[i]; });
    }
    /// kLanes32 16-bit values as 32-bit lanes.
    static Int load_widened(const std::uint16_t *from)
    {
        return map32([from](unsigned i) { return std::uint32_t{from[i]}; });
    }
    static Float load_float(const float *from) { return {{from[0], from[1], from[2], from[3]}}; }
    static void store_float(float *to, Float v)
    {
        for (unsigned i = 0; i < kLanes32; ++i)
            to[i] = v.lane[i];
    }
    /// kLanes32 signed values as 32-bit lanes.
    static Int load_signed16(const std::int16_t *from)
    {
        return map32([from](unsigned i) { return static_cast<std::uint32_t>(std::int32_t{from[i]}); });
    }
    /// Load into block n of 128 bits the eight bytes from blocks[8 n] + offset on, as 16-bit lanes.
    /// load_blocks16 loads eight 16-bit values.
    static Int load_blocks8(const std::byte *const *blocks, std::ptrdiff_t offset)
    {
        return load_widened(reinterpret_cast<const std::uint8_t *>(blocks[0] + offset));
    }
    static Int load_blocks16(const std::byte *const *blocks, std::ptrdiff_t offset)
    {
        return load16(reinterpret_cast<const std::uint16_t *>(blocks[0] + offset));
    }
    /// 32-bit lanes below 2^16: kLanes32 values.
    static void store_low16(std::uint16_t *to, Int v)
    {
        for (unsigned i = 0; i < kLanes32; ++i)
            to[i] = static_cast<std::uint16_t>(v.lane[i]);
    }
    /// Unsigned 16-bit lanes as 32-bit numbers.
    static void store_widened(std::int32_t *to, Int v)
    {
        for (unsigned i = 0; i < kLanes16; ++i)
            to[i] = half(v, i);
    }
    /// The signed 32-bit lanes of a, then of b, in the order of columns: the nearest 16-bit value.
    static void store_narrowed(std::int16_t *to, Int a, Int b) { store16(to, pack_signed32(a, b)); }
    /// Keeps a value in its register: GCC would read constants and loaded rows from memory again at
    /// each use.
    static Int pin(Int v) { return v; }

    static Int set16(int value)
    {
        return map16([value](unsigned) { return static_cast<std::uint16_t>(value); });
    }
    static Int set32(std::uint32_t value) { return {{value, value, value, value}}; }
    /// One pair of signed values in all lanes.
    static Int set_pair16(int first, int second)
    {
        return map16([&](unsigned i) { return static_cast<std::uint16_t>(is_second_of_pair(i) ? second : first); });
    }
    static Float set_float(float value) { return {{value, value, value, value}}; }
    static Double set_double(double value) { return {{value, value}}; }

    static Int multiply_low16(Int a, Int b)
    {
        return map16([&](unsigned i) { return std::uint32_t{half(a, i)} * half(b, i); });
    }
    /// The upper half of the product of unsigned lanes.
    static Int multiply_high16(Int a, Int b)
    {
        return map16([&](unsigned i) { return std::uint32_t{half(a, i)} * half(b, i) >> 16; });
    }
    /// The smaller of unsigned lanes.
    static Int min_u16(Int a, Int b)
    {
        return map16([&](unsigned i) { return half(a, i) < half(b, i) ? half(a, i) : half(b, i); });
    }
    static Int add16(Int a, Int b)
    {
        return map16([&](unsigned i) { return std::uint32_t{half(a, i)} + half(b, i); });
    }
    static Int subtract16(Int a, Int b)
    {
        return map16([&](unsigned i) { return std::uint32_t{half(a, i)} - half(b, i); });
    }
    /// The smaller of signed lanes.
    static Int min16(Int a, Int b)
    {
        return map16([&](unsigned i) { return signed_half(a, i) < signed_half(b, i) ? half(a, i) : half(b, i); });
    }
    static Int max16(Int a, Int b)
    {
        return map16([&](unsigned i) { return signed_half(a, i) > signed_half(b, i) ? half(a, i) : half(b, i); });
    }
    /// Absolute values of signed lanes; -2^15 stays.
    static Int abs16(Int v)
    {
        return map16([&](unsigned i) { return std::uint32_t{half(v, i)} * (half(v, i) < 32768 ? 1U : 0xffffU); });
    }
    static Mask16 equal16(Int a, Int b)
    {
        return map16([&](unsigned i) { return half(a, i) == half(b, i) ? 0xffffU : 0U; });
    }
    /// a where the mask says yes, else b.
    static Int select16(Mask16 mask, Int a, Int b)
    {
        return map16([&](unsigned i) { return std::uint32_t{half(half(mask, i) != 0 ? a : b, i)}; });
    }
    /// Bit i is set where the 16-bit lanes i are not equal.
    static std::uint32_t differing16(Int a, Int b)
    {
        std::uint32_t bits = 0;
        for (unsigned i = 0; i < kLanes16; ++i)
            bits |= (half(a, i) != half(b, i) ? 1U : 0U) << i;
        return bits;
    }
    static Int shift_right16(Int v, unsigned bits)
    {
        return map16([&](unsigned i) { return half(v, i) >> bits; });
    }
    static Int shift_right_signed16(Int v, unsigned bits)
    {
        return map16(
            [&](unsigned i) { return static_cast<std::uint32_t>(static_cast<std::int16_t>(half(v, i)) >> bits); });
    }
    /// (a * b + 2^14) >> 15 of signed lanes that are not both -2^15.
    static Int multiply_rounded16(Int a, Int b)
    {
        return map16([&](unsigned i) {
            const int product = static_cast<std::int16_t>(half(a, i)) * static_cast<std::int16_t>(half(b, i));
            return static_cast<std::uint32_t>((product + (1 << 14)) >> 15);
        });
    }
    /// Lane i of row j becomes lane j of row i, in each block of 128 bits.
    static void transpose16(Int (&rows)[8])
    {
        Int columns[8];
        for (unsigned j = 0; j < 8; ++j)
            columns[j] = map16([&](unsigned i) { return std::uint32_t{half(rows[i], j)}; });
        for (unsigned j = 0; j < 8; ++j)
            rows[j] = columns[j];
    }
    /// Pairs of the values at the same places of a and b: of the lower half of each block of 128
    /// bits; pairs_high16 of the upper.
    static Int pairs_low16(Int a, Int b)
    {
        return map16([&](unsigned i) { return half(i % 2 == 0 ? a : b, i / 2); });
    }
    static Int pairs_high16(Int a, Int b)
    {
        return map16([&](unsigned i) { return half(i % 2 == 0 ? a : b, 4 + i / 2); });
    }
    /// a0 * b0 + a1 * b1 in each 32-bit lane, of pairs of signed values.
    static Int multiply_pairs(Int a, Int b) { return add_pair_products(set32(0), a, b); }
    /// sum + a0 * b0 + a1 * b1 in each 32-bit lane, of pairs of signed values.
    static Int add_pair_products(Int sum, Int a, Int b)
    {
        const auto product = [&](unsigned i) {
            return static_cast<std::uint32_t>(static_cast<std::int16_t>(half(a, i)) *
                                              static_cast<std::int16_t>(half(b, i)));
        };
        return map32([&](unsigned i) { return sum.lane[i] + product(2 * i) + product(2 * i + 1); });
    }
    /// The signed 32-bit lanes of a, then of b, as signed 16-bit lanes that hold the nearest value.
    static Int pack_signed32(Int a, Int b)
    {
        return map16([&](unsigned i) {
            const auto value = static_cast<std::int32_t>(i < 4 ? a.lane[i] : b.lane[i - 4]);
            return static_cast<std::uint32_t>(value < -32768 ? -32768 : value > 32767 ? 32767 : value);
        });
    }
    /// Lower and upper halves of the 32-bit lanes of a, then of b.
    static void split_halves(Int a, Int b, Int &low, Int &high)
    {
        low = map16([&](unsigned i) { return i < 4 ? a.lane[i] : b.lane[i - 4]; });
        high = map16([&](unsigned i) { return (i < 4 ? a.lane[i] : b.lane[i - 4]) >> 16; });
    }

    static Int add32(Int a, Int b)
    {
        return map32([&](unsigned i) { return a.lane[i] + b.lane[i]; });
    }
    static Int subtract32(Int a, Int b)
    {
        return map32([&](unsigned i) { return a.lane[i] - b.lane[i]; });
    }
    /// The larger of signed lanes.
    static Int max32(Int a, Int b)
    {
        return map32([&](unsigned i) { return is_greater(a, b, i) ? a.lane[i] : b.lane[i]; });
    }
    /// The smaller of signed lanes.
    static Int min32(Int a, Int b)
    {
        return map32([&](unsigned i) { return is_greater(a, b, i) ? b.lane[i] : a.lane[i]; });
    }
    /// Absolute values of signed lanes; that of -2^31 is 2^31.
    static Int abs32(Int v)
    {
        return map32([&](unsigned i) { return v.lane[i] >> 31 != 0 ? 0U - v.lane[i] : v.lane[i]; });
    }
    static Int multiply_low32(Int a, Int b)
    {
        return map32([&](unsigned i) { return a.lane[i] * b.lane[i]; });
    }
    /// Products of lanes of a from -2^15 to 2^15 - 1 and lanes of b from 0 to 2^15 - 1.
    static Int multiply_small32(Int a, Int b) { return multiply_low32(a, b); }
    /// Pairs of the lower halves of the lanes of a and b.
    static Int pair_low_halves(Int a, Int b)
    {
        return map32([&](unsigned i) { return (a.lane[i] & 0xffff) | b.lane[i] << 16; });
    }
    /// Whether no bit is set.
    static bool is_zero(Int v) { return (v.lane[0] | v.lane[1] | v.lane[2] | v.lane[3]) == 0; }
    static Mask equal32(Int a, Int b)
    {
        return map32([&](unsigned i) { return a.lane[i] == b.lane[i] ? ~0U : 0U; });
    }
    /// Whether a > b, signed.
    static Mask greater32(Int a, Int b)
    {
        return map32([&](unsigned i) { return is_greater(a, b, i) ? ~0U : 0U; });
    }
    static Mask both(Mask a, Mask b) { return bit_and(a, b); }
    static bool all(Mask mask) { return (mask.lane[0] & mask.lane[1] & mask.lane[2] & mask.lane[3]) != 0; }
    /// a where the mask says yes, else b.
    static Int select(Mask mask, Int a, Int b)
    {
        return map32([&](unsigned i) { return mask.lane[i] != 0 ? a.lane[i] : b.lane[i]; });
    }
    /// v where the mask says yes, else 0; drop: where it says no.
    static Int keep(Mask mask, Int v) { return select(mask, v, set32(0)); }
    static Int drop(Mask mask, Int v) { return select(mask, set32(0), v); }
    /// One more where the mask says yes.
    static Int count(Int sums, Mask mask) { return subtract32(sums, mask); }
    /// Store a mask of kLanes32 elements. Each target has its own form.
    static void store_mask(std::int32_t *to, Mask mask) { store32(to, mask); }
    static Mask load_mask(const std::int32_t *from) { return load32(from); }
    static Int bit_and(Int a, Int b)
    {
        return map32([&](unsigned i) { return a.lane[i] & b.lane[i]; });
    }
    static Int bit_or(Int a, Int b)
    {
        return map32([&](unsigned i) { return a.lane[i] | b.lane[i]; });
    }
    static Int bit_xor(Int a, Int b)
    {
        return map32([&](unsigned i) { return a.lane[i] ^ b.lane[i]; });
    }
    static Int shift_left32(Int v, unsigned bits)
    {
        return map32([&](unsigned i) { return v.lane[i] << bits; });
    }
    static Int shift_right32(Int v, unsigned bits)
    {
        return map32([&](unsigned i) { return v.lane[i] >> bits; });
    }
    static Int shift_right_signed32(Int v, unsigned bits)
    {
        return map32(
            [&](unsigned i) { return static_cast<std::uint32_t>(static_cast<std::int32_t>(v.lane[i]) >> bits); });
    }
    /// Shift each lane by 0 to 30 bits, the number in the same lane of `bits`.
    static Int shift_left32_by(Int v, Int bits)
    {
        return map32([&](unsigned i) { return v.lane[i] << bits.lane[i] % 32; });
    }
    static Int shift_right32_by(Int v, Int bits)
    {
        return map32([&](unsigned i) { return v.lane[i] >> bits.lane[i] % 32; });
    }
    /// Adds pairs of unsigned 32-bit lanes to 64-bit lanes: of each pair of lanes, the first is the
    /// lower half.
    static Int add_widened32(Int sums, Int v)
    {
        for (unsigned i = 0; i < kLanes32; i += 2) {
            const std::uint64_t sum =
                (sums.lane[i] | std::uint64_t{sums.lane[i + 1]} << 32) + v.lane[i] + v.lane[i + 1];
            sums.lane[i] = static_cast<std::uint32_t>(sum);
            sums.lane[i + 1] = static_cast<std::uint32_t>(sum >> 32);
        }
        return sums;
    }
    /// Each odd lane in the place of the even one before; for multiply_rounded_high32.
    static Int odd_to_even32(Int v) { return {{v.lane[1], 0, v.lane[3], 0}}; }
    // 64-bit lanes: of each pair of 32-bit lanes, the first is the lower half.
    /// The products of even unsigned 32-bit lanes.
    static Int multiply_even32(Int a, Int b)
    {
        return map64([&](unsigned i) { return std::uint64_t{a.lane[2 * i]} * b.lane[2 * i]; });
    }
    static Int even_and_odd32(Int even, Int odd) { return {{even.lane[0], odd.lane[1], even.lane[2], odd.lane[3]}}; }
    static Int set64(std::uint64_t value)
    {
        return map64([value](unsigned) { return value; });
    }
    static Int add64(Int a, Int b)
    {
        return map64([&](unsigned i) { return wide(a, i) + wide(b, i); });
    }
    static Int shift_left64(Int v, unsigned bits)
    {
        return map64([&](unsigned i) { return wide(v, i) << bits; });
    }
    static Int shift_right64(Int v, unsigned bits)
    {
        return map64([&](unsigned i) { return wide(v, i) >> bits; });
    }
    /// (a * b + 2^31) >> 32 of unsigned lanes. `odd_a` and `odd_b` are odd_to_even32 of a and b.
    static Int multiply_rounded_high32(Int a, Int b, Int, Int)
    {
        return map32([&](unsigned i) {
            return static_cast<std::uint32_t>((std::uint64_t{a.lane[i]} * b.lane[i] + 0x80000000) >> 32);
        });
    }

    /// kLanes32 / 2 values from memory.
    static Double doubles(const std::int32_t *from)
    {
        return {{static_cast<double>(from[0]), static_cast<double>(from[1])}};
    }
    /// The lower and the upper half of the signed 32-bit lanes.
    static Double low_doubles(Int v)
    {
        return {{static_cast<double>(static_cast<std::int32_t>(v.lane[0])),
                 static_cast<double>(static_cast<std::int32_t>(v.lane[1]))}};
    }
    static Double high_doubles(Int v) { return low_doubles(Int{{v.lane[2], v.lane[3], 0, 0}}); }
    /// Toward zero; -2^31 for less than that. For what is above 2^31 - 1, nothing is said.
    static Int truncated(Double low, Double high)
    {
        return map32([&](unsigned i) {
            const double value = i < 2 ? low.lane[i] : high.lane[i - 2];
            const bool fits = value > -2147483649.0 && value < 2147483648.0;
            return static_cast<std::uint32_t>(fits ? static_cast<std::int32_t>(value) : INT32_MIN);
        });
    }
    // min and max return either of two zeros with different signs.
    static Double min(Double a, Double b)
    {
        return {{a.lane[0] < b.lane[0] ? a.lane[0] : b.lane[0], a.lane[1] < b.lane[1] ? a.lane[1] : b.lane[1]}};
    }

    static Double max(Double a, Double b)
    {
        return {{a.lane[0] > b.lane[0] ? a.lane[0] : b.lane[0], a.lane[1] > b.lane[1] ? a.lane[1] : b.lane[1]}};
    }
    /// Toward zero, of values that 32 bits hold.
    static Double whole(Double v) { return low_doubles(truncated(v, v)); }
    /// Whether a >= b.
    static Mask not_less(Double low_a, Double high_a, Double low_b, Double high_b)
    {
        return map32([&](unsigned i) {
            return (i < 2 ? low_a.lane[i] >= low_b.lane[i] : high_a.lane[i - 2] >= high_b.lane[i - 2]) ? ~0U : 0U;
        });
    }
    /// Signed lanes as binary32, rounded to nearest.
    static Float to_float(Int v)
    {
        Float f;
        for (unsigned i = 0; i < kLanes32; ++i)
            f.lane[i] = static_cast<float>(static_cast<std::int32_t>(v.lane[i]));
        return f;
    }
    static Double low_doubles(Float v) { return {{v.lane[0], v.lane[1]}}; }
    static Double high_doubles(Float v) { return {{v.lane[2], v.lane[3]}}; }
    /// Floats that are not negative as doubles times a power of two, so small that no bit is lost,
    /// which is the target's matter, like which lanes become the first ones. Sums of such doubles
    /// are rounded to floats, at their own size and place, by from_scaled.
    static void to_scaled(Float v, Double &first, Double &second)
    {
        first = low_doubles(v);
        second = high_doubles(v);
    }
    static Float from_scaled(Double first, Double second)
    {
        return {{static_cast<float>(first.lane[0]), static_cast<float>(first.lane[1]),
                 static_cast<float>(second.lane[0]), static_cast<float>(second.lane[1])}};
    }

    /// The bits of binary32 values: exponent and the upper 15 bits of the mantissa are those of
    /// positive 32-bit lanes, whatever is below them.
    static Int upper_float_bits(Int v)
    {
        return map32([&](unsigned i) {
            // The bit below the 16 that count is cleared, so that rounding cannot carry into them.
            const auto value = static_cast<float>(static_cast<std::int32_t>(v.lane[i] & ~(v.lane[i] >> 16)));
            std::uint32_t bits;
            std::memcpy(&bits, &value, sizeof(bits));
            return bits;
        });
    }
    static Int as_int(Float v)
    {
        Int i;
        std::memcpy(&i, &v, sizeof(i));
        return i;
    }
    static Float as_float(Int v)
    {
        Float f;
        std::memcpy(&f, &v, sizeof(f));
        return f;
    }
    // max returns either of two zeros with different signs.
    static Float max(Float a, Float b)
    {
        for (int i = 0; i < 4; ++i)
            a.lane[i] = a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i];
        return a;
    }
    /// Rounded to nearest.
    static Float square_root(Float v)
    {
        for (float &lane : v.lane)
            lane = __builtin_sqrtf(lane);
        return v;
    }
    /// Toward zero, of values that fit.
    static Int truncated(Float v)
    {
        return map32([&](unsigned i) { return static_cast<std::uint32_t>(static_cast<std::int32_t>(v.lane[i])); });
    }
    /// a * b + c, rounded once or twice.
    static Float multiply_add(Float a, Float b, Float c)
    {
        for (unsigned i = 0; i < kLanes32; ++i)
            c.lane[i] = a.lane[i] * b.lane[i] + c.lane[i];
        return c;
    }
    /// table[the lower kLookupBits of each lane].
    static Float look_up(const float *table, Int) { return set_float(*table); }

  private:
    static std::uint16_t half(const Int &v, unsigned i)
    {
        return static_cast<std::uint16_t>(v.lane[i / 2] >> i % 2 * 16);
    }
    static std::int16_t signed_half(const Int &v, unsigned i) { return static_cast<std::int16_t>(half(v, i)); }
    static std::uint64_t wide(const Int &v, unsigned i)
    {
        return v.lane[2 * i] | std::uint64_t{v.lane[2 * i + 1]} << 32;
    }
    static bool is_greater(const Int &a, const Int &b, unsigned i)
    {
        return static_cast<std::int32_t>(a.lane[i]) > static_cast<std::int32_t>(b.lane[i]);
    }
    template <class Value> static Int map32(Value value)
    {
        Int v;
        for (unsigned i = 0; i < kLanes32; ++i)
            v.lane[i] = value(i);
        return v;
    }
    template <class Value> static Int map64(Value value)
    {
        Int v;
        for (unsigned i = 0; i < kLanes32; i += 2) {
            const std::uint64_t lane = value(i / 2);
            v.lane[i] = static_cast<std::uint32_t>(lane);
            v.lane[i + 1] = static_cast<std::uint32_t>(lane >> 32);
        }
        return v;
    }
    template <class Value> static Int map16(Value value)
    {
        return map32([&](unsigned i) {
            return static_cast<std::uint32_t>(value(2 * i) & 0xffff) | static_cast<std::uint32_t>(value(2 * i + 1))
                                                                           << 16;
        });
    }
};

} // namespace
} // namespace vmaf::VMAF_CPU_TARGET
