#pragma once

#include <string>
#include <vector>

#include "cli/specs.h"
#include "common/console.h"
#include "frames/library.h"
#include "scoring/library_log.h"
#include "scoring/model_files.h"

namespace vmaf::tool {

/// A model of the command line, loaded, or a collection and its base model.
class ScoringModel {
  public:
    /// Load with the spec's overloads and register its features. Throws Failure.
    ScoringModel(VmafContext *context, ModelSpec spec, ModelFiles &files, LibraryLog &log, Warnings &warnings);

    const ModelSpec &spec() const { return spec_; }
    bool is_collection() const { return collection_ != nullptr; }

    /// Mean-pooled over frames 0..frames-1. The library's error, or 0.
    [[nodiscard]] int pool(VmafContext *context, unsigned frames, double &score) const;
    [[nodiscard]] int pool(VmafContext *context, unsigned frames, VmafModelCollectionScore &score) const;

  private:
    void load(ModelFiles &files, LibraryLog &log);
    void apply(const FeatureOverload &overload, LibraryLog &log, Warnings &warnings);
    int overload(const FeatureOverload &overload, VmafFeatureDictionary *options);
    void register_features(VmafContext *context, LibraryLog &log, Warnings &warnings);

    ModelSpec spec_;
    Model model_;
    ModelCollection collection_;
};

} // namespace vmaf::tool
