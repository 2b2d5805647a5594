#include "cuda/driver_sessions/fixture.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "feature/cuda_backends.h"
#include "support/registry.h"

// Extreme sizes: pools that do not fit into memory, pictures that CUDA backends refuse, and planes
// without area (spec cuda 5, abi 3.2).

namespace vmaf::test {
namespace {

using Method = VmafCudaPicturePreallocationMethod;

constexpr Method kMethods[] = {VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE,
                               VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST,
                               VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED};
constexpr VmafPixelFormat kFormats[] = {VMAF_PIX_FMT_YUV400P, VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P,
                                        VMAF_PIX_FMT_YUV444P};

class PoolSizes : public DriverSessions {
  protected:
    void SetUp() override
    {
        DriverSessions::SetUp();
        context_ =
            open_on_device({VMAF_PIX_FMT_YUV400P, 8, 16, 16}, Feeding::plain_host, logging_at(VMAF_LOG_LEVEL_ERROR));
        ASSERT_TRUE(context_);
    }
    void TearDown() override
    {
        context_.reset();
        DriverSessions::TearDown();
    }

    int preallocate(const PictureFormat &format, Method method) const
    {
        VmafCudaPictureConfiguration pool{};
        pool.pic_params.w = format.width;
        pool.pic_params.h = format.height;
        pool.pic_params.bpc = format.bpc;
        pool.pic_params.pix_fmt = format.pix_fmt;
        pool.pic_prealloc_method = method;
        return vmaf_cuda_preallocate_pictures(context_.get(), pool);
    }

    /// Expects -ENOMEM, one line that names the size, and no driver call.
    void expect_refused(const PictureFormat &format, Method method) const
    {
        const std::string size = std::to_string(format.width) + "x" + std::to_string(format.height);
        const unsigned long calls = driver_->calls();
        const std::vector<std::string> lines = log_of([&] { EXPECT_EQ(preallocate(format, method), -ENOMEM); });
        EXPECT_EQ(driver_->calls(), calls);
        EXPECT_EQ(lines.size(), 1U);
        const std::vector<std::string> errors = lines_at("ERROR", lines);
        ASSERT_EQ(errors.size(), 1U) << size << ", " << format.bpc << " bits, format " << format.pix_fmt << ", method "
                                     << method;
        EXPECT_NE(errors[0].find(size), std::string::npos) << errors[0];
    }

    /// Copies or touches the first and the last sample of every plane. The double and the
    /// sanitizers know where memory ends.
    void expect_planes_in_memory(const VmafPicture &picture, const PictureFormat &format, Method method) const
    {
        for (unsigned plane = 0; plane < format.plane_count(); ++plane) {
            EXPECT_EQ(picture.w[plane], format.plane_width(plane));
            EXPECT_EQ(picture.h[plane], format.plane_height(plane));
            if (picture.w[plane] == 0 || picture.h[plane] == 0)
                continue;
            const std::size_t last_row = picture.h[plane] - std::size_t{1};
            const std::size_t row_bytes = picture.w[plane] * format.sample_bytes();
            EXPECT_LE(row_bytes, static_cast<std::size_t>(picture.stride[plane]));
            auto *const first = static_cast<unsigned char *>(picture.data[plane]);
            for (const std::size_t offset :
                 {std::size_t{0}, last_row * static_cast<std::size_t>(picture.stride[plane]) + row_bytes - 1}) {
                unsigned char byte = 1;
                if (method != VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE) {
                    first[offset] = byte;
                    continue;
                }
                client_->cuda().cuCtxPushCurrent(client_->context());
                EXPECT_EQ(client_->cuda().cuMemcpyHtoD(reinterpret_cast<CUdeviceptr>(first + offset), &byte, 1),
                          CUDA_SUCCESS);
                client_->cuda().cuCtxPopCurrent(nullptr);
            }
        }
    }

    /// All pictures that a client can hold at once.
    void expect_right_pictures(const PictureFormat &format, Method method) const
    {
        std::vector<VmafPicture> held(16);
        for (VmafPicture &picture : held) {
            ASSERT_EQ(vmaf_cuda_fetch_preallocated_picture(context_.get(), &picture), 0);
            expect_planes_in_memory(picture, format, method);
        }
        for (VmafPicture &picture : held)
            EXPECT_EQ(vmaf_picture_unref(&picture), 0);
    }

    Context context_;
};

TEST_F(PoolSizes, FourTimesAPictureThatWrapsAroundIsEnomemInOneLineWithoutTheDriver)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV400P, 8, 1U << 31, (1U << 31) + 1}; // 2^62 + 2^31 bytes
    expect_refused(format, VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE);
}

