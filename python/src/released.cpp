#include "released.h"

#include <Python.h>

#include <atomic>
#include <memory>
#include <utility>

namespace vmaf::python {
namespace {

std::atomic<Released *> g_list{nullptr};
std::atomic<bool> g_asked{false}; ///< the main thread has been asked to drop what is there
std::atomic<bool> g_ask{true};

int drop_on_main_thread(void *)
{
    g_asked = false;
    Released::drop_all();
    return 0;
}

} // namespace

void Released::put(Released *object)
{
    Released *head = g_list.load(std::memory_order_relaxed);
    do
        object->next_ = head;
    while (!g_list.compare_exchange_weak(head, object, std::memory_order_release, std::memory_order_relaxed));
    if (g_ask && !g_asked.exchange(true) && Py_AddPendingCall(drop_on_main_thread, nullptr) != 0)
        g_asked = false; // the interpreter's list is full: the next call of the package will do
}

void Released::drop_all()
{
    Released *object = g_list.exchange(nullptr, std::memory_order_acquire);
    while (object != nullptr)
        delete std::exchange(object, object->next_);
}

void Released::stop_asking()
{
    g_ask = false;
}

} // namespace vmaf::python
