#include "app/stencil/stencil.h"

#include "app/frame.h"
#include "app/stencil/cells.h"
#include "base/build.h"
#include "core/transport/processes.h"
#include "core/world/handshake.h"

#include <stdio.h>

/* The kernel that is computed: found, checked, and the same on all ranks. */

/* Checkpoints keep the kernel's options as JSON. */
static halo_status check_text(const char *options)
{
    json_t *text = json_string(options);
    bool good = text != NULL;
    json_decref(text);
    return HALO_REQUIRE(good, HALO_ARGUMENT,
                        "options of the kernel are to be text in UTF-8, as checkpoints keep them");
}

static halo_status check_kernel(const app_run *run, const halo_kernel *kernel)
{
    const stencil_options *options = run->options;
    HALO_FAIL_IF(kernel->axes < 0 || kernel->axes > HALO_AXES, HALO_ARGUMENT,
                 "kernel \"%s\" says it has %d axes; 0 (any) to 3 can be", kernel->name,
                 kernel->axes);
    int fields = stencil_cells_fields(kernel);
    HALO_FAIL_IF(options->field >= fields, HALO_ARGUMENT,
                 "kernel \"%s\" has no field %d; it has %d, counted from 0", kernel->name,
                 (int)options->field, fields);
    HALO_FAIL_IF(kernel->saved_bytes > HALO_KERNEL_SAVED, HALO_ARGUMENT,
                 "kernel \"%s\" has %zu bytes of state to save; %d can be", kernel->name,
                 kernel->saved_bytes, (int)HALO_KERNEL_SAVED);
    HALO_FAIL_IF(run->arguments->until.steady && !kernel->converges, HALO_ARGUMENT,
                 "kernel \"%s\" does not count what changes (`converges` in its table): give "
                 "--beats N instead of --until",
                 kernel->name);
    return HALO_OK;
}

/* Joins the options that were given one by one to the text that checkpoints keep. */
static halo_status take_options(app_run *run)
{
    stencil_job *job = run->job;
    const char *behind = (const char *)run->options + sizeof(stencil_options);
    HALO_TRY(stencil_params_text(&job->text, job->kernel, run->given, behind));
    job->requested = job->options = job->text;
    return job->text != NULL ? check_text(job->text) : HALO_OK;
}

halo_status stencil_suit_kernel(stencil_job *job)
{
    stencil_params params = {0};
    if (job->kernel->suited == NULL) {
        return HALO_OK;
    }
    halo_status status = stencil_params_create(&params, job->kernel, job->options);
    if (status == HALO_OK) {
        job->kernel = halo_kernel_suited(job->kernel, params.values);
    }
    stencil_params_free(&params);
    return status;
}

static halo_status find_kernel(app_run *run)
{
    const stencil_program *program = run->context;
    const stencil_options *options = run->options;
    stencil_job *job = run->job;
    job->kernel = program->kernel;
    if (job->kernel == NULL) {
        HALO_TRY(program->find(program->context, options->kernel, &job->kernel));
    }
    HALO_TRY(stencil_check_texts(job->kernel));
    snprintf(job->name, sizeof job->name, "run %s", job->kernel->name);
    HALO_TRY(program->kernel != NULL ? take_options(run) : HALO_OK);
    HALO_TRY(stencil_suit_kernel(job));
    return check_kernel(run, job->kernel);
}

#ifdef HALOBEAT_SIMGRID /* all ranks are copies of one program, and read the same file */
halo_status stencil_same_kernel(halo_world *world, const halo_kernel *kernel)
{
    (void)world;
    (void)kernel;
    return HALO_OK;
}
#else
halo_status stencil_same_kernel(halo_world *world, const halo_kernel *kernel)
{
    char build[HALO_BUILD_TEXT], text[HALO_BUILD_TEXT + 64] = "no object";
    if (halo_build_of_object(build, kernel)) {
        snprintf(text, sizeof text, "a shared object of build %s", build);
    }
    return halo_handshake_compare(world, "loads the kernel from", text,
                                  "copy one shared object to all hosts");
}
#endif

const char *stencil_unsafe(const stencil_program *program, const halo_kernel *kernel)
{
    return (kernel->flags & HALO_KERNEL_NOT_THREAD_SAFE) != 0
               ? "is not thread-safe, as its table says"
           : program->unsafe != NULL ? *program->unsafe
                                     : NULL;
}

/* Warns that one rank computes though all cores could. */
static void warn_of_one_rank(app_run *run)
{
    const stencil_job *job = run->job;
    const char *why = stencil_unsafe(run->context, job->kernel);
    int cores = halo_world_cores(run->world);
    char remedy[HALO_PROCESSES_REMEDY];
    if (why != NULL && app_is_alone() && run->arguments->common.ranks == 0 && cores > 1) {
        app_warn(run, "kernel \"%s\" %s: there is one rank; for one on each core, %s",
                 job->kernel->name, why, halo_processes_remedy(remedy, cores));
    }
}

halo_status stencil_load(app_run *run)
{
    const stencil_job *job = run->job;
    HALO_TRY(halo_agree(run->world, find_kernel(run)));
    warn_of_one_rank(run);
    return stencil_same_kernel(run->world, job->kernel);
}
