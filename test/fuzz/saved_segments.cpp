#include "fuzz/target.h"
#include "support/session.h"

// Bytes as a segment's scores, given to vmaf_append_saved_segment(). An accepted segment has scores
// of as many frames as it says, and a refused one leaves nothing behind. Input: a byte that chooses
// features and n_subsample, then the bytes between the library's version and the checksum. The test
// adds the running library's head and a correct checksum, which no fuzzer would find.

namespace vmaf::fuzz {
namespace {

constexpr const char *kFeatures[] = {"psnr", "motion", "xpsnr", "cvvdp"};
constexpr const char *kFirstOutputs[] = {"psnr_y", "VMAF_integer_feature_motion_sad_score", "xpsnr_y", "cvvdp_frame"};
constexpr unsigned kMostFrames = 1 << 16;

std::string saved(VmafContext *context, unsigned count)
{
    void *data = nullptr;
    std::size_t bytes = 0;
    require(vmaf_segment_save(context, 0, count, &data, &bytes) == 0, "vmaf_segment_save");
    std::string copy(static_cast<const char *>(data), bytes);
    vmaf_segment_free(data);
    return copy;
}

/// The bytes at the start of every saved segment.
const std::string &head()
{
    static const std::string bytes = [] {
        const test::Context context = test::open_context(0);
        require(test::feed(context.get(), test::Clip::get("tiles_176x144_8"), 0, 0) == 0, "a frame is read");
        require(vmaf_read_pictures(context.get(), nullptr, nullptr, 0) == 0, "the flush");
        const std::string whole = saved(context.get(), 1);
        return whole.substr(0, whole.find(vmaf_version()) + std::strlen(vmaf_version()));
    }();
    return bytes;
}

std::string with_checksum(std::string bytes)
{
    std::uint64_t sum = 0xCBF29CE484222325; // FNV-1a
    for (const char byte : bytes)
        sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001B3;
    return bytes.append(reinterpret_cast<const char *>(&sum), sizeof sum);
}

void append(unsigned which, unsigned subsample, const std::string &bytes)
{
    const test::Context context = test::open_context(0, subsample);
    VmafFeatureDictionary *options = nullptr;
    if (which == 0)
        require(vmaf_feature_dictionary_set(&options, "enable_apsnr", "true") == 0, "vmaf_feature_dictionary_set");
    require(vmaf_use_feature(context.get(), kFeatures[which], options) == 0, "vmaf_use_feature");
    unsigned count = 0, more = 0;
    const int error = vmaf_append_saved_segment(context.get(), bytes.data(), bytes.size(), &count);
    require((error == 0) == (count > 0), "what is appended has frames");
    if (error == 0 && vmaf_append_saved_segment(context.get(), bytes.data(), bytes.size(), &more) == 0)
        require(more == count, "and the same a second time");
    const int flushed = vmaf_read_pictures(context.get(), nullptr, nullptr, 0);
    require(error != 0 || flushed == 0, "the flush has nothing to wait for");
    double score = 0;
    require((vmaf_feature_score_at_index(context.get(), kFirstOutputs[which], &score, 0) == 0) == (error == 0),
            "the first frame has a score if it was appended");
    for (unsigned i = 0; i < count && i < kMostFrames; i += subsample)
        require(vmaf_feature_score_at_index(context.get(), kFirstOutputs[which], &score, i) == 0, "and so have all");
    if (error == 0)
        saved(context.get(), count + more);
}

} // namespace
} // namespace vmaf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t count)
{
    using namespace vmaf;
    fuzz::drop_log_lines();
    fuzz::Bytes bytes(data, count);
    const unsigned wishes = bytes.byte(), which = wishes % 4, subsample = 1 + wishes / 4 % 4;
    const std::string content(bytes.rest());
    fuzz::append(which, subsample, fuzz::with_checksum(fuzz::head() + content));
    fuzz::append(which, subsample, content);
    return 0;
}
