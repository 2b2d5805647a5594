#pragma once

#include <array>

#include "base/reuse_pool.h"
#include "cuda/handles.h"
#include "engine/cuda/normaliser.h"
#include "engine/cuda/scaler.h"
#include "engine/device/staged_frame.h"

namespace vmaf {

/// Queues the copy of a plane to host memory without padding.
Status queue_cuda_download(const CudaDriver &driver, const DevicePlane &from, std::size_t row_bytes, unsigned rows,
                           void *to, CUstream stream);

/// Copies planes to and from the device in a session's stream of transfers. Foreign planes that are
/// not plain are normalised on the device, and scaled if they are scored in another size. The
/// context is current, but for the end.
class CudaCopies {
  public:
    CudaCopies(CudaContextPtr context, const CudaStream &stream) : context_(std::move(context)), stream_(stream) {}

    /// As Lane::prepare_for(). The driver waits for all work of the context where this is not done
    /// yet. Throws std::bad_alloc.
    Status prepare_for(const ForeignPicture &picture);

    /// As Device::upload(): planes that are not plain wait for send_jobs().
    Result<PlanesOnDevice> upload(const PictureHandle &picture, PlaneMask planes);
    Status send_jobs(unsigned bpc);
    void forget_jobs();
    /// As Device::download().
    Result<PlaneOnHost> download(const PlaneView &plane, const DevicePlane &from);

    /// The end: the device is idle and nobody looks at a copy any more.
    void close();

  private:
    /// The device's copy of a host picture: the planes of the mask `key`.
    struct Upload {
        PlaneMask key = kNoPlanes;
        CudaDeviceMemory memory;
        CudaPlane plane[3] = {};
    };
    /// The device's copy of a host plane that waits to be normalised, or rows between the passes of
    /// scaling: `key` bytes. Only work of the one stream uses it.
    struct Raw {
        std::size_t key = 0;
        CudaDeviceMemory memory;
    };
    /// The host's copy of a device plane: `key` bytes.
    struct HostCopy {
        std::size_t key = 0;
        CudaPinnedMemory memory;
    };

    Result<Upload> make_upload(const PictureFormat &format, PlaneMask planes) const;
    Status add_normalising(const PictureHandle &picture, unsigned plane, PlaneMask planes, const Upload &to);
    Status add_scaling(const PictureHandle &picture, unsigned plane, const CudaPlane &from, const CudaPlane &to);
    Result<CudaPlane> plane_on_device(const PictureHandle &picture, unsigned plane);
    Result<CUdeviceptr> take_raw(std::size_t bytes);

    CudaContextPtr context_;
    const CudaStream &stream_;
    ReusePool<Upload> uploads_;
    ReusePool<Raw> raw_;
    std::array<ReuseLease, 2 * std::size_t{kMaxNormaliseJobs}> raw_in_use_; ///< until their kernel is queued
    std::size_t raw_count_ = 0;
    unsigned jobs_ = 0; ///< gathered by the normaliser and the scaler
    CudaNormaliser normaliser_;
    CudaScaler scaler_;
    ReusePool<HostCopy> host_copies_;
};

} // namespace vmaf
