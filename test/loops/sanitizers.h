#pragma once

// Tells for which sanitizer a file is compiled. GCC defines macros, Clang has features.

#if defined(__SANITIZE_ADDRESS__)
#define VMAF_ADDRESS_SANITIZER
#elif defined(__SANITIZE_THREAD__)
#define VMAF_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define VMAF_ADDRESS_SANITIZER
#elif __has_feature(thread_sanitizer)
#define VMAF_THREAD_SANITIZER
#endif
#endif
