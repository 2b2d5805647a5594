// spec adm 3.3 to 3.7 for one position: signals, maskers, cubes. In integers.

// What the flag tells is rounded: integers become floats, and the last product a double.
Real float_of(int64_t value)
{
    const Real exact = Real(uint64_t(value) << (52 - min(highest_bit(value), 52)), 0);
    const int top = highest_bit(value);
    if (top < 24)
        return Real(exact.mantissa, top - 52);
    // 24 bits stay: 29 of the mantissa's 53 are cut off.
    const int cut = top - 23;
    const Real kept = real_rounded(uint64_t(value) >> cut, 0, uint64_t(value) & ((uint64_t(1) << cut) - 1), cut);
    const uint64_t mantissa = kept.mantissa << 29;
    return mantissa >> 53 != 0 ? Real(mantissa >> 1, top - 51) : Real(mantissa, top - 52);
}

// Within 2^-21 of its size.
float about(int64_t positive)
{
    return float(uint(uint64_t(positive) >> 32)) * exp2(32) + float(uint(positive));
}

bool angle_flag(ivec2 h, ivec2 v) // x: reference, y: distorted
{
    const int64_t product = int64_t(h.x) * h.y + int64_t(v.x) * v.y;
    const int64_t ref = int64_t(h.x) * h.x + int64_t(v.x) * v.x;
    const int64_t dis = int64_t(h.y) * h.y + int64_t(v.y) * v.y;
    if (product < 0)
        return false;
    if (ref == 0 || dis == 0)
        return true;
    if (product == 0)
        return false;
    // Rounding, here by the device's rules, matters only next to the limit.
    const float squared = about(product) * about(product);
    const float limit = about(ref) * about(dis) * uintBitsToFloat(0x3f7fec0a);
    if (abs(squared - limit) > limit * exp2(-16))
        return squared > limit;
    const Real cos_squared = Real(uint64_t(0x1ffd814) << 28, -53); // the same float: of one degree
    const Real side = float_of(product);
    return !real_is_less(real_product(side, side),
                         real_product(real_product(cos_squared, float_of(ref)), float_of(dis)));
}

// A value as size and sign, -1 or 0. What is rounded half up is then rounded half down if the sign
// is -1.
struct Signed {
    uint size;
    int sign_;
};

// k of abs(o) and of t with the sign of o taken out, if that is positive. Targets above twice
// abs(o) give 32768 like twice abs(o). For o = 0 it is 0: r is 0 either way.
uint ratio(uint size, uint target)
{
    if (size == 0)
        return 0;
    const uint q = max(findMSB(size) - 14, 0), unit = 1u << q;
    const uint reciprocal = (1u << 30) / ((size + (unit >> 1)) >> q);
    const uint64_t k = (uint64_t(reciprocal) * min(target, 2 * size) + (unit << 14)) >> (15 + q);
    return uint(min(k, uint64_t(32768)));
}

// min(size * limit, target), cut off; size not 0.
uint gained(uint size, uint target)
{
    const Real limit = real_of_bits(params.gain_limit);
    if (real_floor(limit) * size >= target)
        return target;
    return uint(min(real_floor(real_product(limit, real_of(size))), uint64_t(target)));
}

struct Decoupled {
    Signed restored, additive; // r and a
};

Decoupled decouple(int o, int t, bool flag)
{
    const int sign_ = o >> 31, target = (t ^ sign_) - sign_;
    const uint size = abs(o), positive = uint(max(target, 0));
    uint r = uint((uint64_t(ratio(size, positive)) * size + uint(16384 + sign_)) >> 15);
    if (flag && r != 0)
        r = gained(r, positive);
    const int a = target - int(r);
    return Decoupled(Signed(r, sign_), Signed(abs(a), (a ^ sign_) >> 31));
}

struct Masker {
    uint strength; // abs(W*y) at scale 0, abs(u) elsewhere
    uint neighbour, centre;
};

Masker masker(uint weight, Signed y, bool is_diagonal)
{
    if (kScale > 0) {
        const uint size = abs(int((uint64_t(weight) * y.size + uint((1 << 27) + y.sign_)) >> 28));
        const uint64_t half_unit = uint64_t(1) << 31;
        return Masker(size, uint((uint64_t(size) * 143165577 - half_unit) >> 32),
                      uint((uint64_t(size) * 286331153 - half_unit) >> 32));
    }
    const uint product = weight * y.size;
    const uint half_unit = uint(is_diagonal ? 65535 - y.sign_ : 16384 + y.sign_);
    const int x = bitfieldExtract(int((product + half_unit) >> (is_diagonal ? 17 : 15)), 0, 16);
    const uint size = abs(x);
    return Masker(product, uint(bitfieldExtract(int((4369 * size + 2048) >> 12), 0, 16)), (8738 * size + 2048) >> 12);
}

// Half a unit of a right shift; nothing for a shift by 0 (spec adm 4).
uint64_t half_unit_of(uint shift)
{
    return (uint64_t(1) << shift) >> 1;
}

// spec adm 3.6.
uint64_t cube(uint strength, uint threshold, uint cube_shift, bool is_diagonal)
{
    const uint threshold_shift = kScale > 0 ? 0 : is_diagonal ? 12 : 10;
    const uint square_shift = kScale > 0 || is_diagonal ? 30 : 29;
    const uint v = uint(max(int(strength - (threshold << threshold_shift)), 0));
    const uint q = uint((uint64_t(v) * v + half_unit_of(square_shift)) >> square_shift);
    return (uint64_t(q) * v + half_unit_of(cube_shift)) >> cube_shift;
}

// spec adm 3.7.
uint64_t den_cube(uint size, uint cube_shift)
{
    if (kScale == 0)
        return uint64_t(size * size) * size;
    const uint square_shift = kScale == 2 ? 30 : 31;
    const uint q = uint((uint64_t(size) * size + (uint64_t(1) << square_shift)) >> square_shift);
    return (uint64_t(q) * size + half_unit_of(cube_shift)) >> cube_shift;
}
