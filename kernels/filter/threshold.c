#include "kernels/filter/filters.h"
#include "kernels/filter/foreground.h"
#include "kernels/label/threshold/threshold_choice.h"

#include "base/memory.h"
#include "core/world/collect.h"

#include <stdlib.h>

/* Samples become foreground or background, by the words that label has for a threshold. Those that
 * depend on all samples need the whole image. */

typedef struct {
    threshold_choice choice;
    halo_key_range range; /* of foreground, where it does not depend on the samples */
} threshold;

#define ROW(option, kind, member) HALO_OPTION_ROW(threshold, option, kind, member)

static const halo_option rows[] = {
    {ROW("value", CUSTOM, choice), .parse = threshold_parse,
     .value = "otsu|nonzero|VALUE|VALUE%|LOW..HIGH", .standard = "otsu",
     .takes = "otsu, nonzero, a value, 0% to 100%, or a range LOW..HIGH of such values",
     .help =
         "Samples from this value on are foreground. VALUE%: of the way from the smallest sample "
         "to the largest, of greys from black to white"},
    {0}};

/* ---- by values ------------------------------------------------------------------------------- */

/* The key of a bound. Percentages need the extremes; values beyond the type are an error. */
static halo_status find_key(const filter_step *step, const threshold_bound *bound, bool down,
                            const halo_sample_extremes *of, int64_t *key)
{
    char text[HALO_NUMBER_TEXT];
    if (bound->percent) {
        *key = of->finite > 0 ? halo_sample_key_at(of, bound->number.value, down) : 0;
        return HALO_OK;
    }
    halo_number_print(&bound->number, text);
    return (down ? halo_sample_key_to : halo_sample_key_from)(step->in, &bound->number, key)
               ? HALO_OK
               : filter_refuse(step, "the value %s is beyond the samples, which are of %s", text,
                               halo_sample_types[step->in].name);
}

static halo_status find_range(const filter_step *step, const halo_sample_extremes *of,
                              halo_key_range *range)
{
    const threshold_choice *choice = &((const threshold *)step->params)->choice;
    if (choice->kind == THRESHOLD_NONZERO) {
        *range = filter_nonzero(step->in);
        return HALO_OK;
    }
    *range = (halo_key_range){.max = halo_sample_types[step->in].key_max};
    HALO_TRY(find_key(step, &choice->low, false, of, &range->min));
    if (choice->kind == THRESHOLD_RANGE) {
        HALO_TRY(find_key(step, &choice->high, true, of, &range->max));
    }
    return HALO_OK;
}

static void threshold_rows(const filter_tile *tile)
{
    const threshold *t = tile->step->params;
    halo_sample_type type = tile->part->in;
    for (int64_t i = 0; i < tile->rows; i++) {
        const halo_view from = filter_row_view(type, tile->in[i], tile->width);
        const halo_view to = filter_row_view(HALO_SAMPLE_BIT, tile->out[i], tile->width);
        halo_threshold(&from, type, &t->range, &to, NULL);
    }
}

/* ---- by all samples -------------------------------------------------------------------------- */

/* Collective. */
static halo_status find_extremes(const filter_field_call *call, halo_sample_extremes *of)
{
    halo_sample_type type = call->part->in;
    if (halo_sample_types[type].grey) {
        *of = halo_sample_type_extremes(type);
        return HALO_OK;
    }
    *of = (halo_sample_extremes){.type = type};
    halo_extremes_add(of, halo_field_view(call->in), call->instructions);
    return halo_extremes_share(call->world, of);
}

/* Collective. */
static halo_status find_otsu(const filter_field_call *call, const halo_sample_extremes *of,
                             halo_key_range *range)
{
    const halo_sample_bins bins = halo_sample_bins_of(of);
    int64_t *counts;
    HALO_TRY(halo_agree(call->world, HALO_ALLOCATE(counts, bins.count, "a histogram")));
    halo_histogram_add(&bins, halo_field_view(call->in), counts);
    halo_status status = halo_allreduce_sum(call->world, counts, (int)bins.count);
    *range = (halo_key_range){halo_sample_otsu(&bins, counts), halo_sample_types[of->type].key_max,
                              false};
    free(counts);
    return status;
}

static halo_status threshold_field(const filter_field_call *call)
{
    const threshold *t = call->part->step->params;
    halo_sample_extremes of;
    halo_key_range range;
    HALO_TRY(find_extremes(call, &of));
    HALO_TRY(t->choice.kind == THRESHOLD_OTSU ? find_otsu(call, &of, &range)
                                              : find_range(call->part->step, &of, &range));
    halo_threshold(halo_field_view(call->in), of.type, &range, halo_field_view(call->out),
                   call->instructions);
    return HALO_OK;
}

/* ---------------------------------------------------------------------------------------------- */

static halo_status resolve(filter_step *step)
{
    threshold *t = step->params;
    const halo_sample_extremes none = {.type = step->in};
    bool percent = t->choice.low.percent || t->choice.high.percent;
    if (t->choice.kind == THRESHOLD_OTSU || percent) {
        filter_add_part(step, &(filter_part){.field = threshold_field});
        return HALO_OK;
    }
    HALO_TRY(find_range(step, &none, &t->range));
    filter_add_part(step, &(filter_part){.rows = threshold_rows});
    return HALO_OK;
}

const halo_filter filter_threshold = {
    .name = "threshold",
    .help = "Samples become foreground or background, as label's --threshold has it",
    .authority = "skimage.filters.threshold_otsu",
    .examples = "threshold:60|threshold:otsu|threshold:nonzero|threshold:20..60|threshold:30%..80%",
    .params = rows,
    .params_bytes = sizeof(threshold),
    .takes = FILTER_NUMBERS,
    .bits = true,
    .resolve = resolve};
