#include "base/log.h"
#include "feature/speed/speed.h"
#include "feature/speed/speed_plane.h"

namespace vmaf {
namespace {

/// Scores planes of one size with a reference.
class PlaneScorer {
  public:
    PlaneScorer(const SpeedGeometry &geometry, const SpeedOptions &options, CpuTarget target)
        : options_(options), model_(geometry, options, target), ref_(geometry), dis_(geometry)
    {
    }

    void set_reference(const SpeedSource &ref) { model_.fit(ref, ref_); }
    SpeedPlaneScore score(const SpeedSource &dis)
    {
        model_.fit(dis, dis_);
        return speed_plane_score(ref_, dis_, options_);
    }

  private:
    SpeedOptions options_;
    SpeedPlaneModel model_;
    SpeedBlocks ref_, dis_;
};

// Scores stand, and flat pictures are common: no more than a debug line.
void report_singular(const char *feature, const char *plane, unsigned frame_index, const SpeedPlaneScore &score)
{
    if (score.bad != 0)
        log(LogLevel::debug, "%s: frame %u: the covariance of plane %s is singular", feature, frame_index, plane);
}

class SpeedChromaCpu final : public CpuLadderExtractorOf<SpeedChromaSums> {
  public:
    SpeedChromaCpu(const SpeedGeometry &geometry, const SpeedOptions &options, CpuTarget target)
        : scorer_(geometry, options, target)
    {
    }

  protected:
    Status extract(std::span<const FramePlanes> frames, std::span<SpeedChromaSums> sums) override
    {
        constexpr const char *kNames[] = {"u", "v"};
        for (unsigned plane = 0; plane < 2; ++plane) {
            scorer_.set_reference({frames.front().ref[plane + 1], {}});
            for (std::size_t i = 0; i < frames.size(); ++i) {
                sums[i].plane[plane] = scorer_.score({frames[i].dis[plane + 1], {}});
                report_singular(kSpeedChroma.name, kNames[plane], frames[i].frame_index, sums[i].plane[plane]);
            }
        }
        return {};
    }

  private:
    PlaneScorer scorer_;
};

class SpeedTemporalCpu final : public CpuLadderExtractorOf<SpeedTemporalSums> {
  public:
    SpeedTemporalCpu(const SpeedGeometry &geometry, const SpeedOptions &options, CpuTarget target)
        : use_ref_diff_(options.use_ref_diff), scorer_(geometry, options, target)
    {
    }

  protected:
    /// spec speed 3.9 and 4: the frame with index 0 and the first one have the score 0.
    Status extract(std::span<const FramePlanes> frames, std::span<SpeedTemporalSums> sums) override
    {
        const FramePlanes &first = frames.front(); // the others have the same references
        const PlaneView &ref = first.ref[0], &earlier_ref = first.earlier[0].ref[0];
        if (first.frame_index == 0 || earlier_ref.data == nullptr)
            return {};
        scorer_.set_reference({earlier_ref, ref});
        for (std::size_t i = 0; i < frames.size(); ++i) {
            const PlaneView &earlier_dis = frames[i].earlier[0].dis[0];
            if (earlier_dis.data == nullptr)
                continue;
            sums[i].luma = scorer_.score({earlier_dis, use_ref_diff_ ? ref : frames[i].dis[0]});
            report_singular(kSpeedTemporal.name, "y", first.frame_index, sums[i].luma);
        }
        return {};
    }

  private:
    bool use_ref_diff_;
    PlaneScorer scorer_;
};

} // namespace

std::unique_ptr<CpuExtractor> make_speed_chroma_cpu(const PictureFormat &format, const SpeedOptions &options,
                                                    CpuTarget target)
{
    const SpeedGeometry geometry({format.plane_width(1), format.plane_height(1)}, options.prescale);
    return std::make_unique<SpeedChromaCpu>(geometry, options, target);
}

std::unique_ptr<CpuExtractor> make_speed_temporal_cpu(const PictureFormat &format, const SpeedOptions &options,
                                                      CpuTarget target)
{
    const SpeedGeometry geometry({format.width, format.height}, options.prescale);
    return std::make_unique<SpeedTemporalCpu>(geometry, options, target);
}

} // namespace vmaf
