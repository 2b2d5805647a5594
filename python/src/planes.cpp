#include "planes.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "dlpack.h"

namespace nb = nanobind;

namespace vmaf::python {
namespace {

std::string named(std::size_t number)
{
    return "plane " + std::to_string(number);
}

[[noreturn]] void refuse_type(std::size_t number, const std::string &found)
{
    throw nb::type_error(
        (named(number) + " holds " + found + ": an array of uint8 (8 bits) or uint16 (more) is needed").c_str());
}

/// An array as both protocols describe it, strides in bytes.
struct Layout {
    void *data;
    int dimensions;
    std::ptrdiff_t shape[3];
    std::ptrdiff_t stride_bytes[3];
    unsigned sample_bytes;
};

/// Rows of samples, or of pairs of them in the last dimension. A view with other steps would have
/// to be copied, which is not done without being asked for.
Plane as_rows(const Layout &layout, std::size_t number)
{
    const auto sample_bytes = static_cast<std::ptrdiff_t>(layout.sample_bytes);
    const bool pairs = layout.dimensions == 3 && layout.shape[2] == 2;
    if (layout.dimensions != 2 && !pairs)
        throw nb::value_error((named(number) + " has " + std::to_string(layout.dimensions) +
                               " dimensions: (rows, columns) are needed, or (rows, pairs, 2) of semi-planar chroma")
                                  .c_str());
    const int last = layout.dimensions - 1;
    const bool steps = (layout.shape[last] > 1 && layout.stride_bytes[last] != sample_bytes) ||
                       (pairs && layout.shape[1] > 1 && layout.stride_bytes[1] != 2 * sample_bytes);
    if (steps)
        throw nb::value_error(
            (named(number) + " is not contiguous along its rows: pass a contiguous array, or copy=True").c_str());
    const std::ptrdiff_t columns = layout.shape[1] * (pairs ? 2 : 1);
    const std::ptrdiff_t stride = layout.shape[0] > 1 ? layout.stride_bytes[0] : columns * sample_bytes;
    if (stride < columns * sample_bytes)
        throw nb::value_error(
            (named(number) + "'s rows overlap or run backwards: pass a contiguous array, or copy=True").c_str());
    return {
        layout.data,         stride,      static_cast<std::size_t>(layout.shape[0]), static_cast<std::size_t>(columns),
        layout.sample_bytes, std::nullopt};
}

/// 0: no type of samples.
unsigned bytes_of_format(const char *format)
{
    std::string_view text = format == nullptr ? "B" : format;
    if (text.starts_with('@') || text.starts_with('=') || text.starts_with('<'))
        text.remove_prefix(1);
    return text == "B" ? 1 : text == "H" ? 2 : 0;
}

template <typename Managed> void give_back(void *tensor)
{
    auto *const managed = static_cast<Managed *>(tensor);
    if (managed->deleter != nullptr)
        managed->deleter(managed);
}

template <typename Managed> HeldTensor held(Managed *managed)
{
    return {managed, give_back<Managed>};
}

bool is_of_cuda(const dlpack::Device &device)
{
    return device.type == dlpack::kCuda || device.type == dlpack::kCudaManaged;
}

void check_device(const dlpack::Device &device, std::size_t number)
{
    if (!is_of_cuda(device) && device.type != dlpack::kCpu && device.type != dlpack::kCudaHost)
        throw nb::value_error((named(number) + " lies on a device that is neither the host nor CUDA's").c_str());
}

/// The functions of an array's type; null: it has none of a version known here.
const dlpack::Exchange *exchange_of(nb::handle array)
{
    const nb::object capsule = nb::getattr(array.type(), dlpack::kExchangeAttribute, nb::none());
    if (!PyCapsule_IsValid(capsule.ptr(), dlpack::kExchangeCapsule))
        return nullptr;
    const auto *header =
        static_cast<const dlpack::ExchangeHeader *>(PyCapsule_GetPointer(capsule.ptr(), dlpack::kExchangeCapsule));
    while (header != nullptr && header->version.major != dlpack::kKnownMajor)
        header = header->previous;
    return reinterpret_cast<const dlpack::Exchange *>(header);
}

[[noreturn]] void raise_for(std::size_t number)
{
    if (PyErr_Occurred() != nullptr)
        nb::raise_python_error();
    throw nb::value_error((named(number) + ": the array's library did not hand it over, and does not say why").c_str());
}

/// Whether an array can be read on a stream as it is: it is in host memory, or its producer works
/// on that stream too.
bool is_in_order(const dlpack::Exchange &exchange, const dlpack::Device &device, std::size_t number, long long stream)
{
    if (!is_of_cuda(device) || stream == kNoOrder)
        return true;
    void *current = nullptr;
    if (exchange.current_stream(device.type, device.id, &current) != 0)
        raise_for(number);
    return stream == dlpack_stream(reinterpret_cast<std::intptr_t>(current));
}

} // namespace

Holder::~Holder()
{
    for (Py_buffer &buffer : buffers_)
        PyBuffer_Release(&buffer);
}

Plane Holder::hold(nb::handle array, std::size_t number, long long stream)
{
    if (PyObject_CheckBuffer(array.ptr()))
        return hold_buffer(array, number);
    if (nb::hasattr(array, "__dlpack__"))
        return hold_tensor(array, number, stream);
    refuse_type(number, std::string("a ") + nb::inst_name(array).c_str());
}

Plane Holder::hold_buffer(nb::handle array, std::size_t number)
{
    buffers_.reserve(3);
    Py_buffer buffer;
    if (PyObject_GetBuffer(array.ptr(), &buffer, PyBUF_STRIDES | PyBUF_FORMAT) != 0)
        nb::raise_python_error();
    buffers_.push_back(buffer);
    const unsigned bytes = bytes_of_format(buffer.format);
    if (bytes == 0 || buffer.itemsize != bytes)
        refuse_type(number, std::string("items of format '") + buffer.format + "'");
    Layout layout{buffer.buf, buffer.ndim, {}, {}, bytes};
    for (int i = 0; i < buffer.ndim && i < 3; ++i) {
        layout.shape[i] = buffer.shape[i];
        layout.stride_bytes[i] = buffer.strides[i];
    }
    return as_rows(layout, number);
}

const dlpack::Tensor *Holder::take_at_once(nb::handle array, std::size_t number, long long stream)
{
    const dlpack::Exchange *const exchange = exchange_of(array);
    if (exchange == nullptr)
        return nullptr;
    dlpack::VersionedTensor *managed = nullptr;
    if (exchange->managed_tensor_of(array.ptr(), &managed) != 0 || managed == nullptr)
        raise_for(number);
    HeldTensor tensor = held(managed);
    if (managed->version.major != dlpack::kKnownMajor ||
        !is_in_order(*exchange, managed->tensor.device, number, stream))
        return nullptr;
    tensors_.push_back(std::move(tensor));
    return &managed->tensor;
}

const dlpack::Tensor &Holder::take_in_order(nb::handle array, std::size_t number, long long stream)
{
    const nb::object place = array.attr("__dlpack_device__")();
    const dlpack::Device device{nb::cast<std::int32_t>(nb::int_(place[0])), nb::cast<std::int32_t>(nb::int_(place[1]))};
    check_device(device, number);
    const nb::object method = array.attr("__dlpack__");
    const nb::object capsule = is_of_cuda(device) ? method(nb::arg("stream") = stream) : method();
    auto *const managed = static_cast<dlpack::ManagedTensor *>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
    if (managed == nullptr || PyCapsule_SetName(capsule.ptr(), "used_dltensor") != 0)
        nb::raise_python_error();
    tensors_.push_back(held(managed));
    return managed->tensor;
}

Plane Holder::hold_tensor(nb::handle array, std::size_t number, long long stream)
{
    tensors_.reserve(3);
    const dlpack::Tensor *at_once = take_at_once(array, number, stream);
    const dlpack::Tensor &tensor = at_once != nullptr ? *at_once : take_in_order(array, number, stream);
    check_device(tensor.device, number);
    const bool is_sample = tensor.type.code == dlpack::kUnsignedInteger && tensor.type.lanes == 1 &&
                           (tensor.type.bits == 8 || tensor.type.bits == 16);
    if (!is_sample)
        refuse_type(number, "another type of numbers");
    const unsigned bytes = tensor.type.bits / 8U;
    Layout layout{static_cast<char *>(tensor.data) + tensor.byte_offset, tensor.dimensions, {}, {}, bytes};
    std::ptrdiff_t compact = bytes;
    for (int i = tensor.dimensions - 1; i >= 0 && tensor.dimensions <= 3; --i) {
        layout.shape[i] = static_cast<std::ptrdiff_t>(tensor.shape[i]);
        layout.stride_bytes[i] = tensor.strides == nullptr ? compact
                                                           : static_cast<std::ptrdiff_t>(tensor.strides[i]) *
                                                                 static_cast<std::ptrdiff_t>(bytes);
        compact *= layout.shape[i];
    }
    Plane plane = as_rows(layout, number);
    if (is_of_cuda(tensor.device))
        plane.device = tensor.device.id;
    return plane;
}

} // namespace vmaf::python
