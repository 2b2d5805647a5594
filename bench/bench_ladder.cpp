// Several encodes of one reference on the CPU: read together by vmaf_read_pictures_shared, and as
// that many runs of their own, in turn, round by round. One line a work and thread count: what a
// pair costs either way (medians of the rounds), how many times as long the runs of their own take
// (median, least..most), and whether all scores are equal; if not, the exit status is 1. With 0
// threads it is CPU time of the reading calls alone. Else it is time on the wall up to the last
// score; the threads are those of each session.
// usage: bench_ladder [--seconds S] [--runs ROUNDS] [--size WIDTHxHEIGHT] [--case NAME]
//                     [--encodes N] [--threads N]
//   default: 2 s a round, 5 rounds, 1920x1080, v0.6.1, v1.0.16 and every feature that computes
//   encodes together, 8 encodes, 0 threads

#include <ctime>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "content.h"
#include "libvmaf/libvmaf_ext.h"
#include "median.h"
#include "settings.h"
#include "support/registry.h"
#include "support/session.h"

namespace vmaf::bench {
namespace {

struct Settings : CommonSettings {
    unsigned encodes = 8, threads = 0;
};

void check(int error, const char *what)
{
    if (error == 0)
        return;
    std::fprintf(stderr, "bench_ladder: %s: %d\n", what, error);
    std::exit(1);
}

/// The frame where it lies: a thread that copied them would be too slow for many workers.
VmafPicture picture_of(VmafContext *context, const Content &content, const Frame &frame)
{
    VmafForeignPicture lent{};
    lent.struct_size = sizeof lent;
    lent.pix_fmt = VMAF_PIX_FMT_YUV420P;
    lent.bpc = content.bits;
    lent.w = content.width;
    lent.h = content.height;
    lent.layout = VMAF_PLANE_LAYOUT_PLANAR;
    lent.memory = VMAF_MEMORY_HOST;
    const std::uint8_t *at = frame.data();
    for (unsigned plane = 0; plane < 3; at += content.plane_bytes(plane++)) {
        lent.data[plane] = const_cast<std::uint8_t *>(at);
        lent.stride[plane] = static_cast<std::ptrdiff_t>(content.row_bytes(plane));
    }
    VmafPicture picture{};
    check(vmaf_picture_wrap(context, &picture, &lent), "vmaf_picture_wrap");
    return picture;
}

/// Sessions for the encodes of one round. Encode e of frame n is the clip's distorted frame n + e.
class Sessions {
  public:
    Sessions(const Settings &settings, const std::string &name)
    {
        for (unsigned i = 0; i < settings.encodes; ++i) {
            contexts_.push_back(test::open_context(settings.threads));
            if (const FeatureSpec *spec = find_feature(name); spec != nullptr) {
                output_ = test::first_score(*spec);
                check(vmaf_use_feature(contexts_.back().get(), spec->name, nullptr), spec->name);
                continue;
            }
            models_.push_back(test::load_model(name.c_str()));
            check(vmaf_use_features_from_model(contexts_.back().get(), models_.back().get()), name.c_str());
        }
    }

    /// Returns the seconds that count.
    double read(const Settings &settings, const Content &content, bool together)
    {
        const double wall = now(CLOCK_MONOTONIC);
        std::vector<VmafPicture> ref, dis;
        for (unsigned i = 0; i < settings.encodes; ++i) {
            if (i == 0 || !together)
                ref.push_back(picture_of(contexts_[i].get(), content, content.ref[frames_ % content.period()]));
            dis.push_back(picture_of(contexts_[i].get(), content, content.dis[(frames_ + i) % content.period()]));
        }
        const double cpu = now(CLOCK_THREAD_CPUTIME_ID);
        std::vector<VmafContext *> contexts;
        for (const test::Context &context : contexts_)
            contexts.push_back(context.get());
        if (together)
            check(vmaf_read_pictures_shared(contexts.data(), settings.encodes, ref.data(), dis.data(), frames_),
                  "vmaf_read_pictures_shared");
        for (unsigned i = 0; i < settings.encodes && !together; ++i)
            check(vmaf_read_pictures(contexts[i], &ref[i], &dis[i], frames_), "vmaf_read_pictures");
        ++frames_;
        return settings.threads == 0 ? now(CLOCK_THREAD_CPUTIME_ID) - cpu : now(CLOCK_MONOTONIC) - wall;
    }
    double flush()
    {
        const double wall = now(CLOCK_MONOTONIC);
        for (const test::Context &context : contexts_)
            check(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), "flush");
        return now(CLOCK_MONOTONIC) - wall;
    }
    unsigned frames() const { return frames_; }
    /// Of the first so many frames.
    std::vector<double> scores(unsigned frames) const
    {
        std::vector<double> scores;
        for (std::size_t i = 0; i < contexts_.size(); ++i)
            for (unsigned frame = 0; frame + 2 < frames; ++frame) {
                scores.push_back(0);
                check(output_.empty()
                          ? vmaf_score_at_index(contexts_[i].get(), models_[i].get(), &scores.back(), frame)
                          : vmaf_feature_score_at_index(contexts_[i].get(), output_.c_str(), &scores.back(), frame),
                      "getting a score");
            }
        return scores;
    }

