#include "support/clips.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

namespace vmaf::test {
namespace {

constexpr std::array kSpecs = std::to_array<ClipSpec>({
    {"tiles_176x144_8", 176, 144, 8, VMAF_PIX_FMT_YUV420P, 5,
     "fdf2e117611fad566701751907cc2679d4364bda14f02d71bfe820783294aaa5",
     "6dbea3d360a284f00c4ee1d97121f72724bcab589539660d402f786db66df7b3"},
    {"tiles_177x145_8", 177, 145, 8, VMAF_PIX_FMT_YUV420P, 4,
     "1d2f42c83b2c59901e7883d8ae8c89b3c19833a706613b52696fef3366b8a504",
     "024231d18a6e6165d1dde85db736457fb03cd997f22adda99e2dd8106d962b62"},
    {"tiles_352x288_10", 352, 288, 10, VMAF_PIX_FMT_YUV420P, 5,
     "ae70bc74419d96acb03aba9ccfb5270721b7455578110e3c74320dc11f389d8e",
     "2cacfc76bde042073650ac36c74cbbb0fbe229b65f30e5d215bb2b862a8edbd5"},
    {"tiles_256x192_12", 256, 192, 12, VMAF_PIX_FMT_YUV422P, 3,
     "a5542ea47d70521459647a1ad48bceb92d4f54ca8f29f87d2176ed35b7bb7d89",
     "174e034238a63167fe0af533cd923c1b903480e03a40d381200fe0352bea022c"},
    {"tiles_256x192_16", 256, 192, 16, VMAF_PIX_FMT_YUV444P, 3,
     "d4d713cc60dea655154d0310690a8858394df4ad8e3449803878722c8a984590",
     "6881a51065a70ce71f28414ef8b78212733dacdfe74315bd8991f9c10c99da0e"},
    {"tiles_640x360_8", 640, 360, 8, VMAF_PIX_FMT_YUV420P, 8,
     "10f2116205b7f0ebc5d75b0cb99b7b4b301f63117a10504f78c92841e6dc6a9c",
     "519ad8b8698e47ec673086ebab9596ad4ec1582f530f01be1251232adb2cfec7"},
    {"flat_176x144_8", 176, 144, 8, VMAF_PIX_FMT_YUV420P, 3,
     "51d554efab0ea30215bb1535fc73dc5b0e101a4b2d532a3407a8df4c62ee4ff7",
     "5719d8bcdbee704753b386007ece23f96d789d7f701c58156ed8b1fdb0906ebd"},
    {"noise_176x144_8", 176, 144, 8, VMAF_PIX_FMT_YUV420P, 3,
     "7f4ea2780ac625cb498db52a408aa11eb4b8525c4fd04a7d76f8607f6d2e4824",
     "2fe01e98b7f6ecf6f75ddc7cf11ce98d41911923984e781d11c036c280a58538"},
    {"same_352x288_8", 352, 288, 8, VMAF_PIX_FMT_YUV420P, 3,
     "9d51c9059e7eff936e84b47ab26a6f28ec99145f94140f6b2c60470d05947881",
     "9d51c9059e7eff936e84b47ab26a6f28ec99145f94140f6b2c60470d05947881"},
    {"tiles_1920x1080_8", 1920, 1080, 8, VMAF_PIX_FMT_YUV420P, 3,
     "558dfdcfb13f43ea09f210d3165f61ba84a9dcd81e643c984c9200dd32dd178a",
     "b443316c426e483295ccf0913972264e57a4a4f33e8463752b47b461ec8a75ce"},
    {"tiles_3840x2160_10", 3840, 2160, 10, VMAF_PIX_FMT_YUV420P, 2,
     "fb7ddf309306fda4e441ae5f1c2e55c522d8a1a4f48a06517b24072ef2f12713",
     "1a824d93225fef0f6c7502ec3033f68cc5a1aaf86dd16a2de8a9e52ecc961d25"},
    {"bands_640x360_8", 640, 360, 8, VMAF_PIX_FMT_YUV420P, 4,
     "4db3ec9307fe28dba7ef1de5932813eef6f8108baa6232565fc1bd4e93959988",
     "896cf887608bf53a0790fd956795be71225854dc47b3ee63158d27f93f70ea24"},
    {"bands_960x540_10", 960, 540, 10, VMAF_PIX_FMT_YUV420P, 3,
     "204c82bac34257073fe4421cb2ac346b7ed3d97e1cbd83e646b84409e37375b6",
     "b55ea7a790ddbbc5919f2f685a9d17637c9a1ea84584bab1bdaf0b29331b1369"},
    {"cut_352x288_8", 352, 288, 8, VMAF_PIX_FMT_YUV420P, 7,
     "1baeb11c6d56de61157fc7ccce3a05b1397d96dc116f03e7e8efbb9372ec2493",
     "3f1a49bfa625eb9354affeaa6b8f004a21c3183bb52a8fe13a6aa9249ef85e5b"},
    {"grey_178x146_10", 178, 146, 10, VMAF_PIX_FMT_YUV400P, 3,
     "b33d0d8d8f5f96b1c459cd342770154fc6311252d2d45081d8dbb4e423700d2f",
     "69a5c3d7ed4dc456426c482ce3ef0f4978339083d93310719a15d7bfa7223bd0"},
    {"tiles_643x361_10", 643, 361, 10, VMAF_PIX_FMT_YUV422P, 3,
     "0fc880f1ee5a9686edb12de0c7792a26fc11d0db5e67a25124ac51bc729e1cc1",
     "74bd7ea65e64dcee81b650c370ada10235e19fa022e1f7dd43d3311816e6cdd2"},
    {"tiles_399x341_12", 399, 341, 12, VMAF_PIX_FMT_YUV444P, 3,
     "b60a7a3d5a87b76ccf9eef84730bb064fbe716babcda3d99d719eb798b05dd20",
     "0140691504235221fe06d268957cfcd464f2d4bf6a14fb670abf0b26fa9d852f"},
    {"tiles_80x480_8", 80, 480, 8, VMAF_PIX_FMT_YUV444P, 3,
     "a148ea7f7159a831c7b79a518bf3ae8ac77968f83e4e81ff1b8ed2dbf8d8873d",
     "8edc9060e7d139955a1e3f2b27dd9b21234297cfd3e812d0e21908158f0eb4c7"},
    {"same_640x360_8", 640, 360, 8, VMAF_PIX_FMT_YUV420P, 3,
     "347063407b9aaee7e4744fa49e32a5cff2e854e04fcb3c55192f7954316876d9",
     "347063407b9aaee7e4744fa49e32a5cff2e854e04fcb3c55192f7954316876d9"},
});

constexpr int kBlack = 0;
constexpr int kWhite = 255 * 256;

/// A plane of 8-bit samples scaled by 256, at any depth of the clip.
struct Scene {
    int width, height;
    std::vector<int> samples = std::vector<int>(static_cast<std::size_t>(width) * height);

