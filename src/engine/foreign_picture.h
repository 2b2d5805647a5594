#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/plane_view.h"
#include "base/reuse_pool.h"
#include "engine/plane_scaling.h"
#include "feature/picture_format.h"

namespace vmaf {

/// Place and layout of the samples of one plane: sample x of a row is number x * step + first
/// there, its value in the bits from `shift` on. It is scored shifted left by `raise`.
struct SampleSource {
    const std::byte *data = nullptr;
    std::ptrdiff_t stride_bytes = 0;
    unsigned step = 1; ///< 2: pairs of Cb and Cr
    unsigned first = 0;
    unsigned shift = 0;
    unsigned raise = 0;
    std::shared_ptr<const PlaneScaling> scaling = nullptr; ///< null: the plane is scored in the size that it has

    /// Whether they lie as they are scored. If not, they are normalised: written to memory of the
    /// session as they are scored.
    bool is_plain() const { return step == 1 && shift == 0 && raise == 0 && scaling == nullptr; }
    /// Bytes of a sample that lies there, if it is scored with so many bits.
    std::size_t stored_bytes(unsigned scored_bpc) const { return sample_bytes(scored_bpc - raise); }
    /// Size of the plane in its own memory, if it is scored in the size `scored`.
    PlaneSize size(const PlaneSize &scored) const { return scaling ? scaling->from() : scored; }
};

/// Writes the plane's samples as they are scored. `to` has the size that is scored; its memory is
/// the caller's to write. Throws std::bad_alloc.
void copy_samples(const SampleSource &source, const PlaneView &to);

/// Planes in the client's memory (spec device_pictures 2).
struct ForeignPlanes {
    SampleSource plane[3];
    const void *device_context = nullptr; ///< device context of the memory; null: host memory
    void *stream = nullptr;               ///< stream of device memory: its queued work comes before our reading
    void (*release)(void *opaque) = nullptr;
    void *opaque = nullptr;
};

/// Memory for a plane of normalised samples.
struct NormalisedPlane {
    std::size_t key = 0; ///< bytes
    AlignedBuffer<std::byte> memory;
};
using NormalisedPlanes = ReusePool<NormalisedPlane>;

/// Work on a device, besides the sessions' own, that reads a foreign picture's planes.
class PictureUse {
  public:
    virtual ~PictureUse() = default;

    /// Until it reads them no more. Any thread.
    virtual void wait() noexcept = 0;
};

/// State of a picture with foreign planes. Thread-safe: workers whose frames look at one picture
/// share its normalised planes.
class ForeignPicture {
  public:
    /// @param format as it is scored
    ForeignPicture(const PictureFormat &format, const ForeignPlanes &planes) : format_(format), planes_(planes) {}

    const ForeignPlanes &planes() const { return planes_; }
    const SampleSource &source(unsigned plane) const { return planes_.plane[plane]; }
    /// Whether all planes are plain.
    bool is_plain() const;

    /// Takes memory for a plane of host memory that is not plain, once. Throws std::bad_alloc.
    Status reserve(unsigned plane, NormalisedPlanes &memory);
    /// The samples in that memory, once they are normalised. No data if it was not reserved.
    PlaneView normalised(unsigned plane);
    /// Writes them, once, before it returns. After reserve().
    void normalise(unsigned plane);

    /// The picture is given back after that work, as long as somebody else keeps it. Throws
    /// std::bad_alloc.
    void add_use(const std::shared_ptr<PictureUse> &use);

    /// Nobody reads the planes any more: tells the client, once the thread has left its
    /// DeferredReleases.
    static void give_back(std::unique_ptr<ForeignPicture> picture);

  private:
    friend class DeferredReleases;
    void wait_for_uses() const;

    struct HostCopy {
        NormalisedPlanes::Lease memory;
        NormalisedPlanes::Lease scratch; ///< for scaling, until it is written
        PlaneView view;
        bool is_written = false;
    };

    const PictureFormat format_;
    const ForeignPlanes planes_;
    std::mutex mutex_;
    std::array<HostCopy, 3> copies_;
    std::vector<std::weak_ptr<PictureUse>> uses_;
    std::unique_ptr<ForeignPicture> next_; ///< that is given back after this one
};

/// Stands before a lock is taken under which pictures may lose their last reference: clients are
/// told at the scope's end, when their function runs under no lock. Made where the thread holds
/// none.
class DeferredReleases {
  public:
    DeferredReleases();
    ~DeferredReleases();
    DeferredReleases(const DeferredReleases &) = delete;
    DeferredReleases &operator=(const DeferredReleases &) = delete;

  private:
    friend class ForeignPicture;

    DeferredReleases *const outer_;
    std::unique_ptr<ForeignPicture> first_;
    std::unique_ptr<ForeignPicture> *end_ = &first_;
};

} // namespace vmaf
