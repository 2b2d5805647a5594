// Headers that most files of the library include, compiled once for all of them (Meson's b_pch).
// Each file still includes what it uses: `.ci/run --long` compiles the library without this header.

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "feature/feature.h"
