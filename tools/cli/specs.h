#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/format.h"
#include "model_choice.h"

namespace vmaf::tool {

/// "a:b:c" as its items, empty ones included (spec cli 4.1). "\:" and "\\" are a literal ':' and
/// '\'.
std::vector<std::string> split_items(std::string_view text);

struct KeyValue {
    std::string key;
    std::string value;
    bool has_value; ///< an '=' was there
};

/// Cut at the first '='.
KeyValue split_key_value(std::string_view item);

/// One --feature argument (spec cli 4.2).
struct FeatureSpec {
    std::string name; ///< the extractor's registered name
    std::vector<std::pair<std::string, std::string>> options;
};

/// "NAME" or "NAME=OPTION=VALUE:...". Throws UsageError.
FeatureSpec parse_feature_spec(std::string_view text);

/// Parse features. Also allowed are "NAME,NAME,...", where the last may have options, and the
/// syntax of ffmpeg's filter, "name=NAME:OPTION=VALUE:...".
std::vector<FeatureSpec> parse_feature_specs(std::string_view text);

/// One --model argument (spec cli 4.1).
struct ModelSpec {
    std::string version; ///< built-in name; wins over path
    std::string path;
    std::string name = "vmaf";              ///< name of the score column
    std::uint64_t flags = 0;                ///< VmafModelFlags
    std::vector<FeatureOverload> overloads; ///< "EXTRACTOR.OPTION=VALUE"
    bool is_of_preset = false;              ///< test conditions name it, whatever the videos are

    /// The model's name in messages and result lines.
    std::string label() const { return printable(version.empty() ? path : version); }
};

using IsBuiltinModel = std::function<bool(const std::string &)>;

/// @param is_builtin asked about a bare first item. Throws UsageError.
ModelSpec parse_model_spec(std::string_view text, const IsBuiltinModel &is_builtin);

/// The side of the limit on which a score fails.
enum class GateKind { under, over };

/// One --fail_under or --fail_over argument (spec cli 10.5).
struct GateSpec {
    GateKind kind = GateKind::under;
    std::string metric;             ///< a column or aggregate; empty: the first model
    std::string statistic = "mean"; ///< one of kStatisticNames
    double limit = 0;

    const char *option() const { return kind == GateKind::under ? "--fail_under" : "--fail_over"; }
    /// Option and argument, to copy.
    std::string text() const;
};

/// Throws UsageError.
GateSpec parse_gate_spec(std::string_view text, GateKind kind);

} // namespace vmaf::tool