TEST_F(PoolSizes, BeyondAnyMemoryAreEnomemInOneLineWithoutTheDriver)
{
    constexpr std::pair<unsigned, unsigned> kSizes[] = {{UINT32_MAX, UINT32_MAX},   {UINT32_MAX, 1},
                                                        {1U << 31, 1U << 31},       {UINT32_MAX - 1, UINT32_MAX},
                                                        {1U << 31, (1U << 31) + 1}, {UINT32_MAX - 32, UINT32_MAX},
                                                        {3U << 30, 3U << 30}};
    for (const auto &[width, height] : kSizes)
        for (const VmafPixelFormat pix_fmt : kFormats)
            for (const unsigned bpc : {8U, 16U})
                for (const Method method : kMethods)
                    expect_refused({pix_fmt, bpc, width, height}, method);
    VmafPicture none{};
    EXPECT_EQ(vmaf_cuda_fetch_preallocated_picture(context_.get(), &none), -EINVAL) << "there is no pool";
}

TEST_F(PoolSizes, BeyondTheDevicesMemoryAreEnomemAndASmallerPoolFits)
{
    VmafDoubleDevice small_device = kDevice;
    small_device.bytes = std::size_t{6} << 30; // more than one picture of 4 GiB
    context_.reset();
    set_devices({small_device});
    open_client();
    context_ = open_on_device({VMAF_PIX_FMT_YUV400P, 8, 16, 16}, Feeding::plain_host);
    for (const auto &[width, height] :
         {std::pair{1U << 31, 2U}, {2U, 1U << 31}, {1U << 16, 1U << 16}, {1U << 20, 1U << 20}})
        for (const VmafPixelFormat pix_fmt : kFormats)
            for (const unsigned bpc : {8U, 16U})
                EXPECT_EQ(preallocate({pix_fmt, bpc, width, height}, VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE),
                          -ENOMEM)
                    << width << "x" << height << ", " << bpc << " bits, format " << pix_fmt;
    const PictureFormat small{VMAF_PIX_FMT_YUV420P, 8, 64, 64};
    ASSERT_EQ(preallocate(small, VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE), 0);
    expect_right_pictures(small, VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE);
}

TEST_F(PoolSizes, OfAllShapesKeepTheirPlanesInsideTheirMemory)
{
    constexpr std::pair<unsigned, unsigned> kSizes[] = {{1, 1},   {1, 16}, {16, 1},    {2, 3},     {31, 33},
                                                        {33, 31}, {32, 1}, {255, 257}, {65537, 2}, {3, 65537}};
    for (const auto &[width, height] : kSizes)
        for (const VmafPixelFormat pix_fmt : kFormats)
            for (const unsigned bpc : {8U, 16U})
                for (const Method method : kMethods) {
                    const PictureFormat format{pix_fmt, bpc, width, height};
                    ASSERT_EQ(preallocate(format, method), 0);
                    expect_right_pictures(format, method);
                    ASSERT_FALSE(HasFailure()) << width << "x" << height << ", " << bpc << " bits, format " << pix_fmt
                                               << ", method " << method;
                }
}

TEST_F(PoolSizes, PlanesWithoutAreaHaveNoData)
{
    for (const VmafPixelFormat pix_fmt : {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P})
        for (const auto &[width, height] : {std::pair{1U, 1U}, {1U, 16U}, {16U, 1U}})
            for (const unsigned bpc : {8U, 10U}) {
                const PictureFormat format{pix_fmt, bpc, width, height};
                ASSERT_EQ(preallocate(format, VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE), 0);
                VmafPicture picture{};
                ASSERT_EQ(vmaf_cuda_fetch_preallocated_picture(context_.get(), &picture), 0);
                for (unsigned plane = 0; plane < 3; ++plane)
                    EXPECT_EQ(picture.data[plane] == nullptr,
                              format.plane_width(plane) == 0 || format.plane_height(plane) == 0)
                        << width << "x" << height << ", format " << pix_fmt << ", plane " << plane;
                EXPECT_EQ(vmaf_picture_unref(&picture), 0);
            }
}

class PictureSizes : public DriverSessions {
  protected:
    /// Reads one pair of pictures with black luma.
    int read_black(VmafContext *vmaf, const PictureFormat &format, Feeding feeding) const
    {
        VmafPicture pair[2] = {};
        int error = 0;
        for (VmafPicture &picture : pair)
            if (error == 0)
                error = feeding == Feeding::plain_host
                            ? vmaf_picture_alloc(&picture, format.pix_fmt, format.bpc, format.width, format.height)
                            : vmaf_cuda_fetch_preallocated_picture(vmaf, &picture);
        EXPECT_EQ(error, 0);
        for (const VmafPicture &picture : pair)
            blacken(picture, format, feeding);
        driver_->mark();
        works_before_ = driver_->works();
        error = vmaf_read_pictures(vmaf, &pair[0], &pair[1], 0);
        for (VmafPicture &picture : pair) {
            EXPECT_EQ(picture.ref != nullptr, error != 0);
            vmaf_picture_unref(&picture);
        }
        return error;
    }

    mutable unsigned long works_before_ = 0; ///< number of pieces of work before the read

