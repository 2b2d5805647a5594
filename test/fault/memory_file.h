#pragma once

#include <string>

namespace vmaf::test {

/// A file in memory with a path.
class MemoryFile {
  public:
    MemoryFile();
    ~MemoryFile();
    MemoryFile(const MemoryFile &) = delete;
    MemoryFile &operator=(const MemoryFile &) = delete;

    const char *path() const { return path_.c_str(); }
    std::string text() const;

  private:
    int descriptor_;
    std::string path_;
};

} // namespace vmaf::test
