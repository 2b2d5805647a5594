#include "common/threads.h"

#include <pthread.h>

#include <gtest/gtest.h>

namespace vmaf::tool {
namespace {

#ifdef __GLIBC__
/// Makes every new thread fail, as `ulimit -v` can: its stack is larger than the address space.
class NoRoomForStacks {
  public:
    NoRoomForStacks()
    {
        pthread_getattr_default_np(&before_);
        pthread_attr_t huge;
        pthread_attr_init(&huge);
        pthread_attr_setstacksize(&huge, std::size_t{1} << 48);
        pthread_setattr_default_np(&huge);
        pthread_attr_destroy(&huge);
    }
    ~NoRoomForStacks() { pthread_setattr_default_np(&before_); }
    NoRoomForStacks(const NoRoomForStacks &) = delete;

  private:
    pthread_attr_t before_;
};

TEST(Threads, ThatCannotBeStartedSayWhatIsUsedUpAndTheCure)
{
    const NoRoomForStacks no_room;
    try {
        start_thread("to read a video", [] {});
        FAIL() << "there was room";
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.exit_code(), 244) << "out of memory";
        const std::string text = failure.what();
        for (const char *gist : {"to read a video", "threads or memory", "ulimit -v", "--threads"})
            EXPECT_NE(text.find(gist), text.npos) << gist << " is not in " << text;
    }
}
#endif

TEST(Threads, AreJoined)
{
    bool done = false;
    {
        const auto thread = start_thread("to set a flag", [&done] { done = true; });
    }
    EXPECT_TRUE(done);
}

} // namespace
} // namespace vmaf::tool
