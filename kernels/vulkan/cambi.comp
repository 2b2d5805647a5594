#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "real.glsl"
#include "single.glsl"

// spec cambi 3 on batches of frames, of the distorted pictures or the references: samples above
// their depth; 10 bits and the mask; the mode filter of one scale after the other; c-values; how
// many of these have which digits, to find the K-th largest; the sum of those above it; that sum in
// its order where the order matters.
//
// Scratch memory of a frame holds for each scale a selection, then planes of a word a pixel: those
// of all scales; the c-values of all scales; and the picture before scale 0.

layout(constant_id = 1) const int kStage = 0;
layout(constant_id = 2) const int kSteps = 1; // N
const int kCheck = 0, kPreprocess = 1, kFilter = 2, kContrast = 3, kCount = 4, kSum = 5, kFinish = 6;

const int kScales = 5, kMaxSteps = 32, kMaskReach = 3;
const uint kMaxCount = 65 * 65;
const int kColumns = 32, kRows = 16;   // of a tile of preprocessing, as in src/feature/cambi/cambi_vulkan.cpp
const int kLevelRows = 4;              // of a tile of the other planes, likewise
const int kRunRows = 16;               // of c-values that a thread finds, likewise
const uint kChunk = 64 * kGroupThreads; // c-values that a group looks at, likewise
const uint kNotCounted = 0x8000;       // added to samples whose m is 0

// c-values that are not 0 are 0.5 to 2^14. Their bits from those of 0.5 on are their keys from 1 on;
// these are below 2^27: three digits.
const uint kBins = 512;
const int kDigits = 3, kDigitBits = 9;
const uint kBelowFirst = 0x3effffff;

struct Level {
    ivec2 size;
    uint first; // word among those of all scales
    uint top_count; // K
};
struct Step {
    uint weight;   // k(d)
    uint highest;  // tvi(d)
};
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer CambiParams
{
    Level levels[kScales];
    ivec2 picture; // size of luma
    ivec2 size;    // of processing
    uint level_words; // of all scales
    uint bpc, is_smooth, mask_threshold;
    int reach; // P
    uint lowest_visible; // vl
    uint is_half, is_ref;
    Step steps[kMaxSteps];
    uint reciprocals[kMaxCount + 1]; // bits of r(n)
    uint positions[]; // by column, then by row of processing: of the picture
};
// Digit by digit, how many c-values have which, of those with the digits of the K-th largest before.
layout(buffer_reference, std430, buffer_reference_align = 8) coherent buffer Selection
{
    uint counts[kDigits][kBins];
    uint units[2]; // the sum of the c-values above the K-th largest, in 2^-24
    uint bits[2];  // that are set in any of these
};
layout(buffer_reference, std430, buffer_reference_align = 4) coherent buffer Shared
{
    uint words[];
};
const uint kSelectionBytes = (kDigits * kBins + 4) * 4;

layout(push_constant) uniform Arguments
{
    Batch batch;
    uint64_t scratch;
    CambiParams params;
    uint64_t frame_bytes; // of scratch memory
    int scale;            // not while preprocessing
    int digit;            // to be counted
};

int thread = int(gl_LocalInvocationID.x);

uint64_t scratch_of_frame()
{
    return scratch + frame_bytes * gl_WorkGroupID.z;
}
Selection selection_of(int of_scale)
{
    return Selection(scratch_of_frame() + uint(of_scale) * kSelectionBytes);
}
uint64_t plane_at(uint word)
{
    return scratch_of_frame() + kScales * kSelectionBytes + uint64_t(word) * 4;
}
Words level_of(int of_scale)
{
    return Words(plane_at(params.levels[of_scale].first));
}
uint64_t c_at(int of_scale)
{
    return plane_at(params.level_words + params.levels[of_scale].first);
}
uint64_t before_at()
{
    return plane_at(2 * params.level_words);
}
Plane luma()
{
    const Pair pair = batch.frames[gl_WorkGroupID.z].pair;
    if (params.is_ref != 0)
        return pair.ref[0];
    return pair.dis[0];
}

// ---- Samples above their depth ----

// Notes the largest one of the first row that has any (cambi_params.h).
void check_row(int y)
{
    Words row = row_of(luma(), y);
    uint largest = 0;
    for (int x = thread; x < params.picture.x; x += kGroupThreads)
        largest = max(largest, sample_of(row, x));
    if (largest >> params.bpc != 0) {
        const uint64_t bad = batch.frames[gl_WorkGroupID.z].sums + 2 * kScales * 8 + params.is_ref * 4;
        atomicMax(Shared(bad).words[0], (0xffffu - uint(y)) << 16 | largest);
    }
}

