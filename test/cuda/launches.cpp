#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string>

#include "cuda/device_loan.h"
#include "cuda/driver_double/loaded_double.h"
#include "cuda/emulation/kernels.h"
#include "feature/cuda_backends.h"
#include "support/cuda_client.h"
#include "support/registry.h"

// Runs every feature that has kernels on the driver double, and what the engine itself launches.
// Writes a line for each launch: kernel, grid, block, bytes of shared memory, arguments. Addresses
// of device memory become the number of the allocation and the offset in it. Where an allocation is
// first used, its size and a checksum of what was uploaded follow. What is written must not depend
// on the operating system (test/windows/launches_test.py).
//
//   launches FILE

namespace vmaf::test {
namespace {

constexpr unsigned kFrames = 5;
constexpr std::size_t kMostSummed = std::size_t{1} << 20;

struct Format {
    unsigned bits;
    VmafPixelFormat pix_fmt;
};
constexpr Format kFormats[] = {
    {8, VMAF_PIX_FMT_YUV420P},  {10, VMAF_PIX_FMT_YUV420P}, {8, VMAF_PIX_FMT_YUV400P},
    {16, VMAF_PIX_FMT_YUV400P}, {8, VMAF_PIX_FMT_YUV444P},  {16, VMAF_PIX_FMT_YUV444P},
};

/// Options with which features launch other kernels than without.
struct Option {
    const char *feature, *name, *value;
};
constexpr Option kOptions[] = {
    {"float_vif", "vif_kernelscale", "0.5"}, {"float_vif", "vif_prescale", "0.5"}, {"float_ssim", "scale", "2"},
    {"cambi", "window_size", "63"},          {"cambi", "full_ref", "true"},        {"cvvdp", "transfer", "pq"},
    {"butteraugli", "transfer", "pq"},       {"ssimulacra2", "transfer", "pq"},
};

ClipSpec spec_of(const Format &format, unsigned width, unsigned height)
{
    return {"launches", width, height, format.bits, format.pix_fmt, kFrames, "", ""};
}

std::string text(const Format &format)
{
    constexpr const char *kNames[] = {"", "4:2:0", "4:2:2", "4:4:4", "4:0:0"};
    return ", " + std::to_string(format.bits) + " bits, " + kNames[format.pix_fmt];
}

Clip clip_of(const ClipSpec &spec)
{
    return Clip(spec, [&spec](Side side, unsigned frame, unsigned plane, unsigned x, unsigned y) {
        return ((3 * x + 5 * y + 17 * frame + 53 * plane) % 200 + (side == Side::dis ? 1 + (x ^ y) % 4 : 0))
               << (spec.bits - 8);
    });
}

void require_zero(int error, const std::string &what)
{
    if (error != 0)
        throw std::runtime_error(what + ": errno " + std::to_string(-error));
}

class Launches {
  public:
    explicit Launches(const char *path) : file_(path, std::ios::binary)
    {
        std::string why;
        client_ = CudaClient::open(why);
        if (driver_ == nullptr || client_ == nullptr)
            throw std::runtime_error("no driver double: " + why);
        for (const emulation::Kernel *kernel : emulation::every_kernel())
            kernels_[kernel->name] = kernel;
    }

    void all()
    {
        for (const Format &format : kFormats) {
            const ClipSpec spec = spec_of(format, 338, 222);
            for (const FeatureSpec *feature : scoring_features())
                if (find_cuda_backend(*feature) != nullptr &&
                    takes(*feature, {spec.pix_fmt, spec.bits, spec.width, spec.height}))
                    run(feature->name + text(format), spec,
                        [&](Context &context, const Clip &clip) { score(context, clip, feature->name); });
        }
        for (const Format &format : {kFormats[0], kFormats[1]}) {
            for (const Option &option : kOptions)
                run(option.feature + text(format) + ", " + option.name + '=' + option.value, spec_of(format, 338, 222),
                    [&](Context &context, const Clip &clip) {
                        VmafFeatureDictionary *options = nullptr;
                        require_zero(vmaf_feature_dictionary_set(&options, option.name, option.value), option.name);
                        score(context, clip, option.feature, options);
                    });
            lend(format, 64, 48);
            lend(format, 96, 80);
        }
        std::printf("%zu of %zu kernels were launched\n", launched_.size(), kernels_.size());
        if (!file_.flush())
            throw std::runtime_error("the file cannot be written");
    }

  private:
    template <class Session> void run(const std::string &what, const ClipSpec &spec, Session &&session)
    {
        driver_->reset();
        for (const auto &[name, kernel] : kernels_)
            driver_->on_kernel(name.c_str(), &kernel->param_bytes, 1, &Launches::note, this);
        seen_.clear();
        file_ << "== " << what << '\n';
        const Clip clip = clip_of(spec);
        Context context = open_context(0);
        require_zero(client_->attach(context.get(), spec, Feeding::device), what);
        driver_->set_time(VMAF_DOUBLE_ON_SYNCHRONISE, 0); // so that frames gather in batches
        session(context, clip);
        require_zero(vmaf_read_pictures(context.get(), nullptr, nullptr, 0), what);
        context.reset();
        driver_->set_time(VMAF_DOUBLE_AT_ONCE, 0);
        if (driver_->violations() > 0)
            throw std::runtime_error(what + ": " + driver_->violation(0));
    }

