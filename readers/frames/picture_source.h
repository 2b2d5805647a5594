#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "frames/library.h"
#include "input/video_format.h"
#include "libvmaf/libvmaf.h"

namespace vmaf::tool {

/// Two sides hold at most a full queue each, in which the picture being filled has its place, and
/// one with the scoring thread: with so many a fetch never waits.
constexpr unsigned kQueuedPictures = 8;
constexpr unsigned kPoolPictures = 2 * kQueuedPictures + 4;

/// A client can hold 16 pictures of a CUDA pool (spec cuda 5): with more, a fetch fails.
constexpr unsigned kQueuedGpuPictures = 5;
static_assert(2 * (kQueuedGpuPictures + 1) <= 16);

/// Source of a reader's pictures.
class PictureSource {
  public:
    virtual ~PictureSource() = default;

    /// The session that they are for, to which a video may lend its own; null: several.
    virtual VmafContext *get() const = 0;
    /// Pictures of one side that may wait for scoring.
    virtual unsigned queued_pictures() const = 0;
    /// One to be filled. Any thread. The library's error, or 0.
    [[nodiscard]] virtual int fetch(VmafPicture &picture) const = 0;
};

/// The pool of a session, which must outlive it.
class SessionPictures final : public PictureSource {
  public:
    /// @param gpu that the session is on: equal for sessions of one GPU, null without one.
    SessionPictures(VmafContext *context, const void *gpu) : context_(context), gpu_(gpu) {}

    /// Make the pool, before a picture is fetched. The library's error, or 0.
    [[nodiscard]] int allocate(const VideoFormat &format) const;

    /// Whether both sessions are on one GPU, or on none.
    bool shares_gpu_with(const SessionPictures &other) const { return gpu_ == other.gpu_; }
    VmafContext *get() const override { return context_; }
    unsigned queued_pictures() const override { return gpu_ ? kQueuedGpuPictures : kQueuedPictures; }
    [[nodiscard]] int fetch(VmafPicture &picture) const override;

  private:
    VmafContext *context_;
    const void *gpu_;
};

/// Pictures that sessions on one GPU, or on none, read at the same time: from the pool of one of
/// them, while that reads frames.
class PoolOfOne final : public PictureSource {
  public:
    explicit PoolOfOne(const SessionPictures &lender) : lender_(&lender) {}

    /// Get pictures from that session from now on. It no longer reads, but stays open.
    void take_from(const SessionPictures &lender);
    /// The session from whose pool a picture was fetched; null: it is of none.
    const SessionPictures *origin(const VmafPicture &picture) const;

    VmafContext *get() const override { return lender().get(); }
    unsigned queued_pictures() const override { return lender().queued_pictures(); }
    [[nodiscard]] int fetch(VmafPicture &picture) const override;

  private:
    const SessionPictures &lender() const;

    mutable std::mutex mutex_;
    const SessionPictures *lender_;
    mutable std::map<const void *, const SessionPictures *> origins_; ///< the session that each plane came from
};

/// A picture that was fetched and filled, in host memory: as long as somebody has it.
using SharedPicture = std::shared_ptr<const Picture>;

/// Its planes as a picture of that session, until the session has done with them. The library's
/// error, or 0.
[[nodiscard]] int wrap_planes(VmafContext *context, const SharedPicture &shared, Picture &view);

/// Pictures in host memory that sessions of several GPUs read at the same time: each is given
/// planes that are lent.
class LentPictures final : public PictureSource {
  public:
    explicit LentPictures(const VideoFormat &format);

    VmafContext *get() const override { return nullptr; }
    unsigned queued_pictures() const override { return kQueuedPictures; }
    [[nodiscard]] int fetch(VmafPicture &picture) const override;

    /// A shared picture. When its last owner drops it, it is filled again.
    SharedPicture share(Picture picture) const;

  private:
    class FreeList;

    VideoFormat format_;
    std::shared_ptr<FreeList> free_; ///< sessions may give pictures back when nobody reads any more
};

} // namespace vmaf::tool
