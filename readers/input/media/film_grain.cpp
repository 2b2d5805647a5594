#include "input/media/film_grain.h"

#include <optional>
#include <string_view>
#include <vector>

#include "input/media/nal_units.h"

namespace vmaf::tool {
namespace {

/// Reads bits. After the end it returns zeros.
class Bits {
  public:
    explicit Bits(ByteSpan bytes) : bytes_(bytes) {}

    bool flag() { return number(1) != 0; }
    unsigned number(unsigned bits)
    {
        unsigned value = 0;
        for (; bits > 0; --bits, ++position_) {
            const std::size_t byte = position_ / 8;
            const unsigned bit = byte < bytes_.size() ? bytes_[byte] >> (7 - position_ % 8) & 1U : 0;
            value = value << 1 | bit;
        }
        return value;
    }
    void skip(unsigned bits) { position_ += bits; }
    void skip_if(bool is_there, unsigned bits) { skip(is_there ? bits : 0); }
    /// uvlc()
    void skip_exponential()
    {
        unsigned zeros = 0;
        while (position_ < 8 * bytes_.size() && !flag())
            ++zeros;
        skip_if(zeros < 32, zeros);
    }

  private:
    ByteSpan bytes_;
    std::size_t position_ = 0;
};

/// timing_info() and decoder_model_info(). @return buffer_delay_length_minus_1 + 1; 0: there is no
/// decoder model.
unsigned skip_timing(Bits &bits)
{
    bits.skip(64);
    if (bits.flag())
        bits.skip_exponential();
    if (!bits.flag())
        return 0;
    const unsigned delay_bits = bits.number(5) + 1;
    bits.skip(32 + 5 + 5);
    return delay_bits;
}

void skip_operating_points(Bits &bits)
{
    const unsigned delay_bits = bits.flag() ? skip_timing(bits) : 0;
    const bool has_initial_delay = bits.flag();
    for (unsigned points = bits.number(5) + 1; points > 0; --points) {
        bits.skip(12);
        bits.skip_if(bits.number(5) > 7, 1);
        if (delay_bits > 0)
            bits.skip_if(bits.flag(), 2 * delay_bits + 1);
        if (has_initial_delay)
            bits.skip_if(bits.flag(), 4);
    }
}

void skip_frame_size(Bits &bits, bool is_reduced)
{
    const unsigned width_bits = bits.number(4) + 1, height_bits = bits.number(4) + 1;
    bits.skip(width_bits + height_bits);
    if (!is_reduced)
        bits.skip_if(bits.flag(), 4 + 3);
}

/// Skip the fields from enable_interintra_compound to order_hint_bits_minus_1.
void skip_inter_tools(Bits &bits)
{
    bits.skip(4);
    const bool has_order_hint = bits.flag();
    bits.skip_if(has_order_hint, 2);
    const bool has_screen_content = bits.flag() || bits.flag();
    if (has_screen_content)
        bits.skip_if(!bits.flag(), 1);
    bits.skip_if(has_order_hint, 3);
}

void skip_colour_config(Bits &bits, unsigned profile)
{
    const bool is_deep = bits.flag();
    const bool has_12_bits = profile == 2 && is_deep && bits.flag();
    const bool is_gray = profile != 1 && bits.flag();
    unsigned primaries = 2, transfer = 2, matrix = 2;
    if (bits.flag()) {
        primaries = bits.number(8);
        transfer = bits.number(8);
        matrix = bits.number(8);
    }
    if (is_gray)
        return bits.skip(1);
    const bool is_srgb = primaries == 1 && transfer == 13 && matrix == 0;
    bool has_420 = false;
    if (!is_srgb) {
        bits.skip(1);
        has_420 = profile == 0;
        if (has_12_bits && bits.flag())
            has_420 = bits.flag();
    }
    bits.skip_if(has_420, 2);
    bits.skip(1);
}

/// sequence_header_obu() of the AV1 specification, 5.5.
bool sequence_has_film_grain(ByteSpan payload)
{
    Bits bits(payload);
    const unsigned profile = bits.number(3);
    bits.skip(1);
    const bool is_reduced = bits.flag();
    if (is_reduced)
        bits.skip(5);
    else
        skip_operating_points(bits);
    skip_frame_size(bits, is_reduced);
    bits.skip(3);
    if (!is_reduced)
        skip_inter_tools(bits);
    bits.skip(3);
    skip_colour_config(bits, profile);
    return bits.flag();
}

/// leb128(), taken off the bytes. Empty: it does not end.
std::optional<std::size_t> take_size(ByteSpan &bytes)
{
    std::size_t size = 0;
    for (unsigned i = 0; i < 8 && i < bytes.size(); ++i) {
        size |= std::size_t{bytes[i] & 0x7fU} << (7 * i);
        if ((bytes[i] & 0x80U) == 0) {
            bytes = bytes.subspan(i + 1);
            return size;
        }
    }
    return std::nullopt;
}

bool obus_have_film_grain(ByteSpan bytes)
{
    constexpr unsigned kSequenceHeader = 1;
    while (!bytes.empty()) {
        const unsigned header = bytes[0];
        bytes = bytes.subspan((header & 4U) != 0 && bytes.size() > 1 ? 2 : 1);
        std::optional<std::size_t> size = bytes.size();
        if ((header & 2U) != 0)
            size = take_size(bytes);
        if (!size)
            return false;
        const ByteSpan payload = bytes.first(std::min(*size, bytes.size()));
        if ((header >> 3 & 15U) == kSequenceHeader)
            return sequence_has_film_grain(payload);
        bytes = bytes.subspan(payload.size());
    }
    return false;
}

/// The unit without its emulation prevention bytes.
std::vector<std::uint8_t> raw_bytes(ByteSpan unit)
{
    std::vector<std::uint8_t> raw;
    unsigned zeros = 0;
    for (const std::uint8_t byte : unit) {
        if (zeros >= 2 && byte == 3) {
            zeros = 0;
            continue;
        }
        zeros = byte == 0 ? zeros + 1 : 0;
        raw.push_back(byte);
    }
    return raw;
}

/// sei_payload()'s type or size: bytes of 255 and a last one.
std::size_t take_sum(ByteSpan &bytes)
{
    std::size_t sum = 0;
    while (!bytes.empty()) {
        const unsigned byte = bytes[0];
        bytes = bytes.subspan(1);
        sum += byte;
        if (byte != 255)
            break;
    }
    return sum;
}

/// film_grain_characteristics() that does not cancel an earlier one (ITU-T H.274).
bool sei_has_film_grain(ByteSpan messages)
{
    constexpr std::size_t kFilmGrainCharacteristics = 19;
    while (messages.size() > 2) {
        const std::size_t type = take_sum(messages);
        const std::size_t declared = take_sum(messages);
        const std::size_t size = std::min(declared, messages.size());
        if (type == kFilmGrainCharacteristics && size > 0)
            return (messages[0] & 0x80U) == 0;
        messages = messages.subspan(size);
    }
    return false;
}

bool units_have_film_grain(ByteSpan bytes, const AVCodecParameters &codec)
{
    constexpr unsigned kAvcSei = 6, kHevcPrefixSei = 39;
    const bool is_hevc = codec.codec_id == AV_CODEC_ID_HEVC;
    const std::size_t header_bytes = is_hevc ? 2 : 1;
    bool found = false;
    for_each_nal_unit(bytes, nal_length_bytes(codec), [&](ByteSpan unit) {
        const bool is_sei = is_hevc ? (unit[0] >> 1 & 0x3fU) == kHevcPrefixSei : (unit[0] & 0x1fU) == kAvcSei;
        if (is_sei && unit.size() > header_bytes)
            found = found || sei_has_film_grain(raw_bytes(unit.subspan(header_bytes)));
    });
    return found;
}

} // namespace

bool has_film_grain(ByteSpan bytes, const AVCodecParameters &codec)
{
    switch (codec.codec_id) {
    case AV_CODEC_ID_AV1:
        return obus_have_film_grain(bytes);
    case AV_CODEC_ID_H264:
    case AV_CODEC_ID_HEVC:
        return units_have_film_grain(bytes, codec);
    default:
        return false;
    }
}

bool can_leave_out_grain(const AVCodec &decoder)
{
    return std::string_view(decoder.name) != "libaom-av1";
}

bool gpu_adds_grain(AVCodecID codec)
{
    return codec == AV_CODEC_ID_AV1;
}

} // namespace vmaf::tool
