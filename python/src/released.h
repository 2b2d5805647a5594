#pragma once

namespace vmaf::python {

/// Python objects that the library no longer needs. The library reports this on any thread, in the
/// middle of its work. It must not wait for the GIL there, or its workers would wait for Python
/// code. Released objects therefore go on a list. The next holder of the GIL drops them: a call of
/// this package, or soon the main thread.
class Released {
  public:
    virtual ~Released() = default;

    /// Queue an object for release. Takes the object. May be called from any thread, with or
    /// without the GIL.
    static void put(Released *object);
    /// Drop what is on the list. With the GIL.
    static void drop_all();
    /// Call at the interpreter's end: objects are no longer passed to the main thread.
    static void stop_asking();

  private:
    Released *next_ = nullptr;
};

} // namespace vmaf::python
