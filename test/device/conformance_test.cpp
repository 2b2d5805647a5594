#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "device/device_models.h"
#include "support/golden.h"

// Compares every reference score on the device, in each feeding mode (spec cuda 7.4, spec vulkan
// 4).

namespace vmaf::test {
namespace {

const FeatureSpec *feature_of(const std::string &item)
{
    return find_feature(item.substr(0, item.find(':')));
}

/// Whether all features of the item run on the device.
bool is_of_the_device(const std::string &item)
{
    const std::string model_prefix = "model=";
    if (item.rfind(model_prefix, 0) != 0)
        return runs_on_device(feature_of(item));
    return model_runs_on_device(item.substr(model_prefix.size(), item.find(':') - model_prefix.size()));
}

/// Items with other features read downloaded planes. One kind of feeding is enough to test that.
bool is_checked(const std::string &item, Feeding feeding, unsigned n_threads)
{
    return is_of_the_device(item) || (feeding == Feeding::device && n_threads > 0);
}

/// Only work on downloaded planes uses threads.
std::vector<unsigned> thread_counts()
{
    return DeviceClient::has_own_memory() ? std::vector{0U, 2U} : std::vector{0U};
}

/// Largest allowed difference between CPU and GPU.
double slack_of(const std::string &item)
{
    const FeatureSpec *spec = feature_of(item);
    return runs_on_device(spec) ? spec->gpu_tolerance : 0;
}

class DeviceConformance : public testing::TestWithParam<std::tuple<ClipSpec, Feeding>> {};

TEST_P(DeviceConformance, EveryReferenceScoreAgrees)
{
    std::string why;
    const std::unique_ptr<DeviceClient> client = DeviceClient::open(why);
    if (!client)
        GTEST_SKIP() << why;
    const auto &[spec, feeding] = GetParam();
    const Clip &clip = Clip::get(spec.name);
    std::size_t checked = 0;
    for (const unsigned n_threads : thread_counts())
        for (const auto &[item, rows] : golden::read(spec.name)) {
            if (!is_checked(item, feeding, n_threads))
                continue;
            const double slack = slack_of(item);
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
    EXPECT_GT(checked, 250U);
}

std::vector<Feeding> feedings()
{
    return DeviceClient::has_own_memory() ? std::vector{Feeding::plain_host, Feeding::pinned_host, Feeding::device}
                                          : std::vector{Feeding::plain_host};
}

std::string test_name(const testing::TestParamInfo<std::tuple<ClipSpec, Feeding>> &info)
{
    constexpr const char *kFeedings[] = {"plain_host", "pinned_host", "device"};
    return std::string(std::get<0>(info.param).name) + "_" + kFeedings[static_cast<int>(std::get<1>(info.param))];
}

INSTANTIATE_TEST_SUITE_P(All, DeviceConformance,
                         testing::Combine(testing::ValuesIn(clip_specs().begin(), clip_specs().end()),
                                          testing::ValuesIn(feedings())),
                         test_name);

} // namespace
} // namespace vmaf::test
