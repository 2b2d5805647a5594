#pragma once

#include <algorithm>
#include <deque>
#include <random>

#include "feature/cvvdp/cvvdp_params.h"
#include "feature/feature_runner.h"

namespace vmaf::test {

/// Pictures of a clip of random content, in memory.
class CvvdpClip {
  public:
    CvvdpClip(const PictureFormat &format, unsigned frames, unsigned seed) : random_(seed)
    {
        for (unsigned i = 0; i < frames; ++i) {
            TestPicture &ref = pictures_.emplace_back(format), &dis = pictures_.emplace_back(format);
            const unsigned kind = static_cast<unsigned>(random_()) % 4, peak = (1U << format.bpc) - 1;
            ref.fill([&](unsigned plane, unsigned x, unsigned y) { return sample(kind, plane, x + 3 * i, y, peak); });
            dis.fill([&](unsigned plane, unsigned x, unsigned y) {
                const unsigned noise = static_cast<unsigned>(random_()) % (peak / 16 + 2);
                return std::min(ref.at(plane, x, y) + noise, peak);
            });
        }
    }

    FramePlanes frame(unsigned i) const
    {
        FramePlanes planes = planes_of(pictures_[2 * std::size_t{i}], pictures_[2 * std::size_t{i} + 1]);
        for (unsigned age = 1; age <= std::min(i, kCvvdpMaxTaps - 1); ++age)
            planes.earlier[age - 1] =
                planes_of(pictures_[2 * std::size_t{i - age}], pictures_[2 * std::size_t{i - age} + 1]);
        return planes;
    }

  private:
    unsigned sample(unsigned kind, unsigned plane, unsigned x, unsigned y, unsigned peak)
    {
        switch (kind) {
        case 0:
            return static_cast<unsigned>(random_()) % (peak + 1);
        case 1:
            return (7 * x + 3 * y + 40 * plane) * peak / 1024 % (peak + 1);
        case 2:
            return peak / 3 + 5 * plane;
        default:
            return (x / 5 + y / 7) % 2 * (peak / 2) + peak / 8;
        }
    }

    std::mt19937 random_;
    std::deque<TestPicture> pictures_;
};

} // namespace vmaf::test
