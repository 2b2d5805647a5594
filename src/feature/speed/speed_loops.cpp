#include "feature/speed/speed_loops.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

// All converted values and their differences are exact, so the integers may be subtracted instead.
void difference_8bit(const std::uint8_t *__restrict minuend, const std::uint8_t *__restrict subtrahend,
                     unsigned width_px, float *__restrict out)
{
    for (unsigned x = 0; x < width_px; ++x)
        out[x] = static_cast<float>(minuend[x] - subtrahend[x]);
}

void difference_16bit(const std::uint16_t *__restrict minuend, const std::uint16_t *__restrict subtrahend, float scale,
                      unsigned width_px, float *__restrict out)
{
    for (unsigned x = 0; x < width_px; ++x)
        out[x] = static_cast<float>(minuend[x] - subtrahend[x]) * scale;
}

template <class Sample>
void add_samples(const Sample *__restrict samples, float scale, float tap, unsigned width_px, float *__restrict out)
{
    for (unsigned x = 0; x < width_px; ++x)
        out[x] += tap * (static_cast<float>(samples[x]) * scale - 128.0F);
}

void add_row(const float *__restrict row, float tap, unsigned width_px, float *__restrict out)
{
    for (unsigned x = 0; x < width_px; ++x)
        out[x] += tap * row[x];
}

template <unsigned Step>
void filter(const float *__restrict row, const float *__restrict taps, unsigned tap_count, unsigned width_px,
            float *__restrict out)
{
    for (unsigned x = 0; x < width_px; ++x)
        out[x] = 0;
    for (unsigned k = 0; k < tap_count; ++k)
        for (unsigned x = 0; x < width_px; ++x)
            out[x] += taps[k] * row[Step * x + k];
}

void subtract_from(const float *__restrict minuend, unsigned width_px, float *__restrict out)
{
    for (unsigned x = 0; x < width_px; ++x)
        out[x] = minuend[x] - out[x];
}

// Eight neighbouring samples at a time, of which five belong to the window's row.
void add_windows(const float *__restrict samples, std::size_t stride, unsigned count, float *__restrict sums)
{
    static_assert(kSpeedOverread >= kSpeedBlock);
    for (unsigned i = 0; i < kSpeedBlock; ++i) {
        const float *row = samples + i * stride;
        float sum[kSpeedOverread] = {};
        for (unsigned j = 0; j < kSpeedBlock; ++j)
            sum[j] = sums[kSpeedBlock * i + j];
        for (unsigned x = 0; x < count; ++x)
            for (unsigned j = 0; j < kSpeedOverread; ++j)
                sum[j] += row[x + j];
        for (unsigned j = 0; j < kSpeedBlock; ++j)
            sums[kSpeedBlock * i + j] = sum[j];
    }
}

void centre_windows(const float *__restrict samples, std::size_t stride, unsigned count, const float *__restrict means,
                    double (*__restrict centred)[kSpeedLanes])
{
    for (unsigned x = 0; x < count; ++x) {
        for (unsigned i = 0; i < kSpeedBlock; ++i)
            for (unsigned j = 0; j < kSpeedBlock; ++j)
                centred[x][kSpeedBlock * i + j] =
                    static_cast<double>(samples[i * stride + x + j]) - static_cast<double>(means[kSpeedBlock * i + j]);
        for (unsigned p = kSpeedDimension; p < kSpeedLanes; ++p)
            centred[x][p] = 0;
    }
}

// So many sums stay in registers.
constexpr unsigned kTileRows = 4;
constexpr unsigned kTileColumns = 8;

void add_tile(const double (*__restrict centred)[kSpeedLanes], unsigned count, unsigned p, unsigned q,
              double (*__restrict products)[kSpeedLanes])
{
    double sum[kTileRows][kTileColumns];
    for (unsigned a = 0; a < kTileRows; ++a)
        for (unsigned b = 0; b < kTileColumns; ++b)
            sum[a][b] = products[p + a][q + b];
    for (unsigned x = 0; x < count; ++x)
        for (unsigned a = 0; a < kTileRows; ++a)
            for (unsigned b = 0; b < kTileColumns; ++b)
                sum[a][b] += centred[x][p + a] * centred[x][q + b];
    for (unsigned a = 0; a < kTileRows; ++a)
        for (unsigned b = 0; b < kTileColumns; ++b)
            products[p + a][q + b] = sum[a][b];
}

// The products with the last element, which would leave all but one column of their tiles empty.
void add_last_column(const double (*__restrict centred)[kSpeedLanes], unsigned count,
                     double (*__restrict products)[kSpeedLanes])
{
    constexpr unsigned kLast = kSpeedDimension - 1;
    double sum[kSpeedLanes];
    for (unsigned p = 0; p < kSpeedLanes; ++p)
        sum[p] = products[p][kLast];
    for (unsigned x = 0; x < count; ++x)
        for (unsigned p = 0; p < kSpeedLanes; ++p)
            sum[p] += centred[x][p] * centred[x][kLast];
    for (unsigned p = 0; p < kSpeedDimension; ++p)
        products[p][kLast] = sum[p];
}

void add_products(const double (*centred)[kSpeedLanes], unsigned count, double (*products)[kSpeedLanes])
{
    static_assert(kSpeedDimension % kTileColumns == 1);
    for (unsigned q = 0; q < kSpeedDimension - 1; q += kTileColumns)
        for (unsigned p = 0; p < q + kTileColumns; p += kTileRows)
            add_tile(centred, count, p, q, products);
    add_last_column(centred, count, products);
}

} // namespace

extern const SpeedLoops kSpeedLoops = {difference_8bit,
                                       difference_16bit,
                                       add_samples<std::uint8_t>,
                                       add_samples<std::uint16_t>,
                                       add_row,
                                       filter<1>,
                                       filter<kSpeedStep>,
                                       subtract_from,
                                       add_windows,
                                       centre_windows,
                                       add_products};

} // namespace vmaf::VMAF_CPU_TARGET
