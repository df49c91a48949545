#include "app/stencil/source.h"

#include "app/stencil/cells.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sizes that take a second or so to compute. */
static const int64_t usual_size[HALO_AXES][HALO_AXES] = {
    {1000000, 1, 1}, {1000, 1000, 1}, {100, 100, 100}};

/* How a user gives a size of so many axes. */
static const char *const size_forms[HALO_AXES] = {"WIDTH", "WIDTHxHEIGHT", "WIDTHxHEIGHTxDEPTH"};

static halo_status choose_size(run_source *source)
{
    enum { USUAL_AXES = 2 };
    const run_arguments *arguments = source->arguments;
    const halo_kernel *kernel = source->kernel;
    int axes = arguments->size.axes != 0 ? arguments->size.axes
               : kernel->axes != 0       ? kernel->axes
                                         : USUAL_AXES;
    if (kernel->axes != 0 && axes != kernel->axes) {
        return halo_fail(HALO_ARGUMENT,
                         "kernel \"%s\" computes grids of %d %s, and --size has %d; use --size %s",
                         kernel->name, kernel->axes, kernel->axes == 1 ? "axis" : "axes", axes,
                         size_forms[kernel->axes - 1]);
    }
    source->domain.axes = axes;
    for (int a = 0; a < HALO_AXES; a++) {
        source->domain.n[a] =
            arguments->size.axes != 0 ? arguments->size.n[a] : usual_size[axes - 1][a];
    }
    return HALO_OK;
}

static halo_status check_kernel(const run_source *source)
{
    const run_arguments *arguments = source->arguments;
    const halo_kernel *kernel = source->kernel;
    if (kernel->axes < 0 || kernel->axes > HALO_AXES) {
        return halo_fail(HALO_ARGUMENT, "kernel \"%s\" says it has %d axes; 0 (any) to 3 can be",
                         kernel->name, kernel->axes);
    }
    int fields = run_cells_fields(kernel);
    if (arguments->field >= fields) {
        return halo_fail(HALO_ARGUMENT, "kernel \"%s\" has no field %d; it has %d, counted from 0",
                         kernel->name, (int)arguments->field, fields);
    }
    if (arguments->options != NULL && kernel->create == NULL) {
        return halo_fail(HALO_ARGUMENT,
                         "kernel \"%s\" has no options of its own; leave --options out",
                         kernel->name);
    }
    if (kernel->saved_bytes > HALO_KERNEL_SAVED) {
        return halo_fail(HALO_ARGUMENT, "kernel \"%s\" has %zu bytes of state to save; %d can be",
                         kernel->name, kernel->saved_bytes, (int)HALO_KERNEL_SAVED);
    }
    if (arguments->options != NULL) {
        HALO_TRY(run_checkpoint_check_options(arguments->options));
    }
    if (arguments->until.steady && !kernel->converges) {
        return halo_fail(
            HALO_ARGUMENT,
            "kernel \"%s\" does not count what changes (`converges` in its table): give "
            "--beats N instead of --until",
            kernel->name);
    }
    return HALO_OK;
}

/* ---- where the grid comes from -----------------------------------------------------------------
 */

enum { SIZE_TEXT = 96 };

static void print_size(const int64_t *n, int axes, char text[SIZE_TEXT])
{
    text[0] = '\0';
    for (int a = axes - 1; a >= 0; a--) {
        size_t used = strlen(text);
        snprintf(text + used, SIZE_TEXT - used, "%s%" PRId64, used > 0 ? "x" : "", n[a]);
    }
}

/* Was another size asked for than that of the file? */
static halo_status check_size(const run_source *source, const char *path)
{
    const run_arguments *arguments = source->arguments;
    const halo_domain *domain = &source->domain;
    const run_size *size = &arguments->size;
    if (size->axes == 0 ||
        (size->axes == domain->axes && memcmp(size->n, domain->n, sizeof domain->n) == 0)) {
        return HALO_OK;
    }
    char asked[SIZE_TEXT], found[SIZE_TEXT];
    print_size(size->n, size->axes, asked);
    print_size(domain->n, domain->axes, found);
    return halo_fail(HALO_ARGUMENT, "--size is %s, and \"%s\" has %s cells; leave --size out",
                     asked, path, found);
}