// ---- spec cambi 3.2 and 3.3 ----

const int kFlatColumns = kColumns + 2 * kMaskReach, kFlatRows = kRows + 2 * kMaskReach;
shared uint values[kFlatRows + 1][kFlatColumns + 1]; // from kMaskReach before the tile on
shared uint is_flat[kFlatRows][kFlatColumns];           // z
shared uint in_row[kFlatRows][kColumns];             // sums of z along rows

// 10 bits at the size of processing, in which the edge repeats.
uint converted(Plane plane, ivec2 at)
{
    const ivec2 from = clamp(at, ivec2(0), params.size - 1);
    const uint row = params.positions[params.size.x + from.y];
    const uint sample_value = sample_of(row_of(plane, int(row)), int(params.positions[from.x]));
    if (params.bpc <= 10)
        return sample_value << (10 - params.bpc);
    return (sample_value + (1u << (params.bpc - 11))) >> (params.bpc - 10);
}

// The anti-dither filter too. With the edge repeated it has no exceptions.
uint preprocessed(Plane plane, ivec2 at)
{
    const ivec2 inside = min(at, params.size - 1);
    if (params.is_smooth == 0)
        return converted(plane, inside);
    return (converted(plane, inside) + converted(plane, inside + ivec2(1, 0)) + converted(plane, inside + ivec2(0, 1)) +
            converted(plane, inside + 1)) >> 2;
}

void clear_selections()
{
    const uint words = kScales * kSelectionBytes / 4;
    const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    const uint threads = gl_NumWorkGroups.x * gl_NumWorkGroups.y * kGroupThreads;
    Words all = Words(scratch_of_frame());
    for (uint i = group * kGroupThreads + uint(thread); i < words; i += threads)
        all.words[i] = 0;
}

void preprocess(ivec2 tile)
{
    clear_selections();
    const Plane plane = luma();
    for (int i = thread; i < (kFlatRows + 1) * (kFlatColumns + 1); i += kGroupThreads) {
        const ivec2 at = ivec2(i % (kFlatColumns + 1), i / (kFlatColumns + 1));
        values[at.y][at.x] = preprocessed(plane, max(tile + at - kMaskReach, ivec2(0)));
    }
    barrier();
    for (int i = thread; i < kFlatRows * kFlatColumns; i += kGroupThreads) {
        const ivec2 at = ivec2(i % kFlatColumns, i / kFlatColumns), in_picture = tile + at - kMaskReach;
        const uint value = values[at.y][at.x];
        const bool inside = all(greaterThanEqual(in_picture, ivec2(0))) && all(lessThan(in_picture, params.size));
        is_flat[at.y][at.x] = inside && value == values[at.y][at.x + 1] && value == values[at.y + 1][at.x] ? 1 : 0;
    }
    barrier();
    for (int i = thread; i < kFlatRows * kColumns; i += kGroupThreads) {
        uint sum = 0;
        for (int k = 0; k <= 2 * kMaskReach; ++k)
            sum += is_flat[i / kColumns][i % kColumns + k];
        in_row[i / kColumns][i % kColumns] = sum;
    }
    barrier();
    Words before = Words(before_at());
    for (int i = thread; i < kRows * kColumns; i += kGroupThreads) {
        const ivec2 at = ivec2(i % kColumns, i / kColumns), in_picture = tile + at;
        uint sum = 0;
        for (int k = 0; k <= 2 * kMaskReach; ++k)
            sum += in_row[at.y + k][at.x];
        if (all(lessThan(in_picture, params.size)))
            before.words[uint(in_picture.y) * uint(params.size.x) + uint(in_picture.x)] =
                values[at.y + kMaskReach][at.x + kMaskReach] | (sum > params.mask_threshold ? 0 : kNotCounted);
    }
}

// ---- spec cambi 3.4 ----

uint mode(uint a, uint b, uint c)
{
    return a == b || a == c ? a : b == c ? b : min(min(a, b), c);
}

// A picture before its mode filter: every pixel of another plane, or every second one.
struct Halved {
    Words words;
    uint pitch;
    int apart;
};

uint pixel_of(Halved picture, int x, int y)
{
    return picture.words.words[uint(y * picture.apart) * picture.pitch + uint(x * picture.apart)];
}

uint along_row(Halved picture, int x, int y, int width)
{
    const uint here = pixel_of(picture, x, y) & ~kNotCounted;
    if (x == 0 || x == width - 1)
        return here;
    return mode(pixel_of(picture, x - 1, y) & ~kNotCounted, here, pixel_of(picture, x + 1, y) & ~kNotCounted);
}

