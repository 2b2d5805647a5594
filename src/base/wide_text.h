#pragma once

#include <string>
#include <string_view>

namespace vmaf {

/// UTF-8 and what Windows calls text, which is all that has these: native_windows.cpp. What is
/// neither becomes U+FFFD.
std::wstring wide_text(std::string_view text);
std::string utf8_text(std::wstring_view text);

} // namespace vmaf
