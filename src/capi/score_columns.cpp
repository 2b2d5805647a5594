#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "capi/c_boundary.h"
#include "capi/context.h"
#include "capi/visibility.h"
#include "libvmaf/libvmaf_ext.h"

using namespace vmaf;

namespace {

std::vector<const char *> texts_of(const std::vector<std::string> &names)
{
    std::vector<const char *> texts(names.size());
    std::ranges::transform(names, texts.begin(), &std::string::c_str);
    return texts;
}

/// A VmafScoreColumns with the memory that it points to.
struct OwningColumns : VmafScoreColumns {
    explicit OwningColumns(ScoreSnapshot taken)
        : VmafScoreColumns{}, held(std::move(taken)), metric_texts(texts_of(held.metric_names)),
          aggregate_texts(texts_of(held.aggregate_names))
    {
        for (const std::vector<double> &metric : held.metrics)
            metric_values.push_back(metric.data());
        frame_count = static_cast<unsigned>(held.frames.size());
        metric_count = static_cast<unsigned>(held.metrics.size());
        aggregate_count = static_cast<unsigned>(held.aggregates.size());
        frames = held.frames.data();
        metric_names = metric_texts.data();
        metric_scores = metric_values.data();
        aggregate_names = aggregate_texts.data();
        aggregates = held.aggregates.data();
    }
    OwningColumns(const OwningColumns &) = delete;
    OwningColumns &operator=(const OwningColumns &) = delete;

    ScoreSnapshot held;
    std::vector<const char *> metric_texts, aggregate_texts;
    std::vector<const double *> metric_values;
};

} // namespace

VMAF_PUBLIC int vmaf_score_columns_create(VmafContext *vmaf, VmafScoreColumns **columns)
{
    return c_boundary("vmaf_score_columns_create", [&]() -> Status {
        if (columns == nullptr)
            return Status::error(EINVAL);
        *columns = nullptr;
        if (vmaf == nullptr)
            return Status::error(EINVAL);
        *columns = std::make_unique<OwningColumns>(vmaf->session->scores()).release();
        return {};
    });
}

VMAF_PUBLIC void vmaf_score_columns_destroy(VmafScoreColumns *columns)
{
    delete static_cast<OwningColumns *>(columns);
}
