#include "base/memory.h"
#include "core/world/collect.h"
#include "core/world/watch.h"
#include "kernels/split/split_internal.h"

#include <math.h>
#include <string.h>

/* Steps 5 to 7: basins join. Rank 0 has the minima and the passes of all ranks, and gives every
 * minimum its part. Numbers of minima are from 1 on; of those that strips cut, the least stands for
 * all. */

typedef struct {
    halo_split *split;
    int64_t count;     /* of minima */
    uint64_t *bottoms; /* [count], of minimum 1 first */
    split_pair *pairs;
    int64_t pair_count;
    split_pass *passes; /* [pass_count]; in order, [first_count] first cells come before */
    int64_t pass_count, first_count;
    int32_t *same;    /* [count + 1] the minimum that stands for this one */
    int32_t *root;    /* [count + 1] */
    int32_t *deepest; /* [count + 1] of roots: the deepest minimum */
    uint8_t *kept;    /* [count + 1] minima that are kept */
    uint8_t *has;     /* [count + 1] of roots: is one of the tree kept? */
    int32_t *parts;   /* [count + 1] of roots, and then of minima */
    int64_t part_count, peaks;
} forest;

/* ---- heights --------------------------------------------------------------------------------- */

static double root_of(const halo_split *s, uint64_t key)
{
    return sqrt((double)(split_key_limit(s->width) - key));
}

static double sample_of(const halo_split *s, uint64_t key)
{
    uint64_t value = s->options.dark ? key : ~key;
    return halo_sample_real(s->options.type, (int64_t)(value ^ UINT64_C(1) << 63));
}

/* How far a minimum is below a pass. */
static double depth_of(const halo_split *s, uint64_t bottom, uint64_t pass)
{
    if (s->options.by == HALO_SPLIT_DISTANCE) {
        return root_of(s, bottom) - root_of(s, pass);
    }
    return halo_sample_types[s->options.type].real ? fabs(sample_of(s, bottom) - sample_of(s, pass))
                                                   : (double)(pass - bottom);
}

/* ---- trees ----------------------------------------------------------------------------------- */

static int32_t find(int32_t *root, int32_t a)
{
    while (root[a] != a) {
        root[a] = root[root[a]];
        a = root[a];
    }
    return a;
}

static void reset(const forest *f)
{
    for (int64_t i = 0; i <= f->count; i++) {
        f->root[i] = (int32_t)i;
    }
}

static void unite_cut_minima(const forest *f)
{
    for (int64_t i = 0; i <= f->count; i++) {
        f->same[i] = (int32_t)i;
    }
    for (int64_t i = 0; i < f->pair_count; i++) {
        int32_t a = find(f->same, f->pairs[i].a), b = find(f->same, f->pairs[i].b);
        f->same[a > b ? a : b] = a < b ? a : b;
    }
    for (int64_t i = 1; i <= f->count; i++) {
        f->same[i] = f->same[f->same[i]];
    }
}

/* True if minimum `a` is deeper than `b`. */
static bool is_deeper(const forest *f, int32_t a, int32_t b)
{
    uint64_t one = f->bottoms[a - 1], other = f->bottoms[b - 1];
    return one != other ? one < other : a < b;
}

/* The shallower minimum of two trees that meet is kept if it is deep enough. */
static void measure(const forest *f, const split_pass *pass, int32_t low, int32_t high)
{
    int32_t one = f->deepest[low], other = f->deepest[high];
    bool swaps = is_deeper(f, other, one);
    int32_t deep = swaps ? other : one, shallow = swaps ? one : other;
    f->deepest[low] = deep;
    f->kept[shallow] = depth_of(f->split, f->bottoms[shallow - 1], pass->key) > f->split->height;
    f->root[high] = low;
}

static void grow(const forest *f, const split_pass *pass, int32_t low, int32_t high)
{
    (void)pass;
    if (!f->has[low] || !f->has[high]) {
        f->has[low] |= f->has[high];
        f->root[high] = low;
    }
}

