#pragma once

#include <cstdint>

/// The structures that arrays are exchanged in between libraries, as https://dmlc.github.io/dlpack
/// defines them: `ManagedTensor` of version 0, which every producer's __dlpack__() gives when no
/// other is asked for, and the functions of version 1 by which producers that have them hand over
/// an array without any Python.
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

struct Version {
    std::uint32_t major;
    std::uint32_t minor;
};

constexpr std::uint32_t kKnownMajor = 1;

/// A tensor with a version. In another major version, members after `deleter` differ.
struct VersionedTensor {
    Version version;
    void *context;
    void (*deleter)(VersionedTensor *self);
    std::uint64_t flags;
    Tensor tensor;
};

struct ExchangeHeader {
    Version version;
    const ExchangeHeader *previous; ///< header for an older major version; null: there is none
};

/// What a type of arrays holds in a capsule, its attribute `kExchangeAttribute`. Each function is
/// called with the GIL and gives 0, or -1 with a Python exception set.
struct Exchange {
    ExchangeHeader header;
    void (*allocate)();
    /// The array as it is: nothing waits for the work that fills it.
    int (*managed_tensor_of)(void *array, VersionedTensor **tensor);
    void (*array_of)();
    void (*tensor_of)();
    /// The stream that the producer's work is queued on at present.
    int (*current_stream)(std::int32_t device_type, std::int32_t device_id, void **stream);
};

constexpr const char *kExchangeAttribute = "__dlpack_c_exchange_api__";
constexpr const char *kExchangeCapsule = "dlpack_exchange_api";

} // namespace vmaf::python::dlpack
