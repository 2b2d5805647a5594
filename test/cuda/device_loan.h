#pragma once

#include <cstdlib>
#include <cstring>

#include "cuda/driver_double/loaded_double.h"
#include "support/cuda_client.h"
#include "support/foreign_pictures.h"

namespace vmaf::test {

/// Makes the client's context current.
class ClientContext {
  public:
    explicit ClientContext(const CudaClient &client) : ClientContext(client, client.context()) {}
    ClientContext(const CudaClient &client, CUcontext context) : client_(client)
    {
        client_.cuda().cuCtxPushCurrent(context);
    }
    ~ClientContext()
    {
        CUcontext popped = nullptr;
        client_.cuda().cuCtxPopCurrent(&popped);
    }
    ClientContext(const ClientContext &) = delete;
    ClientContext &operator=(const ClientContext &) = delete;

  private:
    const CudaClient &client_;
};

/// A picture in device memory that is lent. Each plane ends with its allocation. The picture is
/// overwritten as soon as it is released, so a later read shows.
class DeviceLoan final : public Loan {
  public:
    DeviceLoan(const CudaClient &client, const Clip &clip, Side side, unsigned frame, const Lending &lending)
        : Loan(clip, lending), client_(client)
    {
        const ClientContext current(client_);
        foreign().memory = VMAF_MEMORY_CUDA_DEVICE;
        const std::size_t offset = lending.offset_samples * clip.format().sample_bytes();
        for (const PackedPlane &plane : pack(clip, side, frame, lending)) {
            CUdeviceptr memory = 0;
            if (client_.cuda().cuMemAlloc(&memory, offset + plane.bytes.size()) != CUDA_SUCCESS)
                std::abort();
            foreign().data[planes_.size()] = reinterpret_cast<void *>(memory + offset);
            foreign().stride[planes_.size()] = static_cast<std::ptrdiff_t>(plane.stride);
            planes_.push_back({memory, memory + offset, plane.bytes});
            write(planes_.back());
        }
    }
    ~DeviceLoan() override
    {
        const ClientContext current(client_);
        for (const Plane &plane : planes_)
            client_.cuda().cuMemFree(plane.memory);
    }

    /// Queues the copy of the samples into the planes in that stream, as a decoder does. Until it
    /// runs, the planes have other samples.
    void decode_in(CUstream stream)
    {
        take_away();
        const ClientContext current(client_);
        foreign().stream = stream;
        if (const VmafDoubleControl *const driver_double = loaded_driver_double(); driver_double != nullptr)
            driver_double->release_stream(0); // write() may have queued copies there
        for (const Plane &plane : planes_)
            if (!plane.bytes.empty())
                client_.cuda().cuMemcpyHtoDAsync(plane.start, plane.bytes.data(), plane.bytes.size(), stream);
    }

  private:
    struct Plane {
        CUdeviceptr memory, start;
        std::vector<std::byte> bytes;
    };

    void write(const Plane &plane) const
    {
        if (!plane.bytes.empty())
            client_.cuda().cuMemcpyHtoD(plane.start, plane.bytes.data(), plane.bytes.size());
    }
    void take_away() override
    {
        const VmafDoubleControl *const driver_double = loaded_driver_double();
        for (Plane &plane : planes_) {
            if (driver_double != nullptr && !driver_double->forwarding()) {
                std::memset(reinterpret_cast<void *>(plane.start), 0x5a, plane.bytes.size()); // in no stream
                continue;
            }
            const ClientContext current(client_);
            const std::vector<std::byte> other(plane.bytes.size(), std::byte{0x5a});
            client_.cuda().cuMemcpyHtoD(plane.start, other.data(), other.size());
            // The copy from pageable memory may still be under way. Streams that do not synchronise
            // with the default stream do not wait for it.
            client_.cuda().cuStreamSynchronize(nullptr);
        }
    }

    const CudaClient &client_;
    std::vector<Plane> planes_;
};

} // namespace vmaf::test
