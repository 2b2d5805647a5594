#pragma once

#include <iosfwd>
#include <set>
#include <string>
#include <vector>

#include "cuda/driver_double/control.h"
#include "fault/device_api.h"
#include "feature/feature.h"

namespace vmaf::test {

enum class Pictures { plain, host_pool, pinned_pool, device_pool, lent_host, lent_device };

/// What a client does from opening to closing its sessions.
struct Script {
    std::string name;
    Pictures pictures = Pictures::device_pool;
    PictureFormat format = {VMAF_PIX_FMT_YUV420P, 8, 64, 48};
    bool are_scaled = false; ///< pictures that are lent have another size than `format`, which is scored
    bool sums_luma = false;  ///< of boxes of pictures that are lent
    std::vector<const char *> features = {}; ///< names as vmaf_use_feature() takes them
    const char *model = nullptr;             ///< registered first, and asked for scores
    unsigned n_threads = 0;
    unsigned gpumask = 0;
    unsigned subsample = 0;
    unsigned frames = 4;
    bool in_clients_context = false;    ///< not the primary one, which the library retains
    unsigned sessions = 1;              ///< on one state, fed in turn
    const char *late_feature = nullptr; ///< registered before frame 2
    bool preallocates_again = false;    ///< before frame 2
    bool starts_over = false; ///< after the first failed read: gives up the pictures, preallocates again, reads again
    bool asks_on_the_way = false; ///< for scores of earlier frames, after each read
    bool flushes = true;
    bool asks_at_the_end = true; ///< for all scores and score files
    bool asks_again = false;     ///< if that fails
    unsigned held_at_close = 0;  ///< pictures of the pool
    VmafDoubleTime time = VMAF_DOUBLE_AT_ONCE;
    unsigned long queries = 0;
    const DeviceApi *api = &kCudaApi;
    /// Calls of the driver whose failure by itself changes nothing, so that none hears of it.
    std::set<std::string> unheard = {};
};
void PrintTo(const Script &script, std::ostream *stream);

/// An output of a script's features.
struct ScoreColumn {
    std::string name;
    bool delayed; ///< or running: it waits for frames before its own, and `frames_after` behind it
    unsigned frames_after;
};
std::vector<ScoreColumn> columns_of(const Script &script);

/// Small pictures that the feature takes.
PictureFormat small_format(const FeatureSpec &spec);

} // namespace vmaf::test
