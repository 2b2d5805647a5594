#pragma once

namespace vmaf::tool {

/// Cores that this process may keep busy: its affinity mask, less what a cgroup's quota takes away. At least 1.
unsigned available_cores();

} // namespace vmaf::tool