  private:
    static double now(clockid_t clock)
    {
        timespec time{};
        clock_gettime(clock, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }

    std::vector<test::Context> contexts_;
    std::vector<test::ModelHandle> models_;
    std::string output_; ///< of a feature
    unsigned frames_ = 0;
};

/// Reads frames for half a round, after those to warm up, to their last score. Returns ms a pair.
double measure(Sessions &sessions, const Settings &settings, const Content &content, bool together)
{
    constexpr unsigned kWarmUpFrames = 2, kLeastFrames = 4; // that count
    for (unsigned frame = 0; frame < kWarmUpFrames; ++frame)
        sessions.read(settings, content, together);
    double seconds = 0;
    unsigned counted = 0;
    for (; counted < kLeastFrames || seconds < settings.seconds / 2; ++counted)
        seconds += sessions.read(settings, content, together);
    const double flush = sessions.flush();
    if (settings.threads > 0)
        seconds += flush;
    return 1e3 * seconds / counted / settings.encodes;
}

/// Whether the scores of the frames that both read are equal.
bool run(const Settings &settings, const Content &content, const std::string &name)
{
    std::vector<double> shared_ms, own_ms, ratios;
    bool equal = true;
    for (unsigned round = 0; round < settings.runs; ++round) {
        Sessions shared(settings, name), own(settings, name);
        shared_ms.push_back(measure(shared, settings, content, true));
        own_ms.push_back(measure(own, settings, content, false));
        ratios.push_back(own_ms.back() / shared_ms.back());
        const unsigned frames = std::min(shared.frames(), own.frames());
        equal = equal && shared.scores(frames) == own.scores(frames);
    }
    const auto [least, most] = std::ranges::minmax(ratios);
    std::printf("%-17s %u encodes, threads %u: together %7.3f ms a pair, each alone %7.3f: %.2f times (%.2f..%.2f)%s\n",
                name.c_str(), settings.encodes, settings.threads, median(shared_ms), median(own_ms), median(ratios),
                least, most, equal ? "" : " | SCORES DIFFER");
    std::fflush(stdout);
    return equal;
}

bool take_option(Settings &settings, std::string_view option, const std::string &value)
{
    if (option == "--encodes")
        settings.encodes = std::max(1U, number(value));
    else if (option == "--threads")
        settings.threads = number(value);
    else
        return false;
    return true;
}

} // namespace
} // namespace vmaf::bench

int main(int argc, char **argv)
{
    using namespace vmaf;
    using namespace vmaf::bench;
    const Settings settings =
        parse_settings(argc, argv, Settings{{.seconds = 2, .runs = 5, .size = "1920x1080"}}, take_option);
    unsigned width = 0, height = 0;
    if (std::sscanf(settings.size.c_str(), "%ux%u", &width, &height) != 2 || width > 1920 || height > 1080)
        check(-EINVAL, "the size");
    const Content content = make_content("tiles_1920x1080_8", width, height);
    std::vector<std::string> works{"vmaf_v0.6.1", "vmaf_v1.0.16_3d0h"};
    for (const FeatureSpec *spec : test::scoring_features())
        if (const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, width, height};
            test::default_feature(*spec)->make_cpu(format, cpu_target(0))->ladder() != nullptr)
            works.emplace_back(spec->name);
    if (!settings.name.empty())
        works = {settings.name};
    bool equal = true;
    for (const std::string &work : works)
        equal = run(settings, content, work) && equal;
    return equal ? 0 : 1;
}
