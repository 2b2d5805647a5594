#include "feature/cambi/cambi_preprocess.h"

#include <algorithm>
#include <bit>

#include "base/log.h"

namespace vmaf {
namespace {

constexpr unsigned kMaskRows = 2 * kCambiMaskReach + 1;
constexpr unsigned kFlatRows = kMaskRows + 1; // one enters while one leaves

// The rows of rows_: two of samples, two that are converted but not smooth yet, and one of the
// picture's own width.
constexpr unsigned kConverted = 2, kWhole = 4, kRows = 5;
constexpr std::size_t kSumsMargin = AlignedBuffer<std::uint8_t>::kAlignment;
static_assert(kSumsMargin >= kCambiMaskReach);

PictureSize wider(const PictureFormat &format, const PictureSize &size)
{
    return {std::max(format.width, size.width_px), std::max(format.height, size.height_px)};
}

} // namespace

// Nearest neighbour by a running sum of floats. Rounding may carry it beyond the last sample.
std::vector<unsigned> cambi_source_positions(unsigned from, unsigned to)
{
    std::vector<unsigned> positions(to);
    const float step = static_cast<float>(from) / static_cast<float>(to);
    auto position = static_cast<float>(static_cast<double>(step / 2) - 0.5);
    for (unsigned &rounded : positions) {
        rounded = std::min(static_cast<unsigned>(static_cast<int>(static_cast<double>(position) + 0.5)), from - 1);
        position += step;
    }
    return positions;
}

unsigned cambi_mask_threshold(const PictureSize &size)
{
    const unsigned blocks = (size.width_px >> 6) * (size.height_px >> 6);
    const int log2 = blocks == 0 ? 0 : static_cast<int>(std::bit_width(blocks - 1));
    return static_cast<unsigned>((48 + 3 * (log2 - 11)) >> 1);
}

Status refuse_cambi_sample(unsigned frame_index, unsigned bpc, unsigned row, unsigned sample)
{
    log(LogLevel::error, "cambi: frame %u: luma sample %u in row %u, largest for %u bits is %u", frame_index, sample,
        row, bpc, (1U << bpc) - 1);
    return Status::error(EINVAL);
}

CambiPreprocessor::CambiPreprocessor(const PictureFormat &format, const PictureSize &size, CambiSmoothing smoothing,
                                     CambiResult result, const CambiLoops &loops)
    : loops_(loops), size_(size), smoothing_(smoothing), result_(result),
      mask_threshold_(static_cast<std::uint8_t>(cambi_mask_threshold(size))),
      rows_({wider(format, size).width_px, kRows}), flat_rows_({size.width_px, kFlatRows + 2}),
      flat_sums_(kSumsMargin + size.width_px + kCambiSlackPx)
{
    if (size.width_px != format.width || size.height_px != format.height) {
        source_columns_ = cambi_source_positions(format.width, size.width_px);
        source_rows_ = cambi_source_positions(format.height, size.height_px);
    }
    std::fill_n(flat_rows_.row(kFlatRows), size.width_px, std::uint8_t{0});
}

Status CambiPreprocessor::run(const PlaneView &luma, unsigned frame_index, CambiPicture &picture)
{
    VMAF_TRY(check_samples(luma, frame_index));
    std::fill_n(flat_sums_.data(), flat_sums_.size(), std::uint8_t{0});
    const unsigned height = size_.height_px;
    const std::uint16_t *row = make_sample_row(luma, 0, picture);
    for (unsigned y = 0; y < height + kCambiMaskReach; ++y) {
        const std::uint16_t *below = y + 1 < height ? make_sample_row(luma, y + 1, picture) : row;
        if (y < height) {
            loops_.flat_row(row, below, size_.width_px, flat_rows_.row(y % kFlatRows));
            if (result_ == CambiResult::halved && y % 2 == 0)
                loops_.halve_picture_row(row, size_.halved().width_px, picture.samples.row(y / 2));
        }
        slide_flat_sums(y);
        if (y >= kCambiMaskReach)
            make_mask_row(y - kCambiMaskReach, picture.mask);
        row = below;
    }
    return {};
}

Status CambiPreprocessor::check_samples(const PlaneView &luma, unsigned frame_index) const
{
    if (luma.bpc == 8 || luma.bpc == 16)
        return {};
    const unsigned peak = (1U << luma.bpc) - 1;
    for (unsigned y = 0; y < luma.height_px; ++y)
        if (const unsigned largest = loops_.largest_sample(luma.row<std::uint16_t>(y), luma.width_px); largest > peak)
            return refuse_cambi_sample(frame_index, luma.bpc, y, largest);
    return {};
}

void CambiPreprocessor::convert_row(const PlaneView &luma, unsigned y, std::uint16_t *converted)
{
    const bool resized = !source_columns_.empty();
    std::uint16_t *whole = resized ? rows_.row(kWhole) : converted;
    const unsigned source_y = resized ? source_rows_[y] : y;
    if (luma.bpc == 8)
        loops_.convert_row_8bit(luma.row<std::uint8_t>(source_y), luma.width_px, whole);
    else
        loops_.convert_row_16bit(luma.row<std::uint16_t>(source_y), luma.width_px, luma.bpc, whole);
    for (std::size_t x = 0; x < source_columns_.size(); ++x)
        converted[x] = whole[source_columns_[x]];
}

// Rows are asked for in order; the one before stays.
const std::uint16_t *CambiPreprocessor::make_sample_row(const PlaneView &luma, unsigned y, CambiPicture &picture)
{
    std::uint16_t *samples = result_ == CambiResult::halved ? rows_.row(y % 2) : picture.samples.row(y);
    if (smoothing_ == CambiSmoothing::off) {
        convert_row(luma, y, samples);
        return samples;
    }
    if (luma.bpc == 8 && source_rows_.empty()) {
        loops_.smooth_row_8bit(luma.row<std::uint8_t>(y), luma.row<std::uint8_t>(std::min(y + 1, size_.height_px - 1)),
                               size_.width_px, samples);
        return samples;
    }
    std::uint16_t *row = rows_.row(kConverted + y % 2), *below = rows_.row(kConverted + (y + 1) % 2);
    if (y == 0)
        convert_row(luma, 0, row);
    if (y + 1 < size_.height_px)
        convert_row(luma, y + 1, below);
    loops_.smooth_row(row, y + 1 < size_.height_px ? below : row, size_.width_px, samples);
    return samples;
}

// Row y enters the sums; behind the picture there are rows of zeros.
void CambiPreprocessor::slide_flat_sums(unsigned y)
{
    const std::uint8_t *zeros = flat_rows_.row(kFlatRows);
    loops_.slide_flat_sums(y < size_.height_px ? flat_rows_.row(y % kFlatRows) : zeros,
                           y < kMaskRows ? zeros : flat_rows_.row((y - kMaskRows) % kFlatRows), size_.width_px,
                           flat_sums_.data() + kSumsMargin);
}

void CambiPreprocessor::make_mask_row(unsigned y, CambiPlane<std::uint8_t> &mask)
{
    const std::uint8_t *sums = flat_sums_.data() + kSumsMargin;
    if (result_ == CambiResult::whole) {
        loops_.mask_row(sums, size_.width_px, mask_threshold_, mask.row(y));
    } else if (y % 2 == 0) {
        std::uint8_t *whole = flat_rows_.row(kFlatRows + 1);
        loops_.mask_row(sums, size_.width_px, mask_threshold_, whole);
        loops_.halve_mask_row(whole, size_.halved().width_px, mask.row(y / 2));
    }
}

} // namespace vmaf
