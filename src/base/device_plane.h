#pragma once

// Shared with device code: plain C++17.

namespace vmaf {

/// One plane in device memory.
struct DevicePlane {
    const unsigned char *data; ///< null: not there
    long long stride_bytes;
};

} // namespace vmaf