/* Calls `meet` for trees that meet, from the lowest pass on. */
static halo_status each_pass(const forest *f,
                             void (*meet)(const forest *, const split_pass *, int32_t, int32_t))
{
    reset(f);
    for (int64_t i = f->first_count; i < f->pass_count; i++) {
        const split_pass *pass = &f->passes[i];
        int32_t a = find(f->root, pass->a), b = find(f->root, pass->b);
        if (a != b) {
            meet(f, pass, a < b ? a : b, a < b ? b : a);
        }
        HALO_TRY(halo_watch_entry(f->split->world, i));
    }
    return HALO_OK;
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Passes between minima that are one have the same numbers, and join nothing. */
static void name_cut_minima(const forest *f)
{
    for (int64_t i = 0; i < f->pass_count; i++) {
        split_pass *pass = &f->passes[i];
        int32_t a = f->same[pass->a], b = f->same[pass->b];
        pass->a = a < b ? a : b;
        pass->b = a < b ? b : a;
    }
}

/* First cells come before passes. */
static void part_firsts(forest *f)
{
    for (int64_t i = 0; i < f->pass_count; i++) {
        const split_pass pass = f->passes[i];
        if (pass.a == 0) {
            f->passes[i] = f->passes[f->first_count];
            f->passes[f->first_count++] = pass;
        }
    }
}

static halo_status sort(forest *f)
{
    name_cut_minima(f);
    part_firsts(f);
    HALO_TRY(split_sort(f->split->world, f->passes, f->first_count));
    return split_sort(f->split->world, f->passes + f->first_count, f->pass_count - f->first_count);
}

/* Numbers parts in the order of their first cells. */
static void number(forest *f)
{
    for (int64_t i = 0; i < f->first_count; i++) {
        int32_t *part = &f->parts[find(f->root, f->passes[i].b)];
        if (*part == 0) {
            *part = (int32_t)++f->part_count;
        }
    }
    for (int64_t i = 1; i <= f->count; i++) {
        f->parts[i] = f->parts[find(f->root, f->same[i])];
        f->peaks += f->same[i] == i;
    }
}

/* ---- on rank 0 ------------------------------------------------------------------------------- */

static halo_status create(forest *f)
{
    static const char what[] = "a forest of basins";
    int64_t n = f->count + 1;
    HALO_TRY(HALO_ALLOCATE_LARGE(f->same, n, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(f->root, n, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(f->deepest, n, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(f->kept, n, what));
    return HALO_ALLOCATE_LARGE(f->has, n, what);
}

static halo_status join(forest *f)
{
    HALO_TRY(create(f));
    unite_cut_minima(f);
    HALO_TRY(sort(f));
    for (int64_t i = 0; i <= f->count; i++) {
        f->deepest[i] = (int32_t)i;
        f->kept[i] = 1;
    }
    HALO_TRY(each_pass(f, measure));
    memcpy(f->has, f->kept, (size_t)(f->count + 1));
    HALO_TRY(each_pass(f, grow));
    number(f);
    return HALO_OK;
}

/* ---- from and to all ranks ------------------------------------------------------------------- */

/* The entries of the table, without free ones, at its beginning. */
static void pack(split_pass_table *table)
{
    int64_t count = 0;
    for (int64_t i = 0; i < table->room; i++) {
        if (table->entries[i].b != 0) {
            table->entries[count++] = table->entries[i];
        }
    }
}

/* Collective. Rank 0 gets lists of all ranks. */
static halo_status gather(halo_world *world, const void *mine, int64_t count, size_t size,
                          void **all, int64_t *total)
{
    size_t bytes;
    HALO_TRY(halo_gatherv(world, mine, (size_t)count * size, all, &bytes));
    *total = (int64_t)(bytes / size);
    return HALO_OK;
}

static halo_status gather_all(forest *f)
{
    halo_split *s = f->split;
    int64_t total;
    pack(&s->passes);
    HALO_TRY(
        gather(s->world, s->bottoms, s->minima, sizeof *s->bottoms, (void **)&f->bottoms, &total));
    HALO_TRY(gather(s->world, s->pairs, s->pair_count, sizeof *s->pairs, (void **)&f->pairs,
                    &f->pair_count));
    return gather(s->world, s->passes.entries, s->passes.count, sizeof *s->passes.entries,
                  (void **)&f->passes, &f->pass_count);
}

static void destroy(forest *f)
{
    void *const all[] = {f->bottoms, f->pairs, f->passes, f->same, f->root,
                         f->deepest, f->kept,  f->has,    f->parts};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        halo_memory_free(all[i]);
    }
}

/* Collective. Every rank gets the parts of all minima. */
static halo_status share(forest *f)
{
    halo_split *s = f->split;
    const int64_t most = (int64_t)1 << 28;
    int64_t counts[] = {f->part_count, f->peaks};
    HALO_TRY(halo_bcast(s->world, counts, sizeof counts, 0));
    for (int64_t i = 0; i <= f->count; i += most) {
        int64_t now = f->count + 1 - i < most ? f->count + 1 - i : most;
        HALO_TRY(halo_bcast(s->world, f->parts + i, (size_t)now * sizeof *f->parts, 0));
    }
    s->report.parts = counts[0];
    s->report.peaks = counts[1];
    for (int64_t i = 0; i < s->minima + 1 + 2 * s->layer; i++) {
        s->global[i] = f->parts[s->global[i]];
    }
    return HALO_OK;
}

/* Collective. */
static halo_status run(forest *f)
{
    halo_split *s = f->split;
    HALO_TRY(halo_agree(s->world, HALO_ALLOCATE_LARGE(f->parts, f->count + 1, "parts")));
    HALO_TRY(gather_all(f));
    HALO_TRY(halo_agree(s->world, halo_world_rank(s->world) == 0 ? join(f) : HALO_OK));
    return share(f);
}

halo_status split_join(halo_split *s)
{
    forest f = {.split = s, .count = s->offsets[halo_world_ranks(s->world)]};
    halo_status status = run(&f);
    destroy(&f);
    return status;
}
