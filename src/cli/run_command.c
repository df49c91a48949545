#include "cli/commands.h"
#include "cli/lines.h"
#include "cli/run_call.h"
#include "cli/run_kernels.h"
#include "cli/run_load.h"

#include <stdio.h>
#include <string.h>

static halo_status complain_of_name(const char *name)
{
    char names[256] = "";
    for (int i = 0; run_kernels[i] != NULL; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                 run_kernels[i]->name);
    }
    return halo_fail(HALO_ARGUMENT,
                     "there is no kernel \"%.80s\"; there are %s, and shared objects, whose names "
                     "have a slash or end in .so (./mykernel.so)",
                     name, names);
}

/* `context` is what is loaded. */
static halo_status find(void *context, const char *name, const halo_kernel **kernel)
{
    run_loaded *loaded = context;
    for (int i = 0; run_kernels[i] != NULL; i++) {
        if (strcmp(run_kernels[i]->name, name) == 0) {
            *kernel = run_kernels[i];
            return HALO_OK;
        }
    }
    if (strchr(name, '/') == NULL && !arguments_ends_with(name, ".so")) {
        return complain_of_name(name);
    }
    HALO_TRY(run_load(loaded, name));
    *kernel = loaded->kernel;
    return HALO_OK;
}

int run_command(int argc, char **argv)
{
    enum { HELP_SIZE = 2048, NAMES_END = 12 };
    char kernels[HELP_SIZE] = "";
    for (int i = 0; run_kernels[i] != NULL; i++) {
        const halo_kernel *kernel = run_kernels[i];
        char first[NAMES_END + 1], help[HELP_SIZE];
        snprintf(first, sizeof first, "  %-*s", NAMES_END - 2, kernel->name);
        snprintf(help, sizeof help, "%s%s%s", kernel->help,
                 kernel->options_help != NULL ? ". Options: " : "",
                 kernel->options_help != NULL ? kernel->options_help : "");
        lines_append(kernels, sizeof kernels, first, NAMES_END, help);
    }
    run_loaded loaded = {0};
    const run_program program = {.name = "halobeat run", .kernels = kernels};
    int status = run_call(argc, argv, &program, find, &loaded);
    run_unload(&loaded);
    return status;
}