void filter_pixel(int x, int y)
{
    const ivec2 size = params.levels[scale].size;
    Halved from = Halved(Words(before_at()), uint(params.size.x), params.is_half != 0 ? 2 : 1);
    if (scale > 0)
        from = Halved(level_of(scale - 1), uint(params.levels[scale - 1].size.x), 2);
    uint pixel = pixel_of(from, x, y);
    if (y > 0 && y < size.y - 1)
        pixel = pixel & kNotCounted | mode(along_row(from, x, y - 1, size.x), along_row(from, x, y, size.x),
                                           along_row(from, x, y + 1, size.x));
    level_of(scale).words[uint(y) * uint(size.x) + uint(x)] = pixel;
}

// ---- spec cambi 3.5 ----

// How many pixels of the thread's window have which value, from N below the pixel's own on: two
// in a word.
shared uint window_counts[kSteps + 1][kGroupThreads];

uint window_count(int from_own)
{
    const int at = from_own + kSteps;
    return window_counts[at >> 1][thread] >> (16 * (at & 1)) & 0xffff;
}

// Adds pixels of a row to the counts, or with ~0 for `one` takes them away.
void count_row(int x, int row, uint lowest, uint one)
{
    const int at_once = 4; // are asked for: memory is what it waits for
    const int width = params.levels[scale].size.x;
    const int first = max(x - params.reach, 0), last = min(x + params.reach, width - 1);
    Words plane = level_of(scale);
    const uint start = uint(row) * uint(width);
    for (int column = first; column <= last; column += at_once) {
        uint from_lowest[at_once];
        [[unroll]] for (int i = 0; i < at_once; ++i)
            from_lowest[i] = plane.words[start + uint(min(column + i, last))] - lowest;
        [[unroll]] for (int i = 0; i < at_once; ++i)
            if (from_lowest[i] <= 2 * uint(kSteps) && column + i <= last)
                window_counts[from_lowest[i] >> 1][thread] += one << (16 * (from_lowest[i] & 1));
    }
}

// The pixel of the thread's column whose window was counted last.
uint counted_own = ~0u; // no pixel's
int counted_row = 0;

void count_window(int x, int y, uint own)
{
    const int height = params.levels[scale].size.y, reach = params.reach;
    const uint lowest = own - uint(kSteps);
    if (own == counted_own && y - counted_row < reach) { // only what has come and gone since
        for (int row = counted_row + 1; row <= y; ++row) {
            if (row > reach)
                count_row(x, row - reach - 1, lowest, ~0u);
            if (row + reach < height)
                count_row(x, row + reach, lowest, 1);
        }
    } else {
        for (int i = 0; i <= kSteps; ++i)
            window_counts[i][thread] = 0;
        for (int row = max(y - reach, 0); row <= min(y + reach, height - 1); ++row)
            count_row(x, row, lowest, 1);
    }
    counted_own = own;
    counted_row = y;
}

uint c_value(int x, int y)
{
    const uint own = level_of(scale).words[uint(y) * uint(params.levels[scale].size.x) + uint(x)];
    // The last step counts wherever any does, and own may be kNotCounted.
    if (own > params.steps[kSteps - 1].highest || own + 2 * kSteps <= params.lowest_visible)
        return 0;
    count_window(x, y, own);
    const uint n = window_count(0);
    uint largest = 0;
    for (int d = 1; d <= kSteps; ++d) {
        const uint m = max(window_count(d), window_count(-d));
        const Step one = params.steps[d - 1];
        if (m > 0 && own <= one.highest && own + kSteps + d > params.lowest_visible)
            largest = max(largest, single_product(single_rounded(one.weight * n * m, 0, 0), params.reciprocals[n + m]));
    }
    return largest;
}

void contrast_column(int x, int top)
{
    const ivec2 size = params.levels[scale].size;
    for (int y = top; x < size.x && y < min(top + kRunRows, size.y); ++y)
        Words(c_at(scale)).words[uint(y) * uint(size.x) + uint(x)] = c_value(x, y);
}

// ---- spec cambi 3.6 ----

// Sum of the values of the threads before this one.
shared uint scanned[kGroupThreads];
uint sum_before(uint value, out uint total)
{
    barrier(); // an earlier call may still read
    scanned[thread] = value;
    barrier();
    [[unroll]] for (int distance = 1; distance < kGroupThreads; distance *= 2) {
        const uint before = thread >= distance ? scanned[thread - distance] : 0;
        barrier();
        scanned[thread] += before;
        barrier();
    }
    total = scanned[kGroupThreads - 1];
    return scanned[thread] - value;
}

struct Rank {
    uint prefix; // the first digits of the K-th largest key
    uint wanted; // which one it is among the keys with these, from 1 on
};

