/// Writes a synthetic pair of Y4M clips: make_pair WIDTH HEIGHT FORMAT FRAMES REF DIS [neutral],
/// with a FORMAT such as 420p8 or 444p16. The reference is a moving picture with tiles and grain.
/// The distorted clip is blurred and has coarse steps. With "neutral", both have chroma at half the
/// range everywhere, and the same luma as without.

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

Plane neutral(int width, int height)
{
    return {width, height, std::vector<int>(std::size_t{1} * width * height, 1 << 15)};
}

struct Format {
    int chroma, bits; ///< 420, 422 or 444; 8 to 16

    int width_shift() const { return chroma == 444 ? 0 : 1; }
    int height_shift() const { return chroma == 420 ? 1 : 0; }
    std::string tag() const
    {
        if (bits > 8)
            return std::to_string(chroma) + "p" + std::to_string(bits);
        return chroma == 420 ? "420jpeg" : std::to_string(chroma);
    }
};

void append(std::string &file, const Plane &plane, int bits)
{
    for (const int sample : plane.samples) {
        const int cut = sample >> (16 - bits);
        file.push_back(static_cast<char>(cut & 255));
        if (bits > 8)
            file.push_back(static_cast<char>(cut >> 8));
    }
}

} // namespace

int main(int argc, char **argv)
{
    Format format{};
    if (argc < 7 || argc > 8 || std::sscanf(argv[3], "%dp%d", &format.chroma, &format.bits) != 2)
        return 2;
    const int width = std::atoi(argv[1]), height = std::atoi(argv[2]), frames = std::atoi(argv[4]);
    std::string ref = "YUV4MPEG2 W" + std::to_string(width) + " H" + std::to_string(height) + " F25:1 Ip A1:1 C" +
                      format.tag() + "\n";
    std::string dis = ref;
    for (int time = 0; time < frames; ++time) {
        ref += "FRAME\n";
        dis += "FRAME\n";
        for (int plane = 0; plane < 3; ++plane) {
            const int width_shift = plane == 0 ? 0 : format.width_shift();
            const int height_shift = plane == 0 ? 0 : format.height_shift();
            const int plane_width = (width + width_shift) >> width_shift;
            const int plane_height = (height + height_shift) >> height_shift;
            const bool grey = argc == 8 && plane > 0;
            const Plane drawn =
                grey ? neutral(plane_width, plane_height) : draw(plane_width, plane_height, time + 100 * plane);
            append(ref, drawn, format.bits);
            append(dis, grey ? drawn : degrade(drawn), format.bits);
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
