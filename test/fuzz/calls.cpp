#include <array>
#include <utility>
#include <vector>

#include "cuda/driver_double/loaded_double.h"
#include "fuzz/target.h"
#include "libvmaf/libvmaf_cuda.h"
#include "libvmaf/libvmaf_vulkan.h"
#include "support/session.h"
#include "vulkan/faulty_driver/loaded.h"

// Calls the public functions in any order that handles allow, on two contexts. If the process has
// CUDA's driver double or Vulkan's faulty driver, it also calls the functions for that kind of
// device, and driver calls fail where the input says. At the end nothing may be left.

namespace vmaf::fuzz {
namespace {

struct Size {
    unsigned w, h, bpc;
    VmafPixelFormat pix_fmt;
};
constexpr Size kSizes[] = {{32, 32, 8, VMAF_PIX_FMT_YUV420P},
                           {48, 33, 10, VMAF_PIX_FMT_YUV444P},
                           {1, 1, 8, VMAF_PIX_FMT_YUV400P},
                           {20, 18, 16, VMAF_PIX_FMT_YUV422P}};
constexpr const char *kFeatures[] = {"psnr",           "motion",     "vif",   "adm",   "float_moment",
                                     "speed_temporal", "float_psnr", "xpsnr", "cvvdp", "nothing"};
constexpr const char *kOutputs[] = {
    "psnr_y", "VMAF_integer_feature_motion2_score",   "float_psnr", "imported", "apsnr_y",
    "",       "VMAF_integer_feature_vif_scale0_score"};
constexpr unsigned kMostFetched = 3;

/// Vulkan's faulty driver; null if this process has none.
struct FaultyVulkan {
    VmafFaultyFail *const fail = test::find_in_faulty_driver<VmafFaultyFail>("vmaf_faulty_fail");
    VmafFaultyHeal *const heal = test::find_in_faulty_driver<VmafFaultyHeal>("vmaf_faulty_heal");
    VmafFaultyLive *const live = test::find_in_faulty_driver<VmafFaultyLive>("vmaf_faulty_live");
};

class Client {
  public:
    Client(Bytes &bytes, const VmafDoubleControl *driver, const FaultyVulkan &vulkan)
        : bytes_(bytes), driver_(driver), vulkan_(vulkan)
    {
    }
    ~Client()
    {
        for (VmafPicture &picture : pictures_)
            vmaf_picture_unref(&picture);
        for (Opened &opened : contexts_)
            close(opened);
        for (VmafModel *model : models_)
            vmaf_model_destroy(model);
        if (state_ != nullptr)
            vmaf_cuda_state_free(state_);
        if (vulkan_state_ != nullptr)
            vmaf_vulkan_state_free(vulkan_state_);
    }
    Client(const Client &) = delete;
    Client &operator=(const Client &) = delete;

    void make_a_call();

  private:
    struct Opened {
        VmafContext *vmaf = nullptr;
        bool has_pool = false, has_device_pool = false, has_state = false;
        unsigned fetched = 0; ///< from its pool of host pictures; a fetch waits if all are in use
    };

    void close(Opened &opened)
    {
        vmaf_close(opened.vmaf);
        opened = {};
    }
    Opened &any_context() { return bytes_.one_of(contexts_); }
    VmafPicture &any_picture() { return bytes_.one_of(pictures_); }
    unsigned frame() { return bytes_.below(6); }

    void open();
    void make_picture();
    void read();
    void read_shared();
    void ask();
    void fetch(Opened &opened);
    void use_cuda();
    void use_vulkan();
    void fail_driver_calls();

