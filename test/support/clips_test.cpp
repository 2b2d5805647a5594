#include "support/clips.h"

#include <gtest/gtest.h>

#include <ostream>

#include "support/sha256.h"

namespace vmaf::test {

void PrintTo(const ClipSpec &spec, std::ostream *stream)
{
    *stream << spec.name;
}

namespace {

std::string sha256_of(std::string_view text)
{
    Sha256 hash;
    for (const char c : text) {
        const auto byte = static_cast<std::uint8_t>(c);
        hash.update({&byte, 1});
    }
    return hash.hex_digest();
}

// Examples published with FIPS 180-4, and a million letters that cross every block boundary.
TEST(Sha256, MatchesPublishedExamples)
{
    EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256_of(std::string(1'000'000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

std::string file_sha256(const Clip &clip, Side side)
{
    Sha256 hash;
    for (unsigned frame = 0; frame < clip.spec().frames; ++frame)
        hash.update(clip.file_frame(side, frame));
    return hash.hex_digest();
}

std::vector<ClipSpec> specs(bool large)
{
    std::vector<ClipSpec> list;
    for (const ClipSpec &spec : clip_specs())
        if ((spec.width >= 1920) == large)
            list.push_back(spec);
    return list;
}

std::string case_name(const testing::TestParamInfo<ClipSpec> &info)
{
    return info.param.name;
}

class Clips : public testing::TestWithParam<ClipSpec> {};

TEST_P(Clips, HaveThePublishedHashes)
{
    const Clip &clip = Clip::get(GetParam().name);
    EXPECT_EQ(file_sha256(clip, Side::ref), GetParam().ref_sha256);
    EXPECT_EQ(file_sha256(clip, Side::dis), GetParam().dis_sha256);
}

INSTANTIATE_TEST_SUITE_P(Small, Clips, testing::ValuesIn(specs(false)), case_name);
INSTANTIATE_TEST_SUITE_P(Large, Clips, testing::ValuesIn(specs(true)), case_name);

TEST(ClipPlanes, RoundChromaDownInsideTheFilesPlanes)
{
    const Clip &clip = Clip::get("tiles_177x145_8");
    const PlaneView cr = clip.plane(Side::dis, 1, 2);
    EXPECT_EQ(cr.width_px, 88U);
    EXPECT_EQ(cr.height_px, 72U);
    EXPECT_EQ(cr.stride_bytes, 89);
    const auto *frame = reinterpret_cast<const std::byte *>(clip.file_frame(Side::dis, 1).data());
    EXPECT_EQ(cr.data, frame + 177 * 145 + 89 * 73);
}

TEST(ClipPlanes, AreEmptyWhereTheFormatHasNone)
{
    const Clip &clip = Clip::get("grey_178x146_10");
    EXPECT_EQ(clip.plane(Side::ref, 0, 0).width_px, 178U);
    EXPECT_EQ(clip.plane(Side::ref, 0, 1).data, nullptr);
    EXPECT_EQ(clip.file_frame(Side::ref, 0).size(), 178U * 146 * 2);
}

} // namespace
} // namespace vmaf::test
