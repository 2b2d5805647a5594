// Shows how fair a choice of frames is. From a score file of all frames it computes the error of
// every N-th frame and that of samples (spec comparison 10), and how often the samples' interval
// contains the mean of all frames.
//
//     bench_sample SCORES.json METRIC

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <vector>

#include <nlohmann/json.hpp>

#include "comparison/frame_sample.h"

namespace {

using namespace vmaf::tool;

constexpr unsigned kSeeds = 100;

double mean_of(const std::vector<double> &scores)
{
    double sum = 0;
    for (const double score : scores)
        sum += score;
    return sum / static_cast<double>(scores.size());
}

void report_every(const std::vector<double> &scores, unsigned step, double all)
{
    std::vector<double> some;
    for (std::size_t i = 0; i < scores.size(); i += step)
        some.push_back(scores[i]);
    std::printf("--subsample %u  error %+.3f\n", step, mean_of(some) - all);
}

void report_samples(const std::vector<double> &scores, double share, double all)
{
    const auto frames = static_cast<unsigned>(scores.size());
    std::vector<double> errors;
    unsigned covered = 0;
    double width = 0;
    for (unsigned seed = 1; seed <= kSeeds; ++seed) {
        const FrameSample sample(frames, share * frames, seed);
        std::vector<double> some;
        for (const unsigned frame : sample.frames(kFirstPerStratum))
            some.push_back(scores[frame]);
        errors.push_back(mean_of(some) - all);
        const auto interval = sample.interval_of_mean(some, kFirstPerStratum);
        if (!interval)
            continue;
        covered += interval->low <= all && all <= interval->high;
        width += (interval->high - interval->low) / 2 / kSeeds;
    }
    double squares = 0;
    for (const double error : errors)
        squares += error * error;
    const double bias = mean_of(errors);
    std::printf("--sample %.0f%%  bias %+.3f +- %.3f  largest error %.3f  half width %.3f  covered %u of %u\n",
                100 * share, bias, 2 * std::sqrt(squares / kSeeds - bias * bias) / std::sqrt(kSeeds),
                std::max(-std::ranges::min(errors), std::ranges::max(errors)), width, covered, kSeeds);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: bench_sample SCORES.json METRIC\n");
        return 1;
    }
    std::vector<double> scores;
    const nlohmann::json file = nlohmann::json::parse(std::ifstream(argv[1]));
    for (const auto &frame : file.at("frames"))
        scores.push_back(frame.at("metrics").at(argv[2]));
    const double all = mean_of(scores);
    std::printf("%zu frames, mean %.3f\n", scores.size(), all);
    for (const unsigned step : {2U, 3U, 4U, 5U, 8U})
        report_every(scores, step, all);
    for (const double share : {0.05, 0.1, 0.2, 0.4})
        report_samples(scores, share, all);
    return 0;
}
