#include "kernels/label/methods.h"

#include "base/memory.h"
#include "base/names.h"
#include "core/world/simulated_compute.h"
#include "kernels/label/costs.h"
#include "kernels/label/merge/merge.h"
#include "kernels/label/rows/relax.h"

/* Runs are counted and then labelled: between the two it is known what that takes. Merging needs
 * as much memory as the links between rows did. */
static halo_status unite(label_job *job, const label_input *input)
{
    const label_room room = {.before = halo_memory_held(), .counts = true};
    halo_status status = label_strip_count(&job->strip, input);
    if (label_job_is_large(job)) {
        HALO_TRY(halo_agree(job->world, status));
        HALO_TRY(label_job_ask(job, &room, "labelling the image's runs"));
    }
    HALO_TRY(status);
    HALO_TRY(label_strip_unite(&job->strip));
    if (label_job_is_large(job)) {
        label_strip_release_links(&job->strip);
    }
    return HALO_OK;
}

static halo_status label_run_union(label_job *job)
{
    halo_stretch stretch = halo_clock_begin(job->world);
    label_input input = label_job_input(job);
    input.folded = input.order == 3 && job->n[0] > 1 && input.values == NULL && !input.transposed;
    bool alone = label_job_is_alone(job);
    double begun = halo_seconds(), waited = halo_world_waited(job->world);
    halo_status status = unite(job, &input);
    if (alone && status == HALO_OK) {
        label_strip_finish(&job->strip, NULL, 0);
    }
    halo_simulated_compute(label_cost(label_input_words(&input) * input.height, job->strip.runs) /
                           LABEL_FLOP);
    halo_world_inject_slowdown(job->world,
                               halo_seconds() - begun - (halo_world_waited(job->world) - waited));
    halo_clock_end(&job->report->clock, HALO_PHASE_COMPUTE, stretch, job->world);
    if (alone) {
        return status;
    }
    HALO_TRY(halo_agree(job->world, status));
    return label_merge(job);
}

halo_status label_method_find(const label_method **out, const char *name)
{
    enum {
        FIELDS_union = 0,
        FIELDS_settle = 1,
        FIELDS_sweep = 2,
        FIELDS_async = 1
    }; /* that it needs */
#define METHOD_ENTRY(name, merges, help) {#name, merges, FIELDS_##name, label_run_##name},
#define METHOD_NAME(name, merges, help)  #name,
    static const label_method methods[] = {HALO_LABEL_METHOD_LIST(METHOD_ENTRY)};
    static const char *const names[] = {HALO_LABEL_METHOD_LIST(METHOD_NAME)};
#undef METHOD_NAME
#undef METHOD_ENTRY
    int index;
    HALO_TRY(halo_names_find("method", names, HALO_NAMES_COUNT(names), name, &index));
    *out = &methods[index];
    return HALO_OK;
}

bool halo_label_method_merges(const char *name)
{
    const label_method *method;
    return label_method_find(&method, name) == HALO_OK && method->merges;
}

bool halo_label_method_is_async(const char *name)
{
    const label_method *method;
    return label_method_find(&method, name) == HALO_OK && method->run == label_run_async;
}
