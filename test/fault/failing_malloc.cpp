#include "fault/failing_malloc.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

#include <pthread.h>

namespace {

std::atomic<bool> g_armed{false};
std::atomic<unsigned long> g_count{0};
std::atomic<unsigned long> g_first_failure{0};
std::atomic<bool> g_once{true};
std::atomic<long> g_live{0};
std::atomic<bool> g_is_one_thread{false};
std::atomic<pthread_t> g_thread;
thread_local int t_counting =
    1; // below 0: suspended. Emulated kernels overwrite thread-local variables that start as zero.

bool is_watched()
{
    return t_counting >= 1 && (!g_is_one_thread || pthread_equal(g_thread, pthread_self()) != 0);
}

bool fails_now()
{
    if (!g_armed || !is_watched())
        return false;
    const unsigned long number = ++g_count;
    const unsigned long first = g_first_failure;
    return first != 0 && (g_once ? number == first : number >= first);
}

} // namespace

namespace vmaf::test {

void FailingMalloc::arm(unsigned long k, FailMode mode)
{
    g_count = 0;
    g_first_failure = k;
    g_once = mode == FailMode::once;
    g_armed = true;
}

unsigned long FailingMalloc::disarm()
{
    g_armed = false;
    return g_count;
}

long FailingMalloc::live_blocks()
{
    return g_live;
}

void FailingMalloc::suspend()
{
    --t_counting;
}

void FailingMalloc::resume()
{
    ++t_counting;
}

void FailingMalloc::watch_only_this_thread()
{
    g_thread = pthread_self();
    g_is_one_thread = true;
}

} // namespace vmaf::test

#ifdef VMAF_TEST_OF_SANITIZED_CODE

void *operator new(std::size_t size)
{
    void *block = fails_now() ? nullptr : std::malloc(size);
    if (block == nullptr)
        throw std::bad_alloc();
    return block;
}
void *operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept
{
    const auto align = static_cast<std::size_t>(alignment);
    return fails_now() ? nullptr : std::aligned_alloc(align, (size + align - 1) / align * align);
}
void *operator new(std::size_t size, std::align_val_t alignment)
{
    void *block = operator new(size, alignment, std::nothrow);
    if (block == nullptr)
        throw std::bad_alloc();
    return block;
}
void operator delete(void *block) noexcept
{
    std::free(block);
}
void operator delete(void *block, std::size_t) noexcept
{
    std::free(block);
}
void operator delete(void *block, std::align_val_t) noexcept
{
    std::free(block);
}
void operator delete(void *block, std::size_t, std::align_val_t) noexcept
{
    std::free(block);
}

#else

// glibc's own functions behind the names that are replaced here.
extern "C" {
void *__libc_malloc(std::size_t size);
void *__libc_calloc(std::size_t count, std::size_t size);
void *__libc_realloc(void *block, std::size_t size);
void *__libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void *block);

static void count(long blocks)
{
    if (is_watched())
        g_live += blocks;
}

static void *counted(void *block)
{
    if (block != nullptr)
        count(1);
    return block;
}

static void *refused()
{
    errno = ENOMEM;
    return nullptr;
}

void *malloc(std::size_t size)
{
    return fails_now() ? refused() : counted(__libc_malloc(size));
}
void *calloc(std::size_t count, std::size_t size)
{
    return fails_now() ? refused() : counted(__libc_calloc(count, size));
}
void *memalign(std::size_t alignment, std::size_t size)
{
    return fails_now() ? refused() : counted(__libc_memalign(alignment, size));
}
void *aligned_alloc(std::size_t alignment, std::size_t size)
{
    return memalign(alignment, size);
}
int posix_memalign(void **block, std::size_t alignment, std::size_t size)
{
    *block = memalign(alignment, size);
    return *block == nullptr ? ENOMEM : 0;
}
void *realloc(void *block, std::size_t size)
{
    if (fails_now())
        return refused();
    void *const moved = __libc_realloc(block, size);
    if (block == nullptr)
        return counted(moved);
    if (size == 0 && moved == nullptr)
        count(-1);
    return moved;
}
void free(void *block)
{
    if (block != nullptr)
        count(-1);
    __libc_free(block);
}
}

#endif
