#include "base/minmax.h"
#include "kernels/filter/chain.h"
#include "kernels/filter/second.h"
#include "kernels/filter/spread.h"

#include <stdio.h>
#include <string.h>

/* The types and parts of the steps of a chain, and its segments. */

/* ---- shapes and types ------------------------------------------------------------------------ */

static void name_types(unsigned types, char *text, size_t size)
{
    text[0] = '\0';
    for (int type = 0; type < HALO_SAMPLE_TYPES; type++) {
        size_t used = strlen(text);
        if ((types >> type & 1) != 0) {
            snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "",
                     halo_sample_types[type].name);
        }
    }
}

/* The type that a step makes of samples of step->in, unless it was given. */
static halo_sample_type type_of_results(const filter_step *step)
{
    const halo_filter *filter = step->filter;
    return filter->bits                                        ? HALO_SAMPLE_BIT
           : step->typed                                       ? step->out
           : filter->real && !halo_sample_types[step->in].real ? HALO_SAMPLE_F32
                                                               : step->in;
}

/* A step that takes no bits gets numbers in their place. */
static void spread_bits(filter_step *step)
{
    step->spreads = step->in == HALO_SAMPLE_BIT && (step->filter->takes & FILTER_TYPE(BIT)) == 0;
    if (step->spreads) {
        step->in = filter_spread_type(type_of_results(step));
        step->spread = filter_spread_part(step, step->in);
    }
}

static halo_status check_types(filter_step *step)
{
    const halo_filter *filter = step->filter;
    char names[HALO_MESSAGE_SIZE / 2];
    spread_bits(step);
    if ((filter->takes >> step->in & 1) == 0) {
        name_types(filter->takes, names, sizeof names);
        return filter_refuse(step,
                             "it takes no samples of %s, but %s; give the step before it "
                             "dtype=",
                             halo_sample_types[step->in].name, names);
    }
    if (filter->bits) {
        HALO_TRY(!step->typed || step->out == HALO_SAMPLE_BIT
                     ? HALO_OK
                     : filter_refuse(step, "its results are bits; dtype= is for other filters"));
        step->out = HALO_SAMPLE_BIT;
    } else if (!step->typed) {
        step->out = type_of_results(step);
    } else if (step->out != step->in && (filter->gives >> step->out & 1) == 0) {
        name_types(filter->gives | 1U << step->in, names, sizeof names);
        return filter_refuse(step, "dtype=%s is not possible; it gives %s",
                             halo_sample_types[step->out].name, names);
    }
    return HALO_OK;
}

/* ---- segments -------------------------------------------------------------------------------- */

/* Can a part follow those of the segment in the same pass? A part whose edges wrap needs layers of
 * the other end, which rings of other parts do not have. */
static bool joins(const filter_segment *segment, const filter_part *part, int axis)
{
    bool looks = part->depth[axis] > 0, wraps = part->edge.mode == FILTER_WRAP;
    return part->field == NULL && !segment->field &&
           (!looks || segment->depth[axis] == 0 || segment->wraps == wraps);
}

/* Why a part begins a segment; FILTER_CUT_NONE: it joins the last one, if there is any. */
static filter_cut find_cut(const filter_chain *chain, const filter_part *part, int axis, bool apart)
{
    if (chain->segments == 0) {
        return FILTER_CUT_NONE;
    }
    const filter_segment *last = &chain->segment[chain->segments - 1];
    bool wraps = part->edge.mode == FILTER_WRAP;
    bool begins_step = part->index == (part->step->spreads ? -1 : 0);
    return part->field != NULL              ? FILTER_CUT_NEEDS_ALL
           : last->field                    ? FILTER_CUT_AFTER_ALL
           : !joins(last, part, axis)       ? wraps ? FILTER_CUT_WRAPS : FILTER_CUT_NO_LONGER_WRAPS
           : apart                          ? FILTER_CUT_READS_AGAIN
           : chain->separate && begins_step ? FILTER_CUT_SEPARATE
                                            : FILTER_CUT_NONE;
}

static void add_part(filter_chain *chain, filter_part *part, int axis, bool apart)
{
    filter_segment *last = &chain->segment[chain->segments];
    filter_cut why = find_cut(chain, part, axis, apart);
    if (chain->segments == 0 || why != FILTER_CUT_NONE) {
        *last = (filter_segment){.first = chain->parts, .field = part->field != NULL, .why = why};
        chain->segments++;
    } else {
        last--;
    }
    chain->part[chain->parts++] = part;
    last->count++;
    last->wraps = last->wraps || (part->depth[axis] > 0 && part->edge.mode == FILTER_WRAP);
    for (int k = 0; k < HALO_AXES; k++) {
        last->depth[k] += part->depth[k];
    }
}

/* Must a step begin a segment, because a later part reads its input, which is in the ring of the
 * first one, and could not follow in the same pass? */
