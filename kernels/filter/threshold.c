#include "kernels/filter/filters.h"
#include "kernels/filter/foreground.h"
#include "kernels/filter/reduction.h"
#include "kernels/label/threshold/threshold_choice.h"

#include "base/memory.h"
#include "core/world/collect.h"

#include <stdlib.h>

/* Samples become foreground or background, by the words that label has for a threshold. Those that
 * depend on all samples need the whole image. */

typedef struct {
    threshold_choice choice;
    halo_key_range range; /* of foreground */
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

/* The range is known from the extremes, or for Otsu from a histogram over them. */
typedef struct {
    threshold *of;
    const filter_step *step;
    const char *instructions;
    halo_sample_extremes extremes;
    halo_sample_bins bins;
    int64_t *counts; /* [bins.count], while they are counted; NULL: extremes are found */
} range_search;

static halo_status begin_histogram(range_search *s)
{
    s->bins = halo_sample_bins_of(&s->extremes);
    return HALO_ALLOCATE(s->counts, s->bins.count, "a histogram");
}

/* Greys have the extremes of their type. */
static halo_status create_search(void **state, const filter_part *part, const char *instructions)
{
    range_search *s;
    HALO_TRY(HALO_ALLOCATE(s, 1, "a histogram"));
    *state = s;
    s->of = part->step->params;
    s->step = part->step;
    s->instructions = instructions;
    s->extremes.type = part->in;
    if (halo_sample_types[part->in].grey) {
        s->extremes = halo_sample_type_extremes(part->in);
        return begin_histogram(s);
    }
    return HALO_OK;
}

static void destroy_search(void *state)
{
    if (state != NULL) {
        free(((range_search *)state)->counts);
    }
    free(state);
}

static void add_rows(void *state, const halo_view *some)
{
    range_search *s = state;
    if (s->counts != NULL) {
        halo_histogram_add(&s->bins, some, s->counts);
    } else {
        halo_extremes_add(&s->extremes, some, s->instructions);
    }
}

static halo_status end_search(void *state, halo_world *world, bool *again)
{
    range_search *s = state;
    *again = false;
    if (s->counts != NULL) {
        HALO_TRY(halo_allreduce_sum(world, s->counts, (int)s->bins.count));
        s->of->range = (halo_key_range){halo_sample_otsu(&s->bins, s->counts),
                                        halo_sample_types[s->extremes.type].key_max, false};
        return HALO_OK;
    }
    HALO_TRY(halo_extremes_share(world, &s->extremes));
    if (s->of->choice.kind != THRESHOLD_OTSU) {
        return find_range(s->step, &s->extremes, &s->of->range);
    }
    *again = true;
    return halo_agree(world, begin_histogram(s));
}

/* ---------------------------------------------------------------------------------------------- */

static halo_status resolve(filter_step *step)
{
    static const filter_reduction search = {create_search, add_rows, end_search, destroy_search};
    threshold *t = step->params;
    const filter_part part = {.rows = threshold_rows};
    bool percent = t->choice.low.percent || t->choice.high.percent;
    bool grey = halo_sample_types[step->in].grey;
    if (t->choice.kind == THRESHOLD_OTSU || (percent && !grey)) {
        filter_add_reduction(step, &search, &part);
        return HALO_OK;
    }
    const halo_sample_extremes of =
        grey ? halo_sample_type_extremes(step->in) : (halo_sample_extremes){.type = step->in};
    HALO_TRY(find_range(step, &of, &t->range));
    filter_add_part(step, &part);
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
