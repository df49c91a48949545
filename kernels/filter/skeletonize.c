#include "base/memory.h"
#include "core/exchange/exchange.h"
#include "core/world/collect.h"
#include "core/world/watch.h"
#include "kernels/filter/bits.h"
#include "kernels/filter/filters.h"
#include "kernels/filter/foreground.h"
#include "kernels/filter/thinning.h"

#include <stdlib.h>
#include <string.h>

/* Thinning of images to lines of one pixel (T. Y. Zhang and C. Y. Suen, A fast parallel algorithm
 * for thinning digital patterns, 1984), with the table of neighbourhoods by which scikit-image
 * decides: in each half of an iteration all pixels go at once that it says. A beat is an iteration;
 * halos are exchanged before each, and the end is voted on. */

enum { HALVES = 2, DEPTH = 2, NEIGHBOURS = 8 };

/* For each set of neighbours, bit 0 the one above and to the left, and the others clockwise: in
 * which halves the pixel goes, 1 the first, 2 the second, 3 both. */
static const char table[] = "0001001300311013000000002020303300000000300000000000000020003022"
                            "0000000000000000000000000000000020000000200020003000000030003020"
                            "0031001300000001000000000000000131000000000000002000000000000000"
                            "2313001300000001000000000000000023010001000000003301000022002000";

/* A rank's strip, with DEPTH rows on each side. */
typedef struct {
    halo_field *bits, *next; /* what there is, and what the first half leaves of it */
    int64_t lo, rows, words, layers;
    const halo_world *world;
    int64_t since;  /* as of halo_watch_piece */
    uint8_t *moved; /* [rows + 2 * DEPTH] from row -DEPTH on: 1 for rows that the last iteration has
                     * changed, or that others may have */
    uint8_t *first; /* [rows + 2] from row -1 on: the same of the first half */
} thinning;

static uint64_t *row_of(const halo_field *field, int64_t y)
{
    return halo_row(halo_field_view(field), y);
}

/* ---- a row ----------------------------------------------------------------------------------- */

static inline uint64_t before(const uint64_t *row, int64_t i)
{
    return row[i] << 1 | (i > 0 ? row[i - 1] >> (FILTER_WORD - 1) : 0);
}

static inline uint64_t after(const uint64_t *row, int64_t i, int64_t words)
{
    return row[i] >> 1 | (i + 1 < words ? row[i + 1] << (FILTER_WORD - 1) : 0);
}

/* The pixels of word i that go in a half. Only those with a neighbour in the background can. */
static uint64_t find_leaving(const uint64_t *const row[3], int64_t i, int64_t words, int half)
{
    const uint64_t near[NEIGHBOURS] = {
        before(row[0], i),       row[0][i], after(row[0], i, words), after(row[1], i, words),
        after(row[2], i, words), row[2][i], before(row[2], i),       before(row[1], i)};
    uint64_t all = UINT64_MAX, leaving = 0;
    for (int k = 0; k < NEIGHBOURS; k++) {
        all &= near[k];
    }
    for (uint64_t left = row[1][i] & ~all; left != 0; left &= left - 1) {
        int bit = __builtin_ctzll(left);
        unsigned set = 0;
        for (int k = 0; k < NEIGHBOURS; k++) {
            set |= (unsigned)(near[k] >> bit & 1) << k;
        }
        leaving |= (uint64_t)((table[set] - '0') >> half & 1) << bit;
    }
    return leaving;
}

/* Row y of `to` becomes that of `from` after a half. True if they differ. */
static bool thin_row(const thinning *t, const halo_field *from, const halo_field *to, int64_t y,
                     int half)
{
    const uint64_t *const row[] = {row_of(from, y - 1), row_of(from, y), row_of(from, y + 1)};
    uint64_t *out = row_of(to, y), changed = 0;
    for (int64_t i = 0; i < t->words; i++) {
        uint64_t leaving = row[1][i] != 0 ? find_leaving(row, i, t->words, half) : 0;
        out[i] = row[1][i] & ~leaving;
        changed |= leaving;
    }
    return changed != 0;
}

/* ---- an iteration ---------------------------------------------------------------------------- */

static bool is_inside(const thinning *t, int64_t y)
{
    return t->lo + y >= 0 && t->lo + y < t->layers;
}

/* A row changes only if one of those that it depends on has changed in the iteration before. */
static bool may_change(const thinning *t, int64_t y, int reach)
{
    bool any = false;
    for (int64_t k = y - reach; k <= y + reach; k++) {
        any = any || t->moved[k + DEPTH] != 0;
    }
    return any;
}

