#include "cuda/driver_sessions/fixture.h"

#include <array>

#include "libvmaf/libvmaf_ext.h"
#include "support/foreign_pictures.h"

// Sessions on one device that share a reference (spec device_pictures 4). The reference is uploaded
// once from any kind of memory, and sessions may close in any order and fail anywhere.

namespace vmaf::test {
namespace {

constexpr unsigned kSessions = 3;

/// The features of a session.
struct Wanted {
    std::vector<const char *> features;
    const char *column;
};
using AllWanted = std::array<Wanted, kSessions>;

const AllWanted kDifferent{Wanted{{"motion", "vif"}, "VMAF_integer_feature_motion2_score"}, Wanted{{"psnr"}, "psnr_cb"},
                           Wanted{{"float_motion", "float_psnr"}, "VMAF_feature_motion2_score"}};
const AllWanted kCheap{Wanted{{"psnr"}, "psnr_y"}, Wanted{{"motion"}, "VMAF_integer_feature_motion2_score"},
                       Wanted{{"psnr"}, "psnr_cr"}};

/// Small frames, so that many sessions' kernels can run on the host. All of them differ.
const Clip &small_clip()
{
    static const ClipSpec spec{"", 64, 48, 8, VMAF_PIX_FMT_YUV420P, 5, "", ""};
    static const Clip clip(spec, [](Side side, unsigned frame, unsigned plane, unsigned x, unsigned y) {
        const unsigned noise = ((x * 7 + y * 13 + frame * 29 + plane * 5) * 2654435761U) >> 28;
        return 90 + noise + (side == Side::dis ? (x ^ y) & 7 : 0) + 3 * frame;
    });
    return clip;
}

class SharedReferenceOnDevice : public DriverSessions {
  protected:
    using Contexts = std::vector<Context>;

    Contexts open_all(Feeding feeding, const AllWanted &wanted, unsigned n_threads = 0) const
    {
        Contexts contexts;
        for (const Wanted &of : wanted) {
            VmafConfiguration config{};
            config.n_threads = n_threads;
            contexts.push_back(open_on_device(clip_, feeding, config));
            for (const char *feature : of.features)
                if (!contexts.back() || use_feature(contexts.back().get(), feature) != 0)
                    return {};
        }
        return contexts;
    }

    /// Pictures of a frame. The reference comes first, from the pool of `lender`. Each session then
    /// has its own picture, of another frame of the clip.
    int make(const Contexts &contexts, std::array<VmafPicture, 1 + kSessions> &pictures, Feeding feeding,
             unsigned frame, std::size_t lender) const
    {
        pictures = {};
        int error = make(contexts[lender].get(), pictures[0], Side::ref, frame, feeding);
        for (unsigned i = 0; error == 0 && i < kSessions; ++i)
            if (contexts[i])
                error = make(contexts[i].get(), pictures[1 + i], Side::dis, dis_frame(frame, i), feeding);
        return error;
    }
    int make(VmafContext *vmaf, VmafPicture &picture, Side side, unsigned frame, Feeding feeding) const
    {
        if (client_calls_the_driver_ || feeding == Feeding::plain_host)
            return client_->make(vmaf, picture, clip_, side, frame, feeding);
        const int error = vmaf_cuda_fetch_preallocated_picture(vmaf, &picture);
        if (error == 0)
            fill_picture(picture, clip_, side, frame); // the double's device memory is plain memory
        return error;
    }
    unsigned dis_frame(unsigned frame, unsigned session) const { return (frame + session) % clip_.spec().frames; }

    /// One call for the open sessions. Pictures that the library did not take are unreferenced.
    int read(const Contexts &contexts, Feeding feeding, unsigned frame, std::size_t lender) const
    {
        std::array<VmafPicture, 1 + kSessions> pictures;
        int error = make(contexts, pictures, feeding, frame % clip_.spec().frames, lender);
        if (error == 0)
            error = read(contexts, pictures, frame);
        for (VmafPicture &picture : pictures)
            if (picture.ref != nullptr)
                vmaf_picture_unref(&picture);
        return error;
    }
    static int read(const Contexts &contexts, std::array<VmafPicture, 1 + kSessions> &pictures, unsigned frame)
    {
        std::vector<VmafContext *> open;
        std::vector<VmafPicture> dis;
        for (std::size_t i = 0; i < contexts.size(); ++i)
            if (contexts[i]) {
                open.push_back(contexts[i].get());
                dis.push_back(pictures[1 + i]);
            }
        const int error =
            vmaf_read_pictures_shared(open.data(), static_cast<unsigned>(open.size()), &pictures[0], dis.data(), frame);
        for (std::size_t i = 0, next = 0; i < contexts.size(); ++i)
            if (contexts[i])
                pictures[1 + i] = dis[next++];
        return error;
    }
    static int flush_all(const Contexts &contexts)
    {
        std::vector<VmafContext *> open;
        for (const Context &context : contexts)
            if (context)
                open.push_back(context.get());
        return vmaf_read_pictures_shared(open.data(), static_cast<unsigned>(open.size()), nullptr, nullptr, 0);
    }

