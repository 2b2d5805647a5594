#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "libvmaf/libvmaf.h"
#include "support/clips.h"
#include "support/session.h"

/// A client of the public API, on public headers alone: helpers that every contract test needs.
namespace vmaf::test {

/// An open context, closed at the end.
class OpenContext {
  public:
    explicit OpenContext(unsigned n_threads = 0, unsigned n_subsample = 0,
                         VmafLogLevel log_level = VMAF_LOG_LEVEL_NONE);
    ~OpenContext();
    OpenContext(const OpenContext &) = delete;
    OpenContext &operator=(const OpenContext &) = delete;

    operator VmafContext *() const { return vmaf_; }
    /// Calls vmaf_close() once.
    int close();

  private:
    VmafContext *vmaf_ = nullptr;
};

/// A built-in model, destroyed at the end.
class BuiltinModel {
  public:
    explicit BuiltinModel(const char *version, const char *name = nullptr,
                          std::uint64_t flags = VMAF_MODEL_FLAGS_DEFAULT);
    ~BuiltinModel();
    BuiltinModel(const BuiltinModel &) = delete;
    BuiltinModel &operator=(const BuiltinModel &) = delete;

    operator VmafModel *() const { return model_; }
    void destroy();

  private:
    VmafModel *model_ = nullptr;
};

/// A built-in collection with its main model, destroyed at the end.
class BuiltinCollection {
  public:
    explicit BuiltinCollection(const char *version, const char *name = nullptr);
    ~BuiltinCollection();
    BuiltinCollection(const BuiltinCollection &) = delete;
    BuiltinCollection &operator=(const BuiltinCollection &) = delete;

    VmafModel *main_model() const { return model_; }
    operator VmafModelCollection *() const { return collection_; }
    VmafModelCollection **where() { return &collection_; }

  private:
    VmafModel *model_ = nullptr;
    VmafModelCollection *collection_ = nullptr;
};

using Options = std::initializer_list<std::pair<const char *, const char *>>;

/// A new dictionary with these options, which the caller owns; NULL for no options.
VmafFeatureDictionary *dictionary(Options options);

/// vmaf_use_feature() with these options; frees the dictionary if the library did not take it.
int use_feature(VmafContext *vmaf, const char *name, Options options = {});

/// A zeroed picture in 8-bit 4:2:0.
VmafPicture blank_picture(unsigned width, unsigned height, unsigned bpc = 8,
                          VmafPixelFormat pix_fmt = VMAF_PIX_FMT_YUV420P);

/// A frame of a clip.
VmafPicture clip_picture(const Clip &clip, Side side, unsigned frame);

/// Calls vmaf_read_pictures() and unreferences the pictures if the library did not take them.
int read(VmafContext *vmaf, VmafPicture ref, VmafPicture dis, unsigned index);
/// Reads a frame of a clip.
int read_frame(VmafContext *vmaf, const Clip &clip, unsigned frame, unsigned index);
/// Reads blank pictures with that luma size.
int read_blank(VmafContext *vmaf, unsigned width, unsigned height, unsigned index);
int flush(VmafContext *vmaf);

/// A clip of five frames.
const Clip &small_clip();

/// Reads the first frames of a clip, with indices from 0 on. Expects success.
void read_clip(VmafContext *vmaf, const Clip &clip, unsigned frames);

/// Whether all members are zero, as in a picture that the library has taken.
bool struct_is_zeroed(const VmafPicture &pic);

constexpr const char *kVifScale0 = "VMAF_integer_feature_vif_scale0_score";

/// Whether the score can be read.
bool has_score(VmafContext *vmaf, const char *stored_name, unsigned index);
/// The score. If there is none: NaN and a test failure.
double score_of(VmafContext *vmaf, const char *stored_name, unsigned index);

/// A JSON model with one feature, adm2, as in a file of its own or in a collection.
std::string small_model_text();

/// Path of a file of this test in the temporary folder.
std::string temp_path(const std::string &file_name);
std::string file_text(const std::string &path);
/// Lines of the context's CSV output.
std::vector<std::string> csv_lines(VmafContext *vmaf);
/// Column names of the CSV header, without "Frame".
std::vector<std::string> csv_columns(VmafContext *vmaf);

} // namespace vmaf::test
