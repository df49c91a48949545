#include "base/memory.h"
#include "core/world/collect.h"
#include "core/world/rendezvous.h"
#include "kernels/label/measure/sample_measures.h"

#include <math.h>
#include <string.h>

/* Medians and other quantiles of samples, by histograms of their bits. */

/* Samples are compared as unsigned numbers of the bits of their type, their ranks. */

/* An entry counts the ranks of region `number`. In the last pass, which looks for the least rank
 * above `prefix`, counts[0] is the complement of that rank, and counts[1] is 1 if there is any. */
typedef struct {
    int64_t number;
    uint64_t prefix; /* the high bits of the median's rank, as far as they are known */
    uint64_t counts[];
} rank_counts;

/* The state of the search for the median of a region of this rank. */
typedef struct label_median_state {
    int64_t numbers;
    int64_t before; /* samples of the prefix that are to be below the median */
    uint64_t low, high;
    bool upper; /* the quantile lies between two samples, and `high` is the second one */
    bool open;  /* `high` is not in the last histogram */
} median_state;

/* ---- ranks ----------------------------------------------------------------------------------- */

enum { BYTE_BITS = 8 };

static inline int bits_of(halo_sample_type type)
{
    return BYTE_BITS * (int)halo_sample_types[type].bytes;
}

static inline uint64_t top_bit(size_t bytes)
{
    return UINT64_C(1) << (BYTE_BITS * bytes - 1);
}

#define RANK_UNSIGNED(value) (uint64_t)(value)
#define RANK_SIGNED(value)                                                           \
    (((uint64_t)(value) & (top_bit(sizeof(value)) | (top_bit(sizeof(value)) - 1))) ^ \
     top_bit(sizeof(value)))
#define RANK_REAL(value)                                             \
    (sizeof(value) == sizeof(float) ? rank_of_float((double)(value)) \
                                    : rank_of_double((double)(value)))
#define NAN_UNSIGNED(value) false
#define NAN_SIGNED(value)   false
#define NAN_REAL(value)     isnan(value)

/* Both zeroes have one rank. */
static inline uint64_t rank_of_float(double value)
{
    float single = (float)value + 0.0F;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return (bits >> 31) != 0 ? (uint32_t)~bits : bits | UINT32_C(1) << 31;
}

static inline uint64_t rank_of_double(double value)
{
    return (uint64_t)halo_sample_key_of_real(value) ^ top_bit(sizeof value);
}

static int64_t key_of_rank(halo_sample_type type, uint64_t rank)
{
    if (type == HALO_SAMPLE_F32) {
        uint32_t bits = (uint32_t)rank;
        bits = (bits >> 31) != 0 ? bits ^ UINT32_C(1) << 31 : ~bits;
        float value;
        memcpy(&value, &bits, sizeof value);
        return halo_sample_key_of_real((double)value);
    }
    const halo_sample_type_entry *of = &halo_sample_types[type];
    return (int64_t)(of->key_min == 0 ? rank : rank - top_bit(of->bytes));
}

/* Counts samples whose high bits are the prefix; or finds the least one above it. */
#define DEFINE_ADD(code, type, kind, ...)                                                         \
    static void add_##code(const label_medians *medians, rank_counts *to,                         \
                           const label_region_run *run)                                           \
    {                                                                                             \
        const type *v = run->row;                                                                 \
        const uint64_t mask = (UINT64_C(1) << medians->width) - 1, prefix = to->prefix;           \
        const int shift = medians->shift, width = medians->width;                                 \
        const int64_t end = run->end;                                                             \
        for (int64_t x = run->begin; x < end; x++) {                                              \
            if (NAN_##kind(v[x])) {                                                               \
                continue;                                                                         \
            }                                                                                     \
            uint64_t rank = RANK_##kind(v[x]);                                                    \
            if (!medians->above) {                                                                \
                to->counts[rank >> shift & mask] += (uint64_t)(rank >> shift >> width == prefix); \
            } else if (rank > prefix) {                                                           \
                to->counts[0] = ~rank > to->counts[0] ? ~rank : to->counts[0];                    \
                to->counts[1] = 1;                                                                \
            }                                                                                     \
        }                                                                                         \
    }
HALO_SAMPLE_VALUE_LIST(DEFINE_ADD)
#undef DEFINE_ADD

