#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "feature/adm/adm.h"
#include "feature/adm/adm_csf.h"
#include "feature/adm/adm_loops.h"
#include "feature/adm/adm_scores.h"
#include "feature/adm_oracle.h"
#include "support/cpu_targets.h"
#include "support/random.h"

// Compares the CPU backend with the independent implementation in adm_oracle, on pictures that no
// clip has.

namespace vmaf::test {
namespace {

constexpr AdmCsfOptions kDefaultCsf{AdmCsfMode::watson, 3, 1080, 1, 1};

/// A plane without any slack, so that an address checker sees every read beyond it.
class Picture {
  public:
    Picture(unsigned width, unsigned height, unsigned bpc)
        : width_(width), height_(height), bpc_(bpc), bytes_(std::size_t{width} * height * (bpc > 8 ? 2 : 1))
    {
    }

    PlaneView view() const
    {
        return {bytes_.data(), static_cast<std::ptrdiff_t>(std::size_t{width_} * (bpc_ > 8 ? 2 : 1)), width_, height_,
                bpc_};
    }

    void fill(const std::function<unsigned(unsigned x, unsigned y)> &sample)
    {
        for (unsigned y = 0; y < height_; ++y)
            for (unsigned x = 0; x < width_; ++x) {
                const auto value = static_cast<std::uint16_t>(sample(x, y));
                const std::size_t at = std::size_t{y} * width_ + x;
                if (bpc_ > 8)
                    std::memcpy(&bytes_[2 * at], &value, 2);
                else
                    bytes_[at] = static_cast<std::byte>(value);
            }
    }

    AdmPlane plane() const
    {
        AdmPlane plane(width_, height_);
        const PlaneView from = view();
        for (unsigned y = 0; y < height_; ++y)
            for (unsigned x = 0; x < width_; ++x)
                plane.at(x, y) = bpc_ > 8 ? from.row<std::uint16_t>(y)[x] : from.row<std::uint8_t>(y)[x];
        return plane;
    }

    unsigned width() const { return width_; }
    unsigned height() const { return height_; }
    unsigned bpc() const { return bpc_; }

