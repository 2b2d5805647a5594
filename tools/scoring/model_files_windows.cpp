#include "scoring/model_files.h"

namespace vmaf::tool {

/// What has a name can be read again and again here.
std::string ModelFiles::repeatable_path(const std::string &path)
{
    return path;
}

} // namespace vmaf::tool
