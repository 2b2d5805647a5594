#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "feature/options.h"
#include "model/svr.h"
#include "model/transform.h"

namespace vmaf {

constexpr std::size_t kMaxModelFeatures = 64; // spec models 3

/// model_type of a model file. No effect on prediction; a collection's members are of one of the
/// bootstrap types.
enum class ModelType { nu_svr, bootstrap_nu_svr, residue_bootstrap_nu_svr };

/// One input of a model, rescaled by slope * score + intercept.
struct ModelFeature {
    std::string name; ///< full feature name, as in FeatureSpec::provided
    double slope = 1;
    double intercept = 0;
    OptionDict options; ///< of the feature that computes it
};

/// Trained parameters of a model from any source. A model without rescaling has slopes 1 and
/// intercepts 0, which leave every value as it is.
struct ModelParameters {
    ModelType type = ModelType::nu_svr;
    double slope = 1;
    double intercept = 0;
    std::vector<ModelFeature> features; ///< at most kMaxModelFeatures
    Svr svr;
    std::optional<ScoreTransform> transform;
    std::optional<ClipRange> clip;
    /// Unless 0: exactly one feature is an adm3, exactly one a speed_chroma.
    double chroma_correction = 0;
};

/// The client's choices at load (VmafModelConfig of the C API).
struct ModelConfig {
    std::string name;
    bool disable_clip = false;
    bool enable_transform = false; ///< no effect on a model that has none
};

/// Whether the feature takes part in the chroma correction (spec models 3, 4).
bool is_adm3(std::string_view feature_name);
bool is_speed_chroma(std::string_view feature_name);

/// Turns the feature scores of one frame into one score. Has no state across frames; prediction may
/// run on several threads.
class Model {
  public:
    Model(const ModelConfig &config, ModelParameters parameters);

    const std::string &name() const { return name_; }
    /// Unique in the process among all models as they were loaded and as overloads changed them,
    /// never 0; a copy shares it.
    std::uint64_t revision() const { return revision_; }
    ModelType type() const { return parameters_.type; }
    /// In the order of prediction's feature scores.
    std::span<const ModelFeature> features() const { return parameters_.features; }
    const ModelParameters &parameters() const { return parameters_; }

    /// The regression's score, before transform and clip (spec models 4, steps 2 to 5).
    double predict_raw(std::span<const double> feature_scores) const;
    /// Transform and clip (spec models 4, steps 6 and 7).
    double transformed_and_clipped(double raw) const;
    double predict(std::span<const double> feature_scores) const
    {
        return transformed_and_clipped(predict_raw(feature_scores));
    }

    /// Sets the options on every input that the registered feature of that name provides (spec
    /// models 2.5).
    void overload(std::string_view feature, const OptionDict &options);

  private:
    void correct_chroma(std::span<double> x) const;

    std::string name_;
    std::uint64_t revision_;
    ModelParameters parameters_;
    std::size_t adm3_ = 0; ///< the inputs of the chroma correction
    std::size_t speed_chroma_ = 0;
};

} // namespace vmaf