  private:
    unsigned width_, height_, bpc_;
    std::vector<std::byte> bytes_;
};

AdmSums cpu_sums(const Picture &ref, const Picture &dis, const AdmCsf &csf, double gain_limit, CpuTarget target)
{
    AdmParams params = adm_params(ref.width(), ref.height(), csf);
    params.bpc = ref.bpc();
    params.gain_limit = gain_limit;
    FramePlanes planes;
    planes.ref[0] = ref.view();
    planes.dis[0] = dis.view();
    AdmSums sums;
    EXPECT_TRUE(make_adm_cpu(params, target)->extract(planes, &sums).ok());
    return sums;
}

bool equal(const AdmSums &a, const AdmSums &b)
{
    return std::memcmp(&a, &b, sizeof(AdmSums)) == 0;
}

void expect_oracle(const Picture &ref, const Picture &dis, double gain_limit = 100,
                   const AdmCsf &csf = adm_csf(kDefaultCsf).value())
{
    const AdmSums expected = adm_oracle(ref.plane(), dis.plane(), {ref.bpc(), gain_limit, csf});
    for (const CpuTarget target : targets())
        EXPECT_TRUE(equal(cpu_sums(ref, dis, csf, gain_limit, target), expected))
            << ref.width() << "x" << ref.height() << " " << ref.bpc() << " bit, target " << static_cast<int>(target);
}

/// A picture with detail at every scale, and a copy with its contrast changed and noise added.
void fill_related(Picture &ref, Picture &dis, Random &random)
{
    const unsigned peak = (1U << ref.bpc()) - 1;
    const unsigned coarse = random() % 13 + 2, seed = random();
    const auto texture = [=](unsigned x, unsigned y) {
        const unsigned cell = ((x / coarse) * 2654435761U) ^ ((y / coarse) * 40503U) ^ seed;
        return ((cell >> 7) % (peak + 1) + (x * 37 + y * 11) * peak / 255) / 2 % (peak + 1);
    };
    const unsigned gain = random() % 100 + 50, noise = peak / (random() % 60 + 4) + 1;
    ref.fill(texture);
    dis.fill([&](unsigned x, unsigned y) { return std::min(peak, texture(x, y) * gain / 100 + random() % noise); });
}

TEST(AdmCpu, EqualsOracleAtEverySmallSize)
{
    Random random;
    SCOPED_TRACE(random.seed());
    for (unsigned height = 16; height <= 40; ++height)
        for (unsigned width = 16; width <= 40; ++width) {
            const unsigned bpc = (width + height) % 2 == 0 ? 8 : 10;
            Picture ref(width, height, bpc), dis(width, height, bpc);
            fill_related(ref, dis, random);
            expect_oracle(ref, dis);
        }
}

TEST(AdmCpu, EqualsOracleAtEveryDepthAndOddSizes)
{
    Random random;
    SCOPED_TRACE(random.seed());
    for (const unsigned bpc : {8U, 9U, 10U, 12U, 14U, 16U})
        for (int i = 0; i < 6; ++i) {
            const unsigned width = 41 + random() % 190, height = 41 + random() % 120;
            Picture ref(width, height, bpc), dis(width, height, bpc);
            fill_related(ref, dis, random);
            expect_oracle(ref, dis, std::array{1.0, 1.2, 100.0, kAdmNoGainLimit}[i % 4]);
        }
}

TEST(AdmCpu, EqualsOracleOnExtremeContent)
{
    Random random;
    SCOPED_TRACE(random.seed());
    for (const unsigned bpc : {8U, 16U}) {
        const unsigned peak = (1U << bpc) - 1;
        const std::function<unsigned(unsigned, unsigned)> contents[] = {
            [&](unsigned, unsigned) { return random() % 2 * peak; }, // full-swing noise
            [&](unsigned, unsigned) { return random() % (peak + 1); },
            [&](unsigned x, unsigned) { return x % 2 * peak; },
            [&](unsigned, unsigned y) { return y % 2 * peak; },
            [&](unsigned x, unsigned y) { return (x + y) % 2 * peak; },
            [&](unsigned x, unsigned y) { return (x / 8 + y / 8) % 2 * peak; },
            [&](unsigned, unsigned) { return 0U; },
            [&](unsigned, unsigned) { return peak; },
        };
        for (const auto &ref_content : contents)
            for (const auto &dis_content : contents) {
                Picture ref(75, 53, bpc), dis(75, 53, bpc);
                ref.fill(ref_content);
                dis.fill(dis_content);
                expect_oracle(ref, dis);
                expect_oracle(ref, ref, 1.0);
            }
    }
}

TEST(AdmCpu, SamplesAboveTheDepthCountAsTheLargest)
{
    Random random;
    SCOPED_TRACE(random.seed());
    const AdmCsf csf = adm_csf(kDefaultCsf).value();
    for (unsigned bpc = 9; bpc <= 15; ++bpc) {
        const unsigned peak = (1U << bpc) - 1;
        Picture ref(75, 53, bpc), dis(75, 53, bpc), limited_ref(75, 53, bpc), limited_dis(75, 53, bpc);
        const auto fill = [&](Picture &wild, Picture &limited) {
            wild.fill([&](unsigned, unsigned) { return random() % 2 == 0 ? 65535U : random() % 65536; });
            const AdmPlane samples = wild.plane();
            limited.fill([&](unsigned x, unsigned y) {
                return static_cast<unsigned>(std::min<std::int64_t>(samples.at(x, y), peak));
            });
        };
        fill(ref, limited_ref);
        fill(dis, limited_dis);
        const AdmSums expected = adm_oracle(limited_ref.plane(), limited_dis.plane(), {bpc, 100, csf});
        for (const CpuTarget target : targets())
            EXPECT_TRUE(equal(cpu_sums(ref, dis, csf, 100, target), expected)) << bpc << " bit";
    }
}

TEST(AdmCpu, EqualsOracleWithOtherWeights)
{
    Random random;
    SCOPED_TRACE(random.seed());
    const AdmCsfOptions all[] = {{AdmCsfMode::blend_a, 3, 1080, 1, 1},
                                 {AdmCsfMode::blend_b, 5, 2160, 1, 1},
                                 {AdmCsfMode::watson, 24, 4320, 1, 1},
                                 {AdmCsfMode::barten, 3, 1080, 0.01, 0.02}};
    for (const AdmCsfOptions &csf : all) {
        Picture ref(131, 67, 10), dis(131, 67, 10);
        fill_related(ref, dis, random);
        expect_oracle(ref, dis, 100, adm_csf(csf).value());
    }
}

// Powers of two put the weighted samples on halves, where the offsets of 3.5 differ from plain
// rounding.
TEST(AdmCpu, EqualsOracleWhereWeightsGiveTies)
{
    Random random;
    SCOPED_TRACE(random.seed());
    AdmCsf csf{};
    for (unsigned scale = 0; scale < kAdmScales; ++scale)
        for (unsigned band = 0; band < kAdmBands; ++band)
            csf.weight[scale][band] = scale == 0 ? 1U << 15 : 1U << 27;
    Picture ref(131, 67, 8), dis(131, 67, 8);
    fill_related(ref, dis, random);
    expect_oracle(ref, dis, 100, csf);
}

// The spec does not define results of overflowing weights, but every target must have the same.
TEST(AdmCpu, TargetsAgreeOnOverflowingWeights)
{
    Random random;
    SCOPED_TRACE(random.seed());
    const AdmCsf csf = adm_csf({AdmCsfMode::barten, 3, 1080, 50, 50}).value();
    Picture ref(190, 110, 16), dis(190, 110, 16);
    ref.fill([&](unsigned, unsigned) { return random() % 2 * 65535; });
    dis.fill([&](unsigned, unsigned) { return random() % 65536; });
    const AdmSums baseline = cpu_sums(ref, dis, csf, 100, CpuTarget::baseline);
    for (const CpuTarget target : targets())
        EXPECT_TRUE(equal(cpu_sums(ref, dis, csf, 100, target), baseline)) << static_cast<int>(target);
}

TEST(AdmCpu, EqualsOracleAtTheLargestWidthAndHeight)
{
    Random random;
    SCOPED_TRACE(random.seed());
    for (const auto &[width, height] : {std::pair{16384U, 17U}, std::pair{17U, 16384U}}) {
        Picture ref(width, height, 16), dis(width, height, 16);
        ref.fill([&](unsigned, unsigned) { return random() % 2 * 65535; });
        dis.fill([&](unsigned, unsigned) { return random() % 2 * 65535; });
        expect_oracle(ref, dis);
    }
}

// ---- the arithmetic of decoupling in doubles, spec adm 3.3 ----

constexpr std::size_t kRow = 512;

/// Runs decoupling on arbitrary band samples H and V. The weights make a band's strength equal to
/// the size of its signal. D is one pair of values, whose r shows the flag: r is the reference, or
/// more if the flag is set.
struct DecouplingProbe {
    using Signal = std::vector<std::int32_t>;
    Signal ref_h = Signal(kRow + kAdmRunOnColumns), ref_v = ref_h, dis_h = ref_h, dis_v = ref_h;

