#include "support/device_client.h"

#include "cuda/driver_double/loaded_double.h"
#include "feature/cuda_backends.h"
#include "support/cuda_client.h"

namespace vmaf::test {
namespace {

class OnCuda final : public DeviceClient {
  public:
    explicit OnCuda(std::unique_ptr<CudaClient> client) : client_(std::move(client)) {}

    int attach(VmafContext *vmaf, const ClipSpec &spec, Feeding feeding) const override
    {
        return client_->attach(vmaf, spec, feeding);
    }
    int feed_all(VmafContext *vmaf, const Clip &clip, Feeding feeding) const override
    {
        if (double_ != nullptr)
            double_->set_time(VMAF_DOUBLE_ON_SYNCHRONISE, 0);
        const int error = client_->feed_all(vmaf, clip, feeding);
        if (double_ != nullptr)
            double_->set_time(VMAF_DOUBLE_AT_ONCE, 0);
        return error;
    }
    std::string complaint() const override
    {
        return double_ != nullptr && double_->violations() > 0 ? double_->violation(0) : "";
    }

  private:
    std::unique_ptr<CudaClient> client_;
    const VmafDoubleControl *const double_ = loaded_driver_double();
};

} // namespace

std::unique_ptr<DeviceClient> DeviceClient::open(std::string &why)
{
    std::unique_ptr<CudaClient> client = CudaClient::open(why);
    return client ? std::make_unique<OnCuda>(std::move(client)) : nullptr;
}

bool DeviceClient::runs(const FeatureSpec &feature)
{
    return find_cuda_backend(feature) != nullptr;
}

bool DeviceClient::has_own_memory()
{
    return true;
}

} // namespace vmaf::test
