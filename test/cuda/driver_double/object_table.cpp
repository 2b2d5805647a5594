#include "cuda/driver_double/object_table.h"

#include <algorithm>
#include <sstream>

#include "cuda/driver_double/state.h"

namespace driver_double {
namespace {

const char *kind_name(VmafDoubleKind kind)
{
    constexpr const char *kNames[VMAF_DOUBLE_KINDS] = {"context",       "push",          "stream", "event",
                                                       "device memory", "pinned memory", "module"};
    return kNames[kind];
}

// Handles of the driver that stand for a context's own streams: null, legacy, per thread.
bool is_default_stream(VmafDoubleKind kind, Handle handle)
{
    return kind == VMAF_DOUBLE_STREAM && handle <= 2;
}

} // namespace

std::string object_name(VmafDoubleKind kind, Handle handle)
{
    std::ostringstream text;
    text << kind_name(kind) << " 0x" << std::hex << handle;
    return text.str();
}

const ObjectTable::Object *ObjectTable::find(VmafDoubleKind kind, Handle handle) const
{
    const auto found = objects_[kind].find(handle);
    return found != objects_[kind].end() ? &found->second : nullptr;
}

ObjectTable::Objects::const_iterator ObjectTable::allocation_at(VmafDoubleKind kind, Handle address) const
{
    const auto next = objects_[kind].upper_bound(address);
    return next != objects_[kind].begin() ? std::prev(next) : objects_[kind].end();
}

bool ObjectTable::usable(const char *call, VmafDoubleKind kind, Handle handle)
{
    if (is_default_stream(kind, handle))
        return true;
    const Object *object = find(kind, handle);
    if (object == nullptr) {
        violations().add(call, object_name(kind, handle) +
                                   (released_[kind].count(handle) != 0 ? " was released before" : " never existed"));
        return false;
    }
    if (contexts().alive(object->context))
        return true;
    violations().add(call, object_name(kind, handle) + " belongs to a context that is gone");
    return false;
}

void ObjectTable::add(VmafDoubleKind kind, Handle handle, std::size_t bytes)
{
    const std::lock_guard lock(mutex_);
    CUcontext context = contexts().current();
    const CUdevice device = contexts().device_of(context);
    objects_[kind][handle] = {context, device, bytes, ++made_[kind]};
    released_[kind].erase(handle);
    if (kind == VMAF_DOUBLE_DEVICE_MEMORY) {
        device_bytes_[device] += bytes;
        all_device_bytes_ += bytes;
        peak_bytes_ = std::max(peak_bytes_, all_device_bytes_);
    }
}

bool ObjectTable::remove(const char *call, VmafDoubleKind kind, Handle handle)
{
    const std::lock_guard lock(mutex_);
    const bool was_usable = !is_default_stream(kind, handle) && usable(call, kind, handle);
    const auto found = objects_[kind].find(handle);
    if (found == objects_[kind].end())
        return false;
    if (kind == VMAF_DOUBLE_DEVICE_MEMORY) {
        device_bytes_[found->second.device] -= found->second.bytes;
        all_device_bytes_ -= found->second.bytes;
    }
    objects_[kind].erase(found);
    released_[kind].insert(handle);
    if (kind == VMAF_DOUBLE_MODULE)
        for (auto function = functions_.begin(); function != functions_.end();)
            function = handle_of(function->second.module) == handle ? functions_.erase(function) : std::next(function);
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
    const auto allocation = allocation_at(VMAF_DOUBLE_DEVICE_MEMORY, start);
    if (allocation != objects_[VMAF_DOUBLE_DEVICE_MEMORY].end()) {
        const std::size_t offset = start - allocation->first;
        if (offset <= allocation->second.bytes && bytes <= allocation->second.bytes - offset)
            return usable(call, VMAF_DOUBLE_DEVICE_MEMORY, allocation->first);
    }
    violations().add(call, std::to_string(bytes) + " bytes at " + object_name(VMAF_DOUBLE_DEVICE_MEMORY, start) +
                               " are not in one live allocation");
    return false;
}

CUcontext ObjectTable::context_of(VmafDoubleKind kind, Handle handle) const
{
    const std::lock_guard lock(mutex_);
    const Object *object = is_default_stream(kind, handle) ? nullptr : find(kind, handle);
    return object != nullptr ? object->context : contexts().current();
}

Handle ObjectTable::block_of(VmafDoubleKind kind, Handle address, std::size_t *bytes) const
{
    const std::lock_guard lock(mutex_);
    const auto allocation = allocation_at(kind, address);
    if (allocation == objects_[kind].end() || address - allocation->first >= allocation->second.bytes)
        return 0;
    if (bytes != nullptr)
        *bytes = allocation->second.bytes;
    return allocation->first;
}

unsigned long ObjectTable::number_of(VmafDoubleKind kind, Handle address) const
{
    const std::lock_guard lock(mutex_);
    const auto allocation = allocation_at(kind, address);
    const bool holds = allocation != objects_[kind].end() && address - allocation->first < allocation->second.bytes;
    return holds ? allocation->second.number : 0;
}

void ObjectTable::add_function(CUfunction function, CUmodule module, const char *name)
{
    const std::lock_guard lock(mutex_);
    functions_[function] = {module, function_names_.insert(name).first->c_str()};
}

ObjectTable::Function ObjectTable::function(CUfunction function) const
{
    const std::lock_guard lock(mutex_);
    return functions_.at(function);
}

bool ObjectTable::check_function(const char *call, CUfunction function)
{
    const std::lock_guard lock(mutex_);
    const auto found = functions_.find(function);
    if (found != functions_.end())
        return usable(call, VMAF_DOUBLE_MODULE, handle_of(found->second.module));
    violations().add(call, "the function is of no loaded module");
    return false;
}

unsigned long ObjectTable::live(VmafDoubleKind kind) const
{
    const std::lock_guard lock(mutex_);
    return objects_[kind].size();
}

std::size_t ObjectTable::live_bytes() const
{
    const std::lock_guard lock(mutex_);
    return all_device_bytes_;
}

std::size_t ObjectTable::live_bytes(CUdevice device) const
{
    const std::lock_guard lock(mutex_);
    const auto found = device_bytes_.find(device);
    return found != device_bytes_.end() ? found->second : 0;
}

void ObjectTable::mark()
{
    const std::lock_guard lock(mutex_);
    made_ = {};
    peak_bytes_ = all_device_bytes_;
}

unsigned long ObjectTable::made(VmafDoubleKind kind) const
{
    const std::lock_guard lock(mutex_);
    return made_[kind];
}

std::size_t ObjectTable::peak_bytes() const
{
    const std::lock_guard lock(mutex_);
    return peak_bytes_;
}

} // namespace driver_double
