#pragma once

namespace vmaf::test {

enum class FailMode { once, from_here_on };

/// Counts the program's allocations and makes chosen ones fail. In sanitizer builds it covers
/// operator new only, and the sanitizer finds leaks. In other builds it replaces malloc and its
/// relatives, and counts live blocks.
class FailingMalloc {
  public:
    /// From now on allocation number k (from 1) fails, or k and all later ones. k = 0: none.
    static void arm(unsigned long k, FailMode mode);
    /// Stops counting and failing. @return the number of allocations since arm().
    static unsigned long disarm();
    /// Number of live blocks; 0 in builds that do not count them.
    static long live_blocks();

    /// From now on, allocations and frees of the calling thread are not counted and do not fail.
    /// Calls may be nested.
    static void suspend();
    static void resume();
    /// Does the same for all other threads.
    static void watch_only_this_thread();
};

} // namespace vmaf::test
