#define _POSIX_C_SOURCE 200809L
#include "app/frame.h"
#include "app/lines.h"
#include "app/spelling.h"
#include "app/stencil/params.h"
#include "app/stencil/stencil.h"
#include "base/names.h"
#include "base/version.h"
#include "cli/commands.h"
#include "core/beat/kernel_export.h"
#include "core/world/job.h"
#include "kernels/heat/heat.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The kernels that have names, by these. */
#define KERNEL_LIST(X)          \
    X("heat", halo_heat_kernel) \
    X("heat3d", halo_heat3d_kernel)
#define KERNEL_ENTRY(name, table) {name, &table},
#define KERNEL_WORD(name, table)  "|" name

static const struct {
    const char *name;
    const halo_kernel *kernel;
} built_in[] = {KERNEL_LIST(KERNEL_ENTRY)};

enum { BUILT_IN = sizeof built_in / sizeof built_in[0] };

/* ---- kernels of shared objects: their code is run, and may do what it likes ------------------ */

typedef struct {
    void *object;
    const halo_kernel *kernel;
} shared_kernel;

static halo_status check_file(const char *path)
{
    struct stat there;
    if (stat(path, &there) != 0) {
        return halo_fail(HALO_FILE, "the kernel \"%s\" cannot be loaded: %s", path,
                         strerror(errno));
    }
    return S_ISREG(there.st_mode)
               ? HALO_OK
               : halo_fail(HALO_FILE, "the kernel \"%s\" cannot be loaded: it is no file", path);
}

static halo_status check_export(const halo_kernel_export *found, const char *path)
{
    if (memcmp(found->mark, HALO_KERNEL_MARK, sizeof found->mark) != 0) {
        return halo_fail(HALO_FORMAT,
                         "\"%s\" has something else under the name halo_exported_kernel; export "
                         "the kernel by HALO_KERNEL_EXPORT(its table)",
                         path);
    }
    if (found->abi != HALO_KERNEL_ABI || found->sizes != HALO_KERNEL_SIZES) {
        return halo_fail(HALO_FORMAT,
                         "\"%s\" was built for another Halobeat (kernels of version %d, %d bytes) "
                         "than this one, %s (version %d, %d bytes); build it again with the "
                         "headers of this one",
                         path, (int)found->abi, (int)found->sizes, HALOBEAT_VERSION,
                         (int)HALO_KERNEL_ABI, (int)HALO_KERNEL_SIZES);
    }
    return found->kernel != NULL
               ? HALO_OK
               : halo_fail(HALO_FORMAT, "\"%s\" exports no kernel: its pointer is NULL", path);
}

/* Load the kernel that the object `path` exports. HALO_FILE if there is no such file, HALO_FORMAT
 * if it is no shared object, exports no kernel, or one made for another version of its table. The
 * message says how to build it. */
static halo_status load(shared_kernel *loaded, const char *path)
{
    char place[4096];
    *loaded = (shared_kernel){0};
    HALO_TRY(check_file(path));
    /* A name without a folder would be looked for among the system's libraries. */
    snprintf(place, sizeof place, "%s%s", strchr(path, '/') == NULL ? "./" : "", path);
    loaded->object = dlopen(place, RTLD_NOW | RTLD_LOCAL);
    if (loaded->object == NULL) {
        return halo_fail(HALO_FORMAT,
                         "the kernel cannot be loaded: %s; build it by mpicc -shared -fPIC",
                         dlerror());
    }
    const halo_kernel_export *found = dlsym(loaded->object, "halo_exported_kernel");
    if (found == NULL) {
        return halo_fail(HALO_FORMAT,
                         "\"%s\" exports no kernel: write HALO_KERNEL_EXPORT(its table) behind the "
                         "table in its source",
                         path);
    }
    HALO_TRY(check_export(found, path));
    loaded->kernel = found->kernel;
    return HALO_OK;
}

static void unload(shared_kernel *loaded)
{
    if (loaded->object != NULL) {
        dlclose(loaded->object);
    }
    *loaded = (shared_kernel){0};
}

/* ---- kernels by name ------------------------------------------------------------------------- */