    void run(CpuTarget target, unsigned scale, double gain_limit)
    {
        const AdmLoops &loops = select_kAdmLoops(target);
        if (scale == 0) {
            AdmFineDecoupling job{};
            run(loops.decouple_fine, job, 1, gain_limit);
            return;
        }
        AdmCoarseDecoupling job{};
        for (unsigned band = 0; band < kAdmBands; ++band)
            job.r[band] = scratch_[band].data();
        job.flag = scratch_[kAdmBands].data();
        run(loops.decouple_coarse, job, 1U << 28, gain_limit);
    }

    void expect_text(CpuTarget target, unsigned scale, double gain_limit)
    {
        ASSERT_GT(gain_limit, 1.001) << "hides the flag";
        run(target, scale, gain_limit);
        for (std::size_t i = 0; i < kRow; ++i) {
            const bool expected_flag = adm_oracle_flag(ref_h[i], ref_v[i], dis_h[i], dis_v[i]);
            ASSERT_EQ(r_[kAdmD][i] != kRefD, expected_flag)
                << ref_h[i] << " " << ref_v[i] << " " << dis_h[i] << " " << dis_v[i];
            const std::int64_t expected_r = adm_oracle_restored(scale, ref_h[i], dis_h[i], expected_flag, gain_limit);
            ASSERT_EQ(r_[kAdmH][i], std::abs(expected_r)) << ref_h[i] << " " << dis_h[i];
            ASSERT_EQ(a_[kAdmH][i], std::abs(dis_h[i] - expected_r)) << ref_h[i] << " " << dis_h[i];
        }
    }

