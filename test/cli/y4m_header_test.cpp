#include "input/y4m_header.h"

#include <gtest/gtest.h>

#include "common/failure.h"

namespace vmaf::tool {
namespace {

Y4mHeader with_chroma(const std::string &tag)
{
    return parse_y4m_header("YUV4MPEG2 W16 H18 F30:1 Ip" + (tag.empty() ? "" : " C" + tag));
}

struct ChromaRow {
    const char *tag;
    VmafPixelFormat pix_fmt;
    unsigned depth, shift, bytes_per_sample;
};

TEST(Y4mHeader, ReadsEveryChromaTag)
{
    constexpr ChromaRow kRows[] = {
        {"", VMAF_PIX_FMT_YUV420P, 8, 0, 1},         {"420", VMAF_PIX_FMT_YUV420P, 8, 0, 1},
        {"420jpeg", VMAF_PIX_FMT_YUV420P, 8, 0, 1},  {"420mpeg2", VMAF_PIX_FMT_YUV420P, 8, 0, 1},
        {"420paldv", VMAF_PIX_FMT_YUV420P, 8, 0, 1}, {"420p10", VMAF_PIX_FMT_YUV420P, 10, 0, 2},
        {"420p12", VMAF_PIX_FMT_YUV420P, 12, 0, 2},  {"422", VMAF_PIX_FMT_YUV422P, 8, 0, 1},
        {"422p10", VMAF_PIX_FMT_YUV422P, 10, 0, 2},  {"422p12", VMAF_PIX_FMT_YUV422P, 12, 0, 2},
        {"444", VMAF_PIX_FMT_YUV444P, 8, 0, 1},      {"444alpha", VMAF_PIX_FMT_YUV444P, 8, 0, 1},
        {"444p10", VMAF_PIX_FMT_YUV444P, 10, 0, 2},  {"444p12", VMAF_PIX_FMT_YUV444P, 12, 0, 2},
        {"420p16", VMAF_PIX_FMT_YUV420P, 16, 0, 2},  {"422p16", VMAF_PIX_FMT_YUV422P, 16, 0, 2},
        {"444p16", VMAF_PIX_FMT_YUV444P, 16, 0, 2},  {"mono", VMAF_PIX_FMT_YUV400P, 8, 0, 1},
        {"mono10", VMAF_PIX_FMT_YUV400P, 10, 0, 2},  {"mono12", VMAF_PIX_FMT_YUV400P, 12, 0, 2},
        {"mono16", VMAF_PIX_FMT_YUV400P, 16, 0, 2},  {"mono9", VMAF_PIX_FMT_YUV400P, 10, 1, 2},
        {"mono14", VMAF_PIX_FMT_YUV400P, 16, 2, 2},  {"420p9", VMAF_PIX_FMT_YUV420P, 10, 1, 2},
        {"422p14", VMAF_PIX_FMT_YUV422P, 16, 2, 2},  {"444p9", VMAF_PIX_FMT_YUV444P, 10, 1, 2},
    };
    for (const auto &[tag, pix_fmt, depth, shift, bytes] : kRows) {
        const FileLayout layout = with_chroma(tag).layout;
        EXPECT_EQ(layout.format, (VideoFormat{16, 18, pix_fmt, depth})) << tag;
        EXPECT_EQ(layout.shift, shift) << tag;
        EXPECT_EQ(layout.bytes_per_sample(), bytes) << tag;
        EXPECT_EQ(layout.alpha, std::string_view(tag) == "444alpha") << tag;
    }
}

TEST(Y4mHeader, RefusesOtherChromaWithTheTagInTheText)
{
    for (const char *tag : {"411", "420P10", "420p11", "mono8", "mono1", "420p", "4200", "444alpha10", "420jpegp10"}) {
        try {
            with_chroma(tag);
            ADD_FAILURE() << tag;
        } catch (const Failure &failure) {
            EXPECT_EQ(failure.exit_code(), kExitSetup);
            EXPECT_NE(std::string(failure.what()).find(tag), std::string::npos) << failure.what();
        }
    }
}

TEST(Y4mHeader, RefusesMissingOrBadTags)
{
    for (const char *line :
         {"", "YUV4", "RIFF", "YUV4MPEG2", "YUV4MPEG2 W16 H16 Ip", "YUV4MPEG2 W16 F25:1 Ip", "YUV4MPEG2 H16 F25:1 Ip",
          "YUV4MPEG2 W0 H16 F25:1 Ip", "YUV4MPEG2 W-16 H16 F25:1 Ip", "YUV4MPEG2 Wx H16 F25:1 Ip",
          "YUV4MPEG2 W16 H16 F25 Ip", "YUV4MPEG2 W16 H16 F25:x Ip", "YUV4MPEG2 W99999999999 H16 F25:1 Ip",
          "YUV4MPEG2 W16 H16 F25:1 It", "YUV4MPEG2 W16 H16 F25:1 Ib", "YUV4MPEG2 W16 H16 F25:1 Im"})
        EXPECT_THROW(parse_y4m_header(line), Failure) << line;
}

TEST(Y4mHeader, SkipsTagsThatSayNothing)
{
    const Y4mHeader header = parse_y4m_header("YUV4MPEG2 Xabc=d  A128:117 W16 Zfoo H16 F0:0 Ip XCOLORRANGE=FULL");
    EXPECT_EQ(header.layout.format, (VideoFormat{16, 16, VMAF_PIX_FMT_YUV420P, 8}));
    EXPECT_TRUE(header.notes.empty());
}

TEST(Y4mHeader, ReadsTheRange)
{
    const auto header = [](const char *tags) {
        return parse_y4m_header(std::string("YUV4MPEG2 W16 H18 F30:1 Ip ") + tags);
    };
    EXPECT_EQ(header("C420jpeg XYSCSS=420JPEG XCOLORRANGE=FULL").range, Range::full);
    EXPECT_EQ(header("Cmono XCOLORRANGE=LIMITED").range, Range::limited);
    EXPECT_EQ(header("C420jpeg XYSCSS=420JPEG").range, std::nullopt); // this tag is about chroma siting
    const Y4mHeader unknown = header("XCOLORRANGE=full");
    EXPECT_EQ(unknown.range, std::nullopt);
    ASSERT_EQ(unknown.warnings.size(), 1U);
    EXPECT_NE(unknown.warnings[0].find("--range_ref"), std::string::npos);
}

TEST(Y4mHeader, NotesWhatIsUnusual)
{
    EXPECT_EQ(parse_y4m_header("YUV4MPEG3 W16 H16 F25:1 Ip").warnings.size(), 1U);
    EXPECT_EQ(parse_y4m_header("YUV4MPEG2 W16 H16 F25:1 I?").warnings.size(), 1U);
    EXPECT_EQ(parse_y4m_header("YUV4MPEG2 W16 H16 F25:1").warnings.size(), 1U);
    EXPECT_EQ(with_chroma("420p9").notes.size(), 1U);
}

TEST(FileLayout, ChromaSizesAreRoundedUp)
{
    EXPECT_EQ((FileLayout{{17, 15, VMAF_PIX_FMT_YUV420P, 8}}.frame_bytes()), 17U * 15 + 2 * 9 * 8);
    EXPECT_EQ((FileLayout{{17, 15, VMAF_PIX_FMT_YUV422P, 10}}.frame_bytes()), 2 * (17U * 15 + 2 * 9 * 15));
    EXPECT_EQ((FileLayout{{17, 15, VMAF_PIX_FMT_YUV444P, 8}, 0, true}.frame_bytes()), 4U * 17 * 15);
    EXPECT_EQ((FileLayout{{17, 15, VMAF_PIX_FMT_YUV400P, 10}, 2}.frame_bytes()), 17U * 15);
}

} // namespace
} // namespace vmaf::tool
