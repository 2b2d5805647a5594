#include "common/warnings.h"

#include "common/console.h"

namespace vmaf::tool {

void Warnings::warn(const std::string &text, StopReason reason)
{
    const std::string error = formatted("{} (an error with --strict)", text);
    if (strict_ && frames_follow_)
        throw ScoringStopped(reason, kExitBadData, error);
    if (strict_)
        throw Failure(kExitSetup, error);
    const std::scoped_lock lock(mutex_);
    say("warning: {}\n", text);
    texts_.push_back(text);
}

std::vector<std::string> Warnings::texts() const
{
    const std::scoped_lock lock(mutex_);
    return texts_;
}

} // namespace vmaf::tool
