#include "app/frame.h"
#include "app/report/lines.h"
#include "app/stencil/params.h"
#include "app/stencil/stencil.h"
#include "base/names.h"
#include "base/spelling.h"
#include "cli/commands.h"
#include "cli/run/object.h"
#include "kernels/heat/heat.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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

/* ---- kernels by name ------------------------------------------------------------------------- */

static halo_status complain_of_name(const char *name)
{
    char names[256] = "";
    for (int i = 0; i < BUILT_IN; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", built_in[i].name);
    }
    char near[HALO_GUESS_TEXT];
    halo_guess guess = {.word = name, .length = strlen(name)};
    halo_guess_list(&guess, KERNEL_LIST(KERNEL_WORD));
    return halo_fail(HALO_ARGUMENT,
                     "there is no kernel \"%.80s\"; there are %s, and shared objects, whose names "
                     "have a slash or end in .so (./mykernel.so)%s",
                     name, names, halo_guess_text(&guess, "", near));
}

/* The place of a rank's kernel: its file, and its name there. */
typedef struct {
    run_object loaded;
    bool apart; /* as of run_object_load */
} kernel_place;

/* `context` is a kernel_place. */
static halo_status find(void *context, const char *name, const halo_kernel **kernel)
{
    kernel_place *place = context;
    for (int i = 0; i < BUILT_IN; i++) {
        if (strcmp(built_in[i].name, name) == 0) {
            *kernel = built_in[i].kernel;
            return HALO_OK;
        }
    }
    if (strchr(name, '/') == NULL && !halo_name_ends(name, ".so")) {
        return complain_of_name(name);
    }
    run_object_unload(&place->loaded);
    HALO_TRY(run_object_load(&place->loaded, name, place->apart));
    *kernel = place->loaded.kernel;
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
        for (const halo_option *param = kernel->options; param != NULL && param->name != NULL;
             param++) {
            size_t used = strlen(help);
            snprintf(help + used, sizeof help - used, "%s--%s",
                     param == kernel->options ? ". Options: " : ", ", param->name);
        }
        lines_append(out, size, first, NAMES_END, help);
    }
    balance_describe(syntax, out, size);
}

/* For completion: what a built-in kernel takes beside the options of all. */
static halo_option *options_of_kernel(int i)
{
    halo_option *rows = NULL;
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
             "prints its options. Ranks that are threads have a copy each of its static variables.",
    .notes = "Examples:\n"
             "  halobeat run heat --size 3000x2000 --beats 500 -o out.png\n"
             "  cc -shared -fPIC -O3 mykernel.c -o mykernel.so $(pkg-config --cflags halobeat)\n"
             "  halobeat run ./mykernel.so --size 4096x4096 -o out.npy\n"
             "  halobeat run heat3d --ranks 6 --decomposition blocks --balance chain\n"
             "  halobeat run heat --beats 99999 --checkpoint c.halo\n"
             "  halobeat run heat --restore c.halo --beats 100 --movie out.gif\n\n" APP_EXIT_STATUS,
    .tables = stencil_tables,
    .services = stencil_services,
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

/* A first word that is no option names the kernel, whose own options are then known. */
static bool is_named(int argc, char **argv)
{
    return argc > 1 && argv[1][0] != '-';
}

static const char run_name[] = "halobeat run";

/* The program that finds its kernel in `place`; asked `about` that kernel it speaks as a program of
 * it alone. */
static stencil_program program_of(kernel_place *place, bool about)
{
    return (stencil_program){.name = about ? "halobeat run KERNEL" : run_name,
                             .find = find,
                             .context = place,
                             .has_copies = true,
                             .unsafe = &place->loaded.shared,
                             .syntax = about ? NULL : &run_syntax};
}

static int call(halo_world *all, int argc, char **argv)
{
    kernel_place place = {.apart = halo_world_is_process(all) && halo_world_rank(all) > 0};
    bool named = is_named(argc, argv), about = named && asks_about_kernel(argc, argv);
    stencil_program program = program_of(&place, about);
    int status =
        app_agree_early(all, run_name, named ? find(&place, argv[1], &program.kernel) : HALO_OK);
    if (status == 0 && named) { /* whose options would be parsed in different ways */
        status = app_agree_early(all, run_name, stencil_same_kernel(all, program.kernel));
    }
    if (status == 0) {
        status = stencil_main(all, &program, argc - about, argv + about);
    }
    run_object_unload(&place.loaded);
    return status;
}

static int answer(int argc, char **argv, int64_t *ranks)
{
    kernel_place place = {.apart = false};
    bool named = is_named(argc, argv), about = named && asks_about_kernel(argc, argv);
    stencil_program program = program_of(&place, about);
    halo_status found = named ? find(&place, argv[1], &program.kernel) : HALO_OK;
    int status = found == HALO_OK ? stencil_answer(&program, argc - about, argv + about, ranks)
                                  : app_complain(run_name, found);
    if (status >= 0) { /* else it stays for rank 0, which would load it once more */
        run_object_unload(&place.loaded);
    }
    return status;
}

const app_command run_command = {.syntax = &run_syntax, .call = call, .answer = answer};
