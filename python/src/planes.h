#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include <nanobind/nanobind.h>

#include "released.h"

/// Arrays of others as planes: by the buffer protocol (numpy and its like), else by DLPack.
namespace vmaf::python {

namespace dlpack {
struct Tensor;
}

/// The default stream in DLPack's numbers.
constexpr long long kDefaultStream = 1;
constexpr long long kNoOrder = -1; ///< whoever passes the arrays sees to it that they can be read
/// CUDA's own handle of the default stream is 0, which DLPack does not take.
constexpr long long dlpack_stream(long long handle)
{
    return handle == 0 ? kDefaultStream : handle;
}

/// Place of the samples in memory.
struct Plane {
    void *data = nullptr;
    std::ptrdiff_t stride_bytes = 0;
    std::size_t rows = 0;
    std::size_t columns = 0; ///< samples; of pairs two each
    unsigned sample_bytes = 0;
    std::optional<int> device; ///< number of a CUDA device; empty: host memory
};

/// A tensor as its producer handed it over, which is told when it is done with.
using HeldTensor = std::unique_ptr<void, void (*)(void *)>;

/// Keeps arrays alive: their buffers and tensors are given back when it is deleted, with the GIL.
class Holder final : public Released {
  public:
    Holder() = default;
    Holder(const Holder &) = delete;
    Holder &operator=(const Holder &) = delete;
    ~Holder() override;

    /// @param number of the plane, for messages.
    /// @param stream of device arrays, as DLPack counts: after what is queued there they are read.
    /// Throws Python's TypeError, ValueError.
    Plane hold(nanobind::handle array, std::size_t number, long long stream);

  private:
    Plane hold_buffer(nanobind::handle array, std::size_t number);
    Plane hold_tensor(nanobind::handle array, std::size_t number, long long stream);
    /// Take a tensor by DLPack's C functions. Null: the array's type has none, or its producer
    /// works on another stream and must order the two.
    const dlpack::Tensor *take_at_once(nanobind::handle array, std::size_t number, long long stream);
    /// Take a tensor by __dlpack__(), which orders the streams.
    const dlpack::Tensor &take_in_order(nanobind::handle array, std::size_t number, long long stream);

    std::vector<Py_buffer> buffers_;
    std::vector<HeldTensor> tensors_;
};

} // namespace vmaf::python
