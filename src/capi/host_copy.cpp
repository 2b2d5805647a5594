#include <array>
#include <memory>
#include <vector>

#include "base/log.h"
#include "capi/device.h"
#include "cuda/handles.h"
#include "engine/cuda/copies.h"
#include "engine/picture_pool.h"

namespace vmaf {
namespace {

using HostPlanes = std::array<std::vector<std::byte>, 3>;

void free_planes(void *planes)
{
    delete static_cast<HostPlanes *>(planes);
}

/// The context of the picture's memory, and the stream of the client's work on it.
struct Origin {
    CudaContextPtr context;
    CUstream stream;
};

Result<Origin> origin_of(const VmafRef &picture)
{
    const ForeignPicture *const lent = picture.foreign();
    const void *const owner = lent != nullptr ? lent->planes().device_context : picture.pool()->device_context();
    if (owner == nullptr) {
        log(LogLevel::error, "the picture's samples are gone: they went with the context that it was fetched from");
        return Status::error(EINVAL);
    }
    VMAF_TRY_ASSIGN(CudaContextPtr context, CudaContext::create(static_cast<CUcontext>(const_cast<void *>(owner))));
    return Origin{std::move(context), lent != nullptr ? static_cast<CUstream>(lent->planes().stream) : nullptr};
}

/// Queues the way of the planes, as they lie there, and has `sources` name the copies.
Status queue_planes(const Origin &origin, const PictureHandle &picture, HostPlanes &planes, SampleSource (&sources)[3])
{
    for (unsigned plane = 0; plane < picture.format().plane_count(); ++plane) {
        const PlaneView view = picture.plane(plane);
        SampleSource &source = sources[plane] = picture.source(plane);
        if (view.is_empty())
            continue;
        const PlaneSize size = source.size({view.width_px, view.height_px});
        const std::size_t row_bytes = std::size_t{size.width_px} * source.step * source.stored_bytes(view.bpc);
        if (source.first == 0) { // else both planes of the pair are there
            planes[plane].resize(row_bytes * size.height_px);
            const DevicePlane on_device{reinterpret_cast<const unsigned char *>(source.data), source.stride_bytes};
            VMAF_TRY(queue_cuda_download(origin.context->driver(), on_device, row_bytes, size.height_px,
                                         planes[plane].data(), origin.stream));
        }
        source.data = planes[plane - source.first].data();
        source.stride_bytes = static_cast<std::ptrdiff_t>(row_bytes);
    }
    return {};
}

} // namespace

Result<HeldPicture> copy_to_host(const VmafPicture &picture)
{
    const PictureHandle from = PictureHandle::share(picture);
    VMAF_TRY_ASSIGN(const Origin origin, origin_of(*picture.ref));
    const CudaContextGuard guard(*origin.context);
    VMAF_TRY(guard.status());
    auto copy = std::make_unique<HostPlanes>();
    ForeignPlanes planes;
    const Status queued = queue_planes(origin, from, *copy, planes.plane);
    if (!queued.ok()) { // what was queued writes to the copy
        CHECK_CUDA_AFTERMATH(origin.context->driver(), cuStreamSynchronize(origin.stream));
        return queued;
    }
    CHECK_CUDA_RETURN(origin.context->driver(), cuStreamSynchronize(origin.stream));
    planes.release = free_planes;
    planes.opaque = copy.get();
    HeldPicture made(VmafRef::wrap(from.format(), planes).release());
    static_cast<void>(copy.release());
    return made;
}

} // namespace vmaf