    void score(Context &context, const Clip &clip, const char *feature, VmafFeatureDictionary *options = nullptr)
    {
        require_zero(vmaf_use_feature(context.get(), feature, options), feature);
        for (unsigned frame = 0; frame < kFrames; ++frame)
            require_zero(client_->feed(context.get(), clip, frame, frame, Feeding::device), feature);
    }

    /// Pictures of a decoder: samples in the high bits, chroma in pairs, maybe another size than is
    /// scored; their sums over boxes.
    void lend(const Format &format, unsigned width, unsigned height)
    {
        const ClipSpec scored = spec_of(format, 96, 80), lent = spec_of(format, width, height);
        Lending lending{"", VMAF_PLANE_LAYOUT_SEMI_PLANAR, format.bits > 8 ? 16 - format.bits : 0, 3, 1};
        if (width != scored.width)
            lending = lending.scaled_to(scored);
        Loans loans;
        run("lent pictures" + text(format), scored, [&](Context &context, const Clip &) {
            const Clip clip = clip_of(lent);
            require_zero(vmaf_use_feature(context.get(), "psnr", nullptr), "psnr");
            VmafLumaBoxes *boxes = nullptr;
            require_zero(vmaf_luma_boxes_create(&boxes, context.get(), {4, 3, 2}, kFrames), "boxes");
            for (unsigned frame = 0; frame < kFrames; ++frame) {
                VmafPicture ref = wrapped(context, loans, clip, Side::ref, frame, lending);
                VmafPicture dis = wrapped(context, loans, clip, Side::dis, frame, lending);
                require_zero(vmaf_luma_boxes_add(boxes, &ref, 0, frame), "boxes");
                require_zero(vmaf_read_pictures(context.get(), &ref, &dis, frame), "psnr");
            }
            require_zero(vmaf_luma_boxes_destroy(boxes), "boxes");
        });
    }

    VmafPicture wrapped(Context &context, Loans &loans, const Clip &clip, Side side, unsigned frame,
                        const Lending &lending)
    {
        VmafPicture picture{};
        const Loan &loan = loans.add<DeviceLoan>(*client_, clip, side, frame, lending);
        require_zero(vmaf_picture_wrap(context.get(), &picture, &loan.foreign()), "vmaf_picture_wrap");
        return picture;
    }

    static void note(const VmafDoubleLaunch *launch, void *self) { static_cast<Launches *>(self)->note(*launch); }

    void note(const VmafDoubleLaunch &launch)
    {
        const emulation::Kernel &kernel = *kernels_.at(launch.name);
        const std::size_t bytes = kernel.param_bytes;
        kernel.clear_padding(launch.params[0]);
        launched_.insert(launch.name);
        file_ << launch.name;
        for (const unsigned *size : {launch.grid, launch.block})
            file_ << ' ' << size[0] << ',' << size[1] << ',' << size[2];
        file_ << ' ' << launch.shared_bytes << ' ' << bytes << ':';
        const auto *const params = static_cast<const unsigned char *>(launch.params[0]);
        for (std::size_t offset = 0; offset < bytes; offset += sizeof(std::uint64_t))
            note_word(params + offset, std::min(sizeof(std::uint64_t), bytes - offset));
        file_ << '\n';
    }

    void note_word(const unsigned char *bytes, std::size_t count)
    {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes, count);
        // An address may also be the end of an allocation: of a part without a byte.
        for (const std::uint64_t held : {word, word - 1})
            if (const auto *const byte = reinterpret_cast<const void *>(held); driver_->allocation_number(byte) != 0) {
                std::size_t size = 0;
                const auto *const start = static_cast<const unsigned char *>(driver_->allocation(byte, &size));
                file_ << " #" << driver_->allocation_number(byte) << '+'
                      << word - reinterpret_cast<std::uintptr_t>(start);
                if (seen_.insert(driver_->allocation_number(byte)).second)
                    file_ << '(' << size << ' ' << sum({start, std::min(size, kMostSummed)}) << ')';
                return;
            }
        char text[2 * sizeof word + 1];
        std::snprintf(text, sizeof text, "%0*llx", static_cast<int>(2 * count), static_cast<unsigned long long>(word));
        file_ << ' ' << text;
    }

    /// FNV-1a.
    static std::uint64_t sum(std::span<const unsigned char> bytes)
    {
        std::uint64_t sum = 0xcbf29ce484222325U;
        for (const unsigned char byte : bytes)
            sum = (sum ^ byte) * 0x100000001b3U;
        return sum;
    }

    const VmafDoubleControl *const driver_ = loaded_driver_double();
    std::unique_ptr<CudaClient> client_;
    std::ofstream file_;
    std::map<std::string, const emulation::Kernel *> kernels_;
    std::set<std::string> launched_;
    std::set<unsigned long> seen_; ///< allocations of the session
};

} // namespace
} // namespace vmaf::test

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    try {
        vmaf::test::Launches(argv[1]).all();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
