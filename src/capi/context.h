#pragma once

#include <memory>

#include "engine/session.h"
#include "libvmaf/libvmaf.h"

// What VmafContext holds.
struct VmafContext {
    std::unique_ptr<vmaf::Session> session;
};
