#include "cuda/driver_double/stream_table.h"

namespace driver_double {
namespace {

constexpr Handle kLegacy = 1, kPerThread = 2; // CU_STREAM_LEGACY, CU_STREAM_PER_THREAD

Handle this_thread()
{
    static thread_local char mark;
    return reinterpret_cast<Handle>(&mark);
}

} // namespace

void StreamTable::add_stream(CUstream stream, CUcontext context, bool blocking)
{
    streams_[{0, handle_of(stream)}] = {context, ++last_stream_, blocking};
}

void StreamTable::remove_stream(CUstream stream)
{
    streams_.erase({0, handle_of(stream)});
}

Stream *StreamTable::find(CUstream stream, CUcontext current)
{
    const Handle handle = handle_of(stream);
    if (handle > kPerThread) {
        const auto found = streams_.find({0, handle});
        return found != streams_.end() ? &found->second : nullptr;
    }
    if (current == nullptr)
        return nullptr;
    const bool legacy = handle <= kLegacy;
    const Key key{handle_of(current), legacy ? 0 : this_thread()};
    const auto found = streams_.find(key);
    if (found != streams_.end())
        return &found->second;
    return &streams_.emplace(key, Stream{current, legacy ? 0 : ++last_stream_, true}).first->second;
}

void StreamTable::add_event(CUevent event, CUcontext context)
{
    events_[event] = {context, ++last_event_};
}

void StreamTable::remove_event(CUevent event)
{
    events_.erase(event);
}

Event *StreamTable::find(CUevent event)
{
    const auto found = events_.find(event);
    return found != events_.end() ? &found->second : nullptr;
}

void StreamTable::remove_context(CUcontext context)
{
    std::erase_if(streams_, [context](const auto &stream) { return stream.second.context == context; });
    std::erase_if(events_, [context](const auto &event) { return event.second.context == context; });
}

std::vector<WorkId> StreamTable::before(const Stream &stream) const
{
    std::vector<WorkId> ids{stream.last};
    for (const auto &[key, other] : streams_)
        if (stream.blocking && other.blocking && other.context == stream.context &&
            (stream.number == 0 || other.number == 0) && other.last != stream.last)
            ids.push_back(other.last);
    return ids;
}

std::vector<WorkId> StreamTable::latest(CUcontext context) const
{
    std::vector<WorkId> ids;
    for (const auto &[key, stream] : streams_)
        if (stream.context == context)
            ids.push_back(stream.last);
    return ids;
}

} // namespace driver_double
