#include "fault/memory_file.h"

#include <algorithm>

#include <sys/mman.h>
#include <unistd.h>

namespace vmaf::test {

MemoryFile::MemoryFile() : descriptor_(memfd_create("scores", 0)), path_("/proc/self/fd/" + std::to_string(descriptor_))
{
}

MemoryFile::~MemoryFile()
{
    close(descriptor_);
}

std::string MemoryFile::text() const
{
    std::string text(1 << 14, '\0');
    std::size_t length = 0;
    while (const ssize_t bytes =
               pread(descriptor_, text.data() + length, text.size() - length, static_cast<off_t>(length))) {
        if (bytes < 0)
            break;
        length += static_cast<std::size_t>(bytes);
        text.resize(std::max(text.size(), 2 * length));
    }
    text.resize(length);
    return text;
}

} // namespace vmaf::test
