#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/cpu.h"
#include "base/plane_view.h"
#include "base/result.h"
#include "feature/metric_map.h"
#include "feature/options.h"
#include "feature/picture_format.h"
#include "feature/reading_window.h"

/// A feature is written in two parts. The description (FeatureSpec and Feature: names, options,
/// outputs, finishing arithmetic) exists once and runs on the host. The compute backend, one per
/// device, turns planes into a small POD of exact sums and knows no score. So whatever computed the
/// sums, the scores come out of the same code.

namespace vmaf {

/// The samples that a CPU backend reads for one frame: what the feature's ReadingWindow declares,
/// the rest is empty.
using FramePlanes = FrameOf<PlaneView>;

/// The sums of several frames that have one reference: their reference's planes are the same, those
/// of earlier pairs too.
class CpuLadder {
  public:
    virtual ~CpuLadder() = default;

    /// Throws std::bad_alloc where it has not seen as many frames before.
    /// @param sums as for CpuExtractor::extract(), one POD for each frame.
    virtual Status extract_all(std::span<const FramePlanes> frames, void *sums) = 0;
};

/// The CPU backend of one feature: scratch memory and tables for one format. Used by one thread at
/// a time; allocates nothing per frame.
class CpuExtractor {
  public:
    virtual ~CpuExtractor() = default;

    /// @param sums the feature's POD, `Feature::sums_bytes()` long and aligned for any scalar;
    /// written whole.
    virtual Status extract(const FramePlanes &planes, void *sums) = 0;
    /// Null if several frames with one reference take it as long as that many with one each.
    virtual CpuLadder *ladder() { return nullptr; }
};

/// CpuExtractor with the type of the POD put back.
template <class Sums> class CpuExtractorOf : public CpuExtractor {
    static_assert(std::is_trivially_copyable_v<Sums>);

  public:
    Status extract(const FramePlanes &planes, void *sums) final { return extract(planes, *new (sums) Sums{}); }

  protected:
    virtual Status extract(const FramePlanes &planes, Sums &sums) = 0;
};

/// A CpuExtractor that computes what depends on the reference alone once for several frames.
template <class Sums> class CpuLadderExtractorOf : public CpuExtractor, private CpuLadder {
    static_assert(std::is_trivially_copyable_v<Sums>);

  public:
    Status extract(const FramePlanes &planes, void *sums) final { return extract_all({&planes, 1}, sums); }
    CpuLadder *ladder() final { return this; }

  protected:
    /// @param sums of each frame, zero.
    virtual Status extract(std::span<const FramePlanes> frames, std::span<Sums> sums) = 0;

  private:
    Status extract_all(std::span<const FramePlanes> frames, void *sums) final
    {
        auto *const first = static_cast<Sums *>(sums);
        std::uninitialized_value_construct_n(first, frames.size());
        return extract(frames, {first, frames.size()});
    }
};

enum class OutputKind {
    frame,   ///< known from the frame's own sums
    delayed, ///< needs later frames; its column stands after all frame outputs
    running, ///< of the frame and of all whose index is lower, by the ClipState; its column stands with those of delayed outputs
    aggregate ///< one value for the whole clip, known at the flush
};

/// One row of a feature's output table: the only place where the output exists.
struct OutputDescription : VmafOutputInfo {
    using Info = VmafOutputInfo;

