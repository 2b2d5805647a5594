#pragma once

#include <memory>

namespace vmaf {

/// Stands for a device's context. All sessions of the process that score in it hold the same one:
/// use_count() is their number.
using ContextShare = std::shared_ptr<const void>;

/// Any thread. Throws std::bad_alloc.
ContextShare share_context(const void *context);

} // namespace vmaf
