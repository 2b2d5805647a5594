#pragma once

#include <map>
#include <memory>
#include <string>

#include "frames/library.h"
#include "libvmaf/libvmaf.h"

namespace vmaf::python {

/// Options of a feature, as texts.
using OptionTexts = std::map<std::string, std::string>;

/// A model, or a collection with its main model.
class Model {
  public:
    /// @param is_file whether `source` is a path or the version of a built-in model. Throws
    /// Python's exceptions.
    static Model load(const std::string &source, bool is_file, const std::string &name, std::uint64_t flags);

    void overload(const std::string &feature, const OptionTexts &options);
    /// Throws Python's exceptions.
    void use_features(VmafContext *context) const;

    const std::string &name() const { return name_; }
    VmafModel *get() const { return model_.get(); }
    bool is_collection() const { return collection_ != nullptr; }
    /// Score of the main model. Returns the library's error, or 0.
    [[nodiscard]] int score(VmafContext *context, unsigned index, double &score) const;
    [[nodiscard]] int score(VmafContext *context, unsigned index, VmafModelCollectionScore &score) const;

  private:
    std::string name_;
    tool::Model model_;
    tool::ModelCollection collection_;
};

/// Owned by the caller, for a call that takes it. Throws MemoryError.
void fill(tool::FeatureDictionary &dictionary, const OptionTexts &options);

} // namespace vmaf::python
