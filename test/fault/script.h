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

/// Everything that a client does from opening to closing its sessions.
struct Script {
    std::string name;
    Pictures pictures = Pictures::device_pool;
    PictureFormat format = {VMAF_PIX_FMT_YUV420P, 8, 64, 48};
    bool are_scaled = false; ///< pictures that are lent have another size than `format`, which is scored
    bool sums_luma = false;  ///< boxes of luma are computed from lent pictures
    std::vector<const char *> features = {}; ///< feature names for vmaf_use_feature()
    const char *model = nullptr;             ///< registered first, and asked for scores
    unsigned n_threads = 0;
    unsigned gpumask = 0;
    unsigned subsample = 0;
    unsigned frames = 4;
    bool in_clients_context = false;    ///< not in the primary one, which the library retains
    unsigned sessions = 1;              ///< several sessions on one state, fed in turn
    const char *late_feature = nullptr; ///< a feature that is registered before frame 2
    bool preallocates_again = false;    ///< before frame 2
    bool starts_over = false;           ///< if a read fails: gives up the pictures, preallocates again, reads again
    bool asks_on_the_way = false;       ///< asks for scores of earlier frames after each read
    bool flushes = true;
    bool asks_at_the_end = true; ///< asks for all scores and score files
    bool asks_again = false;     ///< does so also if the flush fails
    unsigned held_at_close = 0;  ///< how many pictures of the pool
    VmafDoubleTime time = VMAF_DOUBLE_AT_ONCE;
    unsigned long queries = 0;
    const DeviceApi *api = &kCudaApi;
    /// Driver calls whose failure alone changes nothing, so nobody hears of it.
    std::set<std::string> unheard = {};
};
void PrintTo(const Script &script, std::ostream *stream);

/// An output of a script's features.
struct ScoreColumn {
    std::string name;
    bool delayed; ///< or running: it waits for all frames before its own and `frames_after` later ones
    unsigned frames_after;
};
std::vector<ScoreColumn> columns_of(const Script &script);

/// Small pictures that the feature accepts.
PictureFormat small_format(const FeatureSpec &spec);

} // namespace vmaf::test
