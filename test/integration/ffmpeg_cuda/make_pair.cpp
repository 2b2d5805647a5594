/// Writes a synthetic pair of Y4M clips: make_pair WIDTH HEIGHT BITS FRAMES REF DIS, with BITS 8 (4:2:0) or 16 (4:4:4).
/// The reference is a moving picture with tiles and grain; the distorted one is the same blurred, in coarse steps.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

struct Plane {
    int width, height;
    std::vector<int> samples; ///< 16 bits each

    int at(int x, int y) const { return samples[std::size_t{1} * y * width + std::min(x, width - 1)]; }
};

std::uint32_t hash(std::uint32_t x)
{
    x = (x ^ (x >> 15)) * 0x2C1B3C6DU;
    x = (x ^ (x >> 12)) * 0x297A2D39U;
    return x ^ (x >> 15);
}

Plane draw(int width, int height, int time)
{
    Plane plane{width, height, {}};
    plane.samples.reserve(std::size_t{1} * width * height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const int moved_x = x + 5 * time, moved_y = y + 2 * time;
            const int ramp = 12000 + x * 14000 / width + y * 9000 / height;
            const int tile = static_cast<int>(hash(moved_x / 11 * 4099 + moved_y / 7) % 12000);
            const int grain = static_cast<int>(hash((time * height + y) * width + x) % 3000);
            plane.samples.push_back(ramp + tile + grain);
        }
    return plane;
}

Plane degrade(const Plane &ref)
{
    constexpr int kStep = 1792;
    Plane dis{ref.width, ref.height, {}};
    dis.samples.reserve(ref.samples.size());
    for (int y = 0; y < ref.height; ++y)
        for (int x = 0; x < ref.width; ++x)
            dis.samples.push_back((ref.at(x, y) + ref.at(x + 1, y) + ref.at(x + 2, y)) / 3 / kStep * kStep);
    return dis;
}

void append(std::string &file, const Plane &plane, int bits)
{
    for (const int sample : plane.samples) {
        if (bits == 16)
            file.push_back(static_cast<char>(sample & 255));
        file.push_back(static_cast<char>(sample >> 8));
    }
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 7)
        return 2;
    const int width = std::atoi(argv[1]), height = std::atoi(argv[2]), bits = std::atoi(argv[3]);
    const int frames = std::atoi(argv[4]), shift = bits == 8 ? 1 : 0;
    std::string ref = "YUV4MPEG2 W" + std::to_string(width) + " H" + std::to_string(height) +
                      (bits == 8 ? " F25:1 Ip A1:1 C420jpeg\n" : " F25:1 Ip A1:1 C444p16\n");
    std::string dis = ref;
    for (int time = 0; time < frames; ++time) {
        ref += "FRAME\n";
        dis += "FRAME\n";
        for (int plane = 0; plane < 3; ++plane) {
            const int chroma_shift = plane == 0 ? 0 : shift;
            const Plane drawn = draw((width + chroma_shift) >> chroma_shift, (height + chroma_shift) >> chroma_shift,
                                     time + 100 * plane);
            append(ref, drawn, bits);
            append(dis, degrade(drawn), bits);
        }
    }
    const std::string *const clips[] = {&ref, &dis};
    for (int side = 0; side < 2; ++side) {
        std::FILE *const file = std::fopen(argv[5 + side], "wb");
        if (file == nullptr || std::fwrite(clips[side]->data(), 1, clips[side]->size(), file) != clips[side]->size() ||
            std::fclose(file) != 0)
            return 1;
    }
    return 0;
}
