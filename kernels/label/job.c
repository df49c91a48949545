#include "kernels/label/job.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

halo_status label_job_create(label_job *job, halo_world *world, const halo_domain *domain,
                             const int64_t *cuts, const label_rows *rows, bool diagonal)
{
    *job = (label_job){
        .world = world, .domain = *domain, .diagonal = diagonal, .strip = {.rows = rows}};
    size_t bytes = ((size_t)halo_world_ranks(world) + 1) * sizeof *cuts;
    job->cuts = malloc(bytes);
    if (job->cuts == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: cuts of %d strips", halo_world_ranks(world));
    }
    memcpy(job->cuts, cuts, bytes);
    return HALO_OK;
}

halo_status label_job_connect(label_job *job, const char *vote)
{
    job->vote_method = vote;
    return halo_vote_create(&job->vote, job->world, vote, 0);
}

void label_job_free(label_job *job)
{
    halo_vote_destroy(&job->vote);
    label_strip_free(&job->strip);
    halo_memory_free(job->keys);
    free(job->cuts);
    *job = (label_job){0};
}

void label_job_begin(label_job *job, const halo_view *lit, const halo_view *grey)
{
    job->lit = lit;
    job->grey = grey;
    job->report = (halo_label_report){0};
}

label_input label_job_input(const label_job *job)
{
    return (label_input){.bits = job->lit->origin,
                         .pitch = job->lit->stride[0],
                         .height = job->lit->owned.n[0],
                         .width = job->domain.n[1],
                         .diagonal = job->diagonal,
                         .wrap = job->domain.periodic[1]};
}

static halo_status ensure_keys(label_job *job, int64_t needed)
{
    if (needed < job->key_room) {
        return HALO_OK;
    }
    halo_memory_free(job->keys);
    job->keys = NULL;
    job->key_room = 0;
    void *keys;
    HALO_TRY(
        halo_memory_create(&keys, ((size_t)needed + 1) * sizeof *job->keys, "keys of components"));
    job->keys = keys;
    job->key_room = needed + 1;
    return HALO_OK;
}

halo_status label_job_finish(label_job *job, const int32_t *roots, const int64_t *keys,
                             int64_t count)
{
    int64_t own_key = label_key(halo_world_rank(job->world), 0), followers = 0;
    void *memory;
    halo_status status =
        halo_memory_create(&memory, ((size_t)count + 1) * sizeof(int32_t), "roots of components");
    if (status == HALO_OK) {
        status = ensure_keys(job, count);
    }
    status = halo_agree(job->world, status);
    if (status == HALO_OK) {
        int32_t *apart = memory;
        for (int64_t i = 0; i < count; i++) {
            if (keys[i] != own_key + roots[i]) {
                job->keys[followers] = keys[i];
                apart[followers++] = roots[i];
            }
        }
        label_strip_finish(&job->strip, apart, followers);
    }
    halo_memory_free(memory);
    return status;
}

halo_status label_job_beat(label_job *job, int64_t changed, halo_status mine)
{
    halo_stretch stretch = halo_clock_begin(job->world);
    int64_t packet[HALO_VOTE_SUMS] = {
        [HALO_VOTE_CHANGED] = changed, [HALO_VOTE_FAILED] = mine != HALO_OK};
    halo_vote_counts before = halo_vote_count(job->vote);
    halo_status status = halo_vote_post(job->vote, packet);
    if (status == HALO_OK) {
        status = halo_vote_collect(job->vote, packet);
    }
    halo_vote_counts after = halo_vote_count(job->vote);
    job->report.beats++;
    job->report.votes++;
    job->report.vote_messages += after.messages - before.messages;
    job->report.vote_steps += after.steps - before.steps;
    halo_clock_end(&job->report.clock, HALO_PHASE_VOTE, stretch, job->world);
    HALO_TRY(status);
    return packet[HALO_VOTE_FAILED] > 0 ? halo_agree(job->world, mine) : HALO_OK;
}

bool label_job_is_alone(const label_job *job)
{
    return halo_world_ranks(job->world) == 1 && !job->domain.periodic[0];
}
