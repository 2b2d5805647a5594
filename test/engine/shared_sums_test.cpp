#include "engine/shared_sums.h"

#include <gtest/gtest.h>

#include <memory>

#include "engine/cpu_lane.h"
#include "engine/frame_group.h"
#include "engine/frame_work.h"
#include "engine/session_feature.h"
#include "feature/feature_runner.h"
#include "feature/registry.h"
#include "support/session.h"

// Which features of which frames share their sums, and how workers compute such frames.

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

/// A session's workers, of which the test plays the part.
class Workers final : public Lane {
  public:
    explicit Workers(CpuLoad load) : load_(load) {}

    Holding holding(unsigned, unsigned) const override { return {}; }
    void reserve_slots(unsigned) override {}
    unsigned cpu_backends() const override { return 1; }
    std::optional<CpuLoad> cpu_load() const override { return load_; }
    Status go(FrameToken &) override { return {}; }
    void finish(unsigned slot) override { slots.push_back(slot); }
    Status close() override { return {}; }

    std::vector<unsigned> slots; ///< that were handed over

  private:
    CpuLoad load_;
};

using Slots = std::vector<unsigned>;

/// Three frames that share sums, the second one's session with the idlest workers.
class FrameGroupOf : public SharedSumsOf {
  protected:
    FrameGroupOf()
    {
        Frame *const frames[] = {&first_.frame, &second_.frame, &third_.frame, &of_another_.frame};
        FrameGroup::make(frames);
    }
    FrameGroup &group() { return *second_.frame.group; }
    void join_all()
    {
        group().join(busy_, 5, first_.frame);
        group().join(idle_, 6, second_.frame);
        group().join(with_one_job_, 7, third_.frame);
    }
    static bool shares(OneFeature &one) { return one.work().shared != nullptr; }

    OneFeature first_{"vif", {}, ref_[0], dis_[0]}, second_{"vif", {}, ref_[0], dis_[1]},
        third_{"vif", {}, ref_[0], dis_[0]}, of_another_{"vif", {}, ref_[1], dis_[1]};
    Workers busy_{{4, 8}}, idle_{{3, 2}}, with_one_job_{{1, 1}};
};

TEST_F(FrameGroupOf, HasTheFramesThatShareSums)
{
    ASSERT_NE(first_.frame.group, nullptr);
    EXPECT_EQ(second_.frame.group, first_.frame.group);
    EXPECT_EQ(third_.frame.group, first_.frame.group);
    EXPECT_EQ(of_another_.frame.group, nullptr);
    first_.frame.drop_pictures();
    EXPECT_EQ(first_.frame.group, nullptr) << "the memory of a frame that has ended is used again";
}

TEST_F(FrameGroupOf, IsAJobOfTheIdlestWorkersOnceAllFramesAreInFlight)
{
    group().join(busy_, 5, first_.frame);
    group().join(idle_, 6, second_.frame);
    EXPECT_EQ(idle_.slots, Slots()) << "one frame is missing";
    group().join(with_one_job_, 7, third_.frame);
    EXPECT_EQ(idle_.slots, Slots{6});
    EXPECT_EQ(busy_.slots, Slots());
    EXPECT_EQ(with_one_job_.slots, Slots());
    EXPECT_TRUE(group().take_job());
    EXPECT_FALSE(group().take_job()) << "another frame's worker has that frame alone";
}

TEST_F(FrameGroupOf, EndsTheOtherFramesWithTheirSums)
{
    join_all();
    group().compute_sums(0, second_.frame);
    EXPECT_FALSE(has_cpu_work(first_.frame));
    group().end_others(idle_);
    EXPECT_TRUE(shares(first_) && shares(second_) && shares(third_));
    EXPECT_EQ(busy_.slots, Slots{5});
    EXPECT_EQ(with_one_job_.slots, Slots{7});
    EXPECT_EQ(idle_.slots, Slots{6}) << "not again";
}

TEST_F(FrameGroupOf, LeavesFramesWithoutSumsToThemselves)
{
    join_all();
    group().end_others(idle_); // there was no memory for the sums
    EXPECT_FALSE(shares(first_) || shares(second_) || shares(third_));
    EXPECT_TRUE(has_cpu_work(first_.frame));
    EXPECT_EQ(busy_.slots, Slots{5});
    EXPECT_EQ(with_one_job_.slots, Slots{7});
}

TEST_F(FrameGroupOf, IsDissolvedWhereAFrameIsNotTaken)
{
    group().join(busy_, 5, first_.frame);
    const std::shared_ptr<FrameGroup> dissolved = second_.frame.group;
    dissolved->dissolve();
    EXPECT_EQ(busy_.slots, Slots{5});
    dissolved->join(with_one_job_, 7, third_.frame);
    EXPECT_EQ(with_one_job_.slots, Slots{7});
    EXPECT_FALSE(shares(first_) || shares(third_)) << "the sums are of the second frame's pictures too";
    EXPECT_FALSE(dissolved->take_job());
}

} // namespace
} // namespace vmaf::test
