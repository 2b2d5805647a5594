#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "feature/feature.h"
#include "support/clips.h"

namespace vmaf::test {

using Options = std::vector<OptionDict::Entry>;

inline Result<OptionValues> parse_options(const FeatureSpec &spec, const Options &options)
{
    OptionDict dict;
    for (const auto &[key, value] : options)
        dict.set(key, value);
    return OptionValues::parse(spec, dict);
}

/// Names of the outputs for that format.
inline std::vector<std::string> output_names(const FeatureSpec &spec, const Options &options,
                                             const PictureFormat &format)
{
    std::vector<std::string> names;
    for (const OutputSpec &output : spec.create(parse_options(spec, options).value())->outputs(format))
        names.push_back(output.name);
    return names;
}

inline FramePlanes planes_of(const Clip &clip, unsigned frame)
{
    FramePlanes planes;
    for (unsigned plane = 0; plane < clip.format().plane_count(); ++plane) {
        planes.ref[plane] = clip.plane(Side::ref, frame, plane);
        planes.dis[plane] = clip.plane(Side::dis, frame, plane);
    }
    return planes;
}

/// A registration of a feature without state across frames.
template <class Sums> class FeatureRunner {
  public:
    explicit FeatureRunner(const FeatureSpec &spec, const Options &options = {}, CpuTarget target = cpu_target(0))
        : feature_(spec.create(parse_options(spec, options).value())), target_(target)
    {
    }

    int format_error(const PictureFormat &format) const { return feature_->check_format(format).code(); }

    Sums sums(const FramePlanes &planes, const PictureFormat &format) const
    {
        Sums sums;
        EXPECT_TRUE(feature_->make_cpu(format, target_)->extract(planes, &sums).ok());
        return sums;
    }
    Sums sums(const char *clip, unsigned frame) const
    {
        return sums(planes_of(Clip::get(clip), frame), Clip::get(clip).format());
    }

    std::vector<double> scores(const FramePlanes &planes, const PictureFormat &format) const
    {
        EXPECT_EQ(format_error(format), 0);
        const Sums frame_sums = sums(planes, format);
        std::vector<double> scores(feature_->outputs(format).size());
        feature_->finish(&frame_sums, format, scores);
        return scores;
    }
    std::vector<double> scores(const char *clip, unsigned frame) const
    {
        return scores(planes_of(Clip::get(clip), frame), Clip::get(clip).format());
    }

  private:
    std::unique_ptr<Feature> feature_;
    CpuTarget target_;
};

/// A picture in memory. Samples have 16 bits, or 8 bits packed without padding.
class TestPicture {
  public:
    explicit TestPicture(const PictureFormat &format) : format_(format)
    {
        for (unsigned plane = 0; plane < format.plane_count(); ++plane)
            samples_[plane].resize(std::size_t{format.plane_width(plane)} * format.plane_height(plane) *
                                   sample_bytes());
    }

    /// `value` is a function of plane, x, y.
    template <class Value> void fill(const Value &value)
    {
        for (unsigned plane = 0; plane < format_.plane_count(); ++plane)
            for (unsigned y = 0; y < format_.plane_height(plane); ++y)
                for (unsigned x = 0; x < format_.plane_width(plane); ++x)
                    set(plane, x, y, static_cast<unsigned>(value(plane, x, y)));
    }

    unsigned at(unsigned plane, unsigned x, unsigned y) const
    {
        const std::byte *sample = &samples_[plane][index(plane, x, y)];
        return format_.bpc == 8 ? static_cast<unsigned>(*sample) : *reinterpret_cast<const std::uint16_t *>(sample);
    }

    PlaneView plane(unsigned plane) const
    {
        return {samples_[plane].data(), static_cast<std::ptrdiff_t>(format_.plane_width(plane) * sample_bytes()),
                format_.plane_width(plane), format_.plane_height(plane), format_.bpc};
    }

    const PictureFormat &format() const { return format_; }

  private:
    std::size_t sample_bytes() const { return format_.bpc == 8 ? 1 : 2; }
    std::size_t index(unsigned plane, unsigned x, unsigned y) const
    {
        return (std::size_t{y} * format_.plane_width(plane) + x) * sample_bytes();
    }
    void set(unsigned plane, unsigned x, unsigned y, unsigned value)
    {
        std::byte *sample = &samples_[plane][index(plane, x, y)];
        if (format_.bpc == 8)
            *sample = static_cast<std::byte>(value);
        else
            *reinterpret_cast<std::uint16_t *>(sample) = static_cast<std::uint16_t>(value);
    }

    PictureFormat format_;
    std::array<std::vector<std::byte>, 3> samples_;
};

inline FramePlanes planes_of(const TestPicture &ref, const TestPicture &dis)
{
    FramePlanes planes;
    for (unsigned plane = 0; plane < ref.format().plane_count(); ++plane) {
        planes.ref[plane] = ref.plane(plane);
        planes.dis[plane] = dis.plane(plane);
    }
    return planes;
}

} // namespace vmaf::test
