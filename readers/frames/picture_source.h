#pragma once

#include <memory>

#include "frames/library.h"
#include "input/video_format.h"
#include "libvmaf/libvmaf.h"

namespace vmaf::tool {

/// Two sides hold at most a full queue each, in which the picture being filled has its place, and one with the scoring
/// thread: with so many a fetch never waits.
constexpr unsigned kQueuedPictures = 8;
constexpr unsigned kPoolPictures = 2 * kQueuedPictures + 4;

/// A client can hold 16 pictures of a CUDA pool (spec cuda 5): with more, a fetch fails.
constexpr unsigned kQueuedGpuPictures = 5;
static_assert(2 * (kQueuedGpuPictures + 1) <= 16);

/// Where a reader's pictures come from.
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

/// Pictures in host memory that several sessions read at the same time, of different GPUs say: each is given planes that are lent.
class LentPictures final : public PictureSource {
    class FreeList;

  public:
    explicit LentPictures(const VideoFormat &format);

    VmafContext *get() const override { return nullptr; }
    unsigned queued_pictures() const override;
    [[nodiscard]] int fetch(VmafPicture &picture) const override;

    /// One that was fetched and filled, as long as somebody has it: then it may be filled anew.
    class Lent;
    std::shared_ptr<const Lent> lend(Picture picture) const;
    /// Its planes as a picture of that session, until the session has done with them. The library's error, or 0.
    [[nodiscard]] static int wrap(VmafContext *context, const std::shared_ptr<const Lent> &lent, Picture &view);

  private:
    VideoFormat format_;
    std::shared_ptr<FreeList> free_; ///< sessions may give pictures back when nobody reads any more
};

} // namespace vmaf::tool