shared Rank found;

// Finds as many digits of the K-th largest key; it is 0 if there are fewer keys.
Rank find_digits(int count)
{
    Rank rank = Rank(0, params.levels[scale].top_count);
    Selection selection = selection_of(scale);
    const int own_bins = int(kBins) / kGroupThreads;
    for (int d = 0; d < count; ++d) {
        const int highest = int(kBins) - 1 - thread * own_bins;
        uint own = 0, total;
        for (int i = 0; i < own_bins; ++i)
            own += selection.counts[d][highest - i];
        uint above = sum_before(own, total);
        for (int bin = highest; bin > highest - own_bins; --bin) {
            const uint upto = above + selection.counts[d][bin];
            if (above < rank.wanted && (upto >= rank.wanted || bin == 0))
                found = Rank(rank.prefix << kDigitBits | uint(bin), rank.wanted - above);
            above = upto;
        }
        barrier();
        rank = found;
    }
    return rank;
}

uint64_t units_of(uint bits)
{
    return bits == 0 ? 0 : uint64_t(bits & 0x7fffff | 0x800000) << ((bits >> 23) - 126);
}

shared uint bins[kBins];

void count_digits()
{
    const Rank rank = find_digits(digit);
    const int shift = kDigitBits * (kDigits - 1 - digit);
    for (uint i = thread; i < kBins; i += kGroupThreads)
        bins[i] = 0;
    barrier();
    Words c = Words(c_at(scale));
    const uint count = uint(params.levels[scale].size.x) * uint(params.levels[scale].size.y);
    const uint first = gl_WorkGroupID.x * kChunk, end = min(first + kChunk, count);
    for (uint i = first + uint(thread); i < end; i += kGroupThreads) {
        const uint bits = c.words[i], key = bits - kBelowFirst;
        if (bits != 0 && key >> (shift + kDigitBits) == rank.prefix)
            atomicAdd(bins[key >> shift & (kBins - 1)], 1);
    }
    barrier();
    Selection selection = selection_of(scale);
    for (uint i = thread; i < kBins; i += kGroupThreads)
        if (bins[i] != 0)
            atomicAdd(selection.counts[digit][i], bins[i]);
}

uint bits_of_key(uint key)
{
    return key == 0 ? 0 : key + kBelowFirst;
}

void sum_above()
{
    const uint bound = bits_of_key(find_digits(kDigits).prefix);
    Words c = Words(c_at(scale));
    const uint count = uint(params.levels[scale].size.x) * uint(params.levels[scale].size.y);
    const uint first = gl_WorkGroupID.x * kChunk, end = min(first + kChunk, count);
    uint64_t sum = 0, bits = 0;
    for (uint i = first + uint(thread); i < end; i += kGroupThreads)
        if (c.words[i] > bound) {
            const uint64_t units = units_of(c.words[i]);
            sum += units;
            bits |= units;
        }
    Selection selection = selection_of(scale);
    group_add_to_sums(uint64_t(selection) + kDigits * kBins * 4, uint64_t[GROUP_SUMS](sum));
    if (bits != 0) {
        atomicOr(selection.bits[0], uint(bits));
        atomicOr(selection.bits[1], uint(bits >> 32));
    }
}

void pass_on() // to all threads of the group
{
    memoryBarrierBuffer();
    barrier();
}

// Lists the places from left to right whose c-values are not above the pivot, or from right to left
// those whose are not below it. Gives how many there are.
uint list_places(Shared c, Shared list, int left, int right, uint pivot, bool is_upwards)
{
    const int own_places = 32;
    const int count = right - left + 1;
    uint listed = 0;
    for (int first = 0; first < count; first += own_places * kGroupThreads) {
        uint own = 0, total;
        [[unroll]] for (int i = 0; i < own_places; ++i) {
            const int offset = first + thread * own_places + i;
            const uint value = c.words[is_upwards ? min(left + offset, right) : max(right - offset, left)];
            if (offset < count && (is_upwards ? value <= pivot : value >= pivot))
                own |= 1u << i;
        }
        uint at = listed + sum_before(bitCount(own), total);
        [[unroll]] for (int i = 0; i < own_places; ++i) {
            const int offset = first + thread * own_places + i;
            if ((own >> i & 1) != 0)
                list.words[at++] = uint(is_upwards ? left + offset : right - offset);
        }
        listed += total;
    }
    return listed;
}

