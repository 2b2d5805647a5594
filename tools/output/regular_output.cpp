#include "output/regular_output.h"

#include "common/checked_io.h"
#include "common/failure.h"
#include "common/format.h"
#include "common/printable.h"

namespace vmaf::tool {

void RegularOutput::write_beside(std::string_view text, const std::string &name)
{
    if (!file_.create(directory_, mode_) || !file_.write(text))
        throw Failure(kExitSetup, cannot_write(name));
}

/// Scores that cannot take their place are kept beside it: they may have taken hours.
void RegularOutput::write(std::string_view text)
{
    write_beside(text, name_);
    if (file_.move_to(path_))
        return remove_older_partial();
    const std::string reason = cannot_write(name_);
    if (!file_.move_to(partial_path_))
        throw Failure(kExitSetup, reason);
    throw Failure(kExitSetup, formatted("{}; the scores are in {}", reason, printable(partial_path_)));
}

std::string RegularOutput::write_incomplete(std::string_view text)
{
    write_beside(text, partial_path_);
    if (!file_.move_to(partial_path_))
        throw Failure(kExitSetup, cannot_write(partial_path_));
    return partial_path_;
}

} // namespace vmaf::tool
