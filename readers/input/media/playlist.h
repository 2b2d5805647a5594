#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "input/media/libav.h"

namespace vmaf::tool {

enum class Network { off, allowed };

/// How a playlist of HTTP live streaming begins.
constexpr std::string_view kPlaylistMagic = "#EXTM3U";

/// The playlists that a file is, or refers to. A playlist without an end is read as if it ended
/// with what it lists now: from its first segment, without waiting for more (spec comparison 2.7).
class Playlists {
  public:
    explicit Playlists(Network network);
    ~Playlists();
    Playlists(const Playlists &) = delete;

    /// Call it before the format is opened. The format must not outlive this object.
    void watch(AVFormatContext &format);
    /// The media to read instead of a playlist. The input is read to its end.
    AVIOContext *ended(AVIOContext *input);

    /// Whether one of them has no end.
    bool is_live() const { return is_live_; }
    /// The first URL that was not opened for want of a network, printable; empty: none.
    const std::string &refused() const { return refused_; }

  private:
    using Open = decltype(AVFormatContext::io_open);
    using Close = decltype(AVFormatContext::io_close2);
    class Text;

    static int open(AVFormatContext *format, AVIOContext **input, const char *url, int flags, AVDictionary **options);
    static int close(AVFormatContext *format, AVIOContext *input);

    Network network_;
    Open open_ = nullptr; ///< the library's own
    Close close_ = nullptr;
    std::vector<std::unique_ptr<Text>> texts_;
    bool is_live_ = false;
    std::string refused_;
};

} // namespace vmaf::tool
