#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/golden.h"

// Compares every reference score of this build's features and models, for several thread counts: as
// text with 17 digits, or within the feature's tolerance.

namespace vmaf::test {
namespace {

// Rows "vmaf[0]" come first in a file. They make the library store scores that later rows need.
void check_item(const Clip &clip, const std::string &item, const std::vector<golden::Row> &rows, unsigned n_threads,
                std::size_t &checked)
{
    golden::Session session;
    session.context = open_context(n_threads);
    ASSERT_TRUE(session.context);
    ASSERT_TRUE(golden::use_item(session, item)) << item;
    ASSERT_EQ(feed_all(session.context.get(), clip), 0) << item;
    for (const golden::Row &row : rows)
        EXPECT_TRUE(golden::agrees(item, golden::value_of(session, row, clip.spec().frames), row))
            << n_threads << " threads";
    checked += rows.size();
}

class Conformance : public testing::TestWithParam<ClipSpec> {};

TEST_P(Conformance, EveryReferenceScoreAgrees)
{
    const Clip &clip = Clip::get(GetParam().name);
    const golden::Items items = golden::read(GetParam().name);
    ASSERT_FALSE(items.empty());
    std::size_t checked = 0;
    for (const unsigned n_threads : {0U, 4U})
        for (const auto &[item, rows] : items)
            check_item(clip, item, rows, n_threads, checked);
    RecordProperty("rows", static_cast<int>(checked));
}

std::string clip_name(const testing::TestParamInfo<ClipSpec> &info)
{
    return info.param.name;
}

std::vector<ClipSpec> clips(bool large)
{
    std::vector<ClipSpec> list;
    for (const ClipSpec &spec : clip_specs())
        if ((spec.width >= 960) == large)
            list.push_back(spec);
    return list;
}

INSTANTIATE_TEST_SUITE_P(Small, Conformance, testing::ValuesIn(clips(false)), clip_name);
INSTANTIATE_TEST_SUITE_P(Large, Conformance, testing::ValuesIn(clips(true)), clip_name);

} // namespace
} // namespace vmaf::test
