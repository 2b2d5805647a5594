#include "engine/device/trial.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/log.h"

namespace vmaf {
namespace {

/// Enough for what models make of a picture; few enough pixels that nobody waits.
constexpr unsigned kSidePx = 320;

/// A small format, unless the options demand a larger one.
PictureFormat trial_format(const SessionFeature &feature, const PictureFormat &format)
{
    PictureFormat small = format;
    small.width = std::min(format.width, kSidePx);
    small.height = std::min(format.height, kSidePx);
    const LogSilence asked_only;
    return feature.feature().check_format(small).ok() ? small : format;
}

/// Tiles of near-flat samples, noise, a slope and extremes; between them stripes of wide steps, as
/// of banding.
unsigned trial_sample(bool distorted, unsigned age, unsigned x, unsigned y, unsigned peak)
{
    constexpr unsigned kTilePx = 24, kStripePx = 80;
    std::uint32_t noise = (x * 2654435761U) ^ (y * 2246822519U) ^ ((age + 1) * 3266489917U);
    noise = (noise ^ noise >> 15) * 2246822519U;
    noise ^= noise >> 13;
    const unsigned kinds[] = {peak / 3 + noise % 3, noise & peak, (x * 5 + y * 3 + age * 2) & peak,
                              noise % 2 == 0 ? peak : 0};
    if (y / kStripePx % 2 == 1)
        return std::min(peak / 3 + (x / 32 + y / 24 + age) * (peak / 255) + (distorted ? x / 50 % 2 : 0), peak);
    const unsigned sample = kinds[(x / kTilePx + y / kTilePx) % 4];
    return distorted ? std::min(sample - sample / 8 + (noise >> 20) % 8, peak) : sample;
}

template <class Sample> void fill(const VmafPicture &picture, unsigned plane, bool distorted, unsigned age)
{
    for (unsigned y = 0; y < picture.h[plane]; ++y) {
        auto *row = reinterpret_cast<Sample *>(static_cast<std::byte *>(picture.data[plane]) +
                                               picture.stride[plane] * static_cast<std::ptrdiff_t>(y));
        for (unsigned x = 0; x < picture.w[plane]; ++x)
            row[x] = static_cast<Sample>(trial_sample(distorted, age + plane, x, y, (1U << picture.bpc) - 1));
    }
}

Result<PictureHandle> trial_picture(const PictureFormat &format, bool distorted, unsigned age)
{
    VMAF_TRY_ASSIGN(std::unique_ptr<VmafRef> memory, VmafRef::create(format));
    const VmafPicture picture = memory->picture();
    for (unsigned plane = 0; plane < format.plane_count(); ++plane)
        format.sample_bytes() == 1 ? fill<std::uint8_t>(picture, plane, distorted, age)
                                   : fill<std::uint16_t>(picture, plane, distorted, age);
    PictureHandle handle = PictureHandle::share(picture);
    memory.release()->release(); // the handle's reference is the only one
    return handle;
}

/// One frame of one feature, as the CPU and as a device see it.
class Trial {
  public:
    Trial(const SessionFeature &feature, const PictureFormat &format)
        : feature_(feature.spec(), feature.values(), 0, DeviceChoice::never, 0), format_(trial_format(feature, format))
    {
        feature_.set_format(format_);
        frame_.due = {{&feature_, 0, feature_.window().look_back()}};
        frame_.index = feature_.window().look_back();
        staged_.frame = &frame_;
        staged_.planes.begin(frame_.index);
        frame_.planes.begin(frame_.index);
    }

    Status make_pictures(Device &device)
    {
        VMAF_TRY(device.open());
        VMAF_TRY(add_pair(device, 0, feature_.window().pair, frame_.planes, staged_.planes));
        for (unsigned i = 0; i < feature_.window().look_back(); ++i)
            VMAF_TRY(add_pair(device, i + 1, feature_.window().earlier[i], frame_.planes.earlier[i],
                              staged_.planes.earlier[i]));
        return device.finish_uploads(format_.bpc);
    }

    Result<bool> has_cpus_sums(Device &device)
    {
        AlignedBuffer<std::byte> expected(feature_.sums_bytes());
        std::fill_n(expected.data(), expected.size(), std::byte{});
        VMAF_TRY(feature_.feature().make_cpu(format_, cpu_target(cpu_mask()))->extract(frame_.planes, expected.data()));
        VMAF_TRY_ASSIGN(const std::unique_ptr<DeviceBackend> backend, device.make_backend(feature_, format_));
        if (!backend)
            return true;
        const std::shared_ptr<const SumsLayout> layout = SumsLayout().with(feature_, *backend);
        VMAF_TRY_ASSIGN(const std::unique_ptr<DeviceWork> work, device.make_work());
        VMAF_TRY(work->reserve(*layout));
        Status status = work->launch(*layout, {&staged_, 1});
        if (status.ok())
            status = work->wait();
        device.settle(); // nothing uses what goes, after a failure too
        VMAF_TRY(status);
        return std::memcmp(work->sums(), expected.data(), expected.size()) == 0;
    }

  private:
    Status add_pair(Device &device, unsigned age, const PairMask &read, PairOf<PlaneView> &on_host,
                    PairOf<DevicePlane> &on_device)
    {
        VMAF_TRY(add_picture(device, age, false, read.ref, on_host.ref, on_device.ref));
        return add_picture(device, age, true, read.dis, on_host.dis, on_device.dis);
    }

    Status add_picture(Device &device, unsigned age, bool distorted, PlaneMask read, PlaneView (&on_host)[3],
                       DevicePlane (&on_device)[3])
    {
        read &= (1U << format_.plane_count()) - 1;
        if (read == kNoPlanes)
            return {};
        VMAF_TRY_ASSIGN(PictureHandle picture, trial_picture(format_, distorted, age));
        VMAF_TRY_ASSIGN(PlanesOnDevice copy, device.upload(picture, read));
        for (unsigned plane = 0; plane < format_.plane_count(); ++plane)
            if ((read >> plane & 1) != 0) {
                on_host[plane] = picture.plane(plane);
                on_device[plane] = copy.plane[plane];
            }
        staged_.uploads.push_back(std::move(copy.memory));
        pictures_.push_back(std::move(picture));
        return {};
    }

    SessionFeature feature_;
    const PictureFormat format_;
    Frame frame_;
    StagedFrame staged_;
    std::vector<PictureHandle> pictures_;
};

} // namespace

Result<bool> computes_as_cpu(Device &device, const SessionFeature &feature, const PictureFormat &format)
{
    Trial trial(feature, format);
    const DeviceUse use(device);
    VMAF_TRY(use.status());
    VMAF_TRY(trial.make_pictures(device));
    return trial.has_cpus_sums(device);
}

} // namespace vmaf