    /// A short name for score files.
    constexpr OutputDescription logged_as(const char *its_log_name) const
    {
        OutputDescription changed = *this;
        changed.log_name = its_log_name;
        return changed;
    }
    /// Written only if that bool option is on.
    constexpr OutputDescription with(const char *its_option) const
    {
        OutputDescription changed = *this;
        changed.option = its_option;
        return changed;
    }
    /// A value of the frame and of all frames with a lower index.
    constexpr OutputDescription running() const
    {
        OutputDescription changed = *this;
        changed.merge = VMAF_MERGE_SUMS;
        return changed;
    }
    /// One value for the whole clip. Models cannot use it.
    constexpr OutputDescription of_clip() const
    {
        OutputDescription changed = running().not_for_models();
        changed.scope = VMAF_SCOPE_CLIP;
        return changed;
    }
    /// Models do not find it, and no option changes its name.
    constexpr OutputDescription not_for_models() const
    {
        OutputDescription changed = *this;
        changed.for_models = 0;
        return changed;
    }
};

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

constexpr OutputDescription higher_is_better(const char *name, const char *unit, double least, double most,
                                             const char *help)
{
    return {
        {name, name, nullptr, VMAF_DIRECTION_HIGHER, unit, least, most, VMAF_SCOPE_FRAME, VMAF_MERGE_FRAMES, 1, help}};
}
constexpr OutputDescription lower_is_better(const char *name, const char *unit, double least, double most,
                                            const char *help)
{
    return {
        {name, name, nullptr, VMAF_DIRECTION_LOWER, unit, least, most, VMAF_SCOPE_FRAME, VMAF_MERGE_FRAMES, 1, help}};
}
/// A value that says nothing of quality by itself.
constexpr OutputDescription plain_output(const char *name, const char *unit, double least, double most,
                                         const char *help)
{
    return {
        {name, name, nullptr, VMAF_DIRECTION_NONE, unit, least, most, VMAF_SCOPE_FRAME, VMAF_MERGE_FRAMES, 1, help}};
}

/// An output that a registration of a feature writes.
struct OutputSpec {
    static constexpr unsigned kAtFlush = ~0U;

    OutputSpec(const OutputDescription &output)
        : OutputSpec(output, output.scope == VMAF_SCOPE_CLIP   ? OutputKind::aggregate
                             : output.merge == VMAF_MERGE_SUMS ? OutputKind::running
                                                               : OutputKind::frame)
    {
    }
    OutputSpec(const OutputDescription &output, OutputKind its_kind, unsigned frame = kAtFlush)
        : name(output.name), kind(its_kind), provided(output.for_models != 0), column_frame(frame)
    {
    }

    const char *name; ///< base name (spec abi 5.1)
    OutputKind kind;
    /// A model finds it and options suffix it. The others keep their name whatever the options.
    bool provided;
    /// For a delayed output: the feature's frame in call order (0, 1) before whose outputs its
    /// column stands (spec abi 4.2).
    unsigned column_frame;

    /// Whether the scores of a part of a clip are the clip's.
    bool holds_for_parts() const { return kind == OutputKind::frame || kind == OutputKind::delayed; }
};

/// The outputs of a table in its order: all, or those that need no option.
inline std::vector<OutputSpec> outputs_of(std::span<const OutputDescription> table, bool with_options = true)
{
    std::vector<OutputSpec> list;
    for (const OutputDescription &output : table)
        if (with_options || output.option == nullptr)
            list.emplace_back(output);
    return list;
}

/// A ClipState's access to the session's scores of its feature. Outputs are named by their position
/// in Feature::outputs().
class ClipOutputs {
  public:
    virtual ~ClipOutputs() = default;

    /// A frame output's score, if it exists.
    virtual std::optional<double> score(std::size_t output, unsigned frame_index) const = 0;
    /// Writes a delayed or running output; a score that exists already stays. Throws
    /// std::bad_alloc.
    virtual void write_delayed(std::size_t output, unsigned frame_index, double value) = 0;
    /// Writes an aggregate. -EINVAL if the name holds another value.
    virtual Status write_aggregate(std::size_t output, double value) = 0;
};

/// State of a feature across the frames of one clip, for delayed outputs and aggregates. Calls come
/// one at a time, from any thread.
class ClipState {
  public:
    virtual ~ClipState() = default;

    /// Makes room so that add() of that frame cannot fail. Throws std::bad_alloc.
    virtual void reserve(unsigned) {}
    /// A frame's sums, once per scored frame, in no fixed order. `call` grows in the order in which
    /// the frames were read.
    virtual void add(unsigned /*frame_index*/, std::uint64_t /*call*/, const void * /*sums*/) {}
    /// Bytes that it keeps of each scored frame besides the scores that hold for segments: what
    /// merging segments needs.
    virtual std::size_t kept_bytes() const { return 0; }
    /// Writes them, of a frame that was added.
    virtual void save(unsigned /*frame_index*/, std::byte * /*kept*/) const {}
    /// Takes in a frame that another state saved, instead of add(). Any bytes will do, and frames
    /// come in the order of their indices.
    virtual void load(unsigned /*frame_index*/, const std::byte * /*kept*/) {}
    /// Writes every delayed or running score that is determined by now. May be cut short by
    /// std::bad_alloc and called again.
    virtual void advance(ClipOutputs &) {}
    /// Writes the last delayed and running scores and the aggregates.
    virtual Status flush(ClipOutputs &scores) = 0;
};

/// One registration of a feature: its options, and everything about it that does not depend on the
/// device. Immutable once made, so it may be used by many threads.
class Feature {
  public:
    virtual ~Feature() = default;

