#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/picture.h"

namespace vmaf {

/// Pictures of one format for a client that holds at most `client_limit` of them at a time. What the library retains is on
/// top: the pool grows by that many and keeps them. Lives until its last picture is released. Thread-safe.
class PicturePool final : public PictureOwner, public std::enable_shared_from_this<PicturePool> {
  public:
    /// @return -ENOMEM if the first `client_limit` pictures do not fit.
    static Result<std::shared_ptr<PicturePool>> create(const PictureFormat &format, unsigned client_limit);

    /// A picture for the client; waits while it holds the limit. -ENOMEM if the pool must grow and cannot.
    Status fetch(VmafPicture &picture);

    void client_gave_up_one() override;
    void take_back(std::unique_ptr<VmafRef> picture) override;
    /// Its owner is gone: pictures that come back are freed.
    void retire();

  private:
    PicturePool(const PictureFormat &format, unsigned client_limit) : format_(format), client_limit_(client_limit) {}

    const PictureFormat format_;
    const unsigned client_limit_;
    std::mutex mutex_;
    std::condition_variable client_may_fetch_;
    std::vector<std::unique_ptr<VmafRef>> free_;
    unsigned client_holds_ = 0;
    unsigned made_ = 0;
    bool retired_ = false;
};

/// The pool that a session hands pictures out of; preallocating again replaces it. Thread-safe.
class CurrentPool {
  public:
    ~CurrentPool() { replace(nullptr); }

    Status preallocate(const PictureFormat &format, unsigned client_limit);
    /// -EINVAL without a pool.
    Status fetch(VmafPicture &picture);
    /// Pictures of the pool so far live until they are released.
    void replace(std::shared_ptr<PicturePool> pool);

  private:
    std::mutex mutex_;
    std::shared_ptr<PicturePool> pool_;
};

} // namespace vmaf
