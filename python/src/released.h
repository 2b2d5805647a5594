#pragma once

namespace vmaf::python {

/// Python objects that the library has done with. It says so on any thread, in the middle of its
/// work: waiting for the interpreter there would keep its workers waiting for Python code. So what
/// is released is put on a list, and dropped by whoever next holds the GIL: a call of this package,
/// or soon the main thread.
class Released {
  public:
    virtual ~Released() = default;

    /// From any thread, with or without the GIL. Takes the object.
    static void put(Released *object);
    /// Drop what is on the list. With the GIL.
    static void drop_all();
    /// At the interpreter's end: the main thread is not asked any more.
    static void stop_asking();

  private:
    Released *next_ = nullptr;
};

} // namespace vmaf::python
