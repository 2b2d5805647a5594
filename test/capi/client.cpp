#include "client.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <system_error>

#include <gtest/gtest.h>

namespace vmaf::test {

OpenContext::OpenContext(unsigned n_threads, unsigned n_subsample, VmafLogLevel log_level)
{
    VmafConfiguration cfg{};
    cfg.log_level = log_level;
    cfg.n_threads = n_threads;
    cfg.n_subsample = n_subsample;
    EXPECT_EQ(vmaf_init(&vmaf_, cfg), 0);
}

OpenContext::~OpenContext()
{
    if (vmaf_)
        vmaf_close(vmaf_);
}

int OpenContext::close()
{
    return vmaf_close(std::exchange(vmaf_, nullptr));
}

BuiltinModel::BuiltinModel(const char *version, const char *name, std::uint64_t flags)
{
    VmafModelConfig cfg{name, flags};
    EXPECT_EQ(vmaf_model_load(&model_, &cfg, version), 0) << version;
}

BuiltinModel::~BuiltinModel()
{
    destroy();
}

void BuiltinModel::destroy()
{
    vmaf_model_destroy(std::exchange(model_, nullptr));
}

BuiltinCollection::BuiltinCollection(const char *version, const char *name)
{
    VmafModelConfig cfg{name, VMAF_MODEL_FLAGS_DEFAULT};
    EXPECT_EQ(vmaf_model_collection_load(&model_, &collection_, &cfg, version), 0) << version;
}

BuiltinCollection::~BuiltinCollection()
{
    vmaf_model_collection_destroy(collection_);
    vmaf_model_destroy(model_);
}

VmafFeatureDictionary *dictionary(Options options)
{
    VmafFeatureDictionary *dict = nullptr;
    for (const auto &[key, value] : options)
        EXPECT_EQ(vmaf_feature_dictionary_set(&dict, key, value), 0) << key << '=' << value;
    return dict;
}

int use_feature(VmafContext *vmaf, const char *name, Options options)
{
    VmafFeatureDictionary *dict = dictionary(options);
    const int err = vmaf_use_feature(vmaf, name, dict);
    if (err)
        vmaf_feature_dictionary_free(&dict);
    return err;
}

VmafPicture blank_picture(unsigned width, unsigned height, unsigned bpc, VmafPixelFormat pix_fmt)
{
    VmafPicture pic{};
    EXPECT_EQ(vmaf_picture_alloc(&pic, pix_fmt, bpc, width, height), 0);
    return pic;
}

VmafPicture clip_picture(const Clip &clip, Side side, unsigned frame)
{
    VmafPicture pic{};
    EXPECT_EQ(make_picture(pic, clip, side, frame), 0);
    return pic;
}

int read(VmafContext *vmaf, VmafPicture ref, VmafPicture dis, unsigned index)
{
    const int err = vmaf_read_pictures(vmaf, &ref, &dis, index);
    if (err) {
        EXPECT_EQ(vmaf_picture_unref(&ref), 0) << "a refused picture stays the client's";
        EXPECT_EQ(vmaf_picture_unref(&dis), 0) << "a refused picture stays the client's";
    }
    return err;
}

int read_frame(VmafContext *vmaf, const Clip &clip, unsigned frame, unsigned index)
{
    return read(vmaf, clip_picture(clip, Side::ref, frame), clip_picture(clip, Side::dis, frame), index);
}

int read_blank(VmafContext *vmaf, unsigned width, unsigned height, unsigned index)
{
    return read(vmaf, blank_picture(width, height), blank_picture(width, height), index);
}

int flush(VmafContext *vmaf)
{
    return vmaf_read_pictures(vmaf, nullptr, nullptr, 0);
}

const Clip &small_clip()
{
    return Clip::get("tiles_176x144_8");
}

bool struct_is_zeroed(const VmafPicture &pic)
{
    const VmafPicture zero{};
    return std::memcmp(&pic, &zero, sizeof pic) == 0;
}

void read_clip(VmafContext *vmaf, const Clip &clip, unsigned frames)
{
    for (unsigned i = 0; i < frames; ++i)
        EXPECT_EQ(read_frame(vmaf, clip, i, i), 0) << i;
}

bool has_score(VmafContext *vmaf, const char *stored_name, unsigned index)
{
    double score = 0;
    return vmaf_feature_score_at_index(vmaf, stored_name, &score, index) == 0;
}

double score_of(VmafContext *vmaf, const char *stored_name, unsigned index)
{
    double score = std::nan("");
    EXPECT_EQ(vmaf_feature_score_at_index(vmaf, stored_name, &score, index), 0) << stored_name << '[' << index << ']';
    return score;
}

std::string small_model_text()
{
    return R"({"model_dict": {"model_type": "BOOTSTRAP_LIBSVMNUSVR", "norm_type": "none",
               "feature_names": ["VMAF_integer_feature_adm2_score"],
               "model": "svm_type nu_svr\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1 1:0.5\n"}})";
}

namespace {

/// Contains the process's number: other processes, also of other users, may run the same tests at
/// the same time.
class TempFolder {
  public:
    TempFolder() : path_(::testing::TempDir() + "vmaf_capi_" + std::to_string(std::random_device()()))
    {
        std::filesystem::create_directory(path_);
    }
    ~TempFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TempFolder(const TempFolder &) = delete;
    const std::string &path() const { return path_; }

  private:
    std::string path_;
};

} // namespace

std::string temp_path(const std::string &file_name)
{
    static const TempFolder folder;
    const auto *test = ::testing::UnitTest::GetInstance()->current_test_info();
    return folder.path() + '/' + test->test_suite_name() + '_' + test->name() + '_' + file_name;
}

std::string file_text(const std::string &path)
{
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

std::vector<std::string> csv_lines(VmafContext *vmaf)
{
    const std::string path = temp_path("scores.csv");
    EXPECT_EQ(vmaf_write_output(vmaf, path.c_str(), VMAF_OUTPUT_FORMAT_CSV), 0);
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        lines.push_back(line);
    std::remove(path.c_str());
    return lines;
}

std::vector<std::string> csv_columns(VmafContext *vmaf)
{
    const std::vector<std::string> lines = csv_lines(vmaf);
    std::istringstream header(lines.empty() ? "" : lines[0]);
    std::vector<std::string> columns;
    for (std::string name; std::getline(header, name, ',');)
        if (name != "Frame")
            columns.push_back(name);
    return columns;
}

} // namespace vmaf::test
