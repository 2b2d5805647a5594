#pragma once

#include <set>
#include <string>
#include <vector>

namespace vmaf::test {

/// A driver call of a run that failed, and its result.
struct Fault {
    enum class Lasts { once, from_here_on, breaks_the_context };

    unsigned long call = 0; ///< its number, from 0
    std::string name;       ///< symbol of the entry point
    int result = 0;         ///< CUresult or VkResult
    Lasts lasts = Lasts::once;
};

enum : int { kOutOfMemory = 2, kNotReady = 600, kIllegalAddress = 700, kUnknown = 999 };
enum : int { kVulkanHostMemory = -1, kVulkanDeviceMemory = -2, kVulkanDeviceLost = -4 };

/// Name of a fault that is a failed allocation.
constexpr const char *kAllocation = "malloc";

/// The errno that spec cuda 3 assigns to a fault's result.
int errno_of(int result);

/// Faults of a run, by call.
class Faults {
  public:
    Faults() = default;
    explicit Faults(std::vector<Fault> list);

    bool empty() const { return list_.empty(); }
    std::size_t size() const { return list_.size(); }
    const std::vector<Fault> &list() const { return list_; }

    /// Whether the driver works again after each fault.
    bool all_pass() const;
    /// Whether a lasting fault began before that call.
    bool go_on_before(unsigned long call) const;
    /// Whether one of the faults has that errno.
    bool explain(int error) const { return errors_.contains(error); }
    /// Whether all failed calls only acquire memory or objects. They lose no frame, because a read
    /// acquires all that its frame needs before it is accepted.
    bool only_acquire() const;
    /// The first fault in a range of calls that must be reported; null if there is none.
    const Fault *first_in(unsigned long first_call, unsigned long end_call) const;
    /// Regular expression for the line that reports the fault: `libvmaf ERROR cuda: FILE:LINE:
    /// CALL: NAME (CODE)`, or `vulkan`. There is no NAME if asking for it fails.
    std::string line_of(const Fault &fault) const;

  private:
    std::vector<Fault> list_;
    std::set<int> errors_;
};

} // namespace vmaf::test
