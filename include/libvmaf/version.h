#ifndef VMAF_VERSION_H
#define VMAF_VERSION_H

/**
 * @file
 * Version of the API that these headers describe, for the preprocessor. The library that a program
 * runs with may be a later one of the same major version: vmaf_version() names it. The
 * specification is docs/spec in the source tree.
 */

/** Changes when a program must be compiled again; it is the number in the soname, libvmaf.so.3. */
#define VMAF_API_VERSION_MAJOR 3
/** Grows when functions are added. */
#define VMAF_API_VERSION_MINOR 2
/** Grows with corrections that add nothing. */
#define VMAF_API_VERSION_PATCH 0

#endif /* VMAF_VERSION_H */