static bool begins(const filter_chain *chain, const filter_step *step, int axis)
{
    bool original = false, all = true;
    for (int k = 0; k < step->parts && chain->segments > 0; k++) {
        original = original || step->part[k].original;
        all = all && joins(&chain->segment[chain->segments - 1], &step->part[k], axis);
    }
    return original && !all;
}

static void fuse(const filter_chain *chain, filter_step *step)
{
    for (int k = 0; k < step->parts && chain->fused; k++) {
        if (step->part[k].reduction != NULL) {
            step->part[k].field = NULL;
        }
    }
}

halo_status halo_filter_chain_resolve(filter_chain *chain, halo_sample_type type, int axes,
                                      const int64_t n[HALO_AXES])
{
    chain->parts = chain->segments = 0;
    for (int i = 0; i < chain->count; i++) {
        filter_step *step = &chain->step[i];
        step->in = i > 0 ? step[-1].out : type;
        step->axes = axes;
        step->parts = 0;
        memcpy(step->n, n, sizeof step->n);
        HALO_TRY(check_types(step));
        HALO_TRY(filter_second_check(step));
        HALO_TRY(step->filter->resolve(step));
        fuse(chain, step);
        bool apart = begins(chain, step, filter_layer_axis(axes));
        if (step->spreads) {
            add_part(chain, &step->spread, filter_layer_axis(axes), apart);
        }
        for (int k = 0; k < step->parts; k++) {
            add_part(chain, &step->part[k], filter_layer_axis(axes),
                     apart && k == 0 && !step->spreads);
        }
    }
    return HALO_OK;
}

halo_status halo_filter_chain_resolve_domain(filter_chain *chain, halo_sample_type type,
                                             const halo_domain *domain)
{
    bool solid = domain->axes == HALO_AXES;
    const int64_t n[HALO_AXES] = {solid ? domain->n[0] : 1, domain->n[solid ? 1 : 0],
                                  domain->n[solid ? 2 : 1]};
    return halo_filter_chain_resolve(chain, type, domain->axes, n);
}

/* The segment that has part `part` of chain->part. */
static int segment_of(const filter_chain *chain, int part)
{
    int segment = chain->segments - 1;
    while (segment > 0 && chain->segment[segment].first > part) {
        segment--;
    }
    return segment;
}

int halo_filter_chain_first_segment(const filter_chain *chain, int step)
{
    int part = 0;
    while (chain->part[part]->step != &chain->step[step]) {
        part++;
    }
    return segment_of(chain, part);
}

int halo_filter_chain_last_segment(const filter_chain *chain, int step)
{
    int part = chain->parts - 1;
    while (chain->part[part]->step != &chain->step[step]) {
        part--;
    }
    return segment_of(chain, part);
}

void halo_filter_chain_why(const filter_chain *chain, int segment, char text[FILTER_WHY_SIZE])
{
    static const struct {
        bool before;
        const char *text, *end;
    } clauses[] = {
#define CLAUSE(code, before, text, end) [FILTER_CUT_##code] = {before, text, end},
        FILTER_CUT_LIST(CLAUSE)
#undef CLAUSE
    };
    const filter_segment *s = &chain->segment[segment];
    const char *own = chain->part[s->first]->step->filter->name;
    const char *before = chain->part[s->first - (s->first > 0)]->step->filter->name;
    bool turned = clauses[s->why].before;
    const char *end = clauses[s->why].end;
    snprintf(text, FILTER_WHY_SIZE, "%s%s%s%s", turned ? before : own, clauses[s->why].text,
             end == NULL ? ""
             : turned    ? own
                         : before,
             end != NULL ? end : "");
}

int64_t halo_filter_chain_depth(const filter_chain *chain, int segment)
{
    return chain->segment[segment].depth[filter_layer_axis(chain->step[0].axes)];
}

int64_t halo_filter_chain_most_depth(const filter_chain *chain, int first)
{
    int64_t most = 0;
    for (int s = 0; s < chain->segments; s++) {
        if (s >= first || chain->segment[s].field) {
            most = halo_max(most, halo_filter_chain_depth(chain, s));
        }
    }
    return most;
}

bool halo_filter_chain_reduces(const filter_chain *chain)
{
    bool any = false;
    for (int i = 0; i < chain->parts; i++) {
        any = any || chain->part[i]->reduction != NULL;
    }
    return any;
}

halo_sample_type halo_filter_chain_type(const filter_chain *chain)
{
    return chain->step[chain->count - 1].out;
}

bool halo_filter_chain_smooths(const filter_chain *chain)
{
    bool all = chain->count > 0;
    for (int i = 0; i < chain->count; i++) {
        const filter_step *step = &chain->step[i];
        all = all && step->filter->smooths != NULL && step->filter->smooths(step);
    }
    return all;
}
