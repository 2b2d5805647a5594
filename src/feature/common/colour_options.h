#pragma once

#include <string>

#include "base/result.h"
#include "feature/common/light.h"
#include "feature/options.h"

namespace vmaf {

/// The options by which features of colour learn what samples stand for (spec ssimulacra2 2).
inline constexpr OptionSpec kYuvMatrixOption =
    int_option("yuv_matrix", nullptr, 0, 0, 5, InName::no,
               "0 BT.709 limited, 1 BT.601 limited, 2 BT.709 full, 3 BT.601 full, 4 BT.2020 limited, 5 BT.2020 full "
               "range")
        .with(VMAF_ROLE_MATRIX);
inline constexpr OptionSpec kTransferOption =
    text_option("transfer", nullptr, "sdr", InName::no, kTransferNames).with(VMAF_ROLE_TRANSFER);
inline constexpr OptionSpec kPrimariesOption =
    text_option("primaries", nullptr, "bt709", InName::no, kPrimariesNames).with(VMAF_ROLE_PRIMARIES);

/// -EINVAL with one log line for a name that is unknown.
Status check_transfer(const char *feature, const std::string &name);
Status check_primaries(const char *feature, const std::string &name);

/// spec hdr 5: light in which SDR's white and HDR's reference white are 1, of BT.709's primaries.
/// The names are checked.
LightSignal relative_light(const std::string &transfer, const std::string &primaries);

} // namespace vmaf
