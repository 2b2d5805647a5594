#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "libvmaf/libvmaf_ext.h"
#include "support/clips.h"
#include "support/pages.h"

/// A client that lends its memory. It lays out the clips' samples as decoders do, and counts
/// releases.
namespace vmaf::test {

/// Layout of a plane's samples in lent memory.
struct Lending {
    const char *name;
    VmafPlaneLayout layout = VMAF_PLANE_LAYOUT_PLANAR;
    unsigned shift = 0;
    unsigned padding_samples = 0;                        ///< between two rows
    unsigned offset_samples = 0;                         ///< from an address that suits all vectors; in device memory
    unsigned scaled_w = 0, scaled_h = 0, scored_bpc = 0; ///< as in VmafForeignPicture

    /// Returns this lending for pictures that are scored at `bits` bits.
    Lending raised_to(unsigned bits) const
    {
        Lending raised = *this;
        raised.scored_bpc = bits;
        return raised;
    }
    /// Returns this lending for pictures that are scored in the size of `spec`.
    Lending scaled_to(const ClipSpec &spec) const
    {
        Lending scaled = *this;
        scaled.scaled_w = spec.width;
        scaled.scaled_h = spec.height;
        return scaled;
    }
};

/// A clip whose samples are shifted left to the depth of `spec`. `spec` must live as long.
inline Clip raised_clip(const Clip &clip, const ClipSpec &spec)
{
    const PictureFormat format = clip.format();
    return Clip(spec, [&](Side side, unsigned frame, unsigned plane, unsigned x, unsigned y) {
        if (x >= format.plane_width(plane) || y >= format.plane_height(plane)) // not part of a picture
            return 0U;
        const PlaneView view = clip.plane(side, frame, plane);
        const unsigned sample = view.bpc > 8 ? view.row<std::uint16_t>(y)[x] : view.row<std::uint8_t>(y)[x];
        return sample << (spec.bits - clip.spec().bits);
    });
}

/// A plane in memory, from its first sample to its last one.
struct PackedPlane {
    std::vector<std::byte> bytes;
    std::size_t stride = 0;
};

/// Planes of a clip's picture. Bits below the samples and the space between rows contain noise.
inline std::vector<PackedPlane> pack(const Clip &clip, Side side, unsigned frame, const Lending &lending)
{
    std::mt19937 random(frame);
    const PictureFormat format = clip.format();
    const bool pairs = lending.layout == VMAF_PLANE_LAYOUT_SEMI_PLANAR;
    const std::size_t sample = format.sample_bytes();
    std::vector<PackedPlane> planes(pairs ? 2 : format.plane_count());
    for (unsigned p = 0; p < planes.size(); ++p) {
        const unsigned width = format.plane_width(p), height = format.plane_height(p);
        const unsigned step = pairs && p > 0 ? 2 : 1;
        if (width == 0 || height == 0)
            continue;
        planes[p].stride = (std::size_t{width} * step + lending.padding_samples) * sample;
        planes[p].bytes.resize(planes[p].stride * (height - 1) + std::size_t{width} * step * sample);
        for (std::byte &byte : planes[p].bytes)
            byte = static_cast<std::byte>(random());
        for (unsigned which = 0; which < step; ++which) {
            const PlaneView from = clip.plane(side, frame, p + which);
            for (unsigned y = 0; y < height; ++y)
                for (unsigned x = 0; x < width; ++x) {
                    std::byte *to =
                        planes[p].bytes.data() + planes[p].stride * y + (std::size_t{x} * step + which) * sample;
                    if (sample == 1) {
                        *to = static_cast<std::byte>(from.row<std::uint8_t>(y)[x]);
                        continue;
                    }
                    const auto noise = static_cast<unsigned>(random()) & ((1U << lending.shift) - 1);
                    const auto value =
                        static_cast<std::uint16_t>(from.row<std::uint16_t>(y)[x] << lending.shift | noise);
                    std::memcpy(to, &value, sizeof value);
                }
        }
    }
    return planes;
}

/// Memory that ends at a page that nobody can touch, so a read behind it ends the program. Another
/// such page is before it.
class GuardedBytes {
  public:
    explicit GuardedBytes(const std::vector<std::byte> &bytes)
    {
        const std::size_t page = page_bytes();
        const std::size_t used = (bytes.size() + page - 1) / page * page;
        mapped_ = used + 2 * page;
        map_ = map_pages(mapped_);
        if (map_ == nullptr)
            std::abort();
        close_pages(map_, page);
        close_pages(map_ + page + used, page);
        data_ = map_ + page + used - bytes.size();
        std::copy(bytes.begin(), bytes.end(), data_);
    }
    ~GuardedBytes() { unmap_pages(map_, mapped_); }
    GuardedBytes(const GuardedBytes &) = delete;
    GuardedBytes &operator=(const GuardedBytes &) = delete;

