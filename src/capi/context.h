#pragma once

#include <memory>

#include "engine/session.h"
#include "libvmaf/libvmaf.h"

namespace vmaf {

class CudaContext;

} // namespace vmaf

// Contents of a VmafContext.
struct VmafContext {
    std::unique_ptr<vmaf::Session> session;
    std::weak_ptr<vmaf::CudaContext> cuda; ///< context of the imported state; the session owns it
};
