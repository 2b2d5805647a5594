#include <cstdint>
#include <memory>
#include <optional>

#include "common/failure.h"
#include "frames/library.h"
#include "fuzz/target.h"
#include "input/video_reader.h"

// Y4M and raw files through the tool's readers: read, raised in depth, without chroma, skipped,
// opened again. The first byte: bit 0 means raw, the others say what is done with the frames. For
// raw files, five bytes describe the contents.

namespace vmaf::fuzz {
namespace {

constexpr std::uint64_t kMostSamples = std::uint64_t{1} << 20; ///< luma samples: larger pictures only take longer

std::optional<tool::VideoFormat> raw_format(Bytes &bytes)
{
    tool::VideoFormat format{};
    format.width_px = 1 + bytes.below(200);
    format.height_px = 1 + bytes.below(200);
    constexpr VmafPixelFormat kLayouts[] = {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P,
                                            VMAF_PIX_FMT_YUV400P};
    constexpr unsigned kDepths[] = {8, 10, 12, 16};
    format.pix_fmt = bytes.one_of(kLayouts);
    format.depth = bytes.one_of(kDepths);
    return format;
}

void read(tool::VideoReader &reader, unsigned wishes)
{
    if ((wishes & 2) != 0)
        reader.leave_out_chroma();
    if ((wishes & 4) != 0)
        reader.raise_depth(16);
    const tool::VideoFormat &format = reader.format();
    if (std::uint64_t{format.width_px} * format.height_px > kMostSamples)
        return;
    tool::Picture picture;
    if (vmaf_picture_alloc(&picture.raw(), format.pix_fmt, format.depth, format.width_px, format.height_px) != 0)
        return;
    for (unsigned frame = 0; frame < 64; ++frame)
        if ((wishes & 8) != 0 && frame % 2 == 0 ? !reader.skip_frame() : !reader.read_frame(picture.raw()))
            break;
}

} // namespace
} // namespace vmaf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t count)
{
    using namespace vmaf;
    fuzz::Bytes bytes(data, count);
    const unsigned wishes = bytes.byte();
    const std::optional<tool::VideoFormat> raw = (wishes & 1) != 0 ? fuzz::raw_format(bytes) : std::nullopt;
    const fuzz::MemoryFile file(bytes.rest());
    try {
        tool::Warnings warnings((wishes & 16) != 0);
        const auto reader = tool::make_video_reader(tool::InputFile(file.path()), raw, warnings);
        fuzz::read(*reader, wishes);
        if ((wishes & 32) != 0)
            fuzz::read(*reader->reopened(), wishes);
    } catch (const tool::Failure &failure) {
        fuzz::require(failure.what()[0] != '\0', "a failure says why");
    }
    return 0;
}
