#pragma once

/// Marks a function whose parameter `format` is a printf() text for the arguments from `first` on.
/// The compiler compares the two.
#ifdef __MINGW32__
#define VMAF_PRINTF_FORMAT(format_index, first) __attribute__((format(gnu_printf, format_index, first)))
#else
#define VMAF_PRINTF_FORMAT(format_index, first) __attribute__((format(printf, format_index, first)))
#endif
