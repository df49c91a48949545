#include "app/report/facts.h"
#include "app/stencil/stencil.h"
#include "app/stencil/tables.h"

/* `--check`: the kernel is checked in place of a run (core/beat/kernel_check.h). */

static halo_status check(app_run *run)
{
    enum { DEFAULT_AXES = 2, LARGE = 1 << 20 };
    const stencil_options *options = run->options;
    stencil_job *job = run->job;
    const halo_kernel *kernel = job->kernel;
    halo_domain domain = {.axes = options->size.axes != 0 ? options->size.axes
                                  : kernel->axes != 0     ? kernel->axes
                                                          : DEFAULT_AXES};
    HALO_FAIL_IF(kernel->axes != 0 && domain.axes != kernel->axes, HALO_ARGUMENT,
                 "kernel \"%s\" computes grids of %d axes, and --size has %d", kernel->name,
                 kernel->axes, domain.axes);
    for (int a = 0; a < HALO_AXES; a++) {
        domain.n[a] = options->size.axes != 0 ? options->size.n[a] : a < domain.axes ? LARGE : 1;
    }
    HALO_TRY(stencil_set_periodic(options->periodic, &domain));
    return halo_kernel_check(kernel, &domain, job->params.values, &job->checked);
}

/* With copies of its own each rank is right, and other programs of the kernel are not. */
static halo_status report_threads(app_run *run)
{
    const stencil_program *program = run->context;
    const stencil_job *job = run->job;
    if (job->checked.unsafe[0] == '\0') {
        return HALO_OK;
    }
    HALO_FAIL_IF(!program->has_copies, HALO_ARGUMENT, "%s", job->checked.unsafe);
    app_warn(run,
             "%s. `halobeat run` gives each thread a copy of the object's variables, so its "
             "results are right; a program made by halo_main cannot",
             job->checked.unsafe);
    return HALO_OK;
}

static halo_status check_here(app_run *run)
{
    stencil_job *job = run->job;
    if (job->kernel->options != NULL) {
        HALO_TRY(stencil_params_create(&job->params, job->kernel, job->options));
    }
    HALO_TRY(check(run));
    return report_threads(run);
}

halo_status stencil_check_kernel(app_run *run)
{
    return halo_agree(run->world, app_is_root(run) ? check_here(run) : HALO_OK);
}

json_t *stencil_check_facts(app_run *run, json_t *texts)
{
    const stencil_job *job = run->job;
    const halo_kernel_check_report *checked = &job->checked;
    char size[STENCIL_SIZE_TEXT];
    stencil_size_print(checked->n, checked->axes, " x ", size);
    json_object_set_new(texts, "size", json_string(size));
    return json_pack("{s:s, s:I, s:I, s:i, s:i}", "kernel", job->kernel->name, "decompositions",
                     (json_int_t)checked->decompositions, "beats", (json_int_t)checked->beats,
                     "depth", job->kernel->depth, "threads", checked->threads);
}

const app_line stencil_check_summary[] = {
    {.name = "check",
     .text =
         "{kernel} reads and writes what its table says: {decompositions} decompositions of "
         "{size} cells, {beats} beats each, depth {depth}[, and {threads>1} threads at a time]"},
    {0}};
