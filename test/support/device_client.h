#pragma once

#include <memory>
#include <string>

#include "support/session.h"

namespace vmaf {
struct FeatureSpec;
}

namespace vmaf::test {

/// Where the pictures of a session lie.
enum class Feeding { plain_host, pinned_host, device };

/// A client on the first device of one kind: CUDA's or Vulkan's, as the program was linked.
class DeviceClient {
  public:
    /// Null without a usable device; `why` says what is missing.
    static std::unique_ptr<DeviceClient> open(std::string &why);
    virtual ~DeviceClient() = default;

    /// Whether the feature has kernels for such devices.
    static bool runs(const FeatureSpec &feature);
    /// Whether there are pictures in other memory than the host's.
    static bool has_own_memory();

    virtual int attach(VmafContext *vmaf, const ClipSpec &spec, Feeding feeding) const = 0;
    /// Every frame of the clip, and the flush. Frames gather in batches where the driver allows it.
    virtual int feed_all(VmafContext *vmaf, const Clip &clip, Feeding feeding) const = 0;
    /// What a driver that watches its caller found wrong; empty: nothing.
    virtual std::string complaint() const { return {}; }
};

} // namespace vmaf::test