/* A checkpoint has all that changes results: what is asked for besides must be the same. */
static halo_status check_restored(const run_source *source)
{
    const run_arguments *arguments = source->arguments;
    const char *path = arguments->saving.restore;
    HALO_TRY(check_size(source, path));
    halo_domain asked = source->domain;
    if (arguments->periodic != NULL) {
        HALO_TRY(run_set_periodic(arguments->periodic, &asked));
    }
    if (memcmp(asked.periodic, source->domain.periodic, sizeof asked.periodic) != 0) {
        return halo_fail(HALO_ARGUMENT,
                         "--periodic %s is not what \"%s\" was computed with; leave it out",
                         arguments->periodic, path);
    }
    if (arguments->options != NULL &&
        (source->options == NULL || strcmp(arguments->options, source->options) != 0)) {
        return halo_fail(
            HALO_ARGUMENT, "--options %.100s: \"%s\" was computed with %.100s; leave them out",
            arguments->options, path, source->options != NULL ? source->options : "none");
    }
    return HALO_OK;
}

static halo_status open_checkpoint(run_source *source)
{
    const char *path = source->arguments->saving.restore;
    HALO_TRY(halo_checkpoint_open(&source->reader, source->world, path));
    const halo_checkpoint *info = halo_checkpoint_info(source->reader);
    source->saved = calloc(1, sizeof *source->saved);
    halo_status status = HALO_OK;
    if (source->saved == NULL) {
        halo_fail(HALO_MEMORY, "out of memory: a checkpoint's header");
        status = HALO_MEMORY;
    } else {
        status = run_checkpoint_read(source->saved, path, info, source->kernel);
    }
    HALO_TRY(halo_agree(source->world, status));
    source->domain = source->saved->domain;
    source->options = source->saved->options;
    source->beat = info->beat;
    return check_restored(source);
}

static halo_status open_input(run_source *source)
{
    const run_arguments *arguments = source->arguments;
    HALO_TRY(run_input_open(&source->input, source->world, arguments->input, source->kernel,
                            &source->domain));
    HALO_TRY(check_size(source, arguments->input));
    return run_set_periodic(arguments->periodic, &source->domain);
}

halo_status run_source_open(run_source *source, halo_world *world, const run_arguments *arguments,
                            const halo_kernel *kernel)
{
    *source = (run_source){
        .world = world, .arguments = arguments, .kernel = kernel, .options = arguments->options};
    HALO_TRY(check_kernel(source));
    if (arguments->saving.restore != NULL) {
        return open_checkpoint(source);
    }
    if (arguments->input != NULL) {
        return open_input(source);
    }
    HALO_TRY(choose_size(source));
    return run_set_periodic(arguments->periodic, &source->domain);
}

/* ---- the first cells ---------------------------------------------------------------------------
 */

static halo_status start(const run_source *source, const halo_beat *beat)
{
    const halo_kernel *kernel = source->kernel;
    halo_view fields[HALO_KERNEL_FIELDS];
    if (kernel->start == NULL) {
        return HALO_OK;
    }
    for (int f = 0; f < HALO_KERNEL_FIELDS && kernel->cell_bits[f] != 0; f++) {
        fields[f] = *halo_beat_view(beat, f);
    }
    return kernel->start(halo_beat_state(beat), fields);
}

halo_status run_source_fill(run_source *source, halo_beat *beat, halo_clock *clock)
{
    if (source->reader != NULL) {
        return run_checkpoint_restore(source->saved, source->reader, source->world, source->kernel,
                                      beat, clock);
    }
    halo_stretch stretch = halo_clock_begin(source->world);
    halo_status status = halo_agree(source->world, start(source, beat));
    halo_clock_end(clock, HALO_PHASE_DECODE, stretch, source->world);
    if (status == HALO_OK && source->input.path != NULL) {
        status = run_input_read(&source->input, source->world, source->kernel, &source->domain,
                                beat, clock);
    }
    return status;
}

void run_source_close(run_source *source)
{
    halo_checkpoint_close(&source->reader);
    if (source->saved != NULL) {
        run_checkpoint_free(source->saved);
    }
    free(source->saved);
    source->saved = NULL;
}
