#include "fault/test_pictures.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <tuple>

#include <dlfcn.h>
#include <ffnvcodec/dynlink_cuda.h>

namespace vmaf::test {
namespace {

using PlaneSamples = std::vector<std::uint8_t>;

const PlaneSamples &samples(Side side, unsigned frame, unsigned plane, unsigned width, unsigned height)
{
    static std::map<std::tuple<Side, unsigned, unsigned, unsigned, unsigned>, PlaneSamples> made;
    PlaneSamples &list = made[{side, frame, plane, width, height}];
    if (!list.empty())
        return list;
    for (unsigned y = 0; y < height; ++y)
        for (unsigned x = 0; x < width; ++x) {
            const unsigned ref = 3 * x + 5 * y + 17 * frame + 53 * plane;
            const unsigned change = side == Side::dis ? 1 + frame + (x ^ y) % 4 : 0;
            list.push_back(static_cast<std::uint8_t>(ref % 200 + change));
        }
    return list;
}

/// The real driver behind the double, called directly.
class DriverBehind {
  public:
    DriverBehind()
    {
        void *library = dlopen(std::getenv("VMAF_DOUBLE_FORWARD"), RTLD_LAZY);
        const auto find = [library](auto &function, const char *symbol) {
            function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, symbol));
        };
        find(retain_, "cuDevicePrimaryCtxRetain");
        find(push_, "cuCtxPushCurrent_v2");
        find(pop_, "cuCtxPopCurrent_v2");
        find(copy_, "cuMemcpyHtoD_v2");
        retain_(&context_, 0); // kept until the process ends
    }
    void copy(void *to, const void *from, std::size_t bytes) const
    {
        CUcontext popped = nullptr;
        push_(context_);
        copy_(reinterpret_cast<CUdeviceptr>(to), from, bytes);
        pop_(&popped);
    }

  private:
    tcuDevicePrimaryCtxRetain *retain_ = nullptr;
    tcuCtxPushCurrent_v2 *push_ = nullptr;
    tcuCtxPopCurrent_v2 *pop_ = nullptr;
    tcuMemcpyHtoD_v2 *copy_ = nullptr;
    CUcontext context_ = nullptr;
};

void write(void *to, const std::uint8_t *from, std::size_t bytes, bool in_device_memory)
{
    if (!in_device_memory || std::getenv("VMAF_DOUBLE_FORWARD") == nullptr) {
        std::memcpy(to, from, bytes);
        return;
    }
    static const DriverBehind driver;
    driver.copy(to, from, bytes);
}

} // namespace

void fill_fault_picture(const VmafPicture &picture, bool in_device_memory, Side side, unsigned frame)
{
    for (unsigned plane = 0; plane < 3 && picture.w[plane] > 0; ++plane) {
        const PlaneSamples &from = samples(side, frame, plane, picture.w[plane], picture.h[plane]);
        for (unsigned y = 0; y < picture.h[plane]; ++y)
            write(static_cast<char *>(picture.data[plane]) + picture.stride[plane] * y,
                  from.data() + std::size_t{y} * picture.w[plane], picture.w[plane], in_device_memory);
    }
}

void fill_fault_surface(void *memory, const PictureFormat &format, bool in_device_memory, Side side, unsigned frame)
{
    PlaneSamples surface = samples(side, frame, 0, format.width, format.height);
    const unsigned width = format.plane_width(1), height = format.plane_height(1);
    const PlaneSamples &cb = samples(side, frame, 1, width, height), &cr = samples(side, frame, 2, width, height);
    for (std::size_t i = 0; i < cb.size(); ++i)
        surface.insert(surface.end(), {cb[i], cr[i]});
    write(memory, surface.data(), surface.size(), in_device_memory);
}

} // namespace vmaf::test
