#include "kernels/label/job.h"

#include "base/memory.h"
#include "core/world/memory_ask.h"

#include <inttypes.h>

halo_status label_job_check_sides(const label_job *job)
{
    int64_t max = job->n[0];
    for (int axis = 1; axis < HALO_AXES; axis++) {
        max = job->n[axis] > max && (axis == 2 || job->domain.axes == 3) ? job->n[axis] : max;
    }
    if (label_job_interleaves(job) && job->n[1] > max) {
        max = job->n[1];
    }
    if (max < INT32_MAX) {
        return HALO_OK;
    }
    return label_job_interleaves(job)
               ? halo_fail(HALO_ARGUMENT,
                           "an image with an axis of %" PRId64
                           " pixels is too large for blocks, the limit is %d; use strips",
                           max, INT32_MAX - 1)
               : halo_fail(HALO_ARGUMENT,
                           "an axis of %" PRId64 " pixels is too long for several ranks and for "
                           "periodic images, the limit is %d; use one rank",
                           max, INT32_MAX - 1);
}

halo_status label_job_create(label_job *job, halo_world *world, const halo_domain *domain,
                             const halo_partition *partition, const label_row_ops *ops, int order)
{
    *job = (label_job){
        .world = world, .domain = *domain, .order = order, .strip = {.ops = ops, .world = world}};
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int used = label_job_axis(domain, axis);
        job->n[axis] = used < domain->axes ? domain->n[used] : 1;
        job->periodic[axis] = used < domain->axes && domain->periodic[used];
    }
    HALO_TRY(label_job_cut(job, partition));
    return label_job_interleaves(job) ? label_job_check_sides(job) : HALO_OK;
}

static void free_cut(label_job *job)
{
    for (int axis = 0; axis < HALO_AXES; axis++) {
        label_line_free(&job->lines[axis]);
    }
    halo_partition_free(&job->partition);
}

halo_status label_job_cut(label_job *job, const halo_partition *partition)
{
    int rank = halo_world_rank(job->world);
    free_cut(job);
    HALO_TRY(halo_partition_copy(&job->partition, partition));
    for (int axis = 0; axis < HALO_AXES; axis++) {
        HALO_TRY(label_line_create(&job->lines[axis], partition, rank,
                                   label_job_axis(&job->domain, axis)));
    }
    return HALO_OK;
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
    halo_memory_free(job->merging);
    free_cut(job);
    *job = (label_job){0};
}

void label_job_begin(label_job *job, const halo_view *foreground, const halo_view *grey,
                     const label_value_source *source)
{
    job->foreground = foreground;
    job->grey = grey;
    job->source = source;
    *job->report = (halo_beat_report){0};
}

/* Is a part as long as the image along this axis and all later ones? */
static bool is_whole(const label_job *job, int axis)
{
    bool whole = true;
    for (; axis < HALO_AXES; axis++) {
        whole = whole && job->lines[axis].count <= 1;
    }
    return whole;
}

bool label_job_joins(const label_job *job, int axis)
{
    return job->lines[axis].count > 1 ||
           (job->periodic[axis] && (axis == 0 || !is_whole(job, axis)));
}

/* Describes where the pixels of a strip are, and the neighbours that its axes have by themselves.
 */
static label_input plain_input(const label_job *job)
{
    const halo_view *view = job->foreground;
    const halo_box *owned = &view->owned;
    int planes = label_job_axis(&job->domain, 0), rows = label_job_axis(&job->domain, 1);
    int columns = label_job_axis(&job->domain, 2);
    label_input input = {.bits = view->origin,
                         .pitch = view->stride[rows],
                         .plane_pitch = job->domain.axes == HALO_AXES ? view->stride[planes] : 0,
                         .width = owned->n[columns],
                         .periodic = job->periodic[2] && is_whole(job, 2),
                         .periodic_rows = job->periodic[1] && is_whole(job, 1),
                         .front = owned->lo[planes],
                         .top = owned->lo[rows],
                         .left = owned->lo[columns],
                         .image_rows = job->n[1],
                         .image_width = job->n[2]};
    if (halo_box_cells(owned) > 0) {
        input.planes = owned->n[planes];
        input.rows = owned->n[rows];
        input.height = input.planes * input.rows;
    }
    if (job->near.type != HALO_LABEL_NONE) {
        input.value_pitch = job->grey->stride[rows];
        input.value_plane_pitch = job->domain.axes == HALO_AXES ? job->grey->stride[planes] : 0;
    }
    return input;
}

/* The same of fields of two axes, the rows of which are the image's columns. Planes are joined with
 * those of other strips, even where there are none. */
static label_input transposed_input(const label_job *job)
{
    const halo_view *view = job->foreground;
    const halo_box *owned = &view->owned;
    int row_axis = job->row_axis, column_axis = job->column_axis;
    label_input input = {.bits = view->origin,
                         .pitch = view->stride[0],
                         .width = owned->n[1],
                         .transposed = true,
                         .row_axis = row_axis,
                         .column_axis = column_axis,
                         .periodic = column_axis > 0 && job->periodic[column_axis] &&
                                     is_whole(job, column_axis),
                         .periodic_rows = job->periodic[row_axis],
                         .left = owned->lo[1],
                         .image_rows = job->n[row_axis],
                         .image_width = job->n[column_axis]};
    if (owned->n[1] > 0) {
        input.planes = 1;
        input.rows = input.height = owned->n[0];
    }
    if (job->near.type != HALO_LABEL_NONE) {
        input.value_pitch = job->grey->stride[0];
    }
    return input;
}

label_input label_job_input(const label_job *job)
{
    label_input input = job->transposed ? transposed_input(job) : plain_input(job);
    input.order = job->order;
    if (job->near.type != HALO_LABEL_NONE) {
        input.near = job->near;
        input.has_background =
            job->near.has_background &&
            halo_sample_put(job->near.type, &job->near.background, input.background);
        input.values = job->grey->origin;
        input.source = job->source;
    }
    return input;
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
    halo_status status = ensure_keys(job, count);
    if (status == HALO_OK) {
        status = label_strip_prepare(&job->strip, count);
    }
    HALO_TRY(halo_agree(job->world, status));
    for (int64_t i = 0; i < count; i++) {
        job->keys[i] = keys[i];
    }
    label_strip_finish(&job->strip, roots, count);
    return HALO_OK;
}

bool label_job_is_large(const label_job *job)
{
    static const double large = 1 << 24;
    return (double)job->n[0] * (double)job->n[1] * (double)job->n[2] > large;
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
    bool joins = false;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        joins = joins || label_job_joins(job, axis);
    }
    return halo_world_ranks(job->world) == 1 && !joins;
}

int label_job_owner(const label_job *job, int64_t pixel)
{
    const halo_partition *partition = &job->partition;
    int64_t width = job->n[2], row = pixel / width;
    const int64_t cell[HALO_AXES] = {row / job->n[1], row % job->n[1], pixel % width};
    int place[HALO_AXES] = {0};
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int used = label_job_axis(&job->domain, axis);
        if (partition->parts[used] > 1) {
            place[used] = halo_cuts_find(partition->cuts[used], partition->parts[used], cell[axis]);
        }
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
