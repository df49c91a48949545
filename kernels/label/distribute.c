#include "core/balance/balancing.h"
#include "core/move/migrate.h"
#include "core/move/redistribute.h"
#include "kernels/label/cut.h"
#include "kernels/label/label_internal.h"
#include "kernels/label/predict.h"

#include <string.h>

/* Pixels go to where they will be labelled. */

/* Fields whose pixels are sent together. */
typedef struct {
    halo_field **at[2];
    int count;
} pixel_fields;

/* "union" labels once, so that strips are balanced before; other methods are while they run. */
static bool is_balanced_before(const halo_label *label)
{
    return label->job.balancing != NULL && label->method->merges && halo_label_can_balance(label) &&
           halo_world_ranks(label->job.world) > 1;
}

bool halo_label_can_balance(const halo_label *label)
{
    return !label->method->merges || label->cut.parts[0] == halo_partition_parts(&label->cut);
}

static double row_bytes(const pixel_fields *fields)
{
    double bytes = 0;
    for (int i = 0; i < fields->count; i++) {
        bytes += (double)halo_field_view(*fields->at[i])->stride[0];
    }
    return bytes;
}

/* Those whose strips are balanced. */
typedef struct {
    halo_label *label;
    const pixel_fields *fields;
    halo_partition *strips; /* as they are; label->cut is where they begin */
    bool moved;
} balanced_pixels;

static halo_status move_strips(void *context, const halo_partition *to, const char *how,
                               double *bytes)
{
    balanced_pixels *pixels = context;
    halo_label *label = pixels->label;
    halo_field *moving[2] = {NULL, NULL};
    pixels->moved = true;
    for (int i = 0; i < pixels->fields->count; i++) {
        moving[i] = *pixels->fields->at[i];
    }
    halo_status status = halo_migrate_fields(label->job.world, moving, pixels->fields->count,
                                             &label->cut, to, how, &label->distribution, bytes);
    for (int i = 0; i < pixels->fields->count; i++) {
        *pixels->fields->at[i] = moving[i];
    }
    memcpy(pixels->strips->cuts[0], to->cuts[0], ((size_t)to->parts[0] + 1) * sizeof *to->cuts[0]);
    return status;
}

/* Once all pixels lie as label->cut says. A balancer may want to see a rank twice. What it learns
 * of moving is the price of pixels: the job is cut afterwards. */
static halo_status balance_strips(halo_label *label, const pixel_fields *fields,
                                  halo_partition *strips)
{
    enum { PASSES = 2 };
    const label_job *job = &label->job;
    balanced_pixels pixels = {.label = label, .fields = fields, .strips = strips};
    for (int pass = 0; pass < PASSES && !pixels.moved; pass++) {
        halo_measured measured;
        halo_stretch stretch = halo_clock_begin(job->world);
        label_predict(job->world, job->strip.ops, halo_field_view(*fields->at[0]), &measured);
        halo_clock_end(&label->distribution, HALO_PHASE_COMPUTE, stretch, job->world);
        halo_balance_query query = {.beats_left = 1,
                                    .domain = &job->domain,
                                    .partition = &label->cut,
                                    .measured = &measured,
                                    .row_bytes = row_bytes(fields),
                                    .at_once = true};
        HALO_TRY(halo_balancing_rebalance(job->balancing, &query, &label->distribution, move_strips,
                                          &pixels));
    }
    return HALO_OK;
}

halo_status halo_label_distribute(halo_label *label, halo_field **foreground, halo_field **grey)
{
    label_job *job = &label->job;
    const pixel_fields fields = {{foreground, grey}, grey != NULL && *grey != NULL ? 2 : 1};
    const halo_view *grey_view = fields.count > 1 ? halo_field_view(*grey) : NULL;
    if (job->transposed) {
        return HALO_OK; /* strips stay where they are */
    }
    halo_box mine = halo_partition_box(&label->given, halo_world_rank(job->world));
    HALO_TRY(halo_agree(job->world, label_cut_check_pixels(&mine, halo_field_view(*foreground),
                                                           grey_view, job->near.type)));
    label->distribution = (halo_clock){0};
    halo_partition strips = {0};
    halo_status status;
    HALO_TRY_OR(done, halo_agree(job->world, halo_partition_copy(&strips, &label->cut)));
    bool stays = halo_partition_equal(&label->given, &label->cut);
    bool balances = is_balanced_before(label);
    for (int i = 0; i < fields.count && !stays; i++) {
        const halo_field_options field_options = {.movable = balances};
        HALO_TRY_OR(done, halo_field_replace(job->world, fields.at[i], &label->given, &label->cut,
                                             0, &field_options, &label->distribution));
    }
    if (balances) {
        HALO_TRY_OR(done, balance_strips(label, &fields, &strips));
    }
    status = halo_agree(job->world, label_job_cut(job, &strips));
done:
    halo_partition_free(&strips);
    return status;
}
