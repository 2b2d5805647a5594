#include "engine/vulkan/device.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "base/guarded.h"
#include "base/log.h"
#include "engine/device/trial.h"
#include "engine/session_feature.h"
#include "feature/vulkan_backends.h"
#include "vulkan/batch.h"

namespace vmaf {
namespace {

// Larger pictures go in smaller batches, which take less memory.
constexpr std::uint64_t kBatchPixels = 24ULL * 1920 * 1080;

Status refuse_device_memory()
{
    log(LogLevel::error, "the Vulkan device reads pictures in host memory only: download them first");
    return Status::error(EINVAL);
}

/// Whether devices computed rightly what they were asked for: they are asked once in a process.
using Answers = std::map<std::string, bool>;
Guarded<Answers> &answers()
{
    static Guarded<Answers> known;
    return known;
}

std::optional<bool> known_answer(const std::string &asked)
{
    return answers().with([&](const Answers &known) {
        const auto found = known.find(asked);
        return found == known.end() ? std::nullopt : std::optional(found->second);
    });
}

} // namespace

unsigned VulkanDevice::most_batch_frames() const
{
    return kMaxVulkanBatchFrames;
}

unsigned VulkanDevice::batch_frames(const PictureFormat &format) const
{
    const std::uint64_t pixels = std::max<std::uint64_t>(std::uint64_t{format.width} * format.height, 1);
    return static_cast<unsigned>(std::clamp<std::uint64_t>(kBatchPixels / pixels, 1, kMaxVulkanBatchFrames));
}

Result<bool> VulkanDevice::may_run(const SessionFeature &feature, const PictureFormat &) const
{
    return find_vulkan_backend(feature.spec()) != nullptr;
}

Result<bool> VulkanDevice::is_right(const SessionFeature &feature, const PictureFormat &format) const
{
    if (check_ == VMAF_VULKAN_CHECK_NONE)
        return true;
    const VulkanDeviceFacts facts = context_->facts();
    const std::string asked = facts.name + '\n' + facts.driver + '\n' + feature.registration() + '\n' +
                              std::to_string(format.bpc) + ' ' + std::to_string(format.pix_fmt);
    std::optional<bool> right = known_answer(asked);
    if (!right) {
        VulkanDevice other(context_, VMAF_VULKAN_CHECK_NONE);
        VMAF_TRY_ASSIGN(right, computes_as_cpu(other, feature, format));
        VMAF_TRY(other.close());
        answers().with([&](Answers &known) { known.emplace(asked, *right); });
    }
    if (*right)
        return true;
    const char *const name = feature.spec().name;
    if (check_ == VMAF_VULKAN_CHECK_FAIL) {
        log(LogLevel::error,
            "%s: %s (%s) computes it wrongly: update the driver or score on the CPU; vmaf --self_test shows more", name,
            facts.name.c_str(), facts.driver.c_str());
        return Status::error(EIO);
    }
    log(LogLevel::warning, "%s runs on the CPU: %s (%s) computes it wrongly; vmaf --self_test shows more", name,
        facts.name.c_str(), facts.driver.c_str());
    return false;
}

Result<std::unique_ptr<DeviceBackend>> VulkanDevice::make_backend(const SessionFeature &feature,
                                                                  const PictureFormat &format)
{
    const VulkanRequest request{context_, format, feature.values(), batch_frames(format)};
    VMAF_TRY_ASSIGN(std::unique_ptr<VulkanProgram> program, find_vulkan_backend(feature.spec())->make(request));
    if (!program)
        return std::unique_ptr<DeviceBackend>();
    VMAF_TRY(reserve_scratch(program->scratch_bytes()));
    return std::unique_ptr<DeviceBackend>(std::make_unique<VulkanBackendOfFeature>(std::move(program)));
}

Status VulkanDevice::reserve_scratch(std::size_t bytes)
{
    if (bytes <= scratch_.bytes)
        return {};
    VMAF_TRY_ASSIGN(VulkanMemory larger, VulkanMemory::create(context_, bytes, VulkanMemoryKind::device));
    VMAF_TRY(context_->wait_for_all()); // kernels may still use the one that goes
    scratch_ = {std::move(larger), bytes};
    return {};
}

Result<std::unique_ptr<DeviceWork>> VulkanDevice::make_work()
{
    VMAF_TRY_ASSIGN(std::unique_ptr<VulkanWork> work, VulkanWork::create(context_, scratch_));
    return std::unique_ptr<DeviceWork>(std::move(work));
}

Status VulkanDevice::prepare_for(const ForeignPicture &picture)
{
    return picture.planes().device_context != nullptr ? refuse_device_memory() : Status();
}

Result<PlaneOnHost> VulkanDevice::download(const PlaneView &, const DevicePlane &)
{
    return refuse_device_memory();
}

Result<std::unique_ptr<PictureMemory>> VulkanDevice::picture_memory(const PictureFormat &format, MemoryKind kind,
                                                                    std::uint64_t)
{
    if (kind != MemoryKind::host)
        return refuse_device_memory();
    return std::unique_ptr<PictureMemory>(std::make_unique<VulkanPictureMemory>(context_, format));
}

void VulkanDevice::settle()
{
    const LogSilence silence; // after a failure that was said already, another one is no news
    static_cast<void>(context_->wait_for_all().code());
}

Status VulkanDevice::close()
{
    copies_.close();
    scratch_ = {};
    context_.reset();
    return finished_;
}

} // namespace vmaf
