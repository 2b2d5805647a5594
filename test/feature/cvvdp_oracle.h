#pragma once

#include <array>
#include <string>
#include <vector>

#include "feature/feature.h"

namespace vmaf::test {

/// A plane of real numbers.
struct CvvdpImage {
    unsigned width, height;
    std::vector<double> values;

    CvvdpImage(unsigned w, unsigned h) : width(w), height(h), values(std::size_t{w} * h) {}
    double &at(unsigned x, unsigned y) { return values[std::size_t{y} * width + x]; }
    double at(unsigned x, unsigned y) const { return values[std::size_t{y} * width + x]; }
};
using CvvdpPicture = std::array<CvvdpImage, 3>; ///< R', G', B'
struct CvvdpPair {
    CvvdpPicture ref, dis;
};

/// Options of spec cvvdp 2.
struct CvvdpView {
    std::string display = "standard_4k";
    double ppd = 0;
    double fps = 25;
    int yuv_matrix = -1;
    std::string transfer = {}, primaries = {};
};

/// spec cvvdp 3 for a clip in double precision, directly from the definition: whole pictures,
/// without forms that suit another arithmetic.
struct CvvdpDefinition {
    using Pooled = std::vector<std::array<double, 4>>; ///< q by band and channel
    std::vector<Pooled> pooled;                        ///< by frame
    std::vector<double> difference;                    ///< Q_f
    std::vector<double> frame, run;
    double clip;
};
CvvdpDefinition cvvdp_by_definition(const std::vector<CvvdpPair> &frames, const CvvdpView &view);

/// spec cvvdp 3.1: R'G'B' of a frame of YUV.
CvvdpPair cvvdp_pair(const FramePlanes &planes, const PictureFormat &format, const CvvdpView &view);

} // namespace vmaf::test
