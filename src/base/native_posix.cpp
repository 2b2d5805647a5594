#include "base/native.h"

#include <dlfcn.h>

namespace vmaf {

std::filesystem::path native_path(const std::string &path)
{
    return path;
}

std::string path_text(const std::filesystem::path &path)
{
    return path;
}

void *open_library(const char *name)
{
    return dlopen(name, RTLD_LAZY);
}

const char *library_error()
{
    return dlerror();
}

void close_library(void *library)
{
    dlclose(library);
}

void *library_symbol(void *library, const char *symbol)
{
    return dlsym(library, symbol);
}

const char *const kCudaDriver = "libcuda.so.1";
const char *const kVulkanLoader = "libvulkan.so.1";

} // namespace vmaf
