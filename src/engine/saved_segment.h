#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/frame_ledger.h"
#include "feature/picture_format.h"

namespace vmaf {

/// The scores of one segment of a clip: what Session::append() takes, from a session of this
/// process or from bytes of another one.
struct SavedSegment {
    struct FeatureRows {
        std::string identity;        ///< SessionFeature::registration()
        std::vector<std::byte> rows; ///< SessionFeature::save()
    };

    PictureFormat format;
    unsigned subsample = 1; ///< at least 1
    unsigned read = 0;      ///< frames that its session read, overlap included
    unsigned skip = 0;      ///< number of these before the segment
    unsigned count = 0;     ///< number of these in the segment
    std::vector<FeatureRows> features;
    std::optional<FrameLedger::Time> time; ///< time of the reading

    /// The segment as bytes for parse(), also in another process or on another machine of the same
    /// byte order. Throws std::bad_alloc.
    std::vector<std::byte> bytes() const;
    /// -EINVAL with one log line for bytes that are damaged, foreign, or saved by another version
    /// of the library.
    static Result<SavedSegment> parse(std::span<const std::byte> bytes);
};

} // namespace vmaf
