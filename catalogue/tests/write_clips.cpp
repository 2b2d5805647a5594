/// Writes the conformance clips as raw files: write_clips FOLDER [NAME...]. Prints of each name,
/// width, height, bits, pixel format, frames.
#include <cstdio>
#include <fstream>
#include <string>

#include "input/video_format.h"
#include "support/clips.h"

namespace {

void write(const vmaf::test::Clip &clip, vmaf::test::Side side, const std::string &path)
{
    std::ofstream file(path, std::ios::binary);
    for (unsigned frame = 0; frame < clip.spec().frames; ++frame) {
        const auto bytes = clip.file_frame(side, frame);
        file.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    for (const vmaf::test::ClipSpec &spec : vmaf::test::clip_specs()) {
        bool is_wanted = argc == 2;
        for (int i = 2; i < argc; ++i)
            is_wanted = is_wanted || spec.name == std::string(argv[i]);
        std::printf("%s %u %u %u %s %u\n", spec.name, spec.width, spec.height, spec.bits,
                    vmaf::tool::pixel_format_text(spec.pix_fmt), spec.frames);
        if (!is_wanted)
            continue;
        const vmaf::test::Clip &clip = vmaf::test::Clip::get(spec.name);
        const std::string stem = std::string(argv[1]) + "/" + spec.name;
        write(clip, vmaf::test::Side::ref, stem + "-ref.yuv");
        write(clip, vmaf::test::Side::dis, stem + "-dis.yuv");
    }
    return 0;
}
