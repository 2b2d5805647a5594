#include "base/log.h"
#include "feature/speed/speed.h"
#include "feature/speed/speed_plane.h"

namespace vmaf {
namespace {

/// Scores plane pairs of one size.
class PairScorer {
  public:
    PairScorer(const SpeedGeometry &geometry, const SpeedOptions &options, CpuTarget target)
        : options_(options), model_(geometry, options, target), ref_(geometry), dis_(geometry)
    {
    }

    SpeedPlaneScore score(const SpeedSource &ref, const SpeedSource &dis)
    {
        model_.fit(ref, ref_);
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

class SpeedChromaCpu final : public CpuExtractorOf<SpeedChromaSums> {
  public:
    SpeedChromaCpu(const SpeedGeometry &geometry, const SpeedOptions &options, CpuTarget target)
        : scorer_(geometry, options, target)
    {
    }

  protected:
    Status extract(const FramePlanes &planes, SpeedChromaSums &sums) override
    {
        constexpr const char *kNames[] = {"u", "v"};
        for (unsigned i = 0; i < 2; ++i) {
            sums.plane[i] = scorer_.score({planes.ref[i + 1], {}}, {planes.dis[i + 1], {}});
            report_singular(kSpeedChroma.name, kNames[i], planes.frame_index, sums.plane[i]);
        }
        return {};
    }

  private:
    PairScorer scorer_;
};

class SpeedTemporalCpu final : public CpuExtractorOf<SpeedTemporalSums> {
  public:
    SpeedTemporalCpu(const SpeedGeometry &geometry, const SpeedOptions &options, CpuTarget target)
        : use_ref_diff_(options.use_ref_diff), scorer_(geometry, options, target)
    {
    }

  protected:
    /// spec speed 3.9 and 4: the frame with index 0 and the first one have the score 0.
    Status extract(const FramePlanes &planes, SpeedTemporalSums &sums) override
    {
        const PlaneView &earlier_ref = planes.earlier[0].ref[0], &earlier_dis = planes.earlier[0].dis[0];
        if (planes.frame_index == 0 || earlier_ref.data == nullptr || earlier_dis.data == nullptr)
            return {};
        sums.luma =
            scorer_.score({earlier_ref, planes.ref[0]}, {earlier_dis, use_ref_diff_ ? planes.ref[0] : planes.dis[0]});
        report_singular(kSpeedTemporal.name, "y", planes.frame_index, sums.luma);
        return {};
    }

  private:
    bool use_ref_diff_;
    PairScorer scorer_;
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
