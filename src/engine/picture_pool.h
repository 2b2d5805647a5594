#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/picture.h"

namespace vmaf {

/// Source of the planes for a pool's pictures. The destructor frees the planes that it owns.
class PictureMemory {
  public:
    /// Number of pictures that may share a block of memory.
    static constexpr unsigned kMadeAtOnce = 4;

    virtual ~PictureMemory() = default;

    /// One more picture. -ENOMEM if it does not fit. @param more how many the pool is going to ask
    /// for, as far as it knows: this one at least.
    virtual Result<std::unique_ptr<VmafRef>> make(unsigned more) = 0;
    /// Device context of the planes' memory; null: host memory.
    virtual const void *device_context() const { return nullptr; }
};

/// Plain memory. Throws std::bad_alloc.
std::unique_ptr<PictureMemory> plain_picture_memory(const PictureFormat &format);

/// Pictures of one format for a client that holds a limited number of them at a time; what the
/// library retains is on top. Lives until its last picture is released; one that outlives retire()
/// may have lost its planes and is bookkeeping only. Thread-safe, as far as its memory is.
class PicturePool final : public std::enable_shared_from_this<PicturePool> {
  public:
    struct Limits {
        unsigned client; ///< held by it at most
        unsigned first;  ///< made at once
        unsigned usual;  ///< made before fetch() would rather wait for one
    };

    /// @return -ENOMEM if the first ones do not fit.
    static Result<std::shared_ptr<PicturePool>> create(std::unique_ptr<PictureMemory> memory, const Limits &limits);

    enum class Grow { no, yes };
    /// A picture for the client; `ref` is null if there is none to spare: the client holds its
    /// limit, or all made are in use and, unless the pool is to grow, their usual number exists.
    /// -ENOMEM if one had to be made and does not fit.
    Result<VmafPicture> fetch(Grow grow);
    /// Fetches a picture, waits while the client holds its limit, and grows.
    Result<VmafPicture> wait_and_fetch();
    /// Raise the usual number of pictures to this number.
    void expect(unsigned usual_count);

    /// The client holds one picture less.
    void client_gave_up_one();
    /// The last reference of a picture is gone.
    void take_back(std::unique_ptr<VmafRef> picture);

    /// Another session reads its pictures, and will say retire() too.
    void add_user();
    /// A session's end of using it. With the last one the memory goes, and pictures that come back
    /// later.
    void retire();
    /// Whether every picture is back.
    bool idle();
    /// The device context of its memory; null once the memory is gone.
    const void *device_context();

  private:
    PicturePool(std::unique_ptr<PictureMemory> memory, const Limits &limits)
        : memory_(std::move(memory)), limits_(limits)
    {
    }
    Status make_one();
    Result<VmafPicture> take(Grow grow);

    std::mutex mutex_;
    std::condition_variable client_may_fetch_;
    std::unique_ptr<PictureMemory> memory_; ///< null once retired
    Limits limits_;
    std::vector<std::unique_ptr<VmafRef>> free_;
    unsigned made_ = 0;
    unsigned client_holds_ = 0;
    unsigned users_ = 1; ///< sessions, the one that preallocates included
};

/// The pool in host memory that a session hands pictures out of; preallocating again replaces it.
/// Thread-safe.
class CurrentPool {
  public:
    ~CurrentPool() { replace(nullptr); }

    /// @return -ENOMEM if `client_limit` pictures do not fit.
    Status preallocate(std::unique_ptr<PictureMemory> memory, unsigned client_limit);
    /// Waits while the client holds the limit. -EINVAL without a pool; -ENOMEM if it must grow and
    /// cannot.
    Status fetch(VmafPicture &picture);
    /// Pictures of the pool so far live until they are released.
    void replace(std::shared_ptr<PicturePool> pool);

  private:
    std::mutex mutex_;
    std::shared_ptr<PicturePool> pool_;
};

} // namespace vmaf
