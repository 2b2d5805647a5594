#pragma once

#include <cstdint>

/// The structures that arrays are exchanged in between libraries, as https://dmlc.github.io/dlpack defines them (version 0, which every
/// producer gives when no other is asked for).
namespace vmaf::python::dlpack {

constexpr std::int32_t kCpu = 1;
constexpr std::int32_t kCuda = 2;
constexpr std::int32_t kCudaHost = 3;
constexpr std::int32_t kCudaManaged = 13;

constexpr std::uint8_t kUnsignedInteger = 1;

struct Device {
    std::int32_t type;
    std::int32_t id;
};

struct DataType {
    std::uint8_t code;
    std::uint8_t bits;
    std::uint16_t lanes;
};

struct Tensor {
    void *data;
    Device device;
    std::int32_t dimensions;
    DataType type;
    std::int64_t *shape;
    std::int64_t *strides; ///< in elements; null: compact, row by row
    std::uint64_t byte_offset;
};

struct ManagedTensor {
    Tensor tensor;
    void *context;
    void (*deleter)(ManagedTensor *self);
};

} // namespace vmaf::python::dlpack