static void add(const void *context, void *entry, const label_region_run *run)
{
    typedef void rank_add(const label_medians *medians, rank_counts *to,
                          const label_region_run *run);
    static rank_add *const adds[] = {
#define ADD_ENTRY(code, ...) [HALO_SAMPLE_##code] = add_##code,
        HALO_SAMPLE_VALUE_LIST(ADD_ENTRY)
#undef ADD_ENTRY
    };
    const label_medians *medians = context;
    adds[medians->type](medians, entry, run);
}

/* ---------------------------------------------------------------------------------------------- */

/* Bits that are counted in a pass: the bits of every type are a multiple of both. */
enum { FEW_BITS = 4, MANY_BITS = 8 };

/* Many bits are counted if histograms of all regions take 64 MiB at most. */
static int choose_width(int64_t total)
{
    enum { ALL_BYTES = 64 << 20 };
    return total <= (ALL_BYTES >> MANY_BITS) / (int64_t)sizeof(uint64_t) ? MANY_BITS : FEW_BITS;
}

static size_t entry_bytes(int width)
{
    return sizeof(rank_counts) + (sizeof(uint64_t) << width);
}

int64_t label_medians_bytes(void)
{
    return (int64_t)(entry_bytes(FEW_BITS) + sizeof(median_state));
}

halo_status label_medians_create(label_medians *medians, const label_numbered *image,
                                 halo_sample_type type, double share)
{
    label_by_number *table = &medians->taker.table;
    int width = choose_width(image->total);
    *medians = (label_medians){.taker = {.add = add, .context = medians},
                               .type = type,
                               .share = share,
                               .width = width,
                               .shift = bits_of(type) - width};
    HALO_TRY(label_by_number_create(table, image, entry_bytes(width)));
    return halo_agree(image->world,
                      HALO_ALLOCATE_LARGE(medians->states, table->count + 1, "medians of regions"));
}

int64_t label_quantile_place(int64_t numbers, double share, double *fraction)
{
    double place = numbers > 0 ? (double)(numbers - 1) * share : 0;
    *fraction = place - floor(place);
    return (int64_t)floor(place);
}

/* ---- from pass to pass ----------------------------------------------------------------------- */

static void join_counts(const void *context, void *to, const void *part)
{
    const label_medians *medians = context;
    rank_counts *counts = to;
    const rank_counts *more = part;
    for (int64_t i = 0; i < INT64_C(1) << medians->width; i++) {
        counts->counts[i] += more->counts[i];
    }
}

static void join_above(const void *context, void *to, const void *part)
{
    rank_counts *counts = to;
    const rank_counts *more = part;
    (void)context;
    bool larger = more->counts[0] > counts->counts[0];
    counts->counts[0] = larger ? more->counts[0] : counts->counts[0];
    counts->counts[1] |= more->counts[1];
}

/* Finds the bits of the lower median that were counted, and with the last ones the upper median, if
 * it has the same prefix. */
static void refine(const label_medians *medians, const rank_counts *found, median_state *state)
{
    int64_t bins = INT64_C(1) << medians->width, bin = 0;
    double fraction;
    for (int64_t i = 0; !medians->begun && i < bins; i++) {
        state->numbers += (int64_t)found->counts[i];
        state->before = label_quantile_place(state->numbers, medians->share, &fraction);
        state->upper = fraction > 0;
    }
    if (state->numbers == 0) {
        return;
    }
    while (state->before >= (int64_t)found->counts[bin]) {
        state->before -= (int64_t)found->counts[bin++];
    }
    state->low = state->low << medians->width | (uint64_t)bin;
    if (medians->shift > 0) {
        return;
    }
    bool beyond = state->upper && state->before + 1 == (int64_t)found->counts[bin];
    int64_t next = beyond ? bin + 1 : bin;
    while (next < bins && found->counts[next] == 0) {
        next++;
    }
    state->open = next == bins;
    state->high = state->low + (uint64_t)(next - bin);
}

/* Takes what was found of this rank's regions, and prepares their next pass. Returns how many
 * regions need what is above the lower median. */