static halo_status complain_of_name(const char *name)
{
    char names[256] = "";
    for (int i = 0; i < BUILT_IN; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", built_in[i].name);
    }
    char near[APP_GUESS_TEXT];
    app_guess guess = {.word = name, .length = strlen(name)};
    app_guess_list(&guess, KERNEL_LIST(KERNEL_WORD));
    return halo_fail(HALO_ARGUMENT,
                     "there is no kernel \"%.80s\"; there are %s, and shared objects, whose names "
                     "have a slash or end in .so (./mykernel.so)%s",
                     name, names, app_guess_text(&guess, "", near));
}

/* `context` is what is loaded. */
static halo_status find(void *context, const char *name, const halo_kernel **kernel)
{
    shared_kernel *loaded = context;
    for (int i = 0; i < BUILT_IN; i++) {
        if (strcmp(built_in[i].name, name) == 0) {
            *kernel = built_in[i].kernel;
            return HALO_OK;
        }
    }
    if (strchr(name, '/') == NULL && !halo_name_ends(name, ".so")) {
        return complain_of_name(name);
    }
    HALO_TRY(load(loaded, name));
    *kernel = loaded->kernel;
    return HALO_OK;
}

/* The kernels that have names, and then what all commands say. */
static void describe(const app_syntax *syntax, char *out, size_t size)
{
    enum { NAMES_END = 12, HELP = 2048 };
    lines_append(out, size, "", 0, "Kernels that are built in:");
    for (int i = 0; i < BUILT_IN; i++) {
        const halo_kernel *kernel = built_in[i].kernel;
        char first[NAMES_END + 1], help[HELP];
        snprintf(first, sizeof first, "  %-*s", NAMES_END - 2, built_in[i].name);
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

/* For completion: what a built-in kernel takes beside the options of all. */
static app_option *options_of_kernel(int i)
{
    app_option *rows = NULL;
    return i < BUILT_IN && stencil_params_rows(&rows, built_in[i].kernel, 0) == HALO_OK ? rows
                                                                                        : NULL;
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
             "  cc -shared -fPIC -O3 mykernel.c -o mykernel.so $(pkg-config --cflags halobeat)\n"
             "  mpiexec -n 4 halobeat run ./mykernel.so --size 4096x4096 -o out.npy\n"
             "  mpiexec -n 6 halobeat run heat3d --decomposition blocks --balance chain\n"
             "  mpiexec -n 4 halobeat run heat --beats 99999 --checkpoint c.halo\n"
             "  halobeat run heat --restore c.halo --beats 100 --movie out.gif\n\n" APP_EXIT_STATUS,
    .tables = stencil_tables,
    .bytes = sizeof(stencil_options),
    .describe = describe,
    .check = stencil_check,
    .words = KERNEL_LIST(KERNEL_WORD),
    .options_of_word = options_of_kernel,
};

/* `halobeat run KERNEL --help` */
static bool asks_about_kernel(int argc, char **argv)
{
    const char *last = argv[argc - 1];
    return argc > 2 && (strcmp(last, "--help") == 0 || strcmp(last, "-h") == 0);
}

static int call(halo_world *all, int argc, char **argv)
{
    shared_kernel loaded = {0};
    stencil_program program = {
        .name = "halobeat run", .find = find, .context = &loaded, .syntax = &run_syntax};
    /* A first word that is no option names the kernel, whose own options are then known. */
    bool named = argc > 1 && argv[1][0] != '-';
    int status = app_agree_early(all, program.name,
                                 named ? find(&loaded, argv[1], &program.kernel) : HALO_OK);
    if (status == 0 && named) { /* whose options would be parsed in different ways */
        status = app_agree_early(all, program.name, stencil_same_kernel(all, program.kernel));
    }
    if (status == 0) {
        bool about = named && asks_about_kernel(argc, argv);
        if (about) { /* as of a program of that kernel */
            program.name = "halobeat run KERNEL";
            program.syntax = NULL;
        }
        status = stencil_main(all, &program, argc - about, argv + about);
    }
    unload(&loaded);
    return status;
}

const app_command run_command = {.syntax = &run_syntax, .call = call};
