#include "common/checked_io.h"

#include <fcntl.h>
#include <unistd.h>

#include <thread>

#include <gtest/gtest.h>

namespace vmaf::tool {
namespace {

TEST(CheckedIo, AFullNonBlockingPipeIsWaitedFor)
{
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    const UniqueFd reading(ends[0]);
    UniqueFd writing(ends[1]);
    ASSERT_EQ(::fcntl(writing.get(), F_SETFL, O_NONBLOCK), 0);
    const std::string text(1 << 20, 'x'); // many times a pipe's capacity
    std::string got;
    bool complete = false;
    std::jthread reader([&] { complete = read_all(reading.get(), got); });
    EXPECT_TRUE(write_all(writing.get(), text));
    EXPECT_TRUE(writing.close());
    reader.join();
    EXPECT_TRUE(complete);
    EXPECT_EQ(got, text);
}

} // namespace
} // namespace vmaf::tool