    /// Scores of the sessions' columns on the CPU, with references of their own.
    std::vector<std::vector<double>> expected(const AllWanted &wanted, unsigned frames) const
    {
        std::vector<std::vector<double>> scores;
        for (unsigned i = 0; i < kSessions; ++i) {
            const Context alone = open_context(0);
            for (const char *feature : wanted[i].features)
                EXPECT_EQ(use_feature(alone.get(), feature), 0);
            for (unsigned frame = 0; frame < frames; ++frame) {
                VmafPicture ref{}, dis{};
                EXPECT_EQ(make_picture(ref, clip_, Side::ref, frame % clip_.spec().frames), 0);
                EXPECT_EQ(make_picture(dis, clip_, Side::dis, dis_frame(frame, i)), 0);
                EXPECT_EQ(vmaf_read_pictures(alone.get(), &ref, &dis, frame), 0);
            }
            EXPECT_EQ(flush(alone.get()), 0);
            scores.push_back(scores_of(alone.get(), wanted[i].column, 0, frames));
        }
        return scores;
    }

    const Clip &clip_ = small_clip();
    bool client_calls_the_driver_ = true;
};

TEST_F(SharedReferenceOnDevice, HasTheScoresOfAReferenceEach)
{
    const unsigned frames = clip_.spec().frames;
    const std::vector<std::vector<double>> right = expected(kDifferent, frames);
    for (const VmafDoubleTime time : {VMAF_DOUBLE_AT_ONCE, VMAF_DOUBLE_ON_SYNCHRONISE, VMAF_DOUBLE_AFTER_QUERIES})
        for (const Feeding feeding : {Feeding::plain_host, Feeding::pinned_host, Feeding::device})
            for (const std::size_t lender : {0U, 2U})
                for (const unsigned n_threads : {0U, 2U}) {
                    set_time(time, 3);
                    const Contexts contexts = open_all(feeding, kDifferent, n_threads);
                    ASSERT_EQ(contexts.size(), kSessions);
                    for (unsigned frame = 0; frame < frames; ++frame)
                        ASSERT_EQ(read(contexts, feeding, frame, lender), 0);
                    for (unsigned i = kSessions; i-- > 0;) // the last one first: nobody has waited for the others' work
                        EXPECT_EQ(scores_of(contexts[i].get(), kDifferent[i].column, 0, 1)[0], right[i][0]) << i;
                    ASSERT_EQ(flush_all(contexts), 0);
                    for (unsigned i = 0; i < kSessions; ++i)
                        EXPECT_EQ(scores_of(contexts[i].get(), kDifferent[i].column, 0, frames), right[i])
                            << "session " << i << ", time " << time << ", memory " << static_cast<int>(feeding);
                }
}

/// Copies that the library made of planes of a size.
std::size_t copies(const VmafDoubleControl &driver, std::size_t bytes)
{
    return ran_work(driver,
                    [&](const RanWork &work) {
                        return std::string_view(work.name) == "cuMemcpy2DAsync_v2" && work.bytes == bytes;
                    })
        .size();
}

TEST_F(SharedReferenceOnDevice, IsUploadedOnceWithWhatAnyOfThemReads)
{
    constexpr unsigned kFrames = 5;
    constexpr std::size_t kLuma = 64 * 48, kChroma = kLuma / 4;
    for (const Feeding feeding : {Feeding::plain_host, Feeding::pinned_host}) {
        driver_->reset(); // the kernels do nothing
        const Contexts contexts =
            open_all(feeding, {Wanted{{"vif"}, ""}, Wanted{{"psnr"}, ""}, Wanted{{"motion"}, ""}});
        ASSERT_EQ(contexts.size(), kSessions);
        for (unsigned frame = 0; frame < kFrames; ++frame)
            ASSERT_EQ(read(contexts, feeding, frame, 1), 0);
        ASSERT_EQ(flush_all(contexts), 0);
        // Luma of the reference and of the distorted pictures of vif and psnr; chroma of the
        // reference and of psnr's picture.
        EXPECT_EQ(copies(*driver_, kLuma), 3 * kFrames);
        EXPECT_EQ(copies(*driver_, kChroma), 4 * kFrames);
    }
}

TEST_F(SharedReferenceOnDevice, IsNotUploadedForThoseThatDoNotReadIt)
{
    driver_->reset();
    const Contexts contexts =
        open_all(Feeding::plain_host, {Wanted{{"cambi"}, ""}, Wanted{{"motion"}, ""}, Wanted{{"motion"}, ""}});
    EXPECT_TRUE(contexts.size() == kSessions);
    const Clip &large = Clip::get("tiles_352x288_10");
    VmafPicture ref{}, dis[kSessions] = {};
    ASSERT_EQ(make_picture(ref, large, Side::ref, 0), 0);
    std::vector<VmafContext *> open;
    for (unsigned i = 0; i < kSessions; ++i) {
        ASSERT_EQ(make_picture(dis[i], large, Side::dis, i), 0);
        open.push_back(contexts[i].get());
    }
    ASSERT_EQ(vmaf_read_pictures_shared(open.data(), kSessions, &ref, dis, 0), 0);
    ASSERT_EQ(flush_all(contexts), 0);
    EXPECT_EQ(copies(*driver_, std::size_t{2} * 352 * 288), 2U) << "cambi's picture, motion's reference";
}

// The lender's pool and another session's copy outlive the sessions that made them.
TEST_F(SharedReferenceOnDevice, OutlivesTheSessionsThatAreClosedFirst)
{
    const unsigned frames = clip_.spec().frames;
    const AllWanted wanted{Wanted{{"motion"}, "VMAF_integer_feature_motion2_score"},
                           Wanted{{"motion"}, "VMAF_integer_feature_motion2_score"},
                           Wanted{{"motion"}, "VMAF_integer_feature_motion2_score"}};
    const std::vector<std::vector<double>> right = expected(wanted, frames);
    for (const VmafDoubleTime time : {VMAF_DOUBLE_AT_ONCE, VMAF_DOUBLE_ON_SYNCHRONISE})
        for (const Feeding feeding : {Feeding::plain_host, Feeding::pinned_host, Feeding::device})
            for (std::size_t lender = 0; lender < kSessions; ++lender) {
                set_time(time);
                Contexts contexts = open_all(feeding, wanted);
                ASSERT_EQ(contexts.size(), kSessions);
                for (unsigned frame = 0; frame < 2; ++frame)
                    ASSERT_EQ(read(contexts, feeding, frame, lender), 0);
                contexts[lender].reset(); // with frames in flight, and a reference that the other sessions look back at
                for (unsigned frame = 2; frame < frames; ++frame)
                    ASSERT_EQ(read(contexts, feeding, frame, (lender + 1) % kSessions), 0);
                contexts[(lender + 1) % kSessions].reset();
                const std::size_t last = (lender + 2) % kSessions;
                ASSERT_EQ(flush_all(contexts), 0);
                EXPECT_EQ(scores_of(contexts[last].get(), wanted[0].column, 0, frames), right[0]);
                contexts.clear();
                EXPECT_EQ(driver_->live_total(), 1U) << "the client's context";
                EXPECT_EQ(driver_->violations(), 0U) << driver_->violation(0);
            }
}

// Each new pool of the lender is borrowed, and given up when its pictures have returned.
TEST_F(SharedReferenceOnDevice, OfPoolsThatAreReplacedKeepsMemoryConstant)
{
    for (const Feeding feeding : {Feeding::pinned_host, Feeding::device}) {
        const Contexts contexts = open_all(feeding, kCheap);
        ASSERT_EQ(contexts.size(), kSessions);
        unsigned index = 0;
        unsigned long settled = 0;
        for (unsigned cycle = 0; cycle < 12; ++cycle) {
            VmafCudaPictureConfiguration pool{};
            pool.pic_params = {64, 48, 8, VMAF_PIX_FMT_YUV420P};
            pool.pic_prealloc_method = feeding == Feeding::device ? VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE
                                                                  : VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED;
            ASSERT_EQ(vmaf_cuda_preallocate_pictures(contexts[0].get(), pool), 0);
            for (unsigned frame = 0; frame < 3; ++frame, ++index) {
                ASSERT_EQ(read(contexts, feeding, index, 0), 0);
                for (unsigned i = 0; i < kSessions; ++i)
                    EXPECT_EQ(score_error(contexts[i].get(), kCheap[i].column, index), i == 1 ? -EINVAL : 0);
            }
            if (cycle == 3)
                settled = driver_->live_total();
            EXPECT_TRUE(cycle <= 3 || driver_->live_total() <= settled) << "cycle " << cycle;
        }
    }
}

TEST_F(SharedReferenceOnDevice, OfAnotherSessionsPoolIsRefusedUnlessThatSessionSharesIt)
{
    const Contexts contexts = open_all(Feeding::device, kCheap);
    const Context stranger = open_on_device(clip_, Feeding::device);
    std::array<VmafPicture, 1 + kSessions> pictures;
    ASSERT_EQ(make(contexts, pictures, Feeding::device, 0, 0), 0);
    VmafPicture strange{};
    ASSERT_EQ(client_->make(stranger.get(), strange, clip_, Side::ref, 0, Feeding::device), 0);
    std::swap(strange, pictures[0]);
    EXPECT_EQ(read(contexts, pictures, 0), -EINVAL);
    std::swap(strange, pictures[0]);
    std::swap(pictures[1], pictures[2]); // each session's distorted picture comes from the other's pool
    EXPECT_EQ(read(contexts, pictures, 0), -EINVAL);
    std::swap(pictures[1], pictures[2]);
    EXPECT_EQ(vmaf_picture_unref(&strange), 0);
    EXPECT_EQ(read(contexts, pictures, 0), 0);
    EXPECT_EQ(flush_all(contexts), 0);
}

TEST_F(SharedReferenceOnDevice, AndOnAnotherDeviceOrNoneIsRefused)
{
    set_devices({kDevice, kDevice});
    open_client();
    std::vector<Context> contexts;
    for (const int device : {0, 1, 0, -1}) {
        contexts.push_back(open_context(0));
        if (device < 0)
            break;
        VmafCudaState *state = nullptr;
        ASSERT_EQ(vmaf_cuda_state_init_device(&state, device), 0);
        ASSERT_EQ(vmaf_cuda_import_state(contexts.back().get(), state), 0);
        EXPECT_EQ(vmaf_cuda_state_free(state), 0);
    }
    const auto read_pair = [&](unsigned first, unsigned second) {
        VmafContext *const pair[] = {contexts[first].get(), contexts[second].get()};
        VmafPicture ref{}, dis[2] = {};
        EXPECT_EQ(make_picture(ref, clip_, Side::ref, 0), 0);
        for (VmafPicture &picture : dis)
            EXPECT_EQ(make_picture(picture, clip_, Side::dis, 0), 0);
        const int error = vmaf_read_pictures_shared(pair, 2, &ref, dis, 0);
        for (VmafPicture *picture : {&ref, &dis[0], &dis[1]})
            EXPECT_EQ(vmaf_picture_unref(picture), error != 0 ? 0 : -EINVAL) << "taken, or the client's";
        return error;
    };
    EXPECT_EQ(read_pair(0, 1), -EINVAL);
    EXPECT_EQ(read_pair(0, 3), -EINVAL);
    EXPECT_EQ(read_pair(3, 1), -EINVAL);
    EXPECT_EQ(read_pair(0, 2), 0) << "two states of one device";
}

// Semi-planar planes go over the bus once, in the client's layout, and are separated once.
TEST_F(SharedReferenceOnDevice, OfLentPlanesIsNormalisedOnceAndComesBackOnce)
{
    const unsigned frames = clip_.spec().frames;
    const AllWanted wanted{Wanted{{"psnr"}, "psnr_cb"}, Wanted{{"motion"}, "VMAF_integer_feature_motion2_score"},
                           Wanted{{"psnr"}, "psnr_cr"}};
    const std::vector<std::vector<double>> right = expected(wanted, frames);
    const Lending nv12{"nv12", VMAF_PLANE_LAYOUT_SEMI_PLANAR};
    for (const VmafDoubleTime time : {VMAF_DOUBLE_AT_ONCE, VMAF_DOUBLE_ON_SYNCHRONISE}) {
        set_time(time);
        Loans loans;
        Contexts contexts = open_all(Feeding::plain_host, wanted);
        ASSERT_EQ(contexts.size(), kSessions);
        const std::size_t pairs_before = copies(*driver_, 2 * 32 * 24),
                          runs_before = work_named(*driver_, "vmaf_normalise_8bit").size();
        for (unsigned frame = 0; frame < frames; ++frame) {
            std::array<VmafPicture, 1 + kSessions> pictures;
            ASSERT_EQ(make(contexts, pictures, Feeding::plain_host, frame, 0), 0);
            EXPECT_EQ(vmaf_picture_unref(&pictures[0]), 0);
            ASSERT_EQ(loans.wrap(contexts[2].get(), pictures[0], clip_, Side::ref, frame, nv12), 0);
            ASSERT_EQ(read(contexts, pictures, frame), 0);
        }
        ASSERT_EQ(flush_all(contexts), 0);
        EXPECT_EQ(copies(*driver_, 2 * 32 * 24) - pairs_before, frames);
        EXPECT_EQ(work_named(*driver_, "vmaf_normalise_8bit").size() - runs_before, frames);
        for (unsigned i = 0; i < kSessions; ++i)
            EXPECT_EQ(scores_of(contexts[i].get(), wanted[i].column, 0, frames), right[i]) << i;
        contexts.clear();
        EXPECT_TRUE(loans.all_released_once());
    }
}

// If the second session fails while it is staged, the first one is as before. The call can be
// repeated with the same pictures and other samples in them.
TEST_F(SharedReferenceOnDevice, AFailedUploadTakesNothingAndMayBeRepeated)
{
    for (const Feeding feeding : {Feeding::plain_host, Feeding::pinned_host}) {
        const unsigned frames = clip_.spec().frames;
        const std::vector<std::vector<double>> right = expected(kCheap, frames);
        for (unsigned long upload = 1; upload <= 7;
             ++upload) { // three planes of the reference, one or three of each other picture
            const Contexts contexts = open_all(feeding, kCheap);
            for (unsigned frame = 0; frame < frames; ++frame) {
                std::array<VmafPicture, 1 + kSessions> pictures;
                ASSERT_EQ(make(contexts, pictures, feeding, (frame + 1) % frames, 0), 0);
                const std::array<VmafPicture, 1 + kSessions> before = pictures;
                driver_->fail(upload, 2, VMAF_DOUBLE_ONCE, "cuMemcpy2DAsync_v2");
                EXPECT_EQ(read(contexts, pictures, frame), -ENOMEM);
                driver_->heal();
                EXPECT_EQ(std::memcmp(&before, &pictures, sizeof before), 0);
                fill_picture(pictures[0], clip_, Side::ref, frame); // the client may write them again
                for (unsigned i = 0; i < kSessions; ++i)
                    fill_picture(pictures[1 + i], clip_, Side::dis, dis_frame(frame, i));
                EXPECT_EQ(read(contexts, pictures, frame), 0);
            }
            ASSERT_EQ(flush_all(contexts), 0);
            for (unsigned i = 0; i < kSessions; ++i)
                EXPECT_EQ(scores_of(contexts[i].get(), kCheap[i].column, 0, frames), right[i]) << upload;
        }
    }
}

// Each driver call of a run fails in turn, alone or with all later ones. Nothing crashes, is
// misused or is left behind, and the next run is right.
TEST_F(SharedReferenceOnDevice, LeavesNothingBehindWhateverFails)
{
    const unsigned frames = 3;
    const std::vector<std::vector<double>> right = expected(kCheap, frames);
    client_calls_the_driver_ = false;
    const auto run = [&](Feeding feeding) {
        int first = 0;
        const auto note = [&first](int error) { first = first == 0 ? error : first; };
        Contexts contexts = open_all(feeding, kCheap);
        if (contexts.size() < kSessions)
            return -EIO;
        for (unsigned frame = 0; frame < frames; ++frame)
            note(read(contexts, feeding, frame, 1));
        note(flush_all(contexts));
        for (unsigned i = 0; first == 0 && i < kSessions; ++i)
            EXPECT_EQ(scores_of(contexts[i].get(), kCheap[i].column, 0, frames), right[i]);
        const std::size_t order[] = {1, 0, 2}; // the lender first
        for (const std::size_t i : order)
            note(vmaf_close(contexts[i].release()));
        return first;
    };
    for (const Feeding feeding : {Feeding::plain_host, Feeding::device}) {
        const unsigned long before = driver_->calls();
        ASSERT_EQ(run(feeding), 0);
        const unsigned long calls = driver_->calls() - before;
        for (const VmafDoubleMode mode : {VMAF_DOUBLE_ONCE, VMAF_DOUBLE_FROM_HERE_ON})
            for (unsigned long k = 1; k <= calls; k += mode == VMAF_DOUBLE_ONCE ? 1 : 3) {
                driver_->fail(k, k % 2 == 0 ? 2 : 999, mode, nullptr);
                run(feeding);
                driver_->heal();
                ASSERT_EQ(driver_->live_total(), 1U)
                    << "call " << k << " of " << calls << ", memory " << static_cast<int>(feeding);
                ASSERT_EQ(driver_->violations(), 0U) << k << ": " << driver_->violation(0);
            }
        EXPECT_EQ(run(feeding), 0);
    }
}

} // namespace
} // namespace vmaf::test
