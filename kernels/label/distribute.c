#include "base/minmax.h"
#include "core/balance/balancing.h"
#include "core/move/migrate.h"
#include "core/move/redistribute.h"
#include "kernels/label/cut.h"
#include "kernels/label/label_internal.h"
#include "kernels/label/plan.h"

/* Pixels go to where they will be labelled. */

/* What travels together. */
typedef struct {
    halo_field **at[2];
    int count;
} pixel_fields;

/* "union" labels once, so that strips are balanced before; other methods are while they run. */
static bool is_balanced_before(const halo_label *label)
{
    return label->job.balancing != NULL && label->method->merges && label->cut.parts[1] == 1 &&
           halo_world_ranks(label->job.world) > 1;
}

/* The field is replaced by one of the other shape. */
static halo_status redistribute(halo_label *label, halo_field **field, const halo_partition *from,
                                const halo_partition *to)
{
    label_job *job = &label->job;
    halo_box mine = halo_partition_box(to, halo_world_rank(job->world));
    const halo_field_wishes wishes = {.movable = is_balanced_before(label)};
    halo_field *made = NULL;
    halo_status status = halo_field_create_with(&made, &job->domain, &mine,
                                                halo_field_view(*field)->cell_bits, 0, &wishes);
    HALO_TRY_OR(done, halo_agree(job->world, status));
    HALO_TRY_OR(done, halo_redistribute(job->world, *field, from, made, to, &label->distribution));
    halo_field *old = *field;
    *field = made;
    made = old;
done:
    halo_field_destroy(&made);
    return status;
}

static halo_status redistribute_all(halo_label *label, const pixel_fields *fields,
                                    const halo_partition *from, const halo_partition *to)
{
    for (int i = 0; i < fields->count; i++) {
        HALO_TRY(redistribute(label, fields->at[i], from, to));
    }
    return HALO_OK;
}

static double row_bytes(const pixel_fields *fields)
{
    double bytes = 0;
    for (int i = 0; i < fields->count; i++) {
        bytes += (double)halo_field_view(*fields->at[i])->stride[0];
    }
    return bytes;
}

/* Rows of a strip that go to other ranks. */
static int64_t rows_that_leave(const int64_t *from, const int64_t *to, int rank)
{
    int64_t first = halo_max(from[rank], to[rank]);
    int64_t end = halo_min(from[rank + 1], to[rank + 1]);
    return from[rank + 1] - from[rank] - halo_max(0, end - first);
}

/* Movable fields move in place, others are made anew. */
static halo_status move_strips(halo_label *label, const pixel_fields *fields,
                               const halo_partition *to)
{
    label_job *job = &label->job;
    const int64_t *from_cuts = label->cut.cuts[0], *to_cuts = to->cuts[0];
    int ranks = halo_world_ranks(job->world);
    halo_field *moving[2] = {NULL, NULL};
    int64_t stays = 0;
    for (int i = 0; i < fields->count; i++) {
        moving[i] = *fields->at[i];
        stays = stays != 0 || !halo_field_is_movable(moving[i]);
    }
    HALO_TRY(halo_allreduce_max(job->world, &stays, 1));
    double begun = halo_seconds(), bytes = 0;
    if (stays == 0) {
        HALO_TRY(halo_migrate_in_place(job->world, moving, fields->count, from_cuts, to_cuts,
                                       halo_balancing_migrate(job->balancing), &label->distribution,
                                       &bytes));
    } else {
        bytes = row_bytes(fields) *
                (double)rows_that_leave(from_cuts, to_cuts, halo_world_rank(job->world));
        HALO_TRY(redistribute_all(label, fields, &label->cut, to));
    }
    return halo_balancing_moved(job->balancing, from_cuts, to_cuts, ranks, halo_seconds() - begun,
                                bytes);
}

/* Once all pixels lie as label->cut says. */
static halo_status balance_strips(halo_label *label, const pixel_fields *fields)
{
    label_job *job = &label->job;
    halo_partition strips = {0};
    bool moves = false;
    halo_status status = halo_partition_copy(&strips, &label->cut);
    HALO_TRY_OR(done, halo_agree(job->world, status));
    HALO_TRY_OR(done,
                label_plan_strips(job->world, job->balancing, label->cut.cuts[0],
                                  halo_field_view(*fields->at[0]), row_bytes(fields),
                                  job->strip.ops, strips.cuts[0], &moves, &label->distribution));
    if (moves) {
        HALO_TRY_OR(done, halo_agree(job->world, label_job_cut(job, &strips)));
        status = move_strips(label, fields, &strips);
    }
done:
    halo_partition_free(&strips);
    return status;
}

halo_status halo_label_distribute(halo_label *label, halo_field **foreground, halo_field **grey)
{
    label_job *job = &label->job;
    const pixel_fields fields = {{foreground, grey}, grey != NULL && *grey != NULL ? 2 : 1};
    const halo_view *grey_view = fields.count > 1 ? halo_field_view(*grey) : NULL;
    HALO_TRY(
        halo_agree(job->world, label_cut_check_pixels(&label->given, halo_world_rank(job->world),
                                                      halo_field_view(*foreground), grey_view)));
    label->distribution = (halo_clock){0};
    HALO_TRY(halo_agree(job->world, label_job_cut(job, &label->cut)));
    if (!halo_partition_equal(&label->given, &label->cut)) {
        HALO_TRY(redistribute_all(label, &fields, &label->given, &label->cut));
    }
    return is_balanced_before(label) ? balance_strips(label, &fields) : HALO_OK;
}
