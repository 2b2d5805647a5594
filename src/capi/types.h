#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "feature/options.h"
#include "model/collection.h"
#include "model/model.h"

// Contents of the opaque handles of the C API.

struct VmafFeatureDictionary {
    vmaf::OptionDict options;
};

/// Clients of the reference know how its models begin, and read these through the handle: pyvmaf
/// compares names. So they come first, as there, and stay what they are as long as the model lives.
struct VmafModel {
    /// @param file_path  Null for a built-in model.
    VmafModel(vmaf::Model loaded, const char *file_path)
        : path_text(file_path != nullptr ? file_path : ""), name_text(loaded.name()), model(std::move(loaded))
    {
        path = file_path != nullptr ? path_text.c_str() : nullptr;
        name = name_text.c_str();
    }
    VmafModel(const VmafModel &) = delete;
    VmafModel &operator=(const VmafModel &) = delete;

    const char *path; ///< null for a built-in model
    const char *name;
    const std::string path_text, name_text;
    vmaf::Model model;
};
static_assert(offsetof(VmafModel, path) == 0 && offsetof(VmafModel, name) == sizeof(char *));

struct VmafModelCollection {
    vmaf::ModelCollection collection;
};