    std::byte *data() const { return data_; }
    /// Makes the memory unusable.
    void take_away() { close_pages(map_, mapped_); }

  private:
    std::byte *map_ = nullptr, *data_ = nullptr;
    std::size_t mapped_ = 0;
};

/// Memory that is lent for one picture. Counts its releases.
class Loan {
  public:
    virtual ~Loan() = default;

    /// Argument for vmaf_picture_wrap().
    const VmafForeignPicture &foreign() const { return foreign_; }
    VmafForeignPicture &foreign() { return foreign_; }
    unsigned releases() const { return releases_; }

    /// Called by `release`, after the memory was made unusable.
    std::function<void()> on_release;

  protected:
    Loan(const Clip &clip, const Lending &lending)
    {
        const ClipSpec &spec = clip.spec();
        foreign_.struct_size = sizeof foreign_;
        foreign_.pix_fmt = spec.pix_fmt;
        foreign_.bpc = spec.bits;
        foreign_.shift = lending.shift;
        foreign_.w = spec.width;
        foreign_.h = spec.height;
        foreign_.layout = lending.layout;
        foreign_.scaled_w = lending.scaled_w;
        foreign_.scaled_h = lending.scaled_h;
        foreign_.scored_bpc = lending.scored_bpc;
        foreign_.release = [](void *loan) {
            auto &self = *static_cast<Loan *>(loan);
            self.take_away();
            ++self.releases_;
            if (self.on_release)
                self.on_release();
        };
        foreign_.opaque = this;
    }
    virtual void take_away() = 0;

  private:
    VmafForeignPicture foreign_{};
    std::atomic<unsigned> releases_{0};
};

/// A loan in host memory.
class HostLoan final : public Loan {
  public:
    HostLoan(const Clip &clip, Side side, unsigned frame, const Lending &lending) : Loan(clip, lending)
    {
        for (const PackedPlane &plane : pack(clip, side, frame, lending)) {
            foreign().stride[planes_.size()] = static_cast<std::ptrdiff_t>(plane.stride);
            planes_.emplace_back(plane.bytes);
            foreign().data[planes_.size() - 1] = planes_.back().data();
        }
    }

  private:
    void take_away() override
    {
        for (GuardedBytes &plane : planes_)
            plane.take_away();
    }

    std::deque<GuardedBytes> planes_;
};

/// All loans of a client.
class Loans {
  public:
    template <class Made, class... Arguments> Loan &add(Arguments &&...arguments)
    {
        loans_.push_back(std::make_unique<Made>(std::forward<Arguments>(arguments)...));
        return *loans_.back();
    }
    /// Wraps a clip's picture in host memory.
    int wrap(VmafContext *vmaf, VmafPicture &picture, const Clip &clip, Side side, unsigned frame,
             const Lending &lending)
    {
        return vmaf_picture_wrap(vmaf, &picture, &add<HostLoan>(clip, side, frame, lending).foreign());
    }

    std::size_t count() const { return loans_.size(); }
    /// Number of loans that were released exactly `times` times.
    std::size_t released(unsigned times) const
    {
        std::size_t found = 0;
        for (const std::unique_ptr<Loan> &loan : loans_)
            found += loan->releases() == times ? 1 : 0;
        return found;
    }
    bool all_released_once() const { return released(1) == count(); }
    Loan &operator[](std::size_t i) { return *loans_[i]; }

  private:
    std::deque<std::unique_ptr<Loan>> loans_;
};

/// Whether `call` returns on another thread and gives true, so the caller holds no lock that it
/// needs.
template <class Call> bool gets_through(Call call)
{
    auto result = std::make_shared<std::promise<bool>>();
    std::future<bool> answer = result->get_future();
    std::thread([call = std::move(call), result] { result->set_value(call()); }).detach();
    return answer.wait_for(std::chrono::seconds(30)) == std::future_status::ready && answer.get();
}

/// Ways to lend pictures of that depth. The plain one comes first.
inline std::vector<Lending> lendings(unsigned bpc, bool has_chroma)
{
    constexpr VmafPlaneLayout kPlanar = VMAF_PLANE_LAYOUT_PLANAR, kPairs = VMAF_PLANE_LAYOUT_SEMI_PLANAR;
    std::vector<Lending> list{{"planar", kPlanar}, {"planar_with_odd_strides", kPlanar, 0, 3, 1}};
    const unsigned most = bpc > 8 ? 16 - bpc : 0;
    if (most > 0) {
        list.push_back({"planar_in_high_bits", kPlanar, most, 5, 3});
        list.push_back({"planar_shifted_by_one", kPlanar, 1});
    }
    if (!has_chroma)
        return list;
    list.push_back({"semi_planar", kPairs});
    list.push_back({"semi_planar_with_odd_strides", kPairs, 0, 1, 5});
    if (most > 0)
        list.push_back({"semi_planar_in_high_bits", kPairs, most, 7, 1});
    return list;
}

} // namespace vmaf::test
