#include "input/media/playlist.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <new>
#include <utility>

#include "common/format.h"

namespace vmaf::tool {
namespace {

constexpr int kBufferBytes = 4096;
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

std::string read_to_end(AVIOContext *input)
{
    std::string text;
    std::array<unsigned char, kBufferBytes> bytes{};
    for (int got = 0; text.size() < kMostBytes && (got = avio_read(input, bytes.data(), kBufferBytes)) > 0;)
        text.append(reinterpret_cast<const char *>(bytes.data()), static_cast<std::size_t>(got));
    return text;
}

bool has_line(std::string_view text, std::string_view start)
{
    for (std::size_t at = text.find(start); at != text.npos; at = text.find(start, at + 1))
        if (at == 0 || text[at - 1] == '\n')
            return true;
    return false;
}

/// What is read is still there to be read.
bool begins_playlist(AVIOContext *input)
{
    std::array<unsigned char, kPlaylistMagic.size()> start{};
    const int got = avio_read(input, start.data(), static_cast<int>(start.size()));
    if (got > 0)
        avio_seek(input, -got, SEEK_CUR);
    return got == static_cast<int>(start.size()) && std::memcmp(start.data(), kPlaylistMagic.data(), start.size()) == 0;
}

bool is_network_url(std::string_view url)
{
    return url.find("://") != url.npos && !url.starts_with("file:");
}

} // namespace

class Playlists::Text {
  public:
    explicit Text(std::string text) : text_(std::move(text))
    {
        auto *buffer = static_cast<unsigned char *>(allocated(av_malloc(kBufferBytes)));
        context_ = avio_alloc_context(buffer, kBufferBytes, 0, this, read, nullptr, seek);
        if (!context_) {
            av_free(buffer);
            throw std::bad_alloc();
        }
    }
    ~Text()
    {
        av_freep(&context_->buffer);
        avio_context_free(&context_);
    }
    Text(const Text &) = delete;

    AVIOContext *context() const { return context_; }

  private:
    static int read(void *self, std::uint8_t *destination, int bytes)
    {
        Text &text = *static_cast<Text *>(self);
        const std::size_t count = std::min(static_cast<std::size_t>(bytes), text.text_.size() - text.position_);
        std::copy_n(text.text_.begin() + static_cast<std::ptrdiff_t>(text.position_), count, destination);
        text.position_ += count;
        return count == 0 ? AVERROR_EOF : static_cast<int>(count);
    }
    static std::int64_t seek(void *self, std::int64_t offset, int whence)
    {
        Text &text = *static_cast<Text *>(self);
        const auto size = static_cast<std::int64_t>(text.text_.size());
        if ((whence & ~AVSEEK_FORCE) == AVSEEK_SIZE)
            return size;
        if ((whence & ~AVSEEK_FORCE) == SEEK_CUR)
            offset += static_cast<std::int64_t>(text.position_);
        else if ((whence & ~AVSEEK_FORCE) == SEEK_END)
            offset += size;
        if (offset < 0 || offset > size)
            return AVERROR(EINVAL);
        text.position_ = static_cast<std::size_t>(offset);
        return offset;
    }

    std::string text_;
    std::size_t position_ = 0;
    AVIOContext *context_ = nullptr;
};

Playlists::Playlists(Network network) : network_(network) {}

Playlists::~Playlists() = default;

void Playlists::watch(AVFormatContext &format)
{
    open_ = std::exchange(format.io_open, open);
    close_ = std::exchange(format.io_close2, close);
    format.opaque = this;
}

AVIOContext *Playlists::ended(AVIOContext *input)
{
    std::string text = read_to_end(input);
    if (has_line(text, "#EXTINF") && !has_line(text, "#EXT-X-ENDLIST")) {
        text += "\n#EXT-X-ENDLIST\n";
        is_live_ = true;
    }
    return texts_.emplace_back(std::make_unique<Text>(std::move(text)))->context();
}

/// Called from C, as close() is: nothing may be thrown.
int Playlists::open(AVFormatContext *format, AVIOContext **input, const char *url, int flags, AVDictionary **options)
{
    auto &self = *static_cast<Playlists *>(format->opaque);
    const int error = self.open_(format, input, url, flags, options);
    try {
        if (error < 0 && self.network_ == Network::off && self.refused_.empty() && is_network_url(url))
            self.refused_ = printable(url);
        if (error < 0 || !begins_playlist(*input))
            return error;
        AVIOContext *const opened = *input;
        *input = self.ended(opened);
        if (input == &format->pb)
            format->flags |= AVFMT_FLAG_CUSTOM_IO; // which the library does not close
        return self.close_(format, opened);
    } catch (const std::bad_alloc &) {
        return AVERROR(ENOMEM);
    }
}

int Playlists::close(AVFormatContext *format, AVIOContext *input)
{
    auto &self = *static_cast<Playlists *>(format->opaque);
    const bool is_ours = std::ranges::any_of(self.texts_, [&](const auto &text) { return text->context() == input; });
    return is_ours ? 0 : self.close_(format, input);
}

} // namespace vmaf::tool
