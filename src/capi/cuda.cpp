#include <mutex>

#include "capi/c_boundary.h"
#include "capi/context.h"
#include "capi/device.h"
#include "capi/visibility.h"
#include "cuda/context.h"
#include "engine/cuda/device.h"
#include "feature/cuda_backends.h"
#include "feature/registry.h"
#include "libvmaf/libvmaf_cuda.h"
#include "libvmaf/libvmaf_ext.h"

using namespace vmaf;

/// The client's handle. Owns the CUDA context until a session imports it; from then on the sessions
/// do, and the next import after the last of them has closed acquires it anew (spec cuda 2).
struct VmafCudaState {
    std::mutex mutex;         ///< several threads may import one handle at once
    CUcontext client_context; ///< null: the primary context of the device
    const int device;
    std::shared_ptr<CudaContext> until_import;
    std::weak_ptr<CudaContext> imported;

    VmafCudaState(CUcontext client, int device_number) : client_context(client), device(device_number) {}

    Result<std::shared_ptr<CudaContext>> create_context() const { return CudaContext::create(client_context, device); }
    Result<std::shared_ptr<CudaContext>> acquire()
    {
        const std::lock_guard lock(mutex);
        std::shared_ptr<CudaContext> context = until_import ? until_import : imported.lock();
        if (!context) {
            VMAF_TRY_ASSIGN(context, create_context());
        }
        return context;
    }
    /// Drops the context if it was never imported; a failed release is the caller's to know (spec
    /// cuda 3).
    Status release()
    {
        if (!until_import)
            return {};
        const std::shared_ptr<CudaReleaseFailures> failures = until_import->release_failures();
        until_import.reset();
        return failures->take();
    }
    void hand_over(const std::shared_ptr<CudaContext> &context)
    {
        const std::lock_guard lock(mutex);
        imported = context;
        until_import.reset();
    }
};

namespace vmaf {

std::string_view demanded_feature(std::string_view name)
{
    constexpr std::string_view kSuffix = "_cuda";
    if (!name.ends_with(kSuffix))
        return {};
    const FeatureSpec *spec = find_feature(name.substr(0, name.size() - kSuffix.size()));
    return spec != nullptr && runs_on_cuda(*spec) ? spec->name : std::string_view();
}

bool runs_on_cuda(const FeatureSpec &feature)
{
    return find_cuda_backend(feature) != nullptr;
}

} // namespace vmaf

namespace {

Status init_state(VmafCudaState **cu_state, CUcontext client_context, int device)
{
    if (cu_state == nullptr)
        return Status::error(EINVAL);
    *cu_state = nullptr;
    auto state = std::make_unique<VmafCudaState>(client_context, device);
    VMAF_TRY_ASSIGN(state->until_import, state->create_context());
    *cu_state = state.release();
    return {};
}

} // namespace

VMAF_PUBLIC int vmaf_cuda_state_init(VmafCudaState **cu_state, VmafCudaConfiguration cfg)
{
    return c_boundary("vmaf_cuda_state_init",
                      [&] { return init_state(cu_state, static_cast<CUcontext>(cfg.cu_ctx), 0); });
}

VMAF_PUBLIC int vmaf_cuda_state_init_device(VmafCudaState **cu_state, int device)
{
    return c_boundary("vmaf_cuda_state_init_device", [&] { return init_state(cu_state, nullptr, device); });
}

VMAF_PUBLIC int vmaf_cuda_state_free(VmafCudaState *cu_state)
{
    return c_boundary("vmaf_cuda_state_free", [&]() -> Status {
        const std::unique_ptr<VmafCudaState> freed(cu_state);
        return freed ? freed->release() : Status();
    });
}

VMAF_PUBLIC int vmaf_cuda_import_state(VmafContext *vmaf, VmafCudaState *cu_state)
{
    return c_boundary("vmaf_cuda_import_state", [&]() -> Status {
        if (vmaf == nullptr || cu_state == nullptr)
            return Status::error(EINVAL);
        VMAF_TRY_ASSIGN(const std::shared_ptr<CudaContext> context, cu_state->acquire());
        VMAF_TRY(vmaf->session->attach(std::make_unique<CudaDevice>(context)));
        vmaf->cuda = context;
        cu_state->hand_over(context);
        return {};
    });
}

VMAF_PUBLIC int vmaf_cuda_preallocate_pictures(VmafContext *vmaf, VmafCudaPictureConfiguration cfg)
{
    return c_boundary("vmaf_cuda_preallocate_pictures", [&]() -> Status {
        const PictureFormat format{cfg.pic_params.pix_fmt, cfg.pic_params.bpc, cfg.pic_params.w, cfg.pic_params.h};
        if (vmaf == nullptr || !vmaf->session->has_device() || !is_valid_format(format) || format.width == 0 ||
            format.height == 0)
            return Status::error(EINVAL);
        MemoryKind kind{};
        switch (static_cast<int>(cfg.pic_prealloc_method)) {
        case VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_NONE:
            return {};
        case VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE:
            kind = MemoryKind::device;
            break;
        case VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST:
            kind = MemoryKind::host;
            break;
        case VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED:
            kind = MemoryKind::pinned;
            break;
        default:
            return Status::error(EINVAL);
        }
        return vmaf->session->preallocate_for_device(format, kind);
    });
}

VMAF_PUBLIC int vmaf_cuda_fetch_preallocated_picture(VmafContext *vmaf, VmafPicture *pic)
{
    return c_boundary("vmaf_cuda_fetch_preallocated_picture", [&]() -> Status {
        if (vmaf == nullptr || pic == nullptr || !vmaf->session->has_device())
            return Status::error(EINVAL);
        return vmaf->session->fetch_from_device(*pic);
    });
}