  private:
    void blacken(const VmafPicture &picture, const PictureFormat &format, Feeding feeding) const
    {
        const std::size_t bytes = static_cast<std::size_t>(picture.stride[0]) * (picture.h[0] - std::size_t{1}) +
                                  picture.w[0] * format.sample_bytes();
        if (feeding != Feeding::device) {
            std::memset(picture.data[0], 0, bytes);
            return;
        }
        client_->cuda().cuCtxPushCurrent(client_->context());
        EXPECT_EQ(client_->cuda().cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(picture.data[0]), 0, bytes, nullptr),
                  CUDA_SUCCESS);
        client_->cuda().cuCtxPopCurrent(nullptr);
    }
};

/// A backend, and the short side of the long pictures that its feature accepts.
struct LongPictures {
    const CudaBackend *backend;
    unsigned side;
};

/// Lists every feature that accepts pictures of 16384 rows, with the smallest width that was tried.
/// Widths differ: cambi's window, for example, grows with the size (spec cambi 3.1).
std::vector<LongPictures> long_pictures()
{
    std::vector<LongPictures> list;
    for (const CudaBackend *backend : cuda_backends()) {
        unsigned side = 16;
        while (side <= 1024 && !takes(*backend->spec, {VMAF_PIX_FMT_YUV420P, 8, side, 16384}))
            side *= 2;
        if (side <= 1024)
            list.push_back({backend, side});
    }
    return list;
}

TEST_F(PictureSizes, BeyondWhatABackendTakesAreRefusedByTheFirstReadBeforeAnyWork)
{
    struct Size {
        unsigned width, height;
        const char *limit;
    };
    for (const auto &[backend, side] : long_pictures())
        for (const Size &size :
             {Size{side, 600000, "65535x65535"}, {side, 16385, "16384x16384"}, {16385, side, "16384x16384"}})
            for (const Feeding feeding : {Feeding::plain_host, Feeding::device}) {
                const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, size.width, size.height};
                const std::string size_text = std::to_string(size.width) + "x" + std::to_string(size.height);
                const Context context = open_on_device(format, feeding, logging_at(VMAF_LOG_LEVEL_ERROR));
                ASSERT_EQ(use_feature(context.get(), backend->spec->name), 0);
                const std::vector<std::string> errors =
                    lines_at("ERROR", log_of([&] { EXPECT_EQ(read_black(context.get(), format, feeding), -EINVAL); }));
                ASSERT_EQ(errors.size(), 1U) << backend->spec->name << " " << size_text;
                for (const std::string &said : {std::string(backend->spec->name), size_text, std::string(size.limit)})
                    EXPECT_NE(errors[0].find(said), std::string::npos) << errors[0] << " lacks " << said;
                EXPECT_EQ(driver_->works(), works_before_);
                for (int kind = 0; kind < VMAF_DOUBLE_KINDS; ++kind)
                    EXPECT_EQ(driver_->made(static_cast<VmafDoubleKind>(kind)), 0U) << kind;
            }
}

TEST_F(PictureSizes, UpToWhatABackendTakesAreRead)
{
    driver_->reset(); // the kernels do nothing
    for (const auto &[backend, side] : long_pictures())
        for (const auto &[width, height] : {std::pair{side, 16384U}, {16384U, side}})
            for (const Feeding feeding : {Feeding::plain_host, Feeding::device}) {
                const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, width, height};
                const Context context = open_on_device(format, feeding);
                ASSERT_EQ(use_feature(context.get(), backend->spec->name), 0);
                EXPECT_EQ(read_black(context.get(), format, feeding), 0) << backend->spec->name << " " << width;
                EXPECT_EQ(flush(context.get()), 0);
            }
}

// The formats have chroma and the pictures do not. Nothing copies or reads it.
TEST_F(PictureSizes, OfOneRowOrColumnAreScoredWithoutTheChromaThatTheyLack)
{
    for (const Feeding feeding : {Feeding::plain_host, Feeding::pinned_host, Feeding::device})
        for (const VmafPixelFormat pix_fmt : {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P})
            for (const auto &[width, height] : {std::pair{1U, 1U}, {1U, 16U}, {16U, 1U}}) {
                const PictureFormat format{pix_fmt, 8, width, height};
                const Context context = open_on_device(format, feeding, on_cpu_unless_demanded());
                ASSERT_EQ(use_feature(context.get(), "psnr_cuda"), 0);
                ASSERT_EQ(use_feature(context.get(), "float_psnr"), 0); // on the CPU
                EXPECT_EQ(read_black(context.get(), format, feeding), 0);
                EXPECT_EQ(flush(context.get()), 0);
                EXPECT_EQ(scores_of(context.get(), "psnr_y", 0, 1)[0], 60) << "spec psnr 3: the cap of 8 bits";
                const std::size_t luma = std::size_t{width} * height;
                const std::size_t chroma = std::size_t{format.plane_width(1)} * format.plane_height(1);
                for (const RanWork &copy : work_named(*driver_, "cuMemcpy2DAsync_v2"))
                    EXPECT_TRUE(copy.bytes == luma || (copy.bytes == chroma && chroma > 0)) << copy.bytes;
                driver_->reset();
                emulate_kernels(*driver_);
            }
}

} // namespace
} // namespace vmaf::test
