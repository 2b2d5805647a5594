#include <array>
#include <memory>
#include <vector>

#include "fuzz/target.h"
#include "support/foreign_pictures.h"
#include "support/session.h"

// Geometry of planes that a client lends. The planes are as long as the geometry says, and the
// memory behind them cannot be read. A wrapped picture is scored or given up, and is released once.

namespace vmaf::fuzz {
namespace {

constexpr unsigned kMostSide = 70;

unsigned side(Bytes &bytes)
{
    // Few sides are far off. If such planes are accepted, they are lent without their memory, and
    // given up.
    constexpr unsigned kOff[] = {0, 1, 20000, (1U << 20) + 1, 0x7fffffff, 0xffffffff};
    const unsigned choice = bytes.byte();
    return choice >= 250 ? kOff[choice - 250] : choice % kMostSide;
}

/// What is lent for one picture, and how often it was released.
struct Lent {
    VmafForeignPicture foreign{};
    std::vector<std::unique_ptr<test::GuardedBytes>> planes;
    unsigned releases = 0;
    bool is_readable = true; ///< whether there is memory for all planes, and for the scaled ones
};

bool is_large(std::size_t row_bytes, unsigned rows)
{
    return rows > 4 * kMostSide || row_bytes > 16 * kMostSide;
}

/// Bytes of a plane whose rows are that far apart; 0 for planes that nobody should take or read.
std::size_t plane_bytes(std::size_t row_bytes, unsigned rows, std::ptrdiff_t stride)
{
    if (row_bytes == 0 || rows == 0 || stride <= 0 || is_large(row_bytes, rows))
        return 0;
    return static_cast<std::size_t>(stride) * (rows - 1) + row_bytes;
}

void lend(Bytes &bytes, Lent &lent)
{
    VmafForeignPicture &foreign = lent.foreign;
    constexpr VmafPixelFormat kFormats[] = {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P,
                                            VMAF_PIX_FMT_YUV400P, VMAF_PIX_FMT_UNKNOWN};
    constexpr unsigned kDepths[] = {8, 10, 12, 16, 9, 7, 17};
    foreign.struct_size = bytes.below(16) == 15 ? bytes.below(300) : sizeof foreign;
    foreign.pix_fmt = bytes.one_of(kFormats);
    foreign.bpc = bytes.one_of(kDepths);
    foreign.shift = bytes.below(9);
    foreign.w = side(bytes);
    foreign.h = side(bytes);
    foreign.layout = bytes.below(2) == 0 ? VMAF_PLANE_LAYOUT_PLANAR : VMAF_PLANE_LAYOUT_SEMI_PLANAR;
    if (bytes.below(3) == 0) {
        foreign.scaled_w = side(bytes);
        foreign.scaled_h = side(bytes);
        lent.is_readable = !is_large(foreign.scaled_w, foreign.scaled_h);
    }
    const std::size_t sample = foreign.bpc > 8 ? 2 : 1;
    const unsigned halved_w = foreign.pix_fmt == VMAF_PIX_FMT_YUV420P || foreign.pix_fmt == VMAF_PIX_FMT_YUV422P;
    const unsigned halved_h = foreign.pix_fmt == VMAF_PIX_FMT_YUV420P;
    for (unsigned plane = 0; plane < 3; ++plane) {
        const unsigned pair = foreign.layout == VMAF_PLANE_LAYOUT_SEMI_PLANAR && plane == 1 ? 2 : 1;
        const std::size_t row = std::size_t{plane == 0 ? foreign.w : foreign.w >> halved_w} * pair * sample;
        const unsigned rows = plane == 0 ? foreign.h : foreign.h >> halved_h;
        lent.is_readable = lent.is_readable && !is_large(row, rows);
        foreign.stride[plane] =
            static_cast<std::ptrdiff_t>(row + bytes.below(5) * sample) - (bytes.byte() == 255 ? 8 : 0);
        const std::vector<std::byte> samples(plane_bytes(row, rows, foreign.stride[plane]), std::byte{0x35});
        lent.planes.push_back(std::make_unique<test::GuardedBytes>(samples));
        foreign.data[plane] = bytes.byte() == 255 ? nullptr : lent.planes.back()->data();
    }
    foreign.release = [](void *opaque) { ++static_cast<Lent *>(opaque)->releases; };
    foreign.opaque = &lent;
}

} // namespace
} // namespace vmaf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t count)
{
    using namespace vmaf;
    fuzz::drop_log_lines();
    fuzz::Bytes bytes(data, count);
    const unsigned wishes = bytes.byte();
    constexpr unsigned kScoredDepths[] = {0, 9, 10, 16};
    std::array<fuzz::Lent, 4> lent;
    std::array<bool, 4> wrapped{};
    {
        const test::Context context = test::open_context(wishes & 1);
        for (const char *feature : {"psnr", "motion"})
            fuzz::require(vmaf_use_feature(context.get(), feature, nullptr) == 0, "vmaf_use_feature");
        for (unsigned frame = 0; frame < 2; ++frame) {
            VmafPicture pictures[2]{};
            for (unsigned i = 0; i < 2; ++i) {
                const unsigned number = 2 * frame + i;
                fuzz::lend(bytes, lent[number]);
                lent[number].foreign.scored_bpc = kScoredDepths[wishes >> 2 & 3];
                wrapped[number] = vmaf_picture_wrap(context.get(), &pictures[i], &lent[number].foreign) == 0;
            }
            const auto can_be_read = [&](unsigned number) { return wrapped[number] && lent[number].is_readable; };
            const bool both = can_be_read(2 * frame) && can_be_read(2 * frame + 1);
            if (both && (wishes & 2) == 0 && vmaf_read_pictures(context.get(), &pictures[0], &pictures[1], frame) == 0)
                continue;
            for (unsigned i = 0; i < 2; ++i)
                if (wrapped[2 * frame + i])
                    fuzz::require(vmaf_picture_unref(&pictures[i]) == 0, "what was not taken is the client's");
        }
        vmaf_read_pictures(context.get(), nullptr, nullptr, 0);
    }
    for (unsigned i = 0; i < lent.size(); ++i)
        fuzz::require(lent[i].releases == (wrapped[i] ? 1 : 0), "what was wrapped comes back once, nothing else does");
    return 0;
}
