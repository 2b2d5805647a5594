#include "engine/saved_segment.h"

#include <chrono>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/log.h"
#include "version_string.h"

namespace vmaf {
namespace {

constexpr std::uint64_t kMagic = 0x76'6D'61'66'53'45'47'0A; // in the machine's byte order, as all that follows
constexpr std::uint32_t kVersion = 1;

// Seconds since 1970 that a wall clock can show, in nanoseconds. Differences of two of them do not
// overflow.
constexpr std::int64_t kLatestNs = std::int64_t{1} << 62;

using Bytes = std::span<const std::byte>;

/// FNV-1a.
std::uint64_t checksum(Bytes bytes)
{
    std::uint64_t sum = 0xCBF29CE484222325;
    for (const std::byte byte : bytes)
        sum = (sum ^ static_cast<std::uint64_t>(byte)) * 0x100000001B3;
    return sum;
}

class Writer {
  public:
    template <class Number> void number(Number value)
    {
        static_assert(std::is_arithmetic_v<Number>);
        bytes_.resize(bytes_.size() + sizeof value);
        std::memcpy(bytes_.data() + bytes_.size() - sizeof value, &value, sizeof value);
    }
    void block(Bytes block)
    {
        number(std::uint64_t{block.size()});
        bytes_.insert(bytes_.end(), block.begin(), block.end());
    }
    void text(std::string_view text) { block(std::as_bytes(std::span(text))); }
    std::vector<std::byte> finish() &&
    {
        number(checksum(bytes_));
        return std::move(bytes_);
    }

  private:
    std::vector<std::byte> bytes_;
};

/// Reads no byte beyond the end: what is not there is 0, and ok() says so from then on.
class Reader {
  public:
    explicit Reader(Bytes bytes) : left_(bytes) {}

    template <class Number> Number number()
    {
        Number value{};
        const Bytes bytes = take(sizeof value);
        if (ok_)
            std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
    Bytes block() { return take(number<std::uint64_t>()); }
    std::string text()
    {
        const Bytes bytes = block();
        return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
    }
    bool ok() const { return ok_; }
    bool at_end() const { return left_.empty(); }

  private:
    Bytes take(std::uint64_t count)
    {
        ok_ = ok_ && count <= left_.size();
        if (!ok_)
            return {};
        const Bytes taken = left_.first(static_cast<std::size_t>(count));
        left_ = left_.subspan(taken.size());
        return taken;
    }

    Bytes left_;
    bool ok_ = true;
};

// Another process has another steady clock: times travel by the wall clock.
using Wall = std::chrono::system_clock;
using Steady = FrameLedger::Clock;
using std::chrono::nanoseconds;

std::int64_t to_wall_ns(Steady::time_point time)
{
    return std::chrono::duration_cast<nanoseconds>(Wall::now().time_since_epoch() + (time - Steady::now())).count();
}

Steady::time_point from_wall_ns(std::int64_t time_ns)
{
    const auto ago = std::chrono::duration_cast<nanoseconds>(Wall::now().time_since_epoch()) - nanoseconds(time_ns);
    return Steady::now() - std::chrono::duration_cast<Steady::duration>(ago);
}

Status refused(const char *why)
{
    log(LogLevel::error, "segment: %s", why);
    return Status::error(EINVAL);
}

bool is_possible(const PictureFormat &format)
{
    return format.pix_fmt >= VMAF_PIX_FMT_YUV420P && format.pix_fmt <= VMAF_PIX_FMT_YUV400P && format.bpc >= 8 &&
           format.bpc <= 16 && format.width > 0 && format.width <= kLargestSidePx && format.height > 0 &&
           format.height <= kLargestSidePx;
}

/// Reads the part after the library's version. False if it is not as bytes() writes it.
bool read_segment(Reader &reader, SavedSegment &segment)
{
    const auto pix_fmt = reader.number<std::uint32_t>();
    segment.format.pix_fmt =
        pix_fmt <= VMAF_PIX_FMT_YUV400P ? static_cast<VmafPixelFormat>(pix_fmt) : VMAF_PIX_FMT_UNKNOWN;
    for (unsigned *const number : {&segment.format.bpc, &segment.format.width, &segment.format.height,
                                   &segment.subsample, &segment.read, &segment.skip, &segment.count})
        *number = reader.number<std::uint32_t>();
    if (reader.number<std::uint8_t>() != 0) {
        const auto first_ns = reader.number<std::int64_t>();
        const auto last_ns = reader.number<std::int64_t>();
        if (first_ns < 0 || last_ns < first_ns || last_ns > kLatestNs)
            return false;
        const Steady::time_point last_end = from_wall_ns(last_ns);
        segment.time = {last_end - std::chrono::duration_cast<Steady::duration>(nanoseconds(last_ns - first_ns)),
                        last_end};
    }
    while (reader.ok() && !reader.at_end()) {
        std::string identity = reader.text();
        const Bytes rows = reader.block();
        segment.features.push_back({std::move(identity), {rows.begin(), rows.end()}});
    }
    return reader.ok() && is_possible(segment.format) && segment.subsample > 0 && segment.count > 0 &&
           segment.skip <= segment.read && segment.count <= segment.read - segment.skip;
}

} // namespace

std::vector<std::byte> SavedSegment::bytes() const
{
    Writer writer;
    writer.number(kMagic);
    writer.number(kVersion);
    writer.text(VMAF_VERSION_STRING);
    for (const unsigned number :
         {static_cast<unsigned>(format.pix_fmt), format.bpc, format.width, format.height, subsample, read, skip, count})
        writer.number(std::uint32_t{number});
    writer.number(std::uint8_t{time.has_value()});
    if (time) {
        const std::int64_t last_ns = to_wall_ns(time->last_end);
        writer.number(last_ns - std::chrono::duration_cast<nanoseconds>(time->last_end - time->first_start).count());
        writer.number(last_ns);
    }
    for (const FeatureRows &feature : features) {
        writer.text(feature.identity);
        writer.block(feature.rows);
    }
    return std::move(writer).finish();
}

Result<SavedSegment> SavedSegment::parse(Bytes bytes)
{
    constexpr const char *kDamaged = "the saved bytes are damaged or cut off: score the segment again";
    Reader head(bytes);
    if (head.number<std::uint64_t>() != kMagic)
        return refused("these bytes are not from vmaf_segment_save() on a machine of this byte order");
    if (head.number<std::uint32_t>() != kVersion)
        return refused("it was saved in another version of the format: score it again with this library");
    std::uint64_t sum = 0;
    if (bytes.size() < sizeof sum)
        return refused(kDamaged);
    const Bytes content = bytes.first(bytes.size() - sizeof sum);
    std::memcpy(&sum, bytes.data() + content.size(), sizeof sum);
    if (checksum(content) != sum)
        return refused(kDamaged);
    Reader reader(content);
    reader.number<std::uint64_t>();
    reader.number<std::uint32_t>();
    const std::string version = reader.text();
    if (reader.ok() && version != VMAF_VERSION_STRING) {
        log(LogLevel::error, "segment: library %s saved it and this is %s: score it again with this one",
            version.c_str(), VMAF_VERSION_STRING);
        return Status::error(EINVAL);
    }
    SavedSegment segment;
    if (!read_segment(reader, segment))
        return refused(kDamaged);
    return segment;
}

} // namespace vmaf
