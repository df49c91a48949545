#include "kernels/label/job.h"

#include "base/memory.h"
#include "core/world/memory_ask.h"
#include "kernels/label/border.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

halo_status label_job_check_sides(const label_job *job)
{
    int64_t width = job->domain.n[1], height = label_job_has_columns(job) ? job->domain.n[0] : 0;
    bool alone = halo_world_ranks(job->world) == 1;
    if (height > INT32_MAX - width || border_room(width, height) > INT_MAX) {
        if (height > 0) {
            return halo_fail(HALO_ARGUMENT,
                             "an image of %" PRId64 " x %" PRId64
                             " pixels is too large for blocks; use strips",
                             height, width);
        }
        if (!alone || width >= INT32_MAX) {
            return halo_fail(HALO_ARGUMENT, "rows of %" PRId64 " pixels are too wide for %s", width,
                             alone ? "a periodic image, the limit is 2147483646"
                                   : "several ranks; use one rank");
        }
    }
    return HALO_OK;
}

halo_status label_job_create(label_job *job, halo_world *world, const halo_domain *domain,
                             const halo_partition *partition, const label_row_ops *ops,
                             bool diagonal)
{
    *job =
        (label_job){.world = world, .domain = *domain, .diagonal = diagonal, .strip = {.ops = ops}};
    HALO_TRY(label_job_cut(job, partition));
    return label_job_has_columns(job) ? label_job_check_sides(job) : HALO_OK;
}

static void free_cut(label_job *job)
{
    label_line_free(&job->lines[0]);
    label_line_free(&job->lines[1]);
    halo_partition_free(&job->partition);
}

halo_status label_job_cut(label_job *job, const halo_partition *partition)
{
    int rank = halo_world_rank(job->world);
    free_cut(job);
    HALO_TRY(halo_partition_copy(&job->partition, partition));
    HALO_TRY(label_line_create(&job->lines[0], partition, rank, 0));
    return label_line_create(&job->lines[1], partition, rank, 1);
}

halo_status label_job_connect(label_job *job)
{
    const halo_loop_options options = {.vote = job->vote};
    HALO_TRY(halo_loop_create(&job->loop, job->world, &options));
    job->report = halo_loop_get_report(job->loop);
    return HALO_OK;
}

void label_job_free(label_job *job)
{
    halo_loop_destroy(&job->loop);
    label_strip_free(&job->strip);
    halo_memory_free(job->keys);
    free_cut(job);
    *job = (label_job){0};
}

void label_job_begin(label_job *job, const halo_view *foreground, const halo_view *grey)
{
    job->foreground = foreground;
    job->grey = grey;
    *job->report = (halo_beat_report){0};
}

label_input label_job_input(const label_job *job)
{
    const halo_box *owned = &job->foreground->owned;
    return (label_input){.bits = job->foreground->origin,
                         .pitch = job->foreground->stride[0],
                         .height = owned->n[1] > 0 ? owned->n[0] : 0,
                         .width = owned->n[1],
                         .diagonal = job->diagonal,
                         .periodic = job->domain.periodic[1] && !label_job_has_columns(job),
                         .top = owned->lo[0],
                         .left = owned->lo[1],
                         .image_width = job->domain.n[1]};
}

static halo_status ensure_keys(label_job *job, int64_t needed)
{
    if (needed < job->key_room) {
        return HALO_OK;
    }
    halo_memory_free(job->keys);
    job->key_room = 0;
    HALO_TRY(HALO_ALLOCATE_LARGE(job->keys, needed + 1, "keys of components"));
    job->key_room = needed + 1;
    return HALO_OK;
}

halo_status label_job_finish(label_job *job, const int32_t *roots, const int64_t *keys,
                             int64_t count)
{
    int64_t aliases = 0;
    int32_t *apart;
    halo_status status = HALO_ALLOCATE_LARGE(apart, count + 1, "roots of components");
    if (status == HALO_OK) {
        status = ensure_keys(job, count);
    }
    status = halo_agree(job->world, status);
    if (status == HALO_OK) {
        for (int64_t i = 0; i < count; i++) {
            if (keys[i] != label_strip_key(&job->strip, roots[i])) {
                job->keys[aliases] = keys[i];
                apart[aliases++] = roots[i];
            }
        }
        label_strip_finish(&job->strip, apart, aliases);
    }
    halo_memory_free(apart);
    return status;
}

bool label_job_is_large(const label_job *job)
{
    static const int64_t large = INT64_C(1) << 24;
    return job->domain.n[0] > large / job->domain.n[1];
}

halo_status label_job_ask(const label_job *job, const label_room *room, const char *what)
{
    int64_t untouched = label_strip_untouched(&job->strip);
    const halo_memory_demand demand = {.more = halo_memory_held() - room->before -
                                               (room->counts ? untouched : 0) + room->later +
                                               job->later,
                                       .held = room->before - (room->counts ? 0 : untouched),
                                       .what = what,
                                       .remedy = "a smaller image"};
    return label_job_is_large(job) ? halo_memory_ask(job->world, &demand) : HALO_OK;
}

bool label_job_is_alone(const label_job *job)
{
    return halo_world_ranks(job->world) == 1 && !job->domain.periodic[0];
}

int label_job_owner(const label_job *job, int64_t pixel)
{
    const halo_partition *partition = &job->partition;
    int64_t width = job->domain.n[1], cell[2] = {pixel / width, pixel % width};
    int place[HALO_AXES] = {0};
    for (int axis = 0; axis < 2; axis++) {
        place[axis] = halo_cuts_find(partition->cuts[axis], partition->parts[axis], cell[axis]);
    }
    return halo_partition_at(partition, place);
}

/* The last group of a line may be smaller than the one it meets: then its members serve several
 * places each. */
halo_status label_job_sendrecv(label_job *job, const label_line *line, const label_round *round,
                               const halo_message *out, const halo_message *in)
{
    int place = line->mine - round->ours.first, messages = 0;
    for (int i = place; i < round->theirs.count; i += round->ours.count) {
        line->messages[messages] = *out;
        line->messages[messages++].rank = line->ranks[round->theirs.first + i];
        job->report->messages++;
        job->report->bytes += (int64_t)out->bytes;
    }
    halo_message answer = *in;
    answer.rank = line->ranks[round->theirs.first + place % round->theirs.count];
    return halo_sendrecv(job->world, line->messages, messages, &answer, 1);
}