    int *row(int y) { return &samples[static_cast<std::size_t>(y) * width]; }
    const int *row(int y) const { return &samples[static_cast<std::size_t>(y) * width]; }
};

int clamp_to_range(int sample)
{
    return std::clamp(sample, kBlack, kWhite);
}

std::uint32_t mix32(std::uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x7FEB352DU;
    x = (x ^ (x >> 15)) * 0x846CA68BU;
    return x ^ (x >> 16);
}

/// A moving picture: gradient, checker tiles, blocks, a disc and fine noise.
Scene texture(int width, int height, int t, std::uint32_t seed)
{
    Scene scene{width, height};
    const int disc_x = (width / 3 + 5 * t) % width, disc_y = height / 2;
    const int radius = std::min(width, height) / 5;
    const std::uint32_t frame_seed = static_cast<std::uint32_t>(t) * 83492791U + seed;
    for (int y = 0; y < height; ++y) {
        const int gradient_y = y * 64 * 256 / std::max(height - 1, 1), moved_y = y + 2 * t;
        const std::uint32_t cell_y = static_cast<std::uint32_t>(moved_y / 7) * 104729U + seed;
        const std::uint32_t fine_y = static_cast<std::uint32_t>(y) * 19349663U ^ frame_seed;
        for (int x = 0; x < width; ++x) {
            const int moved_x = x + 3 * t;
            const int gradient = x * 96 * 256 / std::max(width - 1, 1) + gradient_y;
            const int tile = ((moved_x / 24 + moved_y / 16) & 1) * 40 * 256;
            const std::uint32_t cell = mix32(static_cast<std::uint32_t>(moved_x / 9) * 7919U + cell_y);
            const int block = static_cast<int>(cell & 31) * 256;
            const int dx = x - disc_x, dy = y - disc_y;
            const int disc = dx * dx + dy * dy < radius * radius ? 48 * 256 : 0;
            const int fine = static_cast<int>(mix32(static_cast<std::uint32_t>(x) * 73856093U ^ fine_y) & 2047) - 1024;
            scene.row(y)[x] = clamp_to_range(16 * 256 + gradient + tile + block + disc + fine);
        }
    }
    return scene;
}

/// A slow diagonal ramp around a dark level, as a sky or a fade shows it.
Scene ramp(int width, int height, int t, int seed)
{
    Scene scene{width, height};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            scene.row(y)[x] = clamp_to_range((40 + seed % 7) * 256 + x * 22 * 256 / std::max(width - 1, 1) +
                                             y * 9 * 256 / std::max(height - 1, 1) + 64 * t);
    return scene;
}

int round_to_step(int sample, int step)
{
    return clamp_to_range((sample + step / 2) / step * step);
}

/// Blurs with the kernel 1-2-1 in both directions, repeating edges, then quantises in coarse steps.
Scene degrade(const Scene &ref)
{
    constexpr int kStep = 6 * 256;
    Scene dis{ref.width, ref.height};
    std::vector<int> blurred(static_cast<std::size_t>(ref.width) + 2);
    for (int y = 0; y < ref.height; ++y) {
        const int *above = ref.row(std::max(y - 1, 0)), *here = ref.row(y),
                  *below = ref.row(std::min(y + 1, ref.height - 1));
        for (int x = 0; x < ref.width; ++x)
            blurred[x + 1] = (above[x] + 2 * here[x] + below[x] + 2) >> 2;
        blurred.front() = blurred[1];
        blurred.back() = blurred[ref.width];
        for (int x = 0; x < ref.width; ++x)
            dis.row(y)[x] = round_to_step((blurred[x] + 2 * blurred[x + 1] + blurred[x + 2] + 2) >> 2, kStep);
    }
    return dis;
}

Scene noise(int width, int height, std::uint32_t seed)
{
    Scene scene{width, height};
    for (std::size_t i = 0; i < scene.samples.size(); ++i)
        scene.samples[i] = static_cast<int>(mix32(static_cast<std::uint32_t>(i) + seed) & 0xFF00);
    return scene;
}

Scene flat(int width, int height, int sample)
{
    Scene scene{width, height};
    std::ranges::fill(scene.samples, sample);
    return scene;
}

/// The ramp with noise of less than a step, so no bands appear.
Scene dithered(const Scene &clean, std::uint32_t seed)
{
    Scene scene = clean;
    for (std::size_t i = 0; i < scene.samples.size(); ++i) {
        const int dither = static_cast<int>(mix32(static_cast<std::uint32_t>(i) + seed) & 255) - 128;
        scene.samples[i] = clamp_to_range(clean.samples[i] + 128 + dither);
    }
    return scene;
}

/// The ramp without dither, so flat bands appear.
Scene banded(const Scene &clean)
{
    Scene scene = clean;
    for (int &sample : scene.samples)
        sample = round_to_step(sample, 256);
    return scene;
}

struct ScenePair {
    Scene ref, dis;
};

ScenePair make_plane(std::string_view kind, int width, int height, int t, int plane)
{
    const std::uint32_t texture_seed = 12345U + static_cast<std::uint32_t>(plane);
    if (kind == "flat") {
        const int level = (90 + 20 * plane) * 256;
        return {flat(width, height, level), flat(width, height, level + 256 * t)};
    }
    if (kind == "noise") {
        const auto seed = static_cast<std::uint32_t>(1000003 * t + 77 * plane);
        return {noise(width, height, seed), noise(width, height, seed + 0x5EED)};
    }
    if (kind == "bands") {
        const Scene clean = ramp(width, height, t, 5 + plane);
        return {dithered(clean, static_cast<std::uint32_t>(7919 * t + plane)), banded(clean)};
    }
    if (kind == "cut") { // scene changes at frames 2 and 5, still pictures in between
        const int moment = t < 2 ? 0 : t < 5 ? 40 : 7;
        const Scene ref = texture(width, height, moment, texture_seed + 1000U * static_cast<std::uint32_t>(t / 5));
        return {ref, degrade(ref)};
    }
    const Scene ref = texture(width, height, t, texture_seed);
    return {ref, kind == "same" ? ref : degrade(ref)};
}

void append_samples(const Scene &scene, unsigned bits, std::vector<std::uint8_t> &file)
{
    for (const int sample : scene.samples) {
        const int value = sample >> (16 - bits);
        file.push_back(static_cast<std::uint8_t>(value));
        if (bits > 8)
            file.push_back(static_cast<std::uint8_t>(value >> 8));
    }
}

/// Plane sizes in the file, with chroma rounded up.
struct PlaneSize {
    unsigned width, height;
};

PlaneSize file_plane_size(const ClipSpec &spec, unsigned plane)
{
    if (plane == 0)
        return {spec.width, spec.height};
    const unsigned half_width = (spec.width + 1) / 2, half_height = (spec.height + 1) / 2;
    switch (spec.pix_fmt) {
    case VMAF_PIX_FMT_YUV420P:
        return {half_width, half_height};
    case VMAF_PIX_FMT_YUV422P:
        return {half_width, spec.height};
    case VMAF_PIX_FMT_YUV444P:
        return {spec.width, spec.height};
    default:
        return {0, 0};
    }
}

std::string_view kind_of(const ClipSpec &spec)
{
    const std::string_view name = spec.name;
    return name.substr(0, name.find('_'));
}

} // namespace

std::span<const ClipSpec> clip_specs()
{
    return kSpecs;
}

const Clip &Clip::get(std::string_view name)
{
    static std::mutex mutex;
    static std::map<std::string_view, Clip> clips;
    const std::lock_guard lock(mutex);
    if (const auto it = clips.find(name); it != clips.end())
        return it->second;
    for (const ClipSpec &spec : kSpecs)
        if (spec.name == name)
            return clips.emplace(spec.name, Clip(spec)).first->second;
    std::fprintf(stderr, "no clip named %.*s\n", static_cast<int>(name.size()), name.data());
    std::abort();
}

Clip::Clip(const ClipSpec &spec) : spec_(&spec)
{
    for (auto &side : frames_)
        side.resize(spec.frames);
    for (unsigned t = 0; t < spec.frames; ++t)
        for (unsigned plane = 0; plane < format().plane_count(); ++plane) {
            const PlaneSize size = file_plane_size(spec, plane);
            const ScenePair pair =
                make_plane(kind_of(spec), static_cast<int>(size.width), static_cast<int>(size.height),
                           static_cast<int>(t), static_cast<int>(plane));
            append_samples(pair.ref, spec.bits, frames_[static_cast<int>(Side::ref)][t]);
            append_samples(pair.dis, spec.bits, frames_[static_cast<int>(Side::dis)][t]);
        }
}

Clip::Clip(const ClipSpec &spec, const SampleAt &sample) : spec_(&spec)
{
    for (const Side side : {Side::ref, Side::dis})
        for (unsigned frame = 0; frame < spec.frames; ++frame) {
            std::vector<std::uint8_t> &bytes = frames_[static_cast<int>(side)].emplace_back();
            for (unsigned plane = 0; plane < format().plane_count(); ++plane) {
                const PlaneSize size = file_plane_size(spec, plane);
                for (unsigned y = 0; y < size.height; ++y)
                    for (unsigned x = 0; x < size.width; ++x) {
                        const unsigned value = sample(side, frame, plane, x, y);
                        bytes.push_back(static_cast<std::uint8_t>(value));
                        if (spec.bits > 8)
                            bytes.push_back(static_cast<std::uint8_t>(value >> 8));
                    }
            }
        }
}

PlaneView Clip::plane(Side side, unsigned frame, unsigned plane) const
{
    if (plane >= format().plane_count())
        return {};
    const std::size_t sample_bytes = spec_->bits > 8 ? 2 : 1;
    std::size_t offset = 0;
    for (unsigned before = 0; before < plane; ++before) {
        const PlaneSize size = file_plane_size(*spec_, before);
        offset += sample_bytes * size.width * size.height;
    }
    const std::size_t stride = sample_bytes * file_plane_size(*spec_, plane).width;
    return {std::as_bytes(file_frame(side, frame)).data() + offset, static_cast<std::ptrdiff_t>(stride),
            format().plane_width(plane), format().plane_height(plane), spec_->bits};
}

std::span<const std::uint8_t> Clip::file_frame(Side side, unsigned frame) const
{
    return frames_[static_cast<int>(side)][frame];
}

} // namespace vmaf::test
