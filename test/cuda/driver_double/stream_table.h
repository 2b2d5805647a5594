#pragma once

#include <map>
#include <utility>

#include "cuda/driver_double/work.h"

namespace driver_double {

struct Stream {
    CUcontext context;
    unsigned long number; ///< 0: a legacy default stream
    bool blocking;        ///< waits for the legacy default stream, and that for it
    WorkId last = 0;
    unsigned long busy_queries = 0; ///< left to be answered with CUDA_ERROR_NOT_READY
};

struct Event {
    CUcontext context;
    unsigned long number;
    WorkId record = 0; ///< the latest
    unsigned long busy_queries = 0;
};

/// The streams and events of all contexts, and which work of one comes after which of another. Not
/// thread-safe.
class StreamTable {
  public:
    void add_stream(CUstream stream, CUcontext context, bool blocking);
    void remove_stream(CUstream stream);
    /// Null if there is none. Default streams, of the context `current`, exist when they are asked
    /// for.
    Stream *find(CUstream stream, CUcontext current);

    void add_event(CUevent event, CUcontext context);
    void remove_event(CUevent event);
    /// Null if there is none.
    Event *find(CUevent event);

    void remove_context(CUcontext context);

    /// The latest work that new work on the stream comes after.
    std::vector<WorkId> before(const Stream &stream) const;
    /// The latest work of each of the context's streams.
    std::vector<WorkId> latest(CUcontext context) const;

  private:
    /// A default stream's key is its context, and 0 or a value for its thread. Any other stream's
    /// key is 0 and the stream's handle.
    using Key = std::pair<Handle, Handle>;

    std::map<Key, Stream> streams_;
    std::map<CUevent, Event> events_;
    unsigned long last_stream_ = 0;
    unsigned long last_event_ = 0;
};

} // namespace driver_double