/* The first half is computed for a row beyond each end, too, which the second one reads. */
static halo_status halve_first(thinning *t)
{
    for (int64_t y = -1; y <= t->rows; y++) {
        bool computes = is_inside(t, y) && may_change(t, y, 1);
        t->first[y + 1] = computes && thin_row(t, t->bits, t->next, y, 0);
        if (!computes) {
            memcpy(row_of(t->next, y), row_of(t->bits, y), (size_t)t->words * sizeof(uint64_t));
        }
        HALO_TRY(halo_watch_piece(t->world, &t->since, t->words * FILTER_WORD));
    }
    return HALO_OK;
}

/* Local. Counts the rows that have changed. */
static halo_status iterate(thinning *t, int64_t *changed)
{
    HALO_TRY(halve_first(t));
    for (int64_t y = 0; y < t->rows; y++) {
        bool second =
            (may_change(t, y, DEPTH) || t->first[y] || t->first[y + 1] || t->first[y + 2]) &&
            thin_row(t, t->next, t->bits, y, 1);
        t->first[y + 1] |= (uint8_t)(second << 1);
        HALO_TRY(halo_watch_piece(t->world, &t->since, t->words * FILTER_WORD));
    }
    for (int64_t y = 0; y < t->rows; y++) {
        t->moved[y + DEPTH] = t->first[y + 1] != 0;
        *changed += t->moved[y + DEPTH];
    }
    return HALO_OK;
}

/* ---- the filter ------------------------------------------------------------------------------ */

/* Local. */
static halo_status create(thinning *t, const filter_field_call *call)
{
    static const char what[] = "rows of a skeleton";
    const halo_view *view = halo_field_view(call->in);
    const halo_field_options how = {.no_side_halo = true};
    halo_domain domain = *call->domain;
    domain.periodic[0] = false;
    t->world = call->world;
    t->lo = view->owned.lo[0];
    t->rows = view->owned.n[0];
    t->layers = domain.n[0];
    t->words = (domain.n[1] + FILTER_WORD - 1) / FILTER_WORD;
    HALO_TRY(halo_field_create_with(&t->bits, &domain, &view->owned, HALO_BIT, DEPTH, &how));
    HALO_TRY(halo_field_create_with(&t->next, &domain, &view->owned, HALO_BIT, DEPTH, &how));
    HALO_TRY(HALO_ALLOCATE(t->moved, t->rows + 2 * DEPTH, what));
    HALO_TRY(HALO_ALLOCATE(t->first, t->rows + 2, what));
    halo_view_copy(halo_field_view(t->bits), view);
    for (int64_t y = -DEPTH; y < t->rows + DEPTH; y++) {
        t->moved[y + DEPTH] = is_inside(t, y);
    }
    return HALO_OK;
}

/* Collective. */
static halo_status run(thinning *t, const filter_field_call *call)
{
    halo_exchange *exchange;
    HALO_TRY(halo_exchange_create(&exchange, call->world, call->strips, &t->bits, 1, NULL));
    halo_status status = HALO_OK;
    for (int64_t changed = 1; changed > 0 && status == HALO_OK;) {
        status = halo_exchange_begin(exchange);
        HALO_IF_OK(status, halo_exchange_end(exchange));
        if (status == HALO_OK) {
            changed = 0;
            status = halo_agree(call->world, t->rows > 0 ? iterate(t, &changed) : HALO_OK);
        }
        HALO_IF_OK(status, halo_allreduce_sum(call->world, &changed, 1));
    }
    halo_exchange_destroy(&exchange);
    return status;
}

static halo_status skeletonize(const filter_field_call *call)
{
    thinning t = {0};
    halo_status status = halo_agree(call->world, create(&t, call));
    HALO_IF_OK(status, run(&t, call));
    if (status == HALO_OK) {
        halo_view_copy(halo_field_view(call->in), halo_field_view(t.bits));
    }
    halo_field_destroy(&t.bits);
    halo_field_destroy(&t.next);
    free(t.moved);
    free(t.first);
    return status;
}

static halo_status resolve(filter_step *step)
{
    if (step->axes < 2) {
        return filter_refuse(step, "%s", "an array of one axis has no skeleton; use 2 or 3 axes");
    }
    filter_add_nonzero(step);
    filter_part image = {.field = skeletonize, .in_place = true, .depth = {0, DEPTH}};
    filter_part volume = {.field = filter_thin_volume, .in_place = true, .depth = {1}};
    filter_add_part(step, step->axes == HALO_AXES ? &volume : &image);
    return HALO_OK;
}

const halo_filter filter_skeletonize = {
    .name = "skeletonize",
    .help = "Thin foreground to lines of one pixel; of volumes by the method of Palagyi and Kuba",
    .authority = "skimage.morphology.skeletonize",
    .examples = "skeletonize",
    .takes = FILTER_ANY,
    .bits = true,
    .resolve = resolve};