  private:
    template <class Band, class Strength, class Job>
    void run(void (*loop)(const Job &, AdmSpan), AdmDecoupling<Band, Strength> &job, std::uint32_t unit,
             double gain_limit)
    {
        const std::uint32_t weight[] = {unit, unit, unit};
        const Signal *ref[] = {&ref_h, &ref_v, &ref_d_}, *dis[] = {&dis_h, &dis_v, &dis_d_};
        std::array<std::vector<Band>, kAdmBands> ref_rows, dis_rows;
        std::array<std::vector<Strength>, kAdmBands> restored, additive;
        for (unsigned band = 0; band < kAdmBands; ++band) {
            ref_rows[band].assign(ref[band]->begin(), ref[band]->end());
            dis_rows[band].assign(dis[band]->begin(), dis[band]->end());
            restored[band].resize(kRow + kAdmRunOnColumns);
            additive[band].resize(kRow + kAdmRunOnColumns);
            job.ref[band] = ref_rows[band].data();
            job.dis[band] = dis_rows[band].data();
            job.restored.strength[band] = restored[band].data();
            job.additive.strength[band] = additive[band].data();
        }
        job.gain_limit = gain_limit;
        job.weight = weight;
        job.restored.neighbour = job.additive.neighbour = unused_.data();
        job.restored.centre = job.additive.centre = unused_.data();
        loop(static_cast<const Job &>(job), {0, kRow});
        for (unsigned band = 0; band < kAdmBands; ++band) {
            r_[band].assign(restored[band].begin(), restored[band].end());
            a_[band].assign(additive[band].begin(), additive[band].end());
        }
    }