    /// What the options and the format rule out beyond the smallest size of the spec: -EINVAL with
    /// one log line. Comes before the first backend is made, so files that the options name are
    /// opened here.
    virtual Status check_format(const PictureFormat &format) const;
    /// In the order in which they are written; frame outputs first.
    virtual std::vector<OutputSpec> outputs(const PictureFormat &format) const = 0;
    /// Planes to read to score a frame. The default is luma of its own pair.
    virtual ReadingWindow window(const PictureFormat &format) const;

    virtual std::size_t sums_bytes() const = 0;
    /// Throws std::bad_alloc.
    virtual std::unique_ptr<CpuExtractor> make_cpu(const PictureFormat &format, CpuTarget target) const = 0;

    /// Checks sums from a device for what a CpuExtractor would refuse: a negative error with one
    /// log line, for this frame alone. Called before finish().
    virtual Status check_sums(const void *sums, const PictureFormat &format, unsigned frame_index) const;
    /// Sums -> the frame outputs' scores, `scores` in the order of outputs(). Pure.
    virtual void finish(const void *sums, const PictureFormat &format, std::span<double> scores) const = 0;
    /// Null if the feature keeps nothing across frames.
    virtual std::unique_ptr<ClipState> make_clip_state(const PictureFormat &format) const;
};

/// Feature with the type of the POD put back.
template <class Sums> class FeatureOf : public Feature {
    static_assert(std::is_trivially_copyable_v<Sums>);

  public:
    std::size_t sums_bytes() const final { return sizeof(Sums); }
    Status check_sums(const void *sums, const PictureFormat &format, unsigned frame_index) const final
    {
        return check_sums(*static_cast<const Sums *>(sums), format, frame_index);
    }
    void finish(const void *sums, const PictureFormat &format, std::span<double> scores) const final
    {
        finish(*static_cast<const Sums *>(sums), format, scores);
    }

  protected:
    virtual Status check_sums(const Sums &, const PictureFormat &, unsigned) const { return {}; }
    virtual void finish(const Sums &sums, const PictureFormat &format, std::span<double> scores) const = 0;
};

/// A row of the registry: what the C API shows of a feature, and how one is made.
struct FeatureSpec : VmafFeatureInfo {
    std::unique_ptr<Feature> (*create)(const OptionValues &options);
    /// Checks option values that the ranges of single options cannot exclude: -EINVAL with one log
    /// line. create() gets values that pass. Null: no check.
    Status (*check_options)(const OptionValues &options) = nullptr;
    /// A name that models find the feature by and that no output has (spec float_features 4), or
    /// null.
    const char *also_provides = nullptr;
    /// Makes the map that `map` describes of a pair in a format that the feature takes. Null: there
    /// is none. Throws std::bad_alloc.
    Result<MetricMap> (*make_map)(const OptionValues &options, const PictureFormat &format, const FramePlanes &planes,
                                  CpuTarget target) = nullptr;

    template <class Class, class T> constexpr FeatureSpec with(T Class::*member, std::type_identity_t<T> value) const
    {
        FeatureSpec changed = *this;
        changed.*member = value;
        return changed;
    }
    constexpr FeatureSpec with_map(const char *its_help, decltype(make_map) its_maker) const
    {
        return with(&FeatureSpec::map, its_help).with(&FeatureSpec::make_map, its_maker);
    }
};

/// -EINVAL with one log line for pictures that are smaller than the feature takes, or too large.
Status check_picture_size(const FeatureSpec &spec, const PictureFormat &format);

/// A feature of luma, of any size and signal, whose scores are the same on every device; with()
/// says what is different.
constexpr FeatureSpec feature_spec(const char *name, const char *help, const VmafOptionInfo *const *options,
                                   const VmafOutputInfo *const *outputs,
                                   std::unique_ptr<Feature> (*create)(const OptionValues &))
{
    return {{name, help, options, outputs, 0, nullptr, 0, 1, 1, 0, 0, nullptr}, create};
}

/// Tables of features that have no options, or write nothing.
inline constexpr std::array<OptionSpec, 0> kNoOptions{};
inline constexpr std::array<OutputDescription, 0> kNoOutputs{};

} // namespace vmaf
