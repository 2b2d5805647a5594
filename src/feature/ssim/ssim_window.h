#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "feature/common/picture_size.h"
#include "feature/ssim/ssim_loops.h"
#include "feature/ssim/ssim_rows.h"

namespace vmaf {

/// Values of an image: samples and their means are not negative; those of the low-pass filter can
/// be (spec ssim 3.5).
enum class SsimValues { not_negative, any };

/// Evaluates images (spec ssim 3.3). Keeps the last 11 rows of each plane that the window filter
/// needs.
class SsimWindow {
  public:
    SsimWindow(unsigned max_width_px, const SsimLoops &loops);

    /// Several images with one reference. Throws std::bad_alloc where it has not seen as many
    /// before.
    /// @param dis SsimRows of each image by its number. @param values of all images, and of `ref`.
    /// @param sums of each image.
    /// @param map gets the first one's value of each position, row by row; null: nobody wants them.
    template <class Images>
    void evaluate(SsimRows &ref, const Images &dis, PictureSize size, SsimValues values, std::span<SsimSums> sums,
                  float *map = nullptr)
    {
        begin(values, sums);
        for (unsigned y = 0; y < size.height_px; ++y) {
            const float *const ref_row = ref.row(y);
            for (std::size_t image = 0; image < sums.size(); ++image)
                filter_rows(ref_row, dis(image).row(y), image, y, size.width_px);
            if (y >= kSsimMargin)
                map = add_terms(y - kSsimMargin, size.width_px - kSsimMargin, sums, map);
        }
    }

  private:
    void make_room_for(std::size_t images);
    void begin(SsimValues values, std::span<SsimSums> sums);
    void filter(const float *const rows[kSsimTaps], unsigned plane, unsigned count, float *out);
    float *filtered_row(std::size_t image, unsigned plane, unsigned y);
    void filter_rows(const float *ref, const float *dis, std::size_t image, unsigned y, unsigned width_px);
    float *add_terms(unsigned y, unsigned count, std::span<SsimSums> sums, float *map);
    void add_terms(std::size_t image, unsigned y, unsigned count, SsimSums &sums);

    const SsimLoops &loops_;
    SsimValues values_{}; ///< of the images
    std::size_t stride_;
    AlignedBuffer<float> product_; ///< a row
    /// The last rows after the horizontal pass, by image and plane; those of the reference alone
    /// are the first image's.
    std::vector<AlignedBuffer<float>> filtered_;
    std::array<AlignedBuffer<float>, kSsimPlanes> moments_; ///< a row each, after the vertical pass
    std::array<AlignedBuffer<double>, 4> terms_;            ///< a row each: l, c, s, q
};

} // namespace vmaf
