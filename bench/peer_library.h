#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "libvmaf/libvmaf.h"

namespace vmaf::bench {

[[noreturn]] inline void give_up(const std::string &why)
{
    std::fprintf(stderr, "bench_peer: %s\n", why.c_str());
    std::exit(1);
}

/// One of several libraries with libvmaf's ABI in one process, each in a link namespace of its own.
/// dlopen() with RTLD_LOCAL is not enough. If a library's calls of its own functions can be
/// interposed, they bind to the library that was loaded first. With RTLD_DEEPBIND, two C++
/// libraries still share each other's STB_GNU_UNIQUE symbols. Each namespace has a C library of its
/// own, hence a malloc, which costs the same for both. It is never closed, because threads may have
/// run there.
class PeerLibrary {
  public:
    explicit PeerLibrary(const std::string &path) : path_(path), handle_(open(path)) {}
    PeerLibrary(const PeerLibrary &) = delete;

    const std::string &path() const { return path_; }

  private:
    static void *open(const std::string &path)
    {
        void *const handle = ::dlmopen(LM_ID_NEWLM, path.c_str(), RTLD_NOW);
        return handle != nullptr ? handle : (give_up(::dlerror()), nullptr);
    }
    template <class F> F *optional_call(const char *name) const
    {
        return reinterpret_cast<F *>(::dlsym(handle_, name));
    }
    template <class F> F *call(const char *name) const
    {
        F *found = optional_call<F>(name);
        return found != nullptr ? found : (give_up(path_ + " has no " + name), nullptr);
    }

    std::string path_;
    void *handle_;

  public:
// A member for each function, with its type and its name without "vmaf_".
#define VMAF_PEER_CALL(name) decltype(vmaf_##name) *const name = call<decltype(vmaf_##name)>("vmaf_" #name)
    VMAF_PEER_CALL(init);
    VMAF_PEER_CALL(close);
    VMAF_PEER_CALL(version);
    VMAF_PEER_CALL(use_feature);
    VMAF_PEER_CALL(use_features_from_model);
    VMAF_PEER_CALL(model_load);
    VMAF_PEER_CALL(model_destroy);
    VMAF_PEER_CALL(picture_alloc);
    VMAF_PEER_CALL(picture_unref);
    VMAF_PEER_CALL(read_pictures);
    VMAF_PEER_CALL(score_at_index);
    VMAF_PEER_CALL(feature_score_at_index);
    VMAF_PEER_CALL(write_output);
#undef VMAF_PEER_CALL
    /// Null in a library before 3.2.
    decltype(vmaf_preallocate_pictures) *const preallocate_pictures =
        optional_call<decltype(vmaf_preallocate_pictures)>("vmaf_preallocate_pictures");
    decltype(vmaf_fetch_preallocated_picture) *const fetch_preallocated_picture =
        optional_call<decltype(vmaf_fetch_preallocated_picture)>("vmaf_fetch_preallocated_picture");
};

} // namespace vmaf::bench
