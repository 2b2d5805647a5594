#include "common/number_format.h"

#include "common/format.h"

namespace vmaf::tool {

std::string NumberFormat::printf_format() const
{
    return formatted("%.{}g", digits_);
}

std::string NumberFormat::text(double score) const
{
    return is_established() ? formatted("{:f}", score) : formatted("{:.{}g}", score, digits_);
}

} // namespace vmaf::tool
