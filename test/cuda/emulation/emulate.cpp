#include "cuda/driver_double/loaded_double.h"
#include "cuda/emulation/kernels.h"
#include "cuda/emulation/known_results.h"

#define VMAF_EMULATED(name) vmaf::emulation::KernelList vmaf_emulated_##name();
#include "emulated_kernels.inc"
#undef VMAF_EMULATED

namespace vmaf::emulation {

std::vector<const Kernel *> every_kernel()
{
    static constexpr auto kLists = {
#define VMAF_EMULATED(name) vmaf_emulated_##name,
#include "emulated_kernels.inc"
#undef VMAF_EMULATED
    };
    std::vector<const Kernel *> kernels;
    for (const auto &list : kLists)
        for (const Kernel &kernel : list())
            kernels.push_back(&kernel);
    return kernels;
}

} // namespace vmaf::emulation

namespace vmaf::test {
namespace {

void run(const VmafDoubleLaunch *launch, void *kernel)
{
    static_cast<const emulation::Kernel *>(kernel)->run(*launch);
}

void run_or_recall(const VmafDoubleLaunch *launch, void *user)
{
    static auto &known = *new emulation::KnownResults; // kept until the process ends
    const auto &kernel = *static_cast<const emulation::Kernel *>(user);
    known.launch(*loaded_driver_double(), *launch, kernel.param_bytes, [&] { kernel.run(*launch); });
}

// Programs that test kernels find them on the double, as on a GPU.
const bool emulated_from_the_start = [] {
    const VmafDoubleControl *driver = loaded_driver_double();
    if (driver != nullptr)
        emulate_kernels(*driver);
    return driver != nullptr;
}();

} // namespace

namespace {

void let_run(const VmafDoubleControl &driver, VmafDoubleKernel *run)
{
    for (const emulation::Kernel *kernel : emulation::every_kernel())
        driver.on_kernel(kernel->name, &kernel->param_bytes, 1, run, const_cast<emulation::Kernel *>(kernel));
}

} // namespace

void emulate_kernels(const VmafDoubleControl &driver)
{
    let_run(driver, run);
}

void know_kernels(const VmafDoubleControl &driver)
{
    let_run(driver, [](const VmafDoubleLaunch *, void *) {});
}

void emulate_kernels_and_recall(const VmafDoubleControl &driver)
{
    let_run(driver, run_or_recall);
}

} // namespace vmaf::test
