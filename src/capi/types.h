#pragma once

#include "feature/options.h"
#include "model/collection.h"
#include "model/model.h"

// What the opaque handles of the C API hold.

struct VmafFeatureDictionary {
    vmaf::OptionDict options;
};

struct VmafModel {
    vmaf::Model model;
};

struct VmafModelCollection {
    vmaf::ModelCollection collection;
};
