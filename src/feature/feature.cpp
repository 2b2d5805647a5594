#include "feature/feature.h"

namespace vmaf {

Status Feature::check_format(const PictureFormat &) const
{
    return {};
}
PlaneMask Feature::planes_read(const PictureFormat &) const
{
    return kLumaOnly;
}
unsigned Feature::previous_ref(unsigned) const
{
    return 0;
}
unsigned Feature::history() const
{
    return 0;
}
bool Feature::reads_previous_pair() const
{
    return false;
}
CudaExtractorResult Feature::make_cuda(const CudaContextPtr &, const PictureFormat &, unsigned) const
{
    return std::unique_ptr<CudaExtractor>();
}

std::unique_ptr<FeatureSeries> Feature::make_series(const PictureFormat &) const
{
    return nullptr;
}

} // namespace vmaf
