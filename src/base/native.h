#pragma once

#include <filesystem>
#include <string>

/// Functions for library and tool whose system calls differ between operating systems:
/// native_posix.cpp, native_windows.cpp. Paths and names are UTF-8, on POSIX any bytes.
namespace vmaf {

/// The path for streams of the standard library.
std::filesystem::path native_path(const std::string &path);
std::string path_text(const std::filesystem::path &path);

/// Null on failure, and then library_error() says why, to this thread.
void *open_library(const char *name);
const char *library_error();
void close_library(void *library);
void *library_symbol(void *library, const char *symbol);
/// Name of the CUDA driver's library.
extern const char *const kCudaDriver;
/// And Vulkan's loader.
extern const char *const kVulkanLoader;

} // namespace vmaf