    Bytes &bytes_;
    const VmafDoubleControl *driver_;
    const FaultyVulkan &vulkan_;
    Opened contexts_[2];
    VmafPicture pictures_[6]{};
    VmafModel *models_[2]{};
    VmafCudaState *state_ = nullptr;
    VmafVulkanState *vulkan_state_ = nullptr;
};

void Client::open()
{
    Opened &opened = any_context();
    if (opened.vmaf != nullptr)
        return;
    VmafConfiguration config{};
    config.n_threads = bytes_.below(3);
    config.n_subsample = bytes_.below(3);
    vmaf_init(&opened.vmaf, config);
}

void Client::make_picture()
{
    VmafPicture &picture = any_picture();
    if (picture.ref != nullptr)
        return;
    const Size &size = bytes_.one_of(kSizes);
    if (vmaf_picture_alloc(&picture, size.pix_fmt, size.bpc, size.w, size.h) != 0)
        picture = {};
}

void Client::read()
{
    Opened &opened = any_context();
    VmafPicture &ref = any_picture(), &dis = any_picture();
    if (&ref == &dis || ref.ref == nullptr || dis.ref == nullptr)
        return;
    if (vmaf_read_pictures(opened.vmaf, &ref, &dis, frame()) == 0)
        ref = dis = {};
}

void Client::read_shared()
{
    VmafPicture &ref = any_picture();
    VmafPicture *const dis[2] = {&any_picture(), &any_picture()};
    if (&ref == dis[0] || &ref == dis[1] || dis[0] == dis[1])
        return;
    if (ref.ref == nullptr || dis[0]->ref == nullptr || dis[1]->ref == nullptr)
        return;
    VmafContext *const both[2] = {contexts_[0].vmaf, contexts_[1].vmaf};
    VmafPicture copies[2] = {*dis[0], *dis[1]};
    vmaf_read_pictures_shared(both, 2, &ref, copies, frame());
    for (unsigned i = 0; i < 2; ++i)
        *dis[i] = copies[i];
}

void Client::ask()
{
    VmafContext *const vmaf = any_context().vmaf;
    const char *const name = bytes_.one_of(kOutputs);
    double score = 0;
    unsigned counts[2];
    switch (bytes_.below(7)) {
    case 0:
        vmaf_feature_score_at_index(vmaf, name, &score, frame());
        break;
    case 1:
        vmaf_feature_score_pooled(vmaf, name, static_cast<VmafPoolingMethod>(bytes_.below(6)), &score, frame(),
                                  frame());
        break;
    case 2:
        vmaf_score_at_index(vmaf, bytes_.one_of(models_), &score, frame());
        break;
    case 3:
        vmaf_score_pooled(vmaf, bytes_.one_of(models_), VMAF_POOL_METHOD_MEAN, &score, frame(), frame());
        break;
    case 4:
        vmaf_frames_held(vmaf, &counts[0], &counts[1]);
        break;
    case 5:
        vmaf_segment_overlap(vmaf, &counts[0], &counts[1]);
        break;
    default: {
        const MemoryFile file("");
        vmaf_write_output(vmaf, file.path().c_str(), static_cast<VmafOutputFormat>(bytes_.below(6)));
        VmafScoreColumns *columns = nullptr;
        if (vmaf_score_columns_create(vmaf, &columns) == 0)
            vmaf_score_columns_destroy(columns);
    }
    }
}

void Client::fetch(Opened &opened)
{
    VmafPicture &picture = any_picture();
    if (opened.vmaf == nullptr || picture.ref != nullptr)
        return;
    if (opened.has_device_pool) {
        if (vmaf_cuda_fetch_preallocated_picture(opened.vmaf, &picture) != 0)
            picture = {};
    } else if (opened.has_pool && opened.fetched < kMostFetched) {
        ++opened.fetched; // for all that were ever fetched: the test does not follow which ones were returned
        if (vmaf_fetch_preallocated_picture(opened.vmaf, &picture) != 0)
            picture = {};
    } else if (!opened.has_pool && !opened.has_device_pool) {
        const Size &size = bytes_.one_of(kSizes);
        opened.has_pool =
            vmaf_preallocate_pictures(opened.vmaf, {{size.w, size.h, size.bpc, size.pix_fmt}, kMostFetched}) == 0;
    }
}

void Client::use_cuda()
{
    Opened &opened = any_context();
    switch (bytes_.below(4)) {
    case 0:
        if (state_ == nullptr && vmaf_cuda_state_init(&state_, {}) != 0)
            state_ = nullptr;
        break;
    case 1:
        if (state_ != nullptr && opened.vmaf != nullptr && !opened.has_state)
            opened.has_state = vmaf_cuda_import_state(opened.vmaf, state_) == 0;
        break;
    case 2:
        if (opened.has_state && !opened.has_pool) {
            const Size &size = bytes_.one_of(kSizes);
            const auto method = static_cast<VmafCudaPicturePreallocationMethod>(bytes_.below(5));
            opened.has_device_pool |=
                vmaf_cuda_preallocate_pictures(opened.vmaf, {{size.w, size.h, size.bpc, size.pix_fmt}, method}) == 0;
        }
        break;
    default:
        fetch(opened);
    }
}

void Client::use_vulkan()
{
    Opened &opened = any_context();
    switch (bytes_.below(4)) {
    case 0:
        if (vulkan_state_ == nullptr)
            vmaf_vulkan_state_init(&vulkan_state_, {});
        else if (bytes_.below(4) == 0)
            vmaf_vulkan_state_free(std::exchange(vulkan_state_, nullptr)); // contexts may have it
        break;
    case 1:
        if (vulkan_state_ != nullptr && opened.vmaf != nullptr && !opened.has_state)
            opened.has_state = vmaf_vulkan_import_state(opened.vmaf, vulkan_state_) == 0;
        break;
    case 2:
        if (vulkan_state_ != nullptr)
            vmaf_vulkan_state_check(vulkan_state_, static_cast<VmafVulkanCheck>(bytes_.below(4)));
        break;
    default:
        fetch(opened);
    }
}

void Client::fail_driver_calls()
{
    if (driver_ == nullptr) {
        constexpr int kVulkanResults[] = {-1, -2, -4, -3}; // no host memory, no device memory, lost, initialisation
        const unsigned long call = 1 + bytes_.below(12);
        vulkan_.heal(); // and counts calls from here on
        vulkan_.fail(call, bytes_.one_of(kVulkanResults), bytes_.below(4) == 0);
        return;
    }
    constexpr int kResults[] = {1, 2, 700, 719,
                                999}; // invalid value, out of memory, illegal address, launch failed, unknown
    const VmafDoubleFault fault{nullptr, 1 + bytes_.below(12), bytes_.below(3), bytes_.one_of(kResults),
                                bytes_.below(4) == 0};
    driver_->add_fault(&fault);
}

void Client::make_a_call()
{
    switch (bytes_.below(driver_ != nullptr || vulkan_.fail != nullptr ? 17 : 14)) {
    case 0:
        return open();
    case 1:
        return close(any_context());
    case 2: {
        Opened &opened = any_context();
        const char *const feature = bytes_.one_of(kFeatures);
        if (opened.vmaf != nullptr)
            vmaf_use_feature(opened.vmaf, feature, nullptr);
        return;
    }
    case 3: {
        VmafModel *&model = models_[bytes_.below(2)];
        if (model == nullptr)
            model = test::load_model("vmaf_v0.6.1", bytes_.below(2) == 0 ? "vmaf" : "other").release();
        Opened &opened = any_context();
        if (opened.vmaf != nullptr && model != nullptr)
            vmaf_use_features_from_model(opened.vmaf, model);
        return;
    }
    case 4:
        vmaf_import_feature_score(any_context().vmaf, bytes_.one_of(kOutputs), bytes_.byte(), frame());
        return;
    case 5:
    case 6:
    case 7:
        return make_picture();
    case 8:
    case 9:
        return read();
    case 10: {
        VmafPicture &picture = any_picture();
        if (picture.ref != nullptr)
            vmaf_picture_unref(&picture);
        picture = {};
        return;
    }
    case 11:
        if (bytes_.below(2) == 0)
            vmaf_read_pictures(any_context().vmaf, nullptr, nullptr, 0);
        else
            vmaf_append_segment(contexts_[0].vmaf, contexts_[1].vmaf, frame(), frame());
        return;
    case 12:
        return ask();
    case 13:
        return bytes_.below(2) == 0 ? read_shared() : fetch(any_context());
    case 14:
    case 15:
        return driver_ != nullptr ? use_cuda() : use_vulkan();
    default:
        return fail_driver_calls();
    }
}

} // namespace
} // namespace vmaf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t count)
{
    using namespace vmaf;
    fuzz::drop_log_lines();
    const VmafDoubleControl *const driver = test::loaded_driver_double();
    if (driver != nullptr)
        driver->reset();
    static const fuzz::FaultyVulkan vulkan;
    const long live_before = vulkan.live != nullptr ? vulkan.live() : 0;
    fuzz::Bytes bytes(data, count);
    {
        fuzz::Client client(bytes, driver, vulkan);
        for (unsigned call = 0; call < 200 && !bytes.at_end(); ++call)
            client.make_a_call();
    }
    if (driver != nullptr) {
        driver->heal();
        fuzz::require(driver->live_total() == 0, "nothing is left on the device");
        fuzz::require(driver->violations() == 0, "no call misuses the driver");
    }
    if (vulkan.live != nullptr) {
        vulkan.heal();
        fuzz::require(vulkan.live() == live_before, "nothing is left of Vulkan");
    }
    return 0;
}
