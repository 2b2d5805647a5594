#include "cuda/driver_double/object_table.h"

#include <sstream>
#include <vector>

namespace driver_double {
namespace {

thread_local std::vector<CUcontext> t_stack;

const char *kind_name(VmafDoubleKind kind)
{
    constexpr const char *kNames[VMAF_DOUBLE_KINDS] = {"context",       "push",          "stream", "event",
                                                       "device memory", "pinned memory", "module"};
    return kNames[kind];
}

std::string named(VmafDoubleKind kind, Handle handle)
{
    std::ostringstream text;
    text << kind_name(kind) << " 0x" << std::hex << handle;
    return text.str();
}

CUcontext top_of_stack()
{
    return t_stack.empty() ? nullptr : t_stack.back();
}

// Handles of the driver that stand for a context's own streams: null, legacy, per thread.
bool is_default_stream(VmafDoubleKind kind, Handle handle)
{
    return kind == VMAF_DOUBLE_STREAM && handle <= 2;
}

} // namespace

void ObjectTable::violate(const char *call, const std::string &what)
{
    violations_.push_back(std::string(call) + ": " + what);
}

const ObjectTable::Object *ObjectTable::find(VmafDoubleKind kind, Handle handle) const
{
    const auto found = objects_[kind].find(handle);
    return found != objects_[kind].end() ? &found->second : nullptr;
}

bool ObjectTable::usable(const char *call, VmafDoubleKind kind, Handle handle)
{
    if (is_default_stream(kind, handle))
        return true;
    const Object *object = find(kind, handle);
    if (object == nullptr) {
        violate(call,
                named(kind, handle) + (released_[kind].count(handle) != 0 ? " was released before" : " never existed"));
        return false;
    }
    if (alive(object->context))
        return true;
    violate(call, named(kind, handle) + " belongs to a context that is gone");
    return false;
}

void ObjectTable::add(VmafDoubleKind kind, Handle handle, std::size_t bytes)
{
    const std::lock_guard lock(mutex_);
    objects_[kind][handle] = {top_of_stack(), bytes};
    released_[kind].erase(handle);
}

bool ObjectTable::remove(const char *call, VmafDoubleKind kind, Handle handle)
{
    const std::lock_guard lock(mutex_);
    const bool was_usable = !is_default_stream(kind, handle) && usable(call, kind, handle);
    if (objects_[kind].erase(handle) == 0)
        return false;
    released_[kind].insert(handle);
    if (kind == VMAF_DOUBLE_MODULE)
        for (auto function = functions_.begin(); function != functions_.end();)
            function = handle_of(function->second) == handle ? functions_.erase(function) : std::next(function);
    return was_usable;
}

bool ObjectTable::check(const char *call, VmafDoubleKind kind, Handle handle)
{
    const std::lock_guard lock(mutex_);
    return usable(call, kind, handle);
}

bool ObjectTable::check_range(const char *call, Handle start, std::size_t bytes)
{
    const std::lock_guard lock(mutex_);
    const Objects &memory = objects_[VMAF_DOUBLE_DEVICE_MEMORY];
    auto allocation = memory.upper_bound(start);
    if (allocation != memory.begin()) {
        --allocation;
        const std::size_t offset = start - allocation->first;
        if (offset <= allocation->second.bytes && bytes <= allocation->second.bytes - offset)
            return usable(call, VMAF_DOUBLE_DEVICE_MEMORY, allocation->first);
    }
    violate(call, std::to_string(bytes) + " bytes at " + named(VMAF_DOUBLE_DEVICE_MEMORY, start) +
                      " are not in one live allocation");
    return false;
}

CUcontext ObjectTable::context_of(VmafDoubleKind kind, Handle handle) const
{
    const std::lock_guard lock(mutex_);
    const Object *object = is_default_stream(kind, handle) ? nullptr : find(kind, handle);
    return object != nullptr ? object->context : top_of_stack();
}

void ObjectTable::add_function(CUfunction function, CUmodule module)
{
    const std::lock_guard lock(mutex_);
    functions_[function] = module;
}

bool ObjectTable::check_function(const char *call, CUfunction function)
{
    const std::lock_guard lock(mutex_);
    const auto found = functions_.find(function);
    if (found != functions_.end())
        return usable(call, VMAF_DOUBLE_MODULE, handle_of(found->second));
    violate(call, "the function is of no loaded module");
    return false;
}

void ObjectTable::retain_primary(CUdevice device, CUcontext context)
{
    const std::lock_guard lock(mutex_);
    primaries_[device] = context;
    ++contexts_[context];
}

CUcontext ObjectTable::primary(CUdevice device) const
{
    const std::lock_guard lock(mutex_);
    const auto found = primaries_.find(device);
    return found != primaries_.end() ? found->second : nullptr;
}

bool ObjectTable::release_primary(CUdevice device)
{
    const std::lock_guard lock(mutex_);
    const auto found = primaries_.find(device);
    if (found == primaries_.end()) {
        violate("cuDevicePrimaryCtxRelease", "the primary context is not retained");
        return false;
    }
    if (--contexts_[found->second] == 0) {
        contexts_.erase(found->second);
        primaries_.erase(found);
    }
    return true;
}

void ObjectTable::create_context(CUcontext context)
{
    const std::lock_guard lock(mutex_);
    contexts_[context] = 1;
}

bool ObjectTable::destroy_context(CUcontext context)
{
    const std::lock_guard lock(mutex_);
    if (contexts_.erase(context) == 0) {
        violate("cuCtxDestroy_v2", "no such context");
        return false;
    }
    if (top_of_stack() == context) {
        t_stack.pop_back();
        --pushes_;
    }
    return true;
}

bool ObjectTable::push(CUcontext context)
{
    const std::lock_guard lock(mutex_);
    if (!alive(context)) {
        violate("cuCtxPushCurrent_v2", "no such context");
        return false;
    }
    t_stack.push_back(context);
    ++pushes_;
    return true;
}

CUcontext ObjectTable::pop()
{
    const std::lock_guard lock(mutex_);
    if (t_stack.empty()) {
        violate("cuCtxPopCurrent_v2", "nothing was pushed");
        return nullptr;
    }
    const CUcontext context = t_stack.back();
    t_stack.pop_back();
    --pushes_;
    return context;
}

CUcontext ObjectTable::current() const
{
    return top_of_stack();
}

bool ObjectTable::current_is_alive() const
{
    const std::lock_guard lock(mutex_);
    return alive(top_of_stack());
}

unsigned long ObjectTable::live(VmafDoubleKind kind) const
{
    const std::lock_guard lock(mutex_);
    if (kind == VMAF_DOUBLE_PUSH)
        return pushes_;
    if (kind != VMAF_DOUBLE_CONTEXT)
        return objects_[kind].size();
    unsigned long count = 0;
    for (const auto &[context, retains] : contexts_)
        count += retains;
    return count;
}

std::size_t ObjectTable::live_bytes() const
{
    const std::lock_guard lock(mutex_);
    std::size_t bytes = 0;
    for (const auto &[start, object] : objects_[VMAF_DOUBLE_DEVICE_MEMORY])
        bytes += object.bytes;
    return bytes;
}

unsigned long ObjectTable::violations() const
{
    const std::lock_guard lock(mutex_);
    return violations_.size();
}

const char *ObjectTable::violation(unsigned long index) const
{
    const std::lock_guard lock(mutex_);
    return index < violations_.size() ? violations_[index].c_str() : nullptr;
}

void ObjectTable::forget_violations()
{
    const std::lock_guard lock(mutex_);
    violations_.clear();
}

} // namespace driver_double
