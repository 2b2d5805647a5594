#pragma once

#include <functional>

#include "common/number_format.h"
#include "common/unique_fd.h"
#include "libvmaf/libvmaf.h"

namespace vmaf::tool {

/// The library writes its score file while `read`, on a thread of its own, takes it in from the descriptor: when that cannot go on,
/// the library gets an error instead of waiting. Throws Failure, or what `read` throws.
void pipe_scores(VmafContext *context, VmafOutputFormat format, NumberFormat numbers,
                 const std::function<void(UniqueFd)> &read);

} // namespace vmaf::tool
