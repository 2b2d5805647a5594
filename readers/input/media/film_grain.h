#pragma once

#include <cstdint>
#include <span>

#include "input/media/libav.h"

namespace vmaf::tool {

/// Whether a packet, or what its stream's decoder is told at the start, has parameters of film
/// grain that decoders add (AV1; H.274 in H.264 and HEVC).
bool has_film_grain(std::span<const std::uint8_t> bytes, const AVCodecParameters &codec);

/// Whether a decoder can leave the grain out.
bool can_leave_out_grain(const AVCodec &decoder);

/// Whether libavcodec's decoder on a GPU adds the grain.
bool gpu_adds_grain(AVCodecID codec);

} // namespace vmaf::tool
