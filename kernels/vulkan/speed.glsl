// What the kernels of speed share (spec speed 3), on batches of frames. They are files of their own,
// because every one is slow to compile. Every sum runs in the chapter's order, so every bit is the
// CPU's; sums that do not depend on each other run in parallel.
//
// Scratch memory of a plane holds a Model, D, A, then S and E of its blocks, numbers as the bits of
// floats. Planes 2 n and 2 n + 1 are the reference's and the distorted one of pair n.

#include "common.glsl"
#include "real.glsl"
#include "single.glsl"
#include "signed_real.glsl"

const int kBlock = 5, kSize = 25;
const uint64_t kNegligible = 0x3eb0c6f7a0b5ed8dUL; // kSpeedNegligible: 1e-6
const uint kSmall = 0x358637be;                    // the first number that is not below kSpeedSingular, the same
const uint kNotANumber = 0x7fc00000;

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer SpeedParams
{
    ivec2 prescaled, reduced, blocks;
    int bpc;
    int pairs;         // of planes of a frame, from `first_plane` on
    int first_plane;
    int is_temporal, uses_ref_diff;
    int prescale_taps; // 0: the prescaled picture is the plane's top left part
    int is_normalised;
    int weight_var_mode;
    uint sigma_nn, noise_entropy;
    int reducing_count, mean_count;
    uint reduced_at, details_at, variances_at, entropies_at; // words of a plane's scratch memory
    uint reducing_taps[35], mean_taps[9];
    // Indices of the taps of columns, then their weights; then those of rows. Tap i of sample x is
    // at [i * length + x].
    uint prescale[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Model
{
    uint means[kSize];
    uint covariance[kSize][kSize];
    uint g[kSize][kSize]; // r = g * covariance
    uint r[kSize][kSize];
    uint eigenvalues[kSize];
    uint has_small_eigenvalue, has_small_divisor;
};

layout(push_constant) uniform Arguments
{
    Batch batch;
    uint64_t scratch;
    SpeedParams params;
    uint64_t plane_bytes; // of scratch memory
};

int thread = int(gl_LocalInvocationID.x);
int index = int(gl_GlobalInvocationID.x);

int block_count()
{
    return params.blocks.x * params.blocks.y;
}
uint64_t scratch_at(uint plane, uint word)
{
    return scratch + plane_bytes * plane + uint64_t(word) * 4;
}
Words words_of(uint plane, uint first)
{
    return Words(scratch_at(plane, first));
}
Model model_of(uint plane)
{
    return Model(scratch_at(plane, 0));
}

bool is_small(uint a)
{
    return a >= kSign || a < kSmall;
}

// Where element p of a window is, seen from the window's place in A.
int offset_of(int p)
{
    return p / kBlock * kBlock * params.blocks.x + p % kBlock;
}

bool is_singular(uint plane)
{
    Model model = model_of(plane);
    return (model.has_small_eigenvalue | model.has_small_divisor) != 0;
}

// The first frame has no earlier one, and the score 0.
bool is_absent(uint frame)
{
    const Frame of = batch.frames[frame];
    return params.is_temporal != 0 && (of.earlier[0].ref[0].data == 0 || of.earlier[0].dis[0].data == 0);
}
