#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <nanobind/nanobind.h>

#include "released.h"

/// Arrays of others as planes: by the buffer protocol (numpy and its like), else by DLPack.
namespace vmaf::python {

/// Where samples lie.
struct Plane {
    void *data = nullptr;
    std::ptrdiff_t stride_bytes = 0;
    std::size_t rows = 0;
    std::size_t columns = 0; ///< samples; of pairs two each
    unsigned sample_bytes = 0;
    std::optional<int> device; ///< number of a CUDA device; empty: host memory
};

/// Keeps arrays alive: their buffers and tensors are given back when it is deleted, with the GIL.
class Holder final : public Released {
  public:
    Holder() = default;
    Holder(const Holder &) = delete;
    Holder &operator=(const Holder &) = delete;
    ~Holder() override;

    /// @param number of the plane, for messages.
    /// @param stream for __dlpack__() of device arrays: after what is queued there they are read. Throws Python's TypeError, ValueError.
    Plane hold(nanobind::handle array, std::size_t number, long long stream);

  private:
    Plane hold_buffer(nanobind::handle array, std::size_t number);
    Plane hold_tensor(nanobind::handle array, std::size_t number, long long stream);

    std::vector<Py_buffer> buffers_;
    std::vector<void *> tensors_; ///< DLManagedTensor
};

} // namespace vmaf::python
