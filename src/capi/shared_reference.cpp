#include <algorithm>
#include <span>
#include <vector>

#include "capi/c_boundary.h"
#include "capi/context.h"
#include "capi/visibility.h"
#include "libvmaf/libvmaf_ext.h"

using namespace vmaf;

namespace {

constexpr const char *kEntry = "vmaf_read_pictures_shared";

Status check_contexts(std::span<VmafContext *const> contexts)
{
    std::vector<const VmafContext *> sorted(contexts.begin(), contexts.end());
    std::sort(sorted.begin(), sorted.end());
    if (sorted.empty() || std::find(sorted.begin(), sorted.end(), nullptr) != sorted.end())
        return Status::error(EINVAL);
    if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end())
        return {};
    log(LogLevel::error, "%s: a context is listed twice", kEntry);
    return Status::error(EINVAL);
}

Status first_failure(std::span<const Status> all)
{
    const auto failed = std::find_if(all.begin(), all.end(), [](const Status &status) { return !status.ok(); });
    return failed != all.end() ? *failed : Status();
}

// Each by itself: one that fails keeps no other from its end.
Status flush_all(std::span<VmafContext *const> contexts)
{
    std::vector<Status> all(contexts.size());
    for (std::size_t i = 0; i < contexts.size(); ++i)
        all[i] = Status::from_code(c_boundary(kEntry, [&] { return contexts[i]->session->flush(); }));
    return first_failure(all);
}

Status read_all(std::span<VmafContext *const> contexts, VmafPicture &ref, std::span<VmafPicture> dis, unsigned index)
{
    std::vector<Session *> sessions;
    for (VmafContext *context : contexts)
        sessions.push_back(context->session.get());
    VMAF_TRY_ASSIGN(const std::vector<Status> taken, Session::read_shared(sessions, ref, dis, index));
    for (std::size_t i = 0; i < taken.size(); ++i)
        if (taken[i].ok())
            dis[i] = {};
    VMAF_TRY(first_failure(taken));
    ref = {};
    return {};
}

} // namespace

VMAF_PUBLIC int vmaf_read_pictures_shared(VmafContext *const *vmaf, unsigned count, VmafPicture *ref, VmafPicture *dis,
                                          unsigned index)
{
    return c_boundary(kEntry, [&]() -> Status {
        if (vmaf == nullptr || (ref == nullptr) != (dis == nullptr))
            return Status::error(EINVAL);
        const std::span<VmafContext *const> contexts(vmaf, count);
        VMAF_TRY(check_contexts(contexts));
        return ref == nullptr ? flush_all(contexts) : read_all(contexts, *ref, {dis, count}, index);
    });
}
