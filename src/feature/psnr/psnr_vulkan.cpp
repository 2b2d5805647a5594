#include <cstdint>

#include "base/round_up.h"
#include "feature/psnr/psnr.h"
#include "feature/vulkan_backends.h"
#include "psnr_spirv.h"

namespace vmaf {
namespace {

/// As in kernels/vulkan/psnr.comp.
constexpr unsigned kGroupRows = 16;
struct PsnrArguments {
    std::uint64_t batch;
    struct {
        std::int32_t width_px, height_px;
    } planes[3];
};
static_assert(sizeof(PsnrArguments) == 32);

class PsnrVulkan final : public VulkanExtractor {
  public:
    PsnrVulkan(const VulkanContextPtr &context, VulkanKernel kernel, const PictureFormat &format, unsigned plane_count)
        : context_(context), kernel_(std::move(kernel)), format_(format), plane_count_(plane_count)
    {
    }

    void record(const VulkanRecording &to) override
    {
        PsnrArguments arguments{to.batch, {}};
        for (unsigned plane = 0; plane < plane_count_; ++plane)
            arguments.planes[plane] = {static_cast<std::int32_t>(format_.plane_width(plane)),
                                       static_cast<std::int32_t>(format_.plane_height(plane))};
        kernel_.record(*context_, to.commands, arguments, blocks_for(format_.height, kGroupRows), plane_count_,
                       to.count);
    }

  private:
    VulkanContextPtr context_;
    VulkanKernel kernel_;
    PictureFormat format_;
    unsigned plane_count_;
};

Result<std::unique_ptr<VulkanExtractor>> make(const VulkanRequest &request)
{
    const std::uint32_t constants[] = {static_cast<std::uint32_t>(request.format.sample_bytes())};
    VMAF_TRY_ASSIGN(VulkanKernel kernel,
                    VulkanKernel::create(request.context, vmaf_psnr_spirv, sizeof(PsnrArguments), constants));
    return std::unique_ptr<VulkanExtractor>(std::make_unique<PsnrVulkan>(
        request.context, std::move(kernel), request.format, psnr_plane_count(request.options, request.format)));
}

} // namespace

const VulkanBackend kPsnrVulkan{&kPsnr, make};

} // namespace vmaf
