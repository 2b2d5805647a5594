#pragma once

#include <memory>
#include <optional>

#include <nanobind/nanobind.h>

#include "libvmaf/libvmaf_ext.h"
#include "planes.h"

namespace vmaf::python {

/// The client's description of planes, as far as arrays do not contain it.
struct Frame {
    nanobind::tuple planes;
    VmafPixelFormat pix_fmt;
    unsigned bpc;
    unsigned shift;
    VmafPlaneLayout layout;

    /// Checks the words, not yet the planes.
    static Frame make(nanobind::handle planes, const std::string &pix_fmt, unsigned bpc, unsigned shift,
                      const std::string &layout, bool copy);
};

/// How objects become pictures in one call.
struct LendingRules {
    unsigned bpc;              ///< bits of uint16 planes that come without a Frame; 0: refuse them
    long long stream;          ///< CUDA stream in DLPack's numbers: 1 is the default stream
    std::optional<int> device; ///< device of the session; empty: it has none
    bool any_device = false;   ///< there is no session yet
};

/// An object's planes, ready to be wrapped, and what keeps them alive.
struct LentPicture {
    VmafForeignPicture foreign{};
    std::unique_ptr<Holder> holder;
    std::optional<int> device; ///< device of its memory; empty: host memory

    bool is_on_device() const { return device.has_value(); }
};

/// @param object a Frame, an array of luma alone, or a sequence of planes. Throws Python's
/// TypeError, ValueError.
LentPicture lend(nanobind::handle object, const LendingRules &rules);

} // namespace vmaf::python
