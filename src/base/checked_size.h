#pragma once

#include <cstddef>
#include <limits>
#include <optional>

namespace vmaf {

/// A size that is computed from a client's numbers: once it does not fit it stays so.
class CheckedSize {
  public:
    constexpr CheckedSize(std::size_t value) : value_(value) {}

    constexpr CheckedSize operator*(std::size_t factor) const
    {
        std::size_t product = 0;
        return fits_ && !__builtin_mul_overflow(value_, factor, &product) ? CheckedSize(product) : too_large();
    }
    constexpr CheckedSize operator+(CheckedSize term) const
    {
        std::size_t sum = 0;
        return fits_ && term.fits_ && !__builtin_add_overflow(value_, term.value_, &sum) ? CheckedSize(sum)
                                                                                         : too_large();
    }
    /// The least multiple of `multiple` that is not below it.
    constexpr CheckedSize rounded_up(std::size_t multiple) const
    {
        const CheckedSize padded = *this + (multiple - 1);
        return padded.fits_ ? CheckedSize(padded.value_ / multiple * multiple) : padded;
    }

    constexpr bool fits() const { return fits_; }
    /// Meaningful if it fits.
    constexpr std::size_t value() const { return value_; }

  private:
    static constexpr CheckedSize too_large()
    {
        CheckedSize size(std::numeric_limits<std::size_t>::max());
        size.fits_ = false;
        return size;
    }

    std::size_t value_;
    bool fits_ = true;
};

} // namespace vmaf
