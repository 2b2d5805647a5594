#include "run/run.h"

#include <algorithm>

#include "common/console.h"
#include "common/format.h"
#include "machine/machine.h"
#include "scoring/registration.h"

namespace vmaf::tool {
namespace {

int run_once(const Options &options, Warnings &warnings, DecodersInFlight decoders)
{
    Run run(options, warnings, decoders);
    run.open();
    if (options.compare_only)
        return run.tell_comparison();
    run.check();
    run.register_scores();
    run.score();
    run.write();
    run.write_maps();
    const int exit_code = run.answer();
    warnings.repeat_if_buried();
    run.leave_gpus_to_process_end();
    return exit_code;
}

} // namespace

int run(const Options &options, Warnings &warnings)
{
    try {
        return run_once(options, warnings, DecodersInFlight::several);
    } catch (const SegmentsDoNotFit &reason) {
        say("a video cannot be decoded in segments ({}): videos are decoded as a whole\n", reason.why);
        return run_once(options, warnings, DecodersInFlight::one);
    }
}

void Run::leave_gpus_to_process_end() const
{
    if (!driver_start.joinable())
        return;
    leave_contexts_to_process_end();
    leave_decoders_to_process_end();
}

/// An object, or a list of one for each encode.
int Run::tell_comparison()
{
    check_comparable(videos);
    align_videos(videos, options.reading);
    std::string records;
    for (std::size_t i = 0; i < videos.encodes.size(); ++i)
        note_what_is_made_for_sdr(videos, i, options.selection);
    for (const ComparedEncode &encode : videos.encodes)
        records += formatted("{}{}", records.empty() ? "" : ",\n", record_of(videos, encode, encode.warnings->texts()));
    print(videos.encodes.size() == 1 ? records + "\n" : formatted("[{}]\n", records));
    return 0;
}

std::vector<ScoredModel> Run::scored_models() const
{
    std::vector<ScoredModel> scored;
    for (const ScoringModel &model : encodes.front().models)
        if (!options.no_prediction)
            scored.push_back({model.spec().name, model.is_collection()});
    return scored;
}

/// Prefix of lines about that distorted video, if there are several.
std::string Run::prefix_of(const Encode &encode) const
{
    return options.reading.distorted.size() > 1 ? formatted("{}: ", printable(encode.path)) : "";
}

const std::optional<ScoringStopped> &Run::stop() const
{
    const auto stopped =
        std::ranges::find_if(encodes, [](const Encode &encode) { return encode.result.stop.has_value(); });
    return stopped == encodes.end() ? failed : stopped->result.stop;
}

} // namespace vmaf::tool
