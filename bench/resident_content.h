#pragma once

#include "content.h"
#include "cuda_device.h"

namespace vmaf::bench {

/// The content in device memory.
class ResidentContent {
  public:
    explicit ResidentContent(const Content &content) : content_(content)
    {
        for (const auto *frames : {&content.ref, &content.dis})
            for (const Frame &frame : *frames) {
                memory_.push_back(device_.allocate(frame.size()));
                device_.upload(memory_.back(), frame.data(), frame.size());
            }
    }
    ~ResidentContent()
    {
        for (const CUdeviceptr memory : memory_)
            device_.release(memory);
    }
    ResidentContent(const ResidentContent &) = delete;

    void copy_to(const VmafPicture &picture, test::Side side, unsigned index, unsigned planes,
                 CUstream stream = nullptr) const
    {
        CUdeviceptr from = memory_[index + (side == test::Side::dis ? content_.period() : 0)];
        for (unsigned plane = 0; plane < planes; from += content_.plane_bytes(plane++))
            device_.copy_plane(reinterpret_cast<CUdeviceptr>(picture.data[plane]),
                               static_cast<std::size_t>(picture.stride[plane]), from, content_.plane_width(plane),
                               content_.plane_height(plane), stream);
    }

  private:
    const CudaDevice &device_ = CudaDevice::open();
    const Content &content_;
    std::vector<CUdeviceptr> memory_;
};

} // namespace vmaf::bench
