#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace vmaf {

/// Uninitialised scratch memory for `size` elements of a trivial type, aligned for the widest
/// vector loads. Throws std::bad_alloc.
template <class T> class AlignedBuffer {
  public:
    static constexpr std::size_t kAlignment = 64;

    AlignedBuffer() = default;
    explicit AlignedBuffer(std::size_t size) : size_(size)
    {
        if (size > static_cast<std::size_t>(-1) / sizeof(T))
            throw std::bad_alloc();
        data_.reset(static_cast<T *>(::operator new (size * sizeof(T), std::align_val_t{kAlignment})));
    }

    T *data() { return data_.get(); }
    const T *data() const { return data_.get(); }
    std::size_t size() const { return size_; }
    T &operator[](std::size_t i) { return data_[i]; }
    const T &operator[](std::size_t i) const { return data_[i]; }

  private:
    struct Release {
        void operator()(T *p) const { ::operator delete (p, std::align_val_t{kAlignment}); }
    };

    std::size_t size_ = 0;
    std::unique_ptr<T[], Release> data_;
};

} // namespace vmaf
