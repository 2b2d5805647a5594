#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "libvmaf/libvmaf_ext.h"
#include "support/session.h"

// xpsnr compares pictures in the order of calls, whatever their indices. It adds up the clip in
// that order (spec xpsnr 4).

namespace vmaf::test {
namespace {

constexpr const char *kClip = "tiles_352x288_10";
constexpr unsigned kFrames = 3;

Context session(unsigned n_threads, const char *fps, unsigned n_subsample = 0)
{
    Context context = open_context(n_threads, n_subsample);
    VmafFeatureDictionary *options = nullptr;
    EXPECT_EQ(vmaf_feature_dictionary_set(&options, "fps", fps), 0);
    EXPECT_EQ(vmaf_use_feature(context.get(), "xpsnr", options), 0);
    return context;
}

double score(const Context &context, unsigned index)
{
    double value = -1;
    EXPECT_EQ(vmaf_feature_score_at_index(context.get(), "xpsnr_y", &value, index), 0) << index;
    return value;
}

/// Values of the whole clip.
std::string aggregates(const Context &context)
{
    const std::string path = testing::TempDir() + "vmaf_call_order_" + std::to_string(getpid()) + ".xml";
    EXPECT_EQ(vmaf_write_output_with_format(context.get(), path.c_str(), VMAF_OUTPUT_FORMAT_XML, "%.17g"), 0);
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::remove(path.c_str());
    const std::size_t start = text.find("<aggregate_metrics");
    return text.substr(start, text.find('\n', start) - start);
}

TEST(CallOrder, NotTheIndicesSaysWhatAFrameIsComparedWith)
{
    const Clip &clip = Clip::get(kClip);
    for (const char *fps : {"25", "50"})
        for (const unsigned n_threads : {0U, 3U}) {
            const Context in_order = session(n_threads, fps), turned = session(n_threads, fps);
            ASSERT_EQ(feed_all(in_order.get(), clip), 0);
            const unsigned indices[kFrames] = {5, 0, 1};
            for (unsigned frame = 0; frame < clip.spec().frames; ++frame)
                ASSERT_EQ(feed(turned.get(), clip, frame, frame < kFrames ? indices[frame] : 10 + frame), 0);
            ASSERT_EQ(vmaf_read_pictures(turned.get(), nullptr, nullptr, 0), 0);
            for (unsigned frame = 0; frame < kFrames; ++frame)
                EXPECT_EQ(score(turned, indices[frame]), score(in_order, frame)) << frame << " at " << fps;
            EXPECT_EQ(aggregates(turned), aggregates(in_order));
        }
}

TEST(CallOrder, OfALateRegistrationBeginsWithIt)
{
    const Clip &clip = Clip::get(kClip);
    const Context context = session(0, "50"), late = open_context(0);
    ASSERT_EQ(vmaf_use_feature(late.get(), "speed_temporal", nullptr), 0);
    ASSERT_EQ(feed(late.get(), clip, 0, 0), 0);
    VmafFeatureDictionary *options = nullptr;
    ASSERT_EQ(vmaf_feature_dictionary_set(&options, "fps", "50"), 0);
    ASSERT_EQ(vmaf_use_feature(late.get(), "xpsnr", options), 0);
    for (unsigned frame = 1; frame < kFrames; ++frame) {
        ASSERT_EQ(feed(late.get(), clip, frame, frame), 0);
        ASSERT_EQ(feed(context.get(), clip, frame, frame), 0);
        EXPECT_EQ(score(late, frame), score(context, frame)) << frame;
    }
}

TEST(CallOrder, IsThatOfAllFramesUnderSubsampling)
{
    const Clip &clip = Clip::get(kClip);
    const Context all = session(0, "25"), some = session(2, "25", 2);
    ASSERT_EQ(feed_all(all.get(), clip), 0);
    ASSERT_EQ(feed_all(some.get(), clip), 0);
    EXPECT_EQ(score(some, 2), score(all, 2));
    EXPECT_EQ(aggregates(some), aggregates(all));
}

TEST(CallOrder, OfNoFrameHasNoValue)
{
    const Context context = session(0, "0");
    EXPECT_EQ(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), -EINVAL);
}

} // namespace
} // namespace vmaf::test
