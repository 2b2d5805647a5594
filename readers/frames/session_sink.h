#pragma once

#include <memory>
#include <vector>

#include "frames/frame_loop.h"
#include "frames/picture_source.h"

namespace vmaf::tool {

/// Sessions that score frames, one for each encode. Those of one GPU that need the reference in one
/// form share it (vmaf_read_pictures_shared()).
class SessionSink final : public FrameSink {
  public:
    struct Scoring {
        SessionPictures session;
        std::size_t form; ///< of the reference
    };
    /// How often a picture of the reference comes.
    enum class References { come_once, come_again };
    /// @param forms of the reference. @param encodes one or more.
    SessionSink(const std::vector<VideoFormat> &forms, std::vector<Scoring> encodes,
                References references = References::come_once);

    const PictureSource &reference_pictures(std::size_t form) const override;
    const PictureSource &encode_pictures(std::size_t encode) const override { return encodes_[encode].session; }
    std::vector<int> take(std::span<Picture> reference, std::span<Picture> encodes, unsigned index) override;
    void end(std::size_t encode, FrameLoopResult &result) override;
    /// All encodes that have not ended.
    void end_all(std::span<FrameLoopResult> results);

  private:
    /// Encodes that share a form and a GPU, or have none.
    using Group = std::vector<std::size_t>;
    struct Form {
        std::vector<Group> groups;          ///< groups of encodes that have not ended
        std::unique_ptr<PoolOfOne> pool;    ///< pool of the only group
        std::unique_ptr<LentPictures> lent; ///< for several groups, or for pictures that come again
        SharedPicture at_hand;              ///< the last of these pictures
    };

    const SessionPictures &session(std::size_t encode) const { return encodes_[encode].session; }
    Form &form_of(std::size_t encode) { return forms_[encodes_[encode].form]; }
    bool can_share(const Form &form, const Group &group, const Picture &reference) const;
    int give(const Group &group, Picture &reference, std::span<Picture> encodes, unsigned index);

    std::vector<Scoring> encodes_;
    std::vector<Form> forms_;
    std::vector<bool> has_ended_;
};

} // namespace vmaf::tool