// One step of the quickselect, which ends where the two lists of places meet. spec cambi 5 (a).
void split(Shared c, int wanted, inout int left, inout int right)
{
    Shared from_left = Shared(plane_at(params.levels[scale].first)); // nobody reads the pictures any more
    Shared from_right = Shared(before_at() + uint64_t(params.levels[scale].first) * 4);
    const uint pivot = c.words[wanted];
    const uint left_count = list_places(c, from_left, left, right, pivot, true);
    const uint right_count = list_places(c, from_right, left, right, pivot, false);
    pass_on();
    uint pairs = 0, beyond = min(left_count, right_count) + 1; // that change places: fewer than `beyond`
    while (beyond - pairs > 1) {
        const uint middle = (pairs + beyond) / 2;
        if (from_left.words[middle - 1] <= from_right.words[middle - 1])
            pairs = middle;
        else
            beyond = middle;
    }
    for (uint t = thread; t < pairs; t += kGroupThreads) {
        const uint a = from_left.words[t], b = from_right.words[t];
        const uint value = c.words[a];
        c.words[a] = c.words[b];
        c.words[b] = value;
    }
    int i = int(from_right.words[pairs - 1]), j = int(from_left.words[pairs - 1]);
    if (i == j) {
        ++i;
        --j;
    } else {
        if (pairs < left_count)
            i = min(i, int(from_left.words[pairs]));
        if (pairs < right_count)
            j = max(j, int(from_right.words[pairs]));
    }
    if (j < wanted)
        left = i;
    if (wanted < i)
        right = j;
    pass_on();
}

// A sum in 2^-24, with the 53 bits of a double.
uint64_t rounded_sum(uint64_t sum)
{
    const int shift = highest_bit(sum) - 52;
    if (shift <= 0)
        return sum;
    const uint64_t half_unit = uint64_t(1) << (shift - 1), rest = sum & (2 * half_unit - 1);
    const bool is_odd = (sum >> shift & 1) != 0;
    return sum - rest + (rest > half_unit || (rest == half_unit && is_odd) ? 2 * half_unit : 0);
}

// Lavapipe ends a kernel's loops after 65,535 turns in all.
uint64_t sum_in_order(Shared c, int count)
{
    uint64_t sum = 0;
    for (int first = 0; first < count; first += kGroupThreads) {
        barrier();
        scanned[thread] = first + thread < count ? c.words[first + thread] : 0;
        barrier();
        [[unroll]] for (int i = 0; i < kGroupThreads; ++i)
            sum = rounded_sum(sum + units_of(scanned[i]));
    }
    return sum;
}

uint64_t ordered_sum()
{
    Shared c = Shared(c_at(scale));
    const int count = params.levels[scale].size.x * params.levels[scale].size.y;
    const int wanted = int(params.levels[scale].top_count);
    int left = 0, right = wanted < count ? count - 1 : 0;
    while (left < right)
        split(c, wanted, left, right);
    return sum_in_order(c, wanted);
}

int lowest_bit(uint64_t value)
{
    return uint(value) != 0 ? findLSB(uint(value)) : 32 + findLSB(uint(value >> 32));
}

void finish()
{
    const Rank rank = find_digits(kDigits);
    Selection selection = selection_of(scale);
    const uint64_t least = units_of(bits_of_key(rank.prefix));
    uint64_t sum = (uint64_t(selection.units[1]) << 32 | selection.units[0]) + least * rank.wanted;
    const uint64_t bits = (uint64_t(selection.bits[1]) << 32 | selection.bits[0]) | least;
    // Otherwise no order of adding up can round.
    if (sum > uint64_t(1) << 53 && sum >> lowest_bit(bits) > uint64_t(1) << 53)
        sum = ordered_sum();
    if (thread != 0 || sum == 0)
        return;
    const Real exact = real_of_large(sum);
    add_to_sum(batch.frames[gl_WorkGroupID.z].sums + (params.is_ref * kScales + scale) * 8,
               bits_of(Real(exact.mantissa, exact.exponent - 24)));
}

void main()
{
    const ivec2 group = ivec2(gl_WorkGroupID.xy);
    if (kStage == kCheck)
        check_row(group.x);
    else if (kStage == kPreprocess)
        preprocess(group * ivec2(kColumns, kRows));
    else if (kStage == kFilter) {
        const ivec2 at = group * ivec2(kColumns, kLevelRows) + ivec2(thread % kColumns, thread / kColumns);
        if (all(lessThan(at, params.levels[scale].size)))
            filter_pixel(at.x, at.y);
    } else if (kStage == kContrast) {
        contrast_column(group.x * kColumns + thread % kColumns, (group.y * kLevelRows + thread / kColumns) * kRunRows);
    } else if (kStage == kCount)
        count_digits();
    else if (kStage == kSum)
        sum_above();
    else
        finish();
}
