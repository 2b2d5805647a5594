#include "columns.h"

#include <memory>
#include <utility>
#include <vector>

#include <nanobind/ndarray.h>

#include "call.h"
#include "scores/score_columns.h"
#include "scores/statistics.h"

namespace nb = nanobind;

namespace vmaf::python {
namespace {

template <class T> nb::object as_array(std::vector<T> values)
{
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    std::vector<T> *const data = owned.get();
    const nb::capsule owner(owned.release(),
                            [](void *vector) noexcept { delete static_cast<std::vector<T> *>(vector); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data->data(), {data->size()}, owner));
}

} // namespace

nb::tuple columns_of(VmafContext *context)
{
    tool::ScoreColumns columns = without_gil([&] { return tool::score_columns(context); });
    nb::dict metrics;
    for (tool::ScoreColumn &column : columns.metrics)
        metrics[nb::str(column.name.c_str(), column.name.size())] = as_array(std::move(column.scores));
    nb::dict aggregates;
    for (const tool::AggregateScore &aggregate : columns.aggregates)
        aggregates[nb::str(aggregate.name.c_str(), aggregate.name.size())] = aggregate.value;
    const std::vector<std::int64_t> frames(columns.frames.begin(), columns.frames.end());
    return nb::make_tuple(as_array(frames), metrics, aggregates);
}

nb::tuple statistics_of(nb::handle scores)
{
    using Scores = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
    const auto array = nb::cast<Scores>(scores);
    const tool::Statistics statistics = tool::statistics_of({array.data(), array.size()});
    nb::list values;
    for (const tool::StatisticName &statistic : tool::kStatisticNames)
        values.append(statistics.*statistic.value);
    values.append(statistics.scored);
    values.append(statistics.missing);
    return nb::tuple(values);
}

} // namespace vmaf::python
