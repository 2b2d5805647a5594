#include "output/stream_output.h"

#include "common/checked_io.h"
#include "common/failure.h"

namespace vmaf::tool {

void StreamOutput::write(std::string_view text)
{
    if (!write_all(fd_.get(), text) || !fd_.close())
        throw Failure(kExitSetup, cannot_write(name_));
}

std::string StreamOutput::write_incomplete(std::string_view text)
{
    write(text);
    return name_;
}

} // namespace vmaf::tool
