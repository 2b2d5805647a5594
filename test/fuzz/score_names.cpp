#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "fuzz/target.h"
#include "support/session.h"

// Names and values of scores that a client imports, in every kind of score file and as columns.
// Whatever the name is, a file is written, JSON is valid, and names of columns are UTF-8. Input: a
// byte; then, until the bytes end, a frame's number, a double and a line with the name. The first
// name is also the format of the numbers.

namespace vmaf::fuzz {
namespace {

std::string text_of(const std::string &path)
{
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// If a format rounds a number beyond the largest double, the file must still be JSON.
bool is_json(const std::string &text)
{
    try {
        return !nlohmann::json::parse(text).is_null();
    } catch (const nlohmann::json::out_of_range &) {
        return true;
    } catch (const nlohmann::json::parse_error &) {
        return false;
    }
}

} // namespace
} // namespace vmaf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t count)
{
    using namespace vmaf;
    fuzz::drop_log_lines();
    fuzz::Bytes bytes(data, count);
    const test::Context context = test::open_context(0, bytes.below(4));
    fuzz::require(context != nullptr, "vmaf_init");
    std::string first_name;
    for (unsigned entry = 0; entry < 64 && !bytes.at_end(); ++entry) {
        const unsigned frame = bytes.below(300);
        const double value = bytes.number();
        const std::string name = bytes.line();
        if (entry == 0)
            first_name = name;
        if (vmaf_import_feature_score(context.get(), name.c_str(), value, frame) != 0)
            continue;
        double score = 0;
        fuzz::require(vmaf_feature_score_at_index(context.get(), name.c_str(), &score, frame) == 0,
                      "what was imported is there");
        for (const VmafPoolingMethod method : {VMAF_POOL_METHOD_MIN, VMAF_POOL_METHOD_HARMONIC_MEAN})
            vmaf_feature_score_pooled(context.get(), name.c_str(), method, &score, 0, frame);
    }
    VmafScoreColumns *columns = nullptr;
    fuzz::require(vmaf_score_columns_create(context.get(), &columns) == 0, "scores are taken");
    for (unsigned i = 0; i < columns->metric_count; ++i)
        fuzz::require(nlohmann::json::accept(nlohmann::json(columns->metric_names[i]).dump()), "a name is UTF-8");
    vmaf_score_columns_destroy(columns);
    const char *const formats[] = {nullptr, "%.17g", first_name.c_str()};
    for (const VmafOutputFormat kind :
         {VMAF_OUTPUT_FORMAT_XML, VMAF_OUTPUT_FORMAT_JSON, VMAF_OUTPUT_FORMAT_CSV, VMAF_OUTPUT_FORMAT_SUB})
        for (const char *format : formats) {
            const fuzz::MemoryFile file("");
            const int error = vmaf_write_output_with_format(context.get(), file.path().c_str(), kind, format);
            fuzz::require(error == 0 || format == formats[2], "a score file is written");
            if (error == 0 && kind == VMAF_OUTPUT_FORMAT_JSON)
                fuzz::require(fuzz::is_json(fuzz::text_of(file.path())), "a JSON file is JSON");
        }
    return 0;
}
