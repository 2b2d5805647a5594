#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/model.h"

namespace vmaf::test {

/// A JSON object in the making, member by member. Values are JSON texts.
using JsonMembers = std::vector<std::pair<std::string, std::string>>;

std::string object_text(const JsonMembers &members);
std::string json_string(std::string_view text); ///< escapes quotes, backslashes, line breaks and tabs

/// The model_dict of the knots table (spec models 7.3), without its score_transform.
JsonMembers small_model();
/// The SVM text of small_model().
std::string small_svm_text();
/// Replaces the member, or appends it.
JsonMembers with(JsonMembers members, const std::string &key, const std::string &value);
JsonMembers without(JsonMembers members, const std::string &key);
std::string single_text(const JsonMembers &model_dict);

enum class Zeros { written, left_out };
/// The model as a model_dict.
JsonMembers model_dict_of(const ModelParameters &parameters, Zeros zeros = Zeros::written);

/// A file in the temporary folder, removed at the end of the scope.
class TemporaryFile {
  public:
    explicit TemporaryFile(std::string_view content, const std::string &suffix = ".json");
    TemporaryFile(const TemporaryFile &) = delete;
    TemporaryFile &operator=(const TemporaryFile &) = delete;
    ~TemporaryFile();
    const std::string &path() const { return path_; }

  private:
    std::string path_;
};

} // namespace vmaf::test
