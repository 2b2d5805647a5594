#include "base/null_terminated.h"
#include "fuzz/target.h"
#include "libvmaf/libvmaf_ext.h"
#include "support/session.h"

// Names and options of features, and overloads of models, through the public API. What is accepted
// must score a pair or say why not. Input: a byte, then lines: a feature or a model's version, then
// "option=value" each. An empty input tries every feature with each of its options.

namespace vmaf::fuzz {
namespace {

constexpr unsigned kSide = 48; ///< every feature accepts it by default, and few of them are slow

int read_pair(VmafContext *context, unsigned noise)
{
    VmafPicture pictures[2]{};
    for (VmafPicture &picture : pictures) {
        require(vmaf_picture_alloc(&picture, VMAF_PIX_FMT_YUV420P, 8, kSide, kSide) == 0, "vmaf_picture_alloc");
        for (unsigned plane = 0; plane < 3; ++plane)
            for (unsigned y = 0; y < picture.h[plane]; ++y) {
                auto *const row = static_cast<unsigned char *>(picture.data[plane]) + picture.stride[plane] * y;
                for (unsigned x = 0; x < picture.w[plane]; ++x)
                    row[x] = static_cast<unsigned char>((x * 5 + y * 3) ^ (&picture == &pictures[1] ? noise : 0));
            }
    }
    const int error = vmaf_read_pictures(context, &pictures[0], &pictures[1], 0);
    if (error != 0)
        for (VmafPicture &picture : pictures)
            require(vmaf_picture_unref(&picture) == 0, "a refused picture is still the client's");
    return error;
}

VmafFeatureDictionary *dictionary(Bytes &bytes)
{
    VmafFeatureDictionary *options = nullptr;
    for (unsigned entry = 0; entry < 8 && !bytes.at_end(); ++entry) {
        const std::string line = bytes.line();
        const std::size_t equals = line.find('=');
        const std::string key = line.substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : line.substr(equals + 1);
        require(vmaf_feature_dictionary_set(&options, key.c_str(), value.c_str()) == 0, "vmaf_feature_dictionary_set");
    }
    return options;
}

void score(const std::uint8_t *data, std::size_t count)
{
    Bytes bytes(data, count);
    const unsigned wishes = bytes.byte();
    const std::string name = bytes.line();
    const test::Context context = test::open_context(0);
    require(context != nullptr, "vmaf_init");
    test::ModelHandle model;
    if ((wishes & 1) != 0) {
        model = test::load_model("vmaf_v0.6.1");
        if (VmafFeatureDictionary *const options = dictionary(bytes); options != nullptr)
            vmaf_model_feature_overload(model.get(), name.c_str(), options); // it takes them, whatever it returns
        if (vmaf_use_features_from_model(context.get(), model.get()) != 0)
            return;
    } else {
        VmafFeatureDictionary *options = dictionary(bytes);
        if (vmaf_use_feature(context.get(), name.c_str(), options) != 0) {
            vmaf_feature_dictionary_free(&options); // the client keeps a refused dictionary
            return;
        }
    }
    if (read_pair(context.get(), wishes >> 1) != 0)
        return;
    require(vmaf_read_pictures(context.get(), nullptr, nullptr, 0) == 0, "a frame that was taken has its scores");
    double score = 0;
    if (model != nullptr)
        require(vmaf_score_at_index(context.get(), model.get(), &score, 0) == 0, "and a model its score");
}

/// A feature with one option, or with the option as a model's overload.
void score_with(const std::string &feature, const std::string &option)
{
    for (const char wishes : {'\0', '\1'}) {
        const std::string input = wishes + feature + '\n' + option;
        score(reinterpret_cast<const std::uint8_t *>(input.data()), input.size());
    }
}

/// A feature with its defaults, and with each option at both ends of its range.
void score_every_option(const VmafFeatureInfo &feature)
{
    score_with(feature.name, "");
    for (const auto *option : listed(feature.options)) {
        const std::string set = option->name + std::string("=");
        if (option->type == VMAF_OPTION_BOOL)
            score_with(feature.name, set + (option->default_number != 0 ? "false" : "true"));
        else if (option->type != VMAF_OPTION_TEXT)
            for (const double end : {option->least, option->most})
                score_with(feature.name, set + std::to_string(end));
    }
}

} // namespace
} // namespace vmaf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t count)
{
    using namespace vmaf::fuzz;
    drop_log_lines();
    if (count > 0)
        score(data, count);
    else
        for (const auto *feature = vmaf_feature_list(nullptr); feature != nullptr; feature = vmaf_feature_list(feature))
            score_every_option(*feature);
    return 0;
}
