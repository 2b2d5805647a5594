#pragma once

#include <set>
#include <string>
#include <vector>

namespace vmaf::test {

/// A driver call of a run that failed, and how.
struct Fault {
    enum class Lasts { once, from_here_on, breaks_the_context };

    unsigned long call = 0; ///< its number, from 0
    std::string name;       ///< symbol of the entry point
    int result = 0;         ///< CUresult or VkResult
    Lasts lasts = Lasts::once;
};

enum : int { kOutOfMemory = 2, kNotReady = 600, kIllegalAddress = 700, kUnknown = 999 };
enum : int { kVulkanHostMemory = -1, kVulkanDeviceMemory = -2, kVulkanDeviceLost = -4 };

/// The name of a fault that is an allocation's.
constexpr const char *kAllocation = "malloc";

/// The errno that spec cuda 3 gives for the result of a fault.
int errno_of(int result);

/// The faults of a run, by call.
class Faults {
  public:
    Faults() = default;
    explicit Faults(std::vector<Fault> list);

    bool empty() const { return list_.empty(); }
    std::size_t size() const { return list_.size(); }
    const std::vector<Fault> &list() const { return list_; }

    /// Whether the driver works again after each.
    bool all_pass() const;
    /// Whether one that goes on has begun before that call.
    bool go_on_before(unsigned long call) const;
    /// Whether the error is the errno of one.
    bool explain(int error) const { return errors_.contains(error); }
    /// Failures of these calls lose no frame: all memory that a frame needs is taken before the
    /// read is accepted.
    bool only_acquire() const;
    /// The first of those in a range of calls whose failure is news; null: none.
    const Fault *first_in(unsigned long first_call, unsigned long end_call) const;
    /// What the line that says the fault looks like, as a regular expression:
    /// `libvmaf ERROR cuda: FILE:LINE: CALL: NAME (CODE)`, or `vulkan`; NAME cannot be had if
    /// asking for it fails.
    std::string line_of(const Fault &fault) const;

  private:
    std::vector<Fault> list_;
    std::set<int> errors_;
};

} // namespace vmaf::test
