#include "base/native.h"

#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX // the C++ library may have
#define NOMINMAX
#endif
#include <windows.h>

#include <array>
#include <cstdio>

#include "base/wide_text.h"

namespace vmaf {

std::wstring wide_text(std::string_view text)
{
    const int bytes = static_cast<int>(text.size());
    std::wstring wide(static_cast<std::size_t>(MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, nullptr, 0)), L'\0');
    MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, wide.data(), static_cast<int>(wide.size()));
    return wide;
}

std::string utf8_text(std::wstring_view text)
{
    const int units = static_cast<int>(text.size());
    const auto convert = [&](char *to, int bytes) {
        return WideCharToMultiByte(CP_UTF8, 0, text.data(), units, to, bytes, nullptr, nullptr);
    };
    std::string narrow(static_cast<std::size_t>(convert(nullptr, 0)), '\0');
    convert(narrow.data(), static_cast<int>(narrow.size()));
    return narrow;
}

std::filesystem::path native_path(const std::string &path)
{
    return wide_text(path);
}

std::string path_text(const std::filesystem::path &path)
{
    return utf8_text(path.native());
}

void *open_library(const char *name)
{
    // A driver's library is the system's, not one that lies where the program was started.
    return reinterpret_cast<void *>(LoadLibraryExW(wide_text(name).c_str(), nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32));
}

const char *library_error()
{
    thread_local std::array<char, 64> text;
    std::snprintf(text.data(), text.size(), "the library cannot be loaded (error %lu)", GetLastError());
    return text.data();
}

void close_library(void *library)
{
    FreeLibrary(static_cast<HMODULE>(library));
}

void *library_symbol(void *library, const char *symbol)
{
    return reinterpret_cast<void *>(GetProcAddress(static_cast<HMODULE>(library), symbol));
}

const char *const kCudaDriver = "nvcuda.dll";
const char *const kVulkanLoader = "vulkan-1.dll";

} // namespace vmaf
