#include "engine/shared_sums.h"

#include <gtest/gtest.h>

#include <memory>

#include "engine/cpu_lane.h"
#include "engine/frame_work.h"
#include "engine/session_feature.h"
#include "feature/feature_runner.h"
#include "feature/registry.h"
#include "support/session.h"

// Which features of which frames share their sums.

namespace vmaf::test {
namespace {

class SharedSumsOf : public testing::Test {
  protected:
    /// A session's one feature, and a frame of which it is due.
    struct OneFeature {
        OneFeature(const char *name, const Options &options, const VmafPicture &ref, const VmafPicture &dis)
            : feature(*find_feature(name), parse_options(*find_feature(name), options).value(), 0, DeviceChoice::never,
                      0),
              lane(ledger, table)
        {
            const PictureFormat format = format_of(ref);
            feature.set_format(format);
            EXPECT_TRUE(feature.start(format, table, lane).ok());
            frame.due.push_back({&feature, 0, 0});
            frame.pair = {PictureHandle::share(ref), PictureHandle::share(dis)};
            NormalisedPlanes memory;
            EXPECT_TRUE(prepare_planes(frame, memory).ok());
        }
        Frame::Work &work() { return frame.due.front(); }

        Guarded<ScoreTable> table;
        FrameLedger ledger{1};
        SessionFeature feature;
        InlineLane lane;
        Frame frame;
    };

    SharedSumsOf()
    {
        for (unsigned i = 0; i < 2; ++i) {
            ref_[i] = picture_of(Side::ref, i);
            dis_[i] = picture_of(Side::dis, i);
        }
    }
    VmafPicture picture_of(Side side, unsigned frame) const
    {
        const VmafPicture picture = VmafRef::create(clip_.format()).value().release()->picture();
        fill_picture(picture, clip_, side, frame);
        return picture;
    }
    ~SharedSumsOf() override
    {
        for (const VmafPicture &picture : {ref_[0], ref_[1], dis_[0], dis_[1]})
            picture.ref->release();
    }
    bool share(OneFeature &first, OneFeature &second)
    {
        Frame *const frames[] = {&first.frame, &second.frame};
        list_ = SharedSums::share(frames);
        EXPECT_EQ(first.work().shared == nullptr, second.work().shared == nullptr);
        return first.work().shared != nullptr && first.work().shared == second.work().shared;
    }

    const Clip &clip_ = Clip::get("tiles_176x144_8");
    VmafPicture ref_[2]{}, dis_[2]{};
    SharedSums::List list_;
};

TEST_F(SharedSumsOf, EqualFeaturesAreTheSumsOfEach)
{
    OneFeature first("vif", {}, ref_[0], dis_[0]), second("vif", {}, ref_[0], dis_[1]);
    ASSERT_TRUE(share(first, second));
    EXPECT_NE(first.work().place, second.work().place);
    for (OneFeature *one : {&second, &first}) {
        std::vector<std::max_align_t> shared(64), alone(64);
        ASSERT_LE(one->feature.sums_bytes(), sizeof(std::max_align_t) * alone.size());
        ASSERT_TRUE(one->work().shared->take(one->work(), 0, shared.data()).ok());
        ASSERT_TRUE(one->feature.extract(0, one->frame.planes, 0, one->frame.seen, alone.data()).ok());
        EXPECT_EQ(std::memcmp(shared.data(), alone.data(), one->feature.sums_bytes()), 0);
    }
}

TEST_F(SharedSumsOf, OtherOptionsReferencesAndFeaturesAreNotShared)
{
    OneFeature vif("vif", {}, ref_[0], dis_[0]), limited("vif", {{"vif_enhn_gain_limit", "1"}}, ref_[0], dis_[1]),
        of_another("vif", {}, ref_[1], dis_[1]), adm("adm", {}, ref_[0], dis_[1]), psnr("psnr", {}, ref_[0], dis_[0]),
        psnr_again("psnr", {}, ref_[0], dis_[1]);
    for (OneFeature *other : {&limited, &of_another, &adm})
        EXPECT_FALSE(share(vif, *other)) << other->feature.spec().name;
    EXPECT_FALSE(share(psnr, psnr_again)) << "nothing is saved";
}

} // namespace
} // namespace vmaf::test
