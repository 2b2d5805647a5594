#pragma once

#include <cstring>
#include <vector>

#include "base/round_up.h"
#include "cuda/handles.h"

namespace vmaf {

/// Tables that go to the device together, in one piece of memory.
class CudaTables {
  public:
    /// Where the table will be in that memory (cuda_table). Throws std::bad_alloc.
    template <class T> std::size_t add(const std::vector<T> &table)
    {
        constexpr std::size_t kAlignmentBytes = 256;
        const std::size_t start = round_up(bytes_.size(), kAlignmentBytes), bytes = table.size() * sizeof(T);
        bytes_.resize(start + bytes);
        if (bytes > 0)
            std::memcpy(bytes_.data() + start, table.data(), bytes);
        return start;
    }

    /// The context is current.
    Result<CudaDeviceMemory> upload(const CudaContextPtr &context) const
    {
        return make_cuda_device_copy(context, bytes_.data(), bytes_.size());
    }

  private:
    std::vector<std::byte> bytes_;
};

template <class T> const T *cuda_table(const CudaDeviceMemory &memory, std::size_t start)
{
    return reinterpret_cast<const T *>(memory.get() + start);
}

} // namespace vmaf
