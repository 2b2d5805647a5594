#include "fault/lent_surfaces.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "fault/test_pictures.h"
#include "support/cuda_client.h"

namespace vmaf::test {
namespace {

/// The client's device memory. It lives as long as the process, its driver calls are not the
/// library's, and parts of it are used in turn.
class DeviceSurfaces {
  public:
    static constexpr std::size_t kBytes = std::size_t{8} << 10;

    static void *take()
    {
        static DeviceSurfaces all;
        return reinterpret_cast<void *>(all.memory_[all.next_++ % all.memory_.size()]);
    }

  private:
    DeviceSurfaces()
    {
        std::string why;
        static const std::unique_ptr<CudaClient> client = CudaClient::open(why);
        CUcontext popped = nullptr;
        client->cuda().cuCtxPushCurrent(client->context());
        for (CUdeviceptr &memory : memory_)
            if (client->cuda().cuMemAlloc(&memory, kBytes) != CUDA_SUCCESS)
                std::abort();
        client->cuda().cuCtxPopCurrent(&popped);
    }

    std::array<CUdeviceptr, 24> memory_{};
    std::size_t next_ = 0;
};

} // namespace

VmafForeignPicture LentSurfaces::add(const PictureFormat &format, const PictureFormat &scored, bool in_device_memory,
                                     Side side, unsigned frame)
{
    const std::size_t luma_bytes = std::size_t{format.width} * format.height;
    Surface &surface = surfaces_.emplace_back();
    surface.is_on_a_device = in_device_memory;
    surface.bytes = luma_bytes + 2 * std::size_t{format.plane_width(1)} * format.plane_height(1);
    if (in_device_memory && surface.bytes > DeviceSurfaces::kBytes)
        std::abort();
    if (!in_device_memory)
        surface.host.resize(surface.bytes);
    surface.memory = in_device_memory ? DeviceSurfaces::take() : surface.host.data();
    fill_fault_surface(surface.memory, format, in_device_memory, side, frame);

    VmafForeignPicture foreign{};
    foreign.struct_size = sizeof foreign;
    foreign.pix_fmt = format.pix_fmt;
    foreign.bpc = format.bpc;
    foreign.w = format.width;
    foreign.h = format.height;
    foreign.layout = VMAF_PLANE_LAYOUT_SEMI_PLANAR;
    foreign.memory = in_device_memory ? VMAF_MEMORY_CUDA_DEVICE : VMAF_MEMORY_HOST;
    foreign.data[0] = surface.memory;
    foreign.data[1] = static_cast<char *>(surface.memory) + luma_bytes;
    foreign.stride[0] = format.width;
    foreign.stride[1] = 2 * std::ptrdiff_t{format.plane_width(1)};
    foreign.release = release;
    foreign.opaque = &surface;
    foreign.scaled_w = scored.width;
    foreign.scaled_h = scored.height;
    return foreign;
}

void LentSurfaces::drop_last()
{
    if (surfaces_.back().releases == 0) // correct: the library keeps nothing of it
        surfaces_.pop_back();
    else
        ++surfaces_.back().releases;
}

// Later reads of it get other samples.
void LentSurfaces::release(void *surface)
{
    auto &lent = *static_cast<Surface *>(surface);
    ++lent.releases;
    if (!lent.is_on_a_device || std::getenv("VMAF_DOUBLE_FORWARD") == nullptr)
        std::memset(lent.memory, 0x5a, lent.bytes);
}

bool LentSurfaces::all_released_once() const
{
    return std::all_of(surfaces_.begin(), surfaces_.end(),
                       [](const Surface &surface) { return surface.releases == 1; });
}

} // namespace vmaf::test
