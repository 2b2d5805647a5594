#pragma once

#include <memory>
#include <string>

#include "support/session.h"

namespace vmaf {
struct FeatureSpec;
}

namespace vmaf::test {

/// Kind of memory of a session's pictures.
enum class Feeding { plain_host, pinned_host, device };

/// A client on the first device of one kind, CUDA or Vulkan. The linked file decides which.
class DeviceClient {
  public:
    /// Null without a usable device; `why` then says what is missing.
    static std::unique_ptr<DeviceClient> open(std::string &why);
    virtual ~DeviceClient() = default;

    /// Whether the feature has kernels for this kind of device.
    static bool runs(const FeatureSpec &feature);
    /// Whether pictures can be in other memory than the host's.
    static bool has_own_memory();

    virtual int attach(VmafContext *vmaf, const ClipSpec &spec, Feeding feeding) const = 0;
    /// Reads every frame of the clip and flushes. Frames gather in batches if the driver allows it.
    virtual int feed_all(VmafContext *vmaf, const Clip &clip, Feeding feeding) const = 0;
    /// Misuse that a watching driver found; empty if there was none.
    virtual std::string complaint() const { return {}; }
};

} // namespace vmaf::test
