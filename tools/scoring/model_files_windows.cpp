#include "scoring/model_files.h"

namespace vmaf::tool {

/// On Windows a file with a name can be read any number of times.
std::string ModelFiles::repeatable_path(const std::string &path)
{
    return path;
}

} // namespace vmaf::tool
