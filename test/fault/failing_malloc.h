#pragma once

namespace vmaf::test {

enum class FailMode { once, from_here_on };

/// Counts the program's allocations and makes chosen ones fail. In sanitizer builds only operator
/// new is covered, and leaks are theirs to find; in others malloc and its kin are, and live blocks
/// are counted.
class FailingMalloc {
  public:
    /// From now on allocation number k (from 1) fails, or it and all later ones; k = 0: none.
    static void arm(unsigned long k, FailMode mode);
    /// Stops counting and failing. @return how many allocations there were since arm().
    static unsigned long disarm();
    /// Allocated and not yet freed; 0 where not counted.
    static long live_blocks();

    /// What the calling thread allocates and frees from now on is somebody else's: not counted, and
    /// it does not fail. May be nested.
    static void suspend();
    static void resume();
    /// And so is what other threads allocate and free.
    static void watch_only_this_thread();
};

} // namespace vmaf::test
