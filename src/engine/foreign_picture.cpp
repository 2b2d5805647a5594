#include "engine/foreign_picture.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/checked_size.h"
#include "base/round_up.h"

namespace vmaf {
namespace {

thread_local DeferredReleases *g_current_scope = nullptr;

template <unsigned step, class Sample>
void normalise_row(const Sample *from, unsigned shift, unsigned width_px, Sample *to)
{
    for (unsigned x = 0; x < width_px; ++x)
        to[x] = static_cast<Sample>(from[std::size_t{x} * step] >> shift);
}

template <class Sample> void normalise_plane(const SampleSource &source, const PlaneView &to)
{
    for (unsigned y = 0; y < to.height_px; ++y) {
        const std::byte *row = source.data + source.stride_bytes * static_cast<std::ptrdiff_t>(y);
        const Sample *from = reinterpret_cast<const Sample *>(row) + source.first;
        auto *written = const_cast<Sample *>(to.row<Sample>(y)); // the memory is ours
        if (source.step == 1)
            normalise_row<1>(from, source.shift, to.width_px, written);
        else
            normalise_row<2>(from, source.shift, to.width_px, written);
    }
}

} // namespace

bool ForeignPicture::is_plain() const
{
    return std::all_of(std::begin(planes_.plane), std::end(planes_.plane),
                       [](const SampleSource &source) { return source.is_plain(); });
}

Status ForeignPicture::reserve(unsigned plane, NormalisedPlanes &memory)
{
    const std::lock_guard lock(mutex_);
    HostCopy &copy = copies_[plane];
    if (copy.memory)
        return {};
    constexpr std::size_t kAlignment = AlignedBuffer<std::byte>::kAlignment;
    PlaneView view{nullptr, 0, format_.plane_width(plane), format_.plane_height(plane), format_.bpc};
    const std::size_t stride = round_up(view.row_bytes(), kAlignment);
    const CheckedSize bytes = CheckedSize(stride) * view.height_px + kAlignment;
    if (!bytes.fits())
        return Status::error(ENOMEM);
    VMAF_TRY_ASSIGN(copy.memory, memory.take(bytes.value(), [&]() -> Result<NormalisedPlane> {
        return NormalisedPlane{bytes.value(), AlignedBuffer<std::byte>(bytes.value())};
    }));
    view.data = copy.memory->memory.data();
    view.stride_bytes = static_cast<std::ptrdiff_t>(stride);
    copy.view = view;
    return {};
}

PlaneView ForeignPicture::normalised(unsigned plane)
{
    const std::lock_guard lock(mutex_);
    return copies_[plane].view;
}

void ForeignPicture::normalise(unsigned plane)
{
    const std::lock_guard lock(mutex_);
    HostCopy &copy = copies_[plane];
    if (copy.is_written)
        return;
    if (format_.bpc > 8)
        normalise_plane<std::uint16_t>(planes_.plane[plane], copy.view);
    else
        normalise_plane<std::uint8_t>(planes_.plane[plane], copy.view);
    copy.is_written = true;
}

void ForeignPicture::give_back(std::unique_ptr<ForeignPicture> picture)
{
    if (g_current_scope != nullptr) {
        std::unique_ptr<ForeignPicture> &end = *g_current_scope->end_;
        end = std::move(picture);
        g_current_scope->end_ = &end->next_;
        return;
    }
    const auto release = picture->planes_.release;
    void *const opaque = picture->planes_.opaque;
    picture.reset();
    if (release != nullptr)
        release(opaque);
}

DeferredReleases::DeferredReleases() : outer_(std::exchange(g_current_scope, this)) {}

DeferredReleases::~DeferredReleases()
{
    g_current_scope = outer_;
    while (first_) {
        std::unique_ptr<ForeignPicture> next = std::move(first_->next_);
        ForeignPicture::give_back(std::move(first_));
        first_ = std::move(next);
    }
}

} // namespace vmaf
