#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "cuda/driver_double/loaded_double.h"
#include "cuda/emulation/kernels.h"
#include "support/cuda_client.h"

namespace vmaf::test {

/// Sessions of one client on the first GPU. Skips the test without a GPU. On the driver double,
/// kernels compute, and objects that are left behind are a failure.
class CudaSessions : public testing::Test {
  protected:
    void SetUp() override
    {
        if (double_ != nullptr) {
            double_->reset();
            emulate_kernels_and_recall(*double_);
        }
        std::string why;
        client_ = CudaClient::open(why);
        if (!client_)
            GTEST_SKIP() << why;
    }

    void TearDown() override
    {
        client_.reset();
        if (double_ == nullptr)
            return;
        EXPECT_EQ(double_->live_total(), 0U);
        EXPECT_EQ(double_->violations(), 0U) << double_->violation(0);
    }

    bool on_gpu() const { return double_ == nullptr; }

    /// For several threads that write device memory; works on the double, too.
    void run_every_kernel() const
    {
        if (double_ != nullptr)
            emulate_kernels(*double_);
    }

    // Scores of one session over frames that change from index to index. They are those of
    // `feature`, which is also its output's name, or of a model.
    std::vector<double> scores_of(const Clip &clip, unsigned frames, unsigned n_threads, Feeding feeding,
                                  const char *feature = nullptr) const
    {
        const Context context = open_context(n_threads);
        const ModelHandle model = load_model("vmaf_v0.6.1");
        std::vector<double> scores;
        if (client_->attach(context.get(), clip.spec(), feeding) != 0 ||
            (feature != nullptr ? vmaf_use_feature(context.get(), feature, nullptr)
                                : vmaf_use_features_from_model(context.get(), model.get())) != 0)
            return scores;
        for (unsigned frame = 0; frame < frames; ++frame)
            if (client_->feed(context.get(), clip, frame % clip.spec().frames, frame, feeding) != 0)
                return scores;
        if (vmaf_read_pictures(context.get(), nullptr, nullptr, 0) != 0)
            return scores;
        for (unsigned frame = 0; frame < frames; ++frame) {
            double score = -1;
            if (feature != nullptr)
                vmaf_feature_score_at_index(context.get(), feature, &score, frame);
            else
                vmaf_score_at_index(context.get(), model.get(), &score, frame);
            scores.push_back(score);
        }
        return scores;
    }

    const VmafDoubleControl *const double_ = loaded_driver_double();
    std::unique_ptr<CudaClient> client_;
};

} // namespace vmaf::test
