#include "support/sha256.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace vmaf::test {
namespace {

constexpr std::array<std::uint32_t, 64> kRoundConstants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constexpr std::size_t kLengthOffset = 56;

} // namespace

void Sha256::update(std::span<const std::uint8_t> bytes)
{
    const std::size_t held = byte_count_ % pending_.size();
    byte_count_ += bytes.size();
    if (held + bytes.size() < pending_.size()) {
        std::copy(bytes.begin(), bytes.end(), pending_.begin() + held);
        return;
    }
    if (held > 0) {
        const std::size_t missing = pending_.size() - held;
        std::copy_n(bytes.begin(), missing, pending_.begin() + held);
        compress(pending_.data());
        bytes = bytes.subspan(missing);
    }
    for (; bytes.size() >= pending_.size(); bytes = bytes.subspan(pending_.size()))
        compress(bytes.data());
    std::copy(bytes.begin(), bytes.end(), pending_.begin());
}

std::string Sha256::hex_digest()
{
    const std::uint64_t bit_count = byte_count_ * 8;
    static constexpr std::array<std::uint8_t, 64> kPadding{0x80};
    const std::size_t held = byte_count_ % pending_.size();
    update(std::span(kPadding).first((held < kLengthOffset ? kLengthOffset : kLengthOffset + 64) - held));
    std::array<std::uint8_t, 8> length{};
    for (unsigned i = 0; i < length.size(); ++i)
        length[i] = static_cast<std::uint8_t>(bit_count >> (56 - 8 * i));
    update(length);

    std::string text;
    for (const std::uint32_t word : state_)
        for (int shift = 28; shift >= 0; shift -= 4)
            text += "0123456789abcdef"[word >> shift & 15];
    return text;
}

void Sha256::compress(const std::uint8_t *block)
{
    std::array<std::uint32_t, 64> w{};
    for (unsigned i = 0; i < 16; ++i)
        for (unsigned byte = 0; byte < 4; ++byte)
            w[i] = w[i] << 8 | block[4 * i + byte];
    for (unsigned i = 16; i < 64; ++i) {
        const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
        const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    auto [a, b, c, d, e, f, g, h] = state_;
    for (unsigned i = 0; i < 64; ++i) {
        const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const std::uint32_t t1 = h + sum1 + ((e & f) ^ (~e & g)) + kRoundConstants[i] + w[i];
        const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const std::uint32_t t2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    const std::array<std::uint32_t, 8> mixed{a, b, c, d, e, f, g, h};
    for (unsigned i = 0; i < 8; ++i)
        state_[i] += mixed[i];
}

} // namespace vmaf::test
