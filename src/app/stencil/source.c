#include "app/services/checkpoint.h"
#include "app/stencil/stencil.h"

#include <string.h>

/* ---- size and axes --------------------------------------------------------------------------- */

/* Sizes that take a second or so to compute. */
static const int64_t default_size[HALO_AXES][HALO_AXES] = {
    {1000000, 1, 1}, {1000, 1000, 1}, {100, 100, 100}};

/* How a user gives a size, by the number of axes. */
static const char *const size_forms[HALO_AXES] = {"WIDTH", "WIDTHxHEIGHT", "WIDTHxHEIGHTxDEPTH"};

static halo_status choose_size(app_run *run)
{
    enum { DEFAULT_AXES = 2 };
    const stencil_options *options = run->options;
    const halo_kernel *kernel = ((const stencil_job *)run->job)->kernel;
    int axes = options->size.axes != 0 ? options->size.axes
               : kernel->axes != 0     ? kernel->axes
                                       : DEFAULT_AXES;
    HALO_FAIL_IF(kernel->axes != 0 && axes != kernel->axes, HALO_ARGUMENT,
                 "kernel \"%s\" computes grids of %d %s, and --size has %d; use --size %s",
                 kernel->name, kernel->axes, kernel->axes == 1 ? "axis" : "axes", axes,
                 size_forms[kernel->axes - 1]);
    run->domain.axes = axes;
    for (int a = 0; a < HALO_AXES; a++) {
        run->domain.n[a] = options->size.axes != 0 ? options->size.n[a] : default_size[axes - 1][a];
    }
    return HALO_OK;
}

/* Was another size asked for than that of the file? */
static halo_status check_size(const app_run *run, const char *path)
{
    const halo_domain *domain = &run->domain;
    const stencil_size *size = &((const stencil_options *)run->options)->size;
    if (size->axes == 0 ||
        (size->axes == domain->axes && memcmp(size->n, domain->n, sizeof domain->n) == 0)) {
        return HALO_OK;
    }
    char requested[STENCIL_SIZE_TEXT], found[STENCIL_SIZE_TEXT];
    stencil_size_print(size->n, size->axes, "x", requested);
    stencil_size_print(domain->n, domain->axes, "x", found);
    return halo_fail(HALO_ARGUMENT, "--size is %s, and \"%s\" has %s cells; leave --size out",
                     requested, path, found);
}

/* A checkpoint has all that changes results: what is asked for besides must be the same. */
static halo_status check_restored(const app_run *run)
{
    const stencil_options *options = run->options;
    const stencil_job *job = run->job;
    const char *path = app_checkpoint_arguments(run)->restore;
    HALO_TRY(check_size(run, path));
    halo_domain wanted = run->domain;
    if (options->periodic != NULL) {
        HALO_TRY(stencil_set_periodic(options->periodic, &wanted));
    }
    HALO_FAIL_IF(memcmp(wanted.periodic, run->domain.periodic, sizeof wanted.periodic) != 0,
                 HALO_ARGUMENT, "--periodic %s is not what \"%s\" was computed with; leave it out",
                 options->periodic, path);
    bool same = true;
    if (job->requested != NULL) {
        HALO_TRY(stencil_params_compare(job->kernel, job->options, job->requested, &same));
    }
    HALO_FAIL_IF(!same, HALO_ARGUMENT,
                 "the kernel's options %.100s: \"%s\" was computed with %.100s; leave them out",
                 job->requested, path, job->options != NULL ? job->options : "none");
    return HALO_OK;
}

halo_status stencil_source_open(app_run *run)
{
    const stencil_options *options = run->options;
    if (app_restores(run)) {
        return halo_agree(run->world, check_restored(run));
    }
    if (options->input != NULL) {
        const stencil_job *job = run->job;
        HALO_TRY(stencil_params_check_start(job->kernel, job->requested, options->input));
        HALO_TRY(stencil_input_open(run, options->input));
        HALO_TRY(check_size(run, options->input));
    } else {
        HALO_TRY(choose_size(run));
    }
    return stencil_set_periodic(options->periodic, &run->domain);
}

/* ---- the first cells ------------------------------------------------------------------------- */

typedef halo_status fill_cells(void *state, const halo_view *fields);

/* `fill` may be NULL. */
static halo_status fill_by(const app_run *run, fill_cells *fill)
{
    const halo_kernel *kernel = run->kernel;
    halo_view fields[HALO_KERNEL_FIELDS];
    if (fill == NULL) {
        return HALO_OK;
    }
    for (int f = 0; f < HALO_KERNEL_FIELDS && kernel->cell_bits[f] != 0; f++) {
        fields[f] = *halo_beat_view(run->beat, f);
    }
    return fill(halo_beat_state(run->beat), fields);
}

halo_status stencil_source_fill(app_run *run)
{
    const stencil_job *job = run->job;
    halo_stretch stretch = halo_clock_begin(run->world);
    halo_status status = halo_agree(run->world, fill_by(run, run->kernel->start));
    halo_clock_end(&run->clock, HALO_PHASE_DECODE, stretch, run->world);
    if (status == HALO_OK && job->input.path != NULL) {
        HALO_TRY(stencil_input_read(run));
        status = halo_agree(run->world, fill_by(run, run->kernel->adjust));
    }
    return status;
}
