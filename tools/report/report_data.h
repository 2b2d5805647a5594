#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "input/coded_frame.h"
#include "input/video_facts.h"
#include "output/score_text.h"
#include "scores/score_columns.h"

/// Data of a report (spec cli 10.7), independent of the program that scored.
namespace vmaf::tool {

using ReportVideo = VideoFacts;

struct ReportModel {
    std::string name; ///< name of its column
    std::string label;
};

/// Value (of 255) of a luma difference of one 8-bit step in pictures of differences.
constexpr unsigned kDifferenceGain = 8;

/// Pictures of whole frames are at most so wide, but for the worst one's.
constexpr unsigned kThumbnailWidthPx = 320;

/// A part of a picture.
struct PixelRect {
    unsigned left = 0, top = 0, width = 0, height = 0;
};

/// Pictures of a frame, as PNG files.
struct FramePictures {
    unsigned frame = 0;
    PixelRect crop; ///< what reference and distorted show, pixel for pixel
    std::string reference;
    std::string distorted;
    std::string whole;      ///< the distorted frame, made small
    std::string difference; ///< difference of the whole frame's luma, made small
    struct Map {
        std::string feature;
        std::string png;
    };
    std::vector<Map> maps = {}; ///< maps of the crop
};

/// Distorted frames in a row that are late by equally many frames; negative: early.
struct LagRun {
    unsigned first, last;
    int lag;
};

/// The frames of the reference that a distorted video shows.
struct ReportLag {
    std::vector<LagRun> runs;       ///< one or more, ascending
    std::vector<unsigned> dropped;  ///< frames of the reference
    std::vector<unsigned> repeated; ///< distorted frames
    bool is_applied = false;        ///< these frames were compared; else frames of equal number
};

/// One distorted video and its scores.
struct ReportEncode {
    ReportVideo video;
    VideoFormat scored;
    ScoreColumns scores;
    std::vector<CodedFrame> coded; ///< facts about the video's frames from number 0 on; empty: unknown
    std::optional<Incomplete> incomplete;
    std::string decisions;               ///< the record of them (spec comparison 11), JSON; empty: none is kept
    std::optional<ReportLag> lag;        ///< empty: no lag was found
    std::vector<FramePictures> pictures; ///< pictures of the worst frames, the worst first
    std::string no_pictures;             ///< why there are none or fewer, for the reader; may be empty
};

struct ReportData {
    std::string version; ///< version of the library
    std::string device;  ///< what it scored on
    std::string date;
    double wall_seconds = 0;
    ReportVideo reference;
    std::vector<ReportModel> models;
    std::vector<std::string> features; ///< columns of what was asked for besides models
    std::string main_metric;           ///< worst frames are found by
    std::vector<ReportEncode> encodes; ///< one or more
    std::vector<std::string> warnings;
};

} // namespace vmaf::tool
