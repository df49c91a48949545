#include "app/lines.h"
#include "app/stencil/stencil.h"
#include "app/values.h"
#include "cli/commands.h"
#include "cli/run/kernels.h"
#include "cli/run/load.h"

#include <stdio.h>
#include <string.h>

enum { HELP_SIZE = 2048 };

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
    if (strchr(name, '/') == NULL && !app_ends_with(name, ".so")) {
        return complain_of_name(name);
    }
    HALO_TRY(run_load(loaded, name));
    *kernel = loaded->kernel;
    return HALO_OK;
}

/* The kernels that have names, and then what all commands say. */
static void describe(const app_syntax *syntax, char *out, size_t size)
{
    enum { NAMES_END = 12 };
    lines_append(out, size, "", 0, "Kernels that are built in:");
    for (int i = 0; run_kernels[i] != NULL; i++) {
        const halo_kernel *kernel = run_kernels[i];
        char first[NAMES_END + 1], help[HELP_SIZE];
        snprintf(first, sizeof first, "  %-*s", NAMES_END - 2, kernel->name);
        snprintf(help, sizeof help, "%s", kernel->help);
        for (const halo_param *param = kernel->params; param != NULL && param->name != NULL;
             param++) {
            size_t used = strlen(help);
            snprintf(help + used, sizeof help - used, "%s--%s",
                     param == kernel->params ? ". Options: " : ", ", param->name);
        }
        lines_append(out, size, first, NAMES_END, help);
    }
    balance_describe(syntax, out, size);
}

static const app_syntax run_syntax = {
    .name = "run",
    .summary = "compute with any kernel, built in or your own",
    .beat = "one update of all cells",
    .about = "Beat with any kernel: update all cells of a grid again and again.\n\n"
             "KERNEL is a shared object that exports one (HALO_KERNEL_EXPORT), its name with a "
             "slash such as ./mykernel.so, or the name of a built-in. `halobeat run KERNEL --help` "
             "prints its options.",
    .notes = "Examples:\n"
             "  halobeat run heat --size 3000x2000 --beats 500 -o out.png\n"
             "  mpicc -shared -fPIC -O3 mykernel.c -o mykernel.so\n"
             "  mpiexec -n 4 halobeat run ./mykernel.so --size 4096x4096 -o out.npy\n"
             "  mpiexec -n 6 halobeat run heat3d --decomposition blocks --balance chain\n"
             "  mpiexec -n 4 halobeat run heat --beats 99999 --checkpoint c.halo\n"
             "  halobeat run heat --restore c.halo --beats 100 --movie out.gif\n\n" APP_EXIT_STATUS,
    .tables = stencil_tables,
    .bytes = sizeof(stencil_options),
    .describe = describe,
    .check = stencil_check,
    .words = "heat|heat3d",
};

/* `halobeat run KERNEL --help` */
static bool asks_about_kernel(int argc, char **argv)
{
    const char *last = argv[argc - 1];
    return argc > 2 && (strcmp(last, "--help") == 0 || strcmp(last, "-h") == 0);
}

static int call(int argc, char **argv)
{
    run_loaded loaded = {0};
    stencil_program program = {
        .name = "halobeat run", .find = find, .context = &loaded, .syntax = &run_syntax};
    /* A first word that is no option names the kernel, whose own options are then known. */
    bool named = argc > 1 && argv[1][0] != '-';
    int status =
        app_agree_early(program.name, named ? find(&loaded, argv[1], &program.kernel) : HALO_OK);
    if (status == 0) {
        bool about = named && asks_about_kernel(argc, argv);
        if (about) { /* as of a program of that kernel */
            program.name = "halobeat run KERNEL";
            program.syntax = NULL;
        }
        status = stencil_main(&program, argc - about, argv + about);
    }
    run_unload(&loaded);
    return status;
}

const app_command run_command = {.syntax = &run_syntax, .call = call};
