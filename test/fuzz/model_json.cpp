#include <cmath>

#include "fuzz/target.h"

// Model files, read as a single model and as a collection, then used as a client uses them.

namespace vmaf::fuzz {
namespace {

struct Loaded {
    VmafModel *model = nullptr;
    VmafModelCollection *collection = nullptr;

    ~Loaded()
    {
        vmaf_model_destroy(model);
        vmaf_model_collection_destroy(collection);
    }
};

/// A loaded model can be registered or is refused. A prediction is a number or fails.
void use(const Loaded &loaded)
{
    VmafContext *context = nullptr;
    require(vmaf_init(&context, {}) == 0, "vmaf_init");
    const int error = loaded.collection != nullptr ? vmaf_use_features_from_model_collection(context, loaded.collection)
                                                   : vmaf_use_features_from_model(context, loaded.model);
    if (error == 0) {
        double score = 0;
        // Scores from which the models in corpus/ predict.
        for (const char *name : {"VMAF_integer_feature_adm2_score", "VMAF_integer_feature_motion2_score"})
            vmaf_import_feature_score(context, name, 0.5, 0);
        const int known = vmaf_score_at_index(context, loaded.model, &score, 0);
        require(known != 0 || std::isfinite(score), "a score that there is can be written");
    }
    require(vmaf_close(context) == 0, "vmaf_close");
}

} // namespace
} // namespace vmaf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *bytes, std::size_t count)
{
    using namespace vmaf::fuzz;
    drop_log_lines();
    const MemoryFile file({reinterpret_cast<const char *>(bytes), count});
    VmafModelConfig config{"fuzzed", 0};
    for (const std::uint64_t flags : {VMAF_MODEL_FLAGS_DEFAULT, VMAF_MODEL_FLAG_ENABLE_TRANSFORM}) {
        config.flags = flags;
        Loaded single;
        if (vmaf_model_load_from_path(&single.model, &config, file.path().c_str()) == 0)
            use(single);
    }
    Loaded several;
    if (vmaf_model_collection_load_from_path(&several.model, &several.collection, &config, file.path().c_str()) == 0)
        use(several);
    return 0;
}
