#include "base/log.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace vmaf {
namespace {

std::string logged(const std::string &name)
{
    testing::internal::CaptureStderr();
    log(LogLevel::error, "a %s b", name.c_str());
    return testing::internal::GetCapturedStderr();
}

TEST(Log, WritesPrintableCharactersAsTheyAre)
{
    for (const char *name :
         {"vmaf_v0.6.1", " !~\\x", "h\xc3\xa4user", "\xc2\xa0", "\xe6\xa8\xa1\xe5\x9e\x8b", "\xf0\x9f\x8e\xac"})
        EXPECT_EQ(logged(name), std::string("libvmaf ERROR a ") + name + " b\n");
}

// A name from a file must not colour, clear or retitle the terminal, or forge lines.
TEST(Log, EscapesWhatIsNotPrintable)
{
    EXPECT_EQ(logged("\x1b[2J\x07"), "libvmaf ERROR a \\x1b[2J\\x07 b\n");
    EXPECT_EQ(logged("1\nlibvmaf ERROR 2\r\n\t"), "libvmaf ERROR a 1\\x0alibvmaf ERROR 2\\x0d\\x0a\\x09 b\n");
    EXPECT_EQ(logged("\x7f"), "libvmaf ERROR a \\x7f b\n");
    EXPECT_EQ(logged("\xc2\x9b"), "libvmaf ERROR a \\xc2\\x9b b\n"); // CSI as one character
    EXPECT_EQ(logged("\x9b\xff\xc3"), "libvmaf ERROR a \\x9b\\xff\\xc3 b\n");
    EXPECT_EQ(logged("\xe0\x80\xaf\xed\xa0\x80"), "libvmaf ERROR a \\xe0\\x80\\xaf\\xed\\xa0\\x80 b\n");
    EXPECT_EQ(logged("\xed\xbf\xbf"), "libvmaf ERROR a \\xed\\xbf\\xbf b\n"); // the last surrogate
    testing::internal::CaptureStderr();
    log_always("%s", "a\x1b");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "libvmaf ERROR a\\x1b\n");
}

TEST(Log, EndsWithOneNewline)
{
    testing::internal::CaptureStderr();
    log(LogLevel::error, "%s", "of another library\n");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "libvmaf ERROR of another library\n");
    for (const std::string &name :
         {std::string(5000, 'x'), std::string(5000, '\x1b'), std::string(4070, 'x') + "\x1b\x1b"}) {
        const std::string line = logged(name);
        EXPECT_LE(line.size(), 4096U);
        EXPECT_GT(line.size(), 4090U);
        EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
        EXPECT_EQ(line.back(), '\n');
        EXPECT_EQ(line.find('\x1b'), std::string::npos);
    }
}

} // namespace
} // namespace vmaf
