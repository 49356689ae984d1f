/*
 * Shared libraries and their functions by name. A program that links what few commands need pays
 * for all that it brings along before it prints its version.
 */
#include "cli/cli.h"

#include <dlfcn.h>
#include <string.h>

bool gp_shared_open(const char *library, const char *const *names, size_t count,
                    void *ret_functions) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; handle != NULL && i < count; i++) {
        void *function = dlsym(handle, names[i]);
        if (function == NULL)
            return false;
        memcpy((char *)ret_functions + i * sizeof function, &function, sizeof function);
    }
    return handle != NULL;
}
