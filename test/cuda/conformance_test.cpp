#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "feature/cuda_backends.h"
#include "feature/registry.h"
#include "model/loader.h"
#include "support/cuda_client.h"
#include "support/golden.h"

// Every reference score on the GPU, in each feeding mode (spec cuda 7.4).

namespace vmaf::test {
namespace {

const CudaBackend *backend_of(const FeatureSpec *spec)
{
    return spec != nullptr ? find_cuda_backend(*spec) : nullptr;
}

/// The model of that version, or the main one of a collection.
std::optional<Model> builtin_model(const std::string &version)
{
    Result<Model> model = load_builtin_model(version.c_str(), {});
    if (model.ok())
        return std::move(model).value();
    Result<LoadedCollection> collection = load_builtin_collection(version.c_str(), {});
    return collection.ok() ? std::optional(std::move(collection).value().main) : std::nullopt;
}

/// Whether the item has features of the GPU alone. The others read downloaded planes, which one
/// kind of feeding shows.
bool is_of_the_gpu(const std::string &item)
{
    const std::string model_prefix = "model=";
    if (item.rfind(model_prefix, 0) != 0)
        return backend_of(find_feature(item.substr(0, item.find(':')))) != nullptr;
    const std::optional<Model> model =
        builtin_model(item.substr(model_prefix.size(), item.find(':') - model_prefix.size()));
    return model && std::ranges::all_of(model->features(), [](const ModelFeature &input) {
               return backend_of(find_feature_providing(input.name)) != nullptr;
           });
}

/// What CPU and GPU may differ by.
double slack_of(const std::string &item)
{
    const CudaBackend *backend = backend_of(find_feature(item.substr(0, item.find(':'))));
    return backend != nullptr ? backend->spec->gpu_tolerance : 0;
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
