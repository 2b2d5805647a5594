#include <gtest/gtest.h>

#include <tuple>

#include "support/cuda_client.h"
#include "support/golden.h"

// Every reference score on the GPU, in each feeding mode (spec cuda 7.4).

namespace vmaf::test {
namespace {

// What CPU and GPU may differ by (spec ssimulacra2 5.3).
constexpr double kSsimulacra2Slack = 1e-3;

/// Whether the item has features of the GPU alone. The others read downloaded planes, which one kind of feeding shows.
bool is_of_the_gpu(const std::string &item)
{
    for (const char *prefix :
         {"vif", "adm", "motion", "psnr:", "ssimulacra2", "model=vmaf_v0", "model=vmaf_4k", "model=vmaf_b"})
        if (item.rfind(prefix, 0) == 0)
            return true;
    return item == "psnr";
}

class ConformanceCuda : public testing::TestWithParam<std::tuple<ClipSpec, Feeding>> {};

TEST_P(ConformanceCuda, EveryReferenceScoreAgrees)
{
    std::string why;
    const std::unique_ptr<CudaClient> client = CudaClient::open(why);
    if (!client)
        GTEST_SKIP() << why;
    const auto &[spec, feeding] = GetParam();
    const Clip &clip = Clip::get(spec.name);
    std::size_t checked = 0;
    for (const unsigned n_threads : {0U, 2U})
        for (const auto &[item, rows] : golden::read(spec.name)) {
            if (!is_of_the_gpu(item) && (feeding != Feeding::device || n_threads == 0))
                continue;
            const double slack = item == "ssimulacra2" ? kSsimulacra2Slack : 0;
            golden::Session session;
            session.context = open_context(n_threads);
            ASSERT_EQ(client->attach(session.context.get(), spec, feeding), 0);
            ASSERT_TRUE(golden::use_item(session, item)) << item;
            ASSERT_EQ(client->feed_all(session.context.get(), clip, feeding), 0) << item;
            for (const golden::Row &row : rows)
                EXPECT_TRUE(golden::agrees(item, golden::value_of(session, row, spec.frames), row, slack))
                    << n_threads << " threads";
            checked += rows.size();
        }
    EXPECT_GT(checked, 500U);
}

std::string test_name(const testing::TestParamInfo<std::tuple<ClipSpec, Feeding>> &info)
{
    constexpr const char *kFeedings[] = {"plain_host", "pinned_host", "device"};
    return std::string(std::get<0>(info.param).name) + "_" + kFeedings[static_cast<int>(std::get<1>(info.param))];
}

INSTANTIATE_TEST_SUITE_P(All, ConformanceCuda,
                         testing::Combine(testing::ValuesIn(clip_specs().begin(), clip_specs().end()),
                                          testing::Values(Feeding::plain_host, Feeding::pinned_host, Feeding::device)),
                         test_name);

} // namespace
} // namespace vmaf::test
