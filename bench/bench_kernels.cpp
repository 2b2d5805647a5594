// Time of the kernels of each feature with a CUDA backend, without the engine. Batches are queued
// one after another in a stream. Frames are in device memory, and those of a batch are together
// larger than the L2 cache if possible. One line for each case: us a frame (median of the runs,
// least and most in brackets). At the end lent surfaces: the time to make planar luma of P010, and
// planar chroma of NV12 and P010, of one picture a frame. To see single kernels, run it under
// Nsight Compute.
// usage: bench_kernels [--runs N] [--size WIDTHxHEIGHT] [--bpc N] [--batch N]
//                      [--case NAME|surfaces] [--option NAME=VALUE]
//   default: 5 runs, all of 576x324, 1920x1080, 3840x2160, 8 bit, batches of 1, 3 and 8; exit
//   status 77 without a GPU

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "content.h"
#include "cuda/device_pictures.h"
#include "engine/cuda/normaliser.h"
#include "feature/cuda_backends.h"

namespace vmaf::bench {
namespace {

using Clock = std::chrono::steady_clock;
using test::DevicePair;
using test::HostPlane;
using test::require;
using test::TestGpu;

struct Settings {
    unsigned runs = 5, bpc = 8, batch = 0; ///< batch 0: all
    std::string size, name;                ///< empty for all
    OptionDict options;                    ///< option of the case
};

constexpr unsigned kMostBpc = 16;

/// Both pictures of a frame at `bpc` bits. Bits below the clip's are zero.
class HostPair {
  public:
    HostPair(const Content &content, unsigned index, unsigned bpc)
    {
        for (const Frame *frame : {&content.ref[index], &content.dis[index]}) {
            const std::uint8_t *from = frame->data();
            for (unsigned plane = 0; plane < 3; from += content.plane_bytes(plane++)) {
                const unsigned width = content.plane_width(plane);
                planes_.push_back(HostPlane(width, content.plane_height(plane), bpc).fill([=](unsigned x, unsigned y) {
                    return unsigned{from[std::size_t{y} * width + x]} << (bpc - 8);
                }));
            }
        }
    }
    FramePlanes views() const
    {
        FramePlanes planes;
        for (unsigned plane = 0; plane < 3; ++plane) {
            planes.ref[plane] = planes_[plane].view();
            planes.dis[plane] = planes_[3 + plane].view();
        }
        return planes;
    }

