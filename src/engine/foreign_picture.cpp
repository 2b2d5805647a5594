#include "engine/foreign_picture.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

#include "base/checked_size.h"
#include "base/round_up.h"
#include "engine/scale_loops.h"

namespace vmaf {
namespace {

thread_local DeferredReleases *g_current_scope = nullptr;

template <unsigned step, class Stored, class Sample>
void normalise_row(const Stored *from, unsigned shift, unsigned raise, unsigned width_px, Sample *to)
{
    for (unsigned x = 0; x < width_px; ++x)
        to[x] = static_cast<Sample>(static_cast<unsigned>(from[std::size_t{x} * step]) >> shift << raise);
}

template <class Stored, class Sample>
void normalise_row(const SampleSource &source, unsigned y, unsigned width_px, Sample *to)
{
    const std::byte *row = source.data + source.stride_bytes * static_cast<std::ptrdiff_t>(y);
    const Stored *from = reinterpret_cast<const Stored *>(row) + source.first;
    if (source.step == 1)
        normalise_row<1>(from, source.shift, source.raise, width_px, to);
    else
        normalise_row<2>(from, source.shift, source.raise, width_px, to);
}

template <class Sample> Sample *row_to_write(const PlaneView &plane, unsigned y)
{
    return const_cast<Sample *>(plane.row<Sample>(y)); // the memory is ours
}

template <class Stored, class Sample> void normalise_plane(const SampleSource &source, const PlaneView &to)
{
    for (unsigned y = 0; y < to.height_px; ++y)
        normalise_row<Stored>(source, y, to.width_px, row_to_write<Sample>(to, y));
}

/// Memory to scale a plane: one of its rows, and as many horizontally scaled rows as one row of the
/// result needs.
struct ScaleScratch {
    explicit ScaleScratch(const PlaneScaling &scaling) : scaling_(scaling) {}

    CheckedSize bytes() const
    {
        return CheckedSize(scaling_.down.taps) * scaling_.across.to_px * sizeof(std::int32_t) + ring_offset();
    }
    std::size_t ring_offset() const
    {
        return round_up(scaling_.across.from_px * sizeof(std::uint16_t), sizeof(std::int32_t));
    }

  private:
    const PlaneScaling &scaling_;
};

template <class Sample> struct ScaleLoopsOf;
template <> struct ScaleLoopsOf<std::uint8_t> {
    static constexpr auto kAcross = &ScaleLoops::across_8bit;
    static constexpr auto kDown = &ScaleLoops::down_8bit;
};
template <> struct ScaleLoopsOf<std::uint16_t> {
    static constexpr auto kAcross = &ScaleLoops::across_16bit;
    static constexpr auto kDown = &ScaleLoops::down_16bit;
};

// spec device_pictures 3
template <class Stored, class Sample>
void scale_plane(const SampleSource &source, const PlaneView &to, std::byte *scratch)
{
    const ScaleLoops &loops = select_kScaleLoops(cpu_target(cpu_mask()));
    const ScaleFilter &across = source.scaling->across, &down = source.scaling->down;
    auto *const row = reinterpret_cast<Sample *>(scratch);
    auto *const between = reinterpret_cast<std::int32_t *>(scratch + ScaleScratch(*source.scaling).ring_offset());
    unsigned made = 0;
    for (unsigned y = 0; y < to.height_px; ++y) {
        const auto first = static_cast<unsigned>(down.first[y]);
        for (; made < first + down.taps; ++made) {
            normalise_row<Stored>(source, made, across.from_px, row);
            (loops.*ScaleLoopsOf<Sample>::kAcross)(row, across.first.data(), across.weights.data(), across.taps,
                                                   to.width_px, between + std::size_t{made % down.taps} * to.width_px);
        }
        (loops.*ScaleLoopsOf<Sample>::kDown)(between, first, down.weights.data() + std::size_t{y} * down.taps,
                                             down.taps, (1U << to.bpc) - 1, to.width_px, row_to_write<Sample>(to, y));
    }
}

template <class Stored, class Sample>
void write_plane(const SampleSource &source, const PlaneView &to, std::byte *scratch)
{
    if (source.scaling)
        scale_plane<Stored, Sample>(source, to, scratch);
    else
        normalise_plane<Stored, Sample>(source, to);
}

void write_plane(const SampleSource &source, const PlaneView &to, std::byte *scratch)
{
    if (to.bpc == 8)
        write_plane<std::uint8_t, std::uint8_t>(source, to, scratch);
    else if (source.stored_bytes(to.bpc) == 1)
        write_plane<std::uint8_t, std::uint16_t>(source, to, scratch);
    else
        write_plane<std::uint16_t, std::uint16_t>(source, to, scratch);
}

} // namespace

void copy_samples(const SampleSource &source, const PlaneView &to)
{
    const CheckedSize scratch_bytes = source.scaling ? ScaleScratch(*source.scaling).bytes() : CheckedSize(0);
    if (!scratch_bytes.fits())
        throw std::bad_alloc();
    AlignedBuffer<std::byte> scratch(scratch_bytes.value());
    write_plane(source, to, scratch.data());
}

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
    const auto take = [&](CheckedSize bytes) -> Result<NormalisedPlanes::Lease> {
        if (!bytes.fits())
            return Status::error(ENOMEM);
        return memory.take(bytes.value(), [&]() -> Result<NormalisedPlane> {
            return NormalisedPlane{bytes.value(), AlignedBuffer<std::byte>(bytes.value())};
        });
    };
    PlaneView view{nullptr, 0, format_.plane_width(plane), format_.plane_height(plane), format_.bpc};
    const std::size_t stride = round_up(view.row_bytes(), kAlignment);
    if (const SampleSource &source = planes_.plane[plane]; source.scaling) {
        VMAF_TRY_ASSIGN(copy.scratch, take(ScaleScratch(*source.scaling).bytes()));
    }
    VMAF_TRY_ASSIGN(copy.memory, take(CheckedSize(stride) * view.height_px + kAlignment));
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
    write_plane(planes_.plane[plane], copy.view, copy.scratch ? copy.scratch->memory.data() : nullptr);
    copy.scratch = {};
    copy.is_written = true;
}

void ForeignPicture::add_use(const std::shared_ptr<PictureUse> &use)
{
    const std::lock_guard lock(mutex_);
    uses_.push_back(use);
}

/// Nobody else has the picture any more.
void ForeignPicture::wait_for_uses() const
{
    for (const std::weak_ptr<PictureUse> &use : uses_)
        if (const std::shared_ptr<PictureUse> kept = use.lock())
            kept->wait();
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
    picture->wait_for_uses();
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
