#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <random>
#include <vector>

#include "feature/feature_runner.h"
#include "feature/xpsnr/xpsnr.h"

namespace vmaf::test {

using XpsnrErrors = std::array<std::uint64_t, 3>;

inline XpsnrErrors errors_of(const XpsnrSums &sums)
{
    return {sums.error[0], sums.error[1], sums.error[2]};
}

/// The grid of a registration.
inline XpsnrGrid xpsnr_grid_of(const PictureFormat &format, const Options &options = {})
{
    return xpsnr_grid(parse_options(kXpsnr, options).value(), format);
}

inline XpsnrErrors xpsnr_of_cpu(const FramePlanes &planes, const XpsnrGrid &grid, CpuTarget target = cpu_target(0))
{
    XpsnrSums sums;
    EXPECT_TRUE(make_xpsnr_cpu(grid, target)->extract(planes, &sums).ok());
    return errors_of(sums);
}

/// Number of reference pictures before a frame that count.
constexpr unsigned kXpsnrEarlier = 2;

/// A frame of a clip with the reference pictures before it.
inline FramePlanes planes_with_earlier(const Clip &clip, unsigned frame)
{
    FramePlanes planes = planes_of(clip, frame);
    for (unsigned age = 1; age <= std::min(frame, kXpsnrEarlier); ++age)
        planes.earlier[age - 1].ref[0] = clip.plane(Side::ref, frame - age, 0);
    return planes;
}

/// Contents of pictures.
enum class XpsnrContent { noise, smooth, near_flat, ends };
constexpr std::array kXpsnrContents{XpsnrContent::noise, XpsnrContent::smooth, XpsnrContent::near_flat,
                                    XpsnrContent::ends};

/// A reference and a distorted picture, and two earlier references. The same seed gives the same
/// pictures.
class XpsnrPictures {
  public:
    XpsnrPictures(const PictureFormat &format, XpsnrContent content, unsigned seed, unsigned max_sample)
        : pictures_(4, TestPicture(format)), random_(seed)
    {
        for (TestPicture &picture : pictures_)
            picture.fill([&](unsigned, unsigned x, unsigned y) { return sample(content, x, y, max_sample); });
        planes_ = planes_of(pictures_[0], pictures_[1]);
        planes_.earlier[0].ref[0] = pictures_[2].plane(0);
        planes_.earlier[1].ref[0] = pictures_[3].plane(0);
    }
    XpsnrPictures(const PictureFormat &format, XpsnrContent content, unsigned seed)
        : XpsnrPictures(format, content, seed, (1U << format.bpc) - 1)
    {
    }

    /// The same frame with only so many of the earlier pictures.
    FramePlanes planes(unsigned earlier) const
    {
        FramePlanes planes = planes_;
        for (unsigned age = earlier; age < kXpsnrEarlier; ++age)
            planes.earlier[age] = {};
        return planes;
    }

  private:
    unsigned sample(XpsnrContent content, unsigned x, unsigned y, unsigned max_sample)
    {
        const auto any = static_cast<unsigned>(random_());
        switch (content) {
        case XpsnrContent::noise:
            return any % (max_sample + 1);
        case XpsnrContent::smooth:
            return std::min((x + 2 * y) % (max_sample / 2 + 1) + any % 9, max_sample);
        case XpsnrContent::near_flat:
            return max_sample / 3 + (any % 64 == 0 ? 1 : 0);
        default:
            return any % 2 * max_sample;
        }
    }

    std::deque<TestPicture> pictures_;
    std::mt19937 random_;
    FramePlanes planes_;
};

/// m = 2: odd sides with a narrow and a thin last column, and rows that end anywhere; 4:2:0.
inline std::vector<std::pair<unsigned, unsigned>> large_xpsnr_sizes()
{
    return {{2049, 1153}, {2041, 1157}, {2052, 1154}, {2042, 1158}, {16384, 145}, {147, 16383}};
}

} // namespace vmaf::test