  private:
    std::vector<HostPlane> planes_;
};

CudaBatch make_batch(const std::vector<DevicePair> &pairs, const CudaDeviceMemory &sums, std::size_t sums_bytes,
                     unsigned look_back, unsigned count)
{
    CudaBatch batch{};
    for (unsigned i = 0; i < count; ++i) {
        batch.frames[i] = pairs[i].frame();
        for (unsigned age = 1; age <= look_back; ++age)
            batch.frames[i].earlier[age - 1] = pairs[(i + look_back * pairs.size() - age) % pairs.size()].frame();
        batch.frames[i].sums = reinterpret_cast<void *>(sums.get() + i * sums_bytes);
    }
    batch.count = count;
    return batch;
}

double us_a_frame(const TestGpu &gpu, CudaExtractor &extractor, const CudaBatch &batch)
{
    constexpr double kSeconds = 0.15;
    const CudaDeviceMemory scratch = gpu.allocate(std::max<std::size_t>(extractor.scratch_bytes(), 1));
    const auto queue = [&](unsigned batches) {
        const Clock::time_point start = Clock::now();
        for (unsigned i = 0; i < batches; ++i)
            require(extractor.submit(gpu.stream(), batch, reinterpret_cast<unsigned char *>(scratch.get())), "submit");
        gpu.synchronize();
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    queue(2);
    const auto batches = static_cast<unsigned>(std::clamp(kSeconds * 10 / queue(10), 10.0, 5000.0));
    return 1e6 * queue(batches) / (batches * batch.count);
}

void run_case(const TestGpu &gpu, const Settings &settings, const CudaBackend &backend, const PictureFormat &format,
              const std::vector<DevicePair> &pairs)
{
    const FeatureSpec &spec = *backend.spec;
    const OptionValues options = require(OptionValues::parse(spec, settings.options), spec.name);
    const auto feature = spec.create(options);
    const std::vector<unsigned> counts =
        settings.batch == 0 ? std::vector<unsigned>{1, 3, kMaxBatchFrames} : std::vector<unsigned>{settings.batch};
    for (const unsigned count : counts) {
        const auto extractor = require(backend.make({gpu.context(), format, options, count}), spec.name);
        const CudaDeviceMemory sums = gpu.allocate(feature->sums_bytes() * count);
        require(cuda_status(gpu.driver().cuMemsetD8Async(sums.get(), 0, feature->sums_bytes() * count, gpu.stream())),
                "cuMemsetD8Async");
        const CudaBatch batch =
            make_batch(pairs, sums, feature->sums_bytes(), feature->window(format).look_back(), count);
        std::vector<double> times;
        for (unsigned run = 0; run < settings.runs; ++run)
            times.push_back(us_a_frame(gpu, *extractor, batch));
        std::ranges::sort(times);
        std::printf("%ux%u %u bit %-12s batch %u: %8.2f us a frame (%.2f..%.2f)\n", format.width, format.height,
                    format.bpc, spec.name, count, times[times.size() / 2], times.front(), times.back());
        std::fflush(stdout);
    }
}

struct Surface {
    const char *name;
    unsigned bpc, shift;
    bool luma, chroma;
};
constexpr Surface kSurfaces[] = {
    {"P010 luma", 10, 6, true, false}, {"P010", 10, 6, true, true}, {"NV12 chroma", 8, 0, false, true}};

/// Device memory for a plane of `rows` rows of `row_bytes` bytes, a stride apart.
struct SurfacePlane {
    SurfacePlane(const TestGpu &gpu, std::size_t row_bytes, unsigned rows)
        : stride((row_bytes + 511) / 512 * 512), memory(gpu.allocate(stride * rows))
    {
    }
    std::size_t stride;
    CudaDeviceMemory memory;
};

void run_surface(const TestGpu &gpu, const Settings &settings, const Surface &surface, unsigned width, unsigned height)
{
    constexpr unsigned kPictures = 8; // together larger than the L2 cache at 2160p
    constexpr unsigned kFrames = 2000;
    const std::size_t sample_bytes = surface.bpc > 8 ? 2 : 1;
    std::vector<SurfacePlane> planes;
    std::vector<std::vector<NormaliseJob>> jobs(kPictures);
    const auto add = [&](std::vector<NormaliseJob> &of, unsigned columns, unsigned rows, bool are_pairs) {
        NormaliseJob job{};
        planes.push_back({gpu, columns * sample_bytes * (are_pairs ? 2 : 1), rows});
        job.from = {reinterpret_cast<const unsigned char *>(planes.back().memory.get()),
                    static_cast<long long>(planes.back().stride)};
        for (unsigned i = 0; i < (are_pairs ? 2U : 1U); ++i) {
            planes.push_back({gpu, columns * sample_bytes, rows});
            job.to[i] = reinterpret_cast<unsigned char *>(planes.back().memory.get());
            job.to_stride_bytes = static_cast<long long>(planes.back().stride);
        }
        job.width_px = static_cast<int>(columns);
        job.height_px = static_cast<int>(rows);
        job.shift = surface.shift;
        job.are_pairs = are_pairs ? 1 : 0;
        of.push_back(job);
    };
    for (std::vector<NormaliseJob> &picture : jobs) {
        if (surface.luma)
            add(picture, width, height, false);
        if (surface.chroma)
            add(picture, width / 2, height / 2, true);
    }
    CudaNormaliser normaliser;
    std::vector<double> times;
    for (unsigned run = 0; run <= settings.runs; ++run) {
        const Clock::time_point start = Clock::now();
        for (unsigned frame = 0; frame < kFrames; ++frame) {
            for (const NormaliseJob &job : jobs[frame % kPictures])
                normaliser.add(job);
            require(normaliser.launch(gpu.context(), surface.bpc, gpu.stream()), "launch");
        }
        gpu.synchronize();
        if (run > 0) // the first launch loads the kernel
            times.push_back(1e6 * std::chrono::duration<double>(Clock::now() - start).count() / kFrames);
    }
    std::ranges::sort(times);
    std::printf("%ux%u %-12s %8.2f us a picture (%.2f..%.2f)\n", width, height, surface.name, times[times.size() / 2],
                times.front(), times.back());
    normaliser.close();
}

void run_size(const TestGpu &gpu, const Settings &settings, const char *clip, unsigned width, unsigned height)
{
    const std::string size = std::to_string(width) + "x" + std::to_string(height);
    if (!settings.size.empty() && settings.size != size)
        return;
    const Content content = make_content(clip, width, height);
    std::vector<DevicePair> pairs;
    for (unsigned i = 0; i < kMaxBatchFrames; ++i)
        pairs.emplace_back(gpu, HostPair(content, i % content.period(), settings.bpc).views());
    for (const CudaBackend *backend : cuda_backends())
        if (settings.name.empty() || settings.name == backend->spec->name)
            run_case(gpu, settings, *backend, {VMAF_PIX_FMT_YUV420P, settings.bpc, width, height}, pairs);
    for (const Surface &surface : kSurfaces)
        if (settings.name.empty() || settings.name == "surfaces")
            run_surface(gpu, settings, surface, width, height);
}

unsigned number(const std::string &text, unsigned least, unsigned most)
{
    return std::clamp(static_cast<unsigned>(std::strtoul(text.c_str(), nullptr, 10)), least, most);
}

Settings parse(int argc, char **argv)
{
    Settings settings;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string option = argv[i], value = argv[i + 1];
        if (option == "--runs")
            settings.runs = number(value, 1, 1000);
        else if (option == "--bpc")
            settings.bpc = number(value, 8, kMostBpc);
        else if (option == "--batch")
            settings.batch = number(value, 1, kMaxBatchFrames);
        else if (option == "--size")
            settings.size = value;
        else if (option == "--case")
            settings.name = value;
        else if (const std::size_t equals = value.find('='); option == "--option" && equals != std::string::npos)
            settings.options.set(value.substr(0, equals), value.substr(equals + 1));
        else
            throw std::runtime_error("unknown option " + option);
    }
    return settings;
}

} // namespace
} // namespace vmaf::bench

int main(int argc, char **argv)
try {
    using namespace vmaf::bench;
    const Settings settings = parse(argc, argv);
    const auto gpu = vmaf::test::TestGpu::open();
    if (!gpu)
        return 77;
    run_size(*gpu, settings, "tiles_640x360_8", 576, 324);
    run_size(*gpu, settings, "tiles_1920x1080_8", 1920, 1080);
    run_size(*gpu, settings, "tiles_3840x2160_10", 3840, 2160);
    return 0;
} catch (const std::exception &error) {
    std::fprintf(stderr, "bench_kernels: %s\n", error.what());
    return 1;
}
