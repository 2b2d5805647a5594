#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace vmaf::test {

/// SHA-256 (FIPS 180-4) of bytes that are passed piece by piece.
class Sha256 {
  public:
    void update(std::span<const std::uint8_t> bytes);
    /// The hash in lower-case hex. Ends the message, so call it once.
    std::string hex_digest();

  private:
    void compress(const std::uint8_t *block);

    std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::uint8_t, 64> pending_{};
    std::uint64_t byte_count_ = 0;
};

} // namespace vmaf::test