static int64_t finish_own(label_medians *medians)
{
    int64_t open = 0;
    for (int64_t i = 0; i < medians->taker.table.count; i++) {
        rank_counts *found = label_by_number_own(&medians->taker.table, i);
        median_state *state = &medians->states[i];
        if (!medians->above) {
            refine(medians, found, state);
        } else if (state->open) {
            state->high = ~found->counts[0];
            state->open = false;
        }
        open += state->open;
        found->prefix = medians->shift > 0 || state->open ? state->low : UINT64_MAX;
        memset(found->counts, 0, sizeof(uint64_t) << medians->width);
    }
    return open;
}

static halo_status answer_prefixes(void *context, const void *queries, int64_t count,
                                   int64_t *answers)
{
    const label_by_number *table = context;
    const int64_t *numbers = queries;
    for (int64_t i = 0; i < count; i++) {
        const rank_counts *own = label_by_number_own(table, numbers[i] - table->first);
        answers[i] = (int64_t)own->prefix;
    }
    return HALO_OK;
}

/* Regions of other ranks that this rank has pixels of. */
typedef struct {
    int64_t count;
    int64_t *numbers, *prefixes;
    int *ranks;
} other_regions;

static halo_status note_others(const label_by_number *table, other_regions *others)
{
    static const char what[] = "medians of regions";
    HALO_TRY(HALO_ALLOCATE_LARGE(others->numbers, table->used + 1, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(others->prefixes, table->used + 1, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(others->ranks, table->used + 1, what));
    for (int64_t i = 0; i <= table->mask; i++) {
        int64_t number = *(const int64_t *)label_by_number_other(table, i);
        if (number != 0) {
            others->ranks[others->count] =
                halo_cuts_find(table->shares, halo_world_ranks(table->world), number - 1);
            others->numbers[others->count++] = number;
        }
    }
    return HALO_OK;
}

/* Collective. Regions of other ranks get their prefixes. */
static halo_status fetch_prefixes(label_by_number *table, other_regions *others)
{
    const halo_queries queries = {.count = others->count,
                                  .size = sizeof *others->numbers,
                                  .ranks = others->ranks,
                                  .data = others->numbers};
    halo_status status = HALO_OK;
    HALO_TRY(halo_rendezvous(table->world, &queries, answer_prefixes, table, others->prefixes));
    for (int64_t i = 0; i < others->count && status == HALO_OK; i++) {
        rank_counts *other = label_by_number_find(table, others->numbers[i]);
        status = other != NULL ? HALO_OK : table->failure;
        if (other != NULL) {
            other->prefix = (uint64_t)others->prefixes[i];
        }
    }
    return halo_agree(table->world, status);
}

/* Collective. */
static halo_status advance(label_medians *medians, other_regions *others, bool *again)
{
    label_by_number *table = &medians->taker.table;
    HALO_TRY(label_by_number_share(table, medians->above ? join_above : join_counts, medians));
    int64_t open = finish_own(medians);
    medians->begun = true;
    HALO_TRY(halo_allreduce_sum(table->world, &open, 1));
    *again = medians->shift > 0 || open > 0;
    if (medians->shift > 0) {
        medians->shift -= medians->width;
    } else {
        medians->above = true;
    }
    return *again ? fetch_prefixes(table, others) : HALO_OK;
}

halo_status label_medians_next(label_medians *medians, bool *again)
{
    other_regions others = {0};
    halo_status status =
        halo_agree(medians->taker.table.world, note_others(&medians->taker.table, &others));
    if (status == HALO_OK) {
        status = advance(medians, &others, again);
    }
    halo_memory_free(others.numbers);
    halo_memory_free(others.prefixes);
    halo_memory_free(others.ranks);
    return status;
}

halo_status label_medians_finish(label_medians *medians, halo_median **out)
{
    halo_world *world = medians->taker.table.world;
    int64_t count = medians->taker.table.count;
    label_by_number_free(&medians->taker.table);
    HALO_TRY(halo_agree(world, HALO_ALLOCATE_LARGE(*out, count + 1, "medians of regions")));
    for (int64_t i = 0; i < count; i++) {
        const median_state *state = &medians->states[i];
        (*out)[i] = (halo_median){.numbers = state->numbers,
                                  .low = key_of_rank(medians->type, state->low),
                                  .high = key_of_rank(medians->type, state->high)};
    }
    return HALO_OK;
}

void label_medians_free(label_medians *medians)
{
    label_by_number_free(&medians->taker.table);
    halo_memory_free(medians->states);
    *medians = (label_medians){.states = NULL};
}