    static constexpr std::int32_t kRefD = 10000;
    Signal ref_d_ = Signal(kRow + kAdmRunOnColumns, kRefD), dis_d_ = Signal(kRow + kAdmRunOnColumns, 20000);
    Signal unused_ = ref_h;
    std::array<Signal, kAdmBands + 1> scratch_{ref_h, ref_h, ref_h, ref_h};
    std::array<std::vector<std::uint32_t>, kAdmBands> r_, a_;
};

TEST(AdmCpu, RatioIsExactForEveryDivisor)
{
    Random random;
    SCOPED_TRACE(random.seed());
    DecouplingProbe probe;
    constexpr std::int32_t kLargestDivisor = 32768;
    for (std::int32_t d = 1; d <= kLargestDivisor; ++d) {
        for (std::size_t i = 0; i < kRow; ++i) {
            probe.ref_h[i] = i % 2 == 0 ? d : -d;
            probe.dis_h[i] = static_cast<std::int32_t>(random() % 65536) - 32768;
            if (i % 4 == 0)
                probe.dis_h[i] = probe.ref_h[i] + static_cast<std::int32_t>(random() % 5) - 2;
            // Far from the reference's angle, so the gain does not change r.
            probe.ref_v[i] = 0;
            probe.dis_v[i] = 32767;
        }
        const CpuTarget target = targets()[static_cast<std::size_t>(d) % targets().size()];
        ASSERT_NO_FATAL_FAILURE(probe.expect_text(target, 1, 100)) << d;
    }
}

TEST(AdmCpu, ScaleZeroDecouplingIsExactForEveryReference)
{
    Random random;
    SCOPED_TRACE(random.seed());
    constexpr std::int32_t kBound = 22930;
    DecouplingProbe probe;
    for (std::int32_t o = -kBound; o <= kBound; ++o) {
        for (std::size_t i = 0; i < kRow; ++i) {
            probe.ref_h[i] = o;
            probe.dis_h[i] = i % 4 == 0 ? o : static_cast<std::int32_t>(random() % (2 * kBound + 1)) - kBound;
            probe.ref_v[i] = static_cast<std::int32_t>(random() % 64) - 32;
            probe.dis_v[i] = i % 3 == 0 ? probe.ref_v[i] : static_cast<std::int32_t>(random() % 64) - 32;
        }
        const CpuTarget target = targets()[static_cast<std::size_t>(o + kBound) % targets().size()];
        ASSERT_NO_FATAL_FAILURE(probe.expect_text(target, 0, o % 2 == 0 ? 1.2 : 100)) << o;
    }
}

/// Signed numbers of every magnitude up to 2^30.5, often near a power of two.
std::int32_t any_size(Random &random)
{
    constexpr std::int32_t kBound = 1491500000;
    const auto size = static_cast<std::int32_t>(random() >> (1 + random() % 31));
    const std::int32_t near_power = (1 << random() % 31) + static_cast<std::int32_t>(random() % 3) - 1;
    const std::int32_t value = std::min(random() % 4 == 0 ? near_power : size, kBound);
    return random() % 2 == 0 ? value : -value;
}

TEST(AdmCpu, CoarseDecouplingIsExactAtEveryMagnitude)
{
    Random random;
    SCOPED_TRACE(random.seed());
    DecouplingProbe probe;
    for (int round = 0; round < 4000; ++round) {
        for (std::size_t i = 0; i < kRow; ++i) {
            probe.ref_h[i] = any_size(random);
            probe.ref_v[i] = any_size(random);
            probe.dis_h[i] = any_size(random);
            probe.dis_v[i] = any_size(random);
            if (i % 2 == 0) { // near the reference's direction
                probe.dis_h[i] = static_cast<std::int32_t>(probe.ref_h[i] * 0.7);
                probe.dis_v[i] = static_cast<std::int32_t>(probe.ref_v[i] * 0.7);
            }
        }
        for (const CpuTarget target : targets())
            ASSERT_NO_FATAL_FAILURE(probe.expect_text(target, 1, round % 2 == 0 ? 1.2 : 100));
    }
}

// One degree apart, except for rounding of the products to float, where every bit matters.
TEST(AdmCpu, AngleFlagIsExactAtItsThreshold)
{
    Random random;
    SCOPED_TRACE(random.seed());
    constexpr double kPi = 3.14159265358979323846;
    const double degree = std::acos(std::sqrt(0x1.ffd814p-1));
    DecouplingProbe probe;
    for (int round = 0; round < 4000; ++round) {
        const double size = round % 2 == 0 ? 1.4e9 : 3e6;
        for (std::size_t i = 0; i < kRow; ++i) {
            const double angle = random.between(-kPi, kPi), other = angle + degree + random.between(-4e-6, 4e-6);
            probe.ref_h[i] = static_cast<std::int32_t>(size * std::cos(angle));
            probe.ref_v[i] = static_cast<std::int32_t>(size * std::sin(angle));
            probe.dis_h[i] = static_cast<std::int32_t>(size * 0.9 * std::cos(other));
            probe.dis_v[i] = static_cast<std::int32_t>(size * 0.9 * std::sin(other));
        }
        for (const CpuTarget target : targets())
            ASSERT_NO_FATAL_FAILURE(probe.expect_text(target, 2, 100));
    }
}

std::int64_t inverse_modulo(std::int64_t value, std::int64_t modulus)
{
    std::int64_t r0 = modulus, r1 = value % modulus, c0 = 0, c1 = 1;
    while (r1 != 0) {
        const std::int64_t q = r0 / r1;
        r0 = std::exchange(r1, r0 - q * r1);
        c0 = std::exchange(c1, c0 - q * c1);
    }
    return (c0 % modulus + modulus) % modulus;
}

// Scalar products that differ by one from the middle of two floats. If they were first rounded to
// double, they would be ties.
TEST(AdmCpu, AngleFlagRoundsProductsOnce)
{
    Random random;
    SCOPED_TRACE(random.seed());
    const double tangent = std::tan(std::acos(std::sqrt(0x1.ffd814p-1)));
    DecouplingProbe probe;
    for (int round = 0; round < 400; ++round) {
        for (std::size_t i = 0; i < kRow; ++i) {
            std::int64_t h = 0, v = 0;
            do {
                h = (1 << 23) + random() % (1 << 23);
                v = (1 << 23) + random() % (1 << 23);
            } while (std::gcd(h, v) != 1);
            const std::int64_t mantissa = (1 << 23) + random() % (1 << 22);
            const std::int64_t product = ((2 * mantissa + 1) << 30) + (mantissa % 2 == 0 ? 1 : -1);
            // A vector with that scalar product, then the one on the line of all such vectors that
            // is nearest to one degree off.
            const std::int64_t base_h = product % v * inverse_modulo(h, v) % v, base_v = (product - h * base_h) / v;
            const auto size_squared = static_cast<double>(h * h + v * v);
            const std::int64_t steps = std::llround(
                (tangent * static_cast<double>(product) - static_cast<double>(base_h * v - base_v * h)) / size_squared);
            probe.ref_h[i] = static_cast<std::int32_t>(h);
            probe.ref_v[i] = static_cast<std::int32_t>(v);
            probe.dis_h[i] = static_cast<std::int32_t>(base_h + steps * v);
            probe.dis_v[i] = static_cast<std::int32_t>(base_v - steps * h);
            ASSERT_EQ(std::int64_t{probe.ref_h[i]} * probe.dis_h[i] + std::int64_t{probe.ref_v[i]} * probe.dis_v[i],
                      product);
        }
        for (const CpuTarget target : targets())
            ASSERT_NO_FATAL_FAILURE(probe.expect_text(target, 1, 100));
    }
}

} // namespace
} // namespace vmaf::test
