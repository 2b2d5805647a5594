#pragma once

#include <cstring>
#include <vector>

#include "base/plane_view.h"
#include "feature/picture_format.h"

/// Luma planes that CAMBI's tests make.
namespace vmaf::test {

/// A plane whose rows have space between them. It ends with its last sample, so an address checker
/// sees every read beyond it.
class LumaPlane {
  public:
    LumaPlane(unsigned width, unsigned height, unsigned bpc, unsigned slack_px = 0)
        : width_(width), height_(height), bpc_(bpc), stride_px_(width + slack_px),
          bytes_((std::size_t{stride_px_} * (height - 1) + width) * sample_bytes())
    {
    }

    PlaneView view() const
    {
        return {bytes_.data(), static_cast<std::ptrdiff_t>(stride_px_ * sample_bytes()), width_, height_, bpc_};
    }
    PictureFormat format() const { return {VMAF_PIX_FMT_YUV400P, bpc_, width_, height_}; }

    void set(unsigned x, unsigned y, unsigned sample)
    {
        const std::size_t at = std::size_t{y} * stride_px_ + x;
        const auto wide = static_cast<std::uint16_t>(sample);
        if (bpc_ > 8)
            std::memcpy(&bytes_[2 * at], &wide, 2);
        else
            bytes_[at] = static_cast<std::byte>(sample);
    }
    unsigned at(unsigned x, unsigned y) const
    {
        return bpc_ > 8 ? view().row<std::uint16_t>(y)[x] : view().row<std::uint8_t>(y)[x];
    }
    std::uint64_t sum() const
    {
        std::uint64_t total = 0;
        for (unsigned y = 0; y < height_; ++y)
            for (unsigned x = 0; x < width_; ++x)
                total += at(x, y);
        return total;
    }

    /// A plane from a function of x and y.
    template <class Sample> void fill(Sample &&sample)
    {
        for (unsigned y = 0; y < height_; ++y)
            for (unsigned x = 0; x < width_; ++x)
                set(x, y, static_cast<unsigned>(sample(x, y)));
    }

  private:
    std::size_t sample_bytes() const { return bpc_ > 8 ? 2 : 1; }

    unsigned width_, height_, bpc_, stride_px_;
    std::vector<std::byte> bytes_;
};

struct LumaPair {
    LumaPlane ref, dis;
};

/// The clip `stairs` of spec cambi 6.
inline LumaPair stairs(unsigned width, unsigned height, unsigned bits, unsigned frame)
{
    LumaPair pair{{width, height, bits}, {width, height, bits}};
    const auto base = [=](unsigned x, unsigned y) {
        return 20 * 256 + (x * 60 * 256) / width + (y * 30 * 256) / height + 40 * frame;
    };
    pair.ref.fill([&](unsigned x, unsigned y) { return (base(x, y) + ((x * 5 + y * 3) % 4) * 64) >> (16 - bits); });
    pair.dis.fill([&](unsigned x, unsigned y) {
        const unsigned dot = (x * x * 7 + y * 13 + x * y * 3) % 61 == 0 ? 256 : 0;
        const unsigned texture = (x / 32 + y / 32) % 5 == 0 ? ((x * 7 + y * 13) % 16) * 256 : 0;
        return (base(x, y) / 128 * 128 + dot + texture) >> (16 - bits);
    });
    return pair;
}

/// The picture `order` of spec cambi 6.
inline LumaPlane order(unsigned frame)
{
    constexpr unsigned kWidth = 3840, kHeight = 2160;
    LumaPlane plane(kWidth, kHeight, 10);
    plane.fill([=](unsigned x, unsigned y) {
        if (x < 11 * kWidth / 20)
            return 100 + (x * 100) / kWidth + (y * 40) / kHeight + frame;
        if (((x / 16) * 7 + (y / 16) * 11) % 41 == 0)
            return 160 + (x / 5 + y / 6) % 3;
        return 120 + ((x * 7 + y * 13 + x * y) % 31) * 4;
    });
    return plane;
}

} // namespace vmaf::test
