#pragma once

#include <cstdint>

namespace vmaf::tool {

/// How a frame is stored in a compressed file.
struct CodedFrame {
    std::uint64_t bytes = 0; ///< size of its packet; 0: unknown
    char type = '?';         ///< I, P or B, as its decoder says; K: the I of a key frame; ?: unknown

    bool operator==(const CodedFrame &) const = default;
};

} // namespace vmaf::tool
