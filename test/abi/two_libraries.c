/* Loads this library twice into one process. The program links the static one and exports its
 * symbols; it then loads the shared one. Each must use its own functions. usage: two_libraries
 * PATH-OF-LIBVMAF.SO */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <libvmaf/libvmaf.h>
#include <libvmaf/libvmaf_ext.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void expect(int right, const char *what)
{
    if (!right)
        fprintf(stderr, "two_libraries: %s\n", what);
    failures += !right;
}

struct library {
    int (*load)(VmafModel **model, VmafModelConfig *config, const char *version);
    int (*set_callback)(void (*write)(void *opaque, enum VmafLogLevel level, const char *message), void *opaque);
    unsigned messages;
};

static void count(void *opaque, enum VmafLogLevel level, const char *message)
{
    (void)level;
    (void)message;
    ++*(unsigned *)opaque;
}

/* Asks for a version that no library has. The library that was asked logs a message. */
static void ask_for_an_unknown_model(const struct library *library)
{
    VmafModelConfig config = {.name = "vmaf"};
    VmafModel *model = NULL;
    expect(library->load(&model, &config, "no such model") < 0, "an unknown model was loaded");
}

/* ISO C has no conversion from an object pointer to a function pointer. */
static void find(void *handle, const char *name, void *function)
{
    void *const address = dlsym(handle, name);
    expect(address != NULL, name);
    memcpy(function, &address, sizeof address);
}

int main(int argc, char **argv)
{
    void *const handle = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) : NULL;
    if (!handle)
        return fprintf(stderr, "usage: two_libraries PATH-OF-LIBVMAF.SO\n"), EXIT_FAILURE;
    struct library linked = {vmaf_model_load, vmaf_set_log_callback, 0}, loaded;
    memset(&loaded, 0, sizeof loaded);
    find(handle, "vmaf_model_load", &loaded.load);
    find(handle, "vmaf_set_log_callback", &loaded.set_callback);
    if (failures)
        return EXIT_FAILURE;
    expect(loaded.load != linked.load, "the shared library's function is the program's");
    expect(linked.set_callback(count, &linked.messages) == 0, "no callback in the static library");
    expect(loaded.set_callback(count, &loaded.messages) == 0, "no callback in the shared library");
    ask_for_an_unknown_model(&linked);
    expect(linked.messages == 1 && loaded.messages == 0,
           "the static library's message did not go to its callback alone");
    ask_for_an_unknown_model(&loaded);
    expect(linked.messages == 1 && loaded.messages == 1,
           "the shared library's message did not go to its callback alone");
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
