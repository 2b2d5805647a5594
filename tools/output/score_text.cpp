#include "output/score_text.h"

#include <utility>

#include "common/checked_io.h"
#include "common/failure.h"
#include "output/score_pipe.h"

namespace vmaf::tool {

std::string score_text(VmafContext *context, VmafOutputFormat format, NumberFormat numbers)
{
    std::string text;
    pipe_scores(context, format, numbers, [&text](UniqueFd fd) {
        if (!read_all(fd.get(), text))
            throw Failure(kExitSetup, cannot_write("scores"));
    });
    return text;
}

} // namespace vmaf::tool
