#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/score_files.h"
#include "cli/specs.h"
#include "common/failure.h"
#include "fuzz/target.h"

// The tool's arguments. Each line of the input is one argument; it is also tried as a feature, a
// model and a gate, and names of score files are made from it.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t count)
{
    using namespace vmaf;
    fuzz::Bytes bytes(data, count);
    std::vector<std::string> arguments{"vmaf"};
    while (!bytes.at_end() && arguments.size() < 32)
        arguments.push_back(bytes.line());
    const auto attempt = [](auto &&parse) {
        try {
            parse();
        } catch (const tool::Failure &failure) {
            fuzz::require(failure.what()[0] != '\0', "a failure says why");
        }
    };
    const tool::IsBuiltinModel is_builtin = [](const std::string &name) { return name.size() == 3; };
    for (const std::string &argument : arguments) {
        attempt([&] { tool::parse_feature_specs(argument); });
        attempt([&] { tool::parse_model_spec(argument, is_builtin); });
        attempt([&] { tool::parse_gate_spec(argument, tool::GateKind::under); });
        tool::kind_by_suffix(argument);
    }
    std::vector<const char *> argv;
    for (const std::string &argument : arguments)
        argv.push_back(argument.c_str());
    attempt([&] {
        const tool::Options options = tool::parse_options(static_cast<int>(argv.size()), argv.data(), is_builtin);
        tool::score_files(options.outputs, options.reading.distorted);
    });
    return 0;
}
