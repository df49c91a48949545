#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/filter/network_ops.h"
#include "kernels/filter/rank.h"

#include <stdlib.h>
#include <string.h>

/* Ranks by sorting networks, two rows at a time.
 *
 * Samples of a row of the window are sorted once, for all windows that have this row: a list. Lists
 * of rows 2i + 1 and 2i + 2 are merged once, and then those of all rows that windows of row 2i and
 * of row 2i + 1 have in common, as far as they may have the rank: the core. Each of the two
 * windows has one more row. (Sharing sorted parts of windows: Adams 2021.) */

static const halo_isa_variant variants[] = HALO_ISA_VARIANTS(filter_network_ops, AVX512);

enum { LINE = 64, BLOCK_MOST = 2048, BLOCK_LEAST = 256, CACHE = 32 << 10 };

/* The registers of a program, for each phase of the rings. */
typedef struct {
    char **at; /* [phases][count] */
    int64_t phases, count;
} registers;

typedef struct {
    const filter_rank_window *what;
    const filter_network_ops *ops;
    halo_sample_type type;
    int list;  /* samples of a list: those of a row of the window, of all its planes */
    int rows;  /* of the window */
    int pairs; /* of rows of the core; there may be one more */
    filter_program line, pair, core;
    int64_t block; /* samples that are computed together */
    size_t pitch;  /* of a register */
    char *memory;
    char **lists, **merged, **temporary; /* registers of rings, of rows and pairs, and others */
    registers line_at, pair_at, core_at;
} sorted;

int64_t filter_window_size(const filter_element *window, int axis)
{
    return 1 + window->before[axis] + window->after[axis];
}

/* ---- programs -------------------------------------------------------------------------------- */

/* The sorted list of samples 0 to n - 1 of a row, of all planes. */
static void sort_line(filter_network *w, const filter_value *planes, int depth, int n,
                      filter_value *out)
{
    int first = 1;
    if (n == 1) {
        memcpy(out, planes, (size_t)depth * sizeof *out);
        return;
    }
    while (2 * first < n) {
        first *= 2;
    }
    filter_value *a = NULL, *b = NULL;
    HALO_IF_OK(w->status, HALO_ALLOCATE(a, depth * first, "a sorting network"));
    HALO_IF_OK(w->status, HALO_ALLOCATE(b, depth * (n - first), "a sorting network"));
    if (w->status == HALO_OK) {
        sort_line(w, planes, depth, first, a);
        sort_line(w, planes, depth, n - first, b);
        for (int i = 0; i < depth * (n - first); i++) {
            b[i].shift += first;
        }
        filter_network_merge(w, a, depth * first, b, depth * (n - first), out);
    }
    free(a);
    free(b);
}

static void make_line(const sorted *s, filter_network *w, filter_value *list, filter_value *out)
{
    int planes = (int)filter_window_size(&s->what->window, 0);
    for (int i = 0; i < planes; i++) {
        list[i] = filter_network_input(w);
    }
    filter_network_sort(w, list, planes);
    sort_line(w, list, planes, (int)filter_window_size(&s->what->window, 2), out);
}

static void make_pair(const sorted *s, filter_network *w, filter_value *list, filter_value *out)
{
    for (int i = 0; i < 2 * s->list; i++) {
        list[i] = filter_network_input(w);
    }
    filter_network_merge(w, list, s->list, list + s->list, s->list, out);
}

/* Merges sorted lists, of which each begins where the one before ends. */
static void merge_all(filter_network *w, const int64_t *end, int lists, filter_value *list,
                      filter_value *work)
{
    if (lists < 2) {
        return;
    }
    int half = lists / 2, begin = (int)end[-1], middle = (int)end[half - 1],
        total = (int)end[lists - 1] - begin;
    merge_all(w, end, half, list, work);
    merge_all(w, end + half, lists - half, list + (middle - begin), work);
    filter_network_merge(w, list, middle - begin, list + (middle - begin), total - (middle - begin),
                         work);
    memcpy(list, work, (size_t)total * sizeof *list);
}

static halo_status make_core(const sorted *s, filter_network *w, filter_value *list,
                             filter_value *out)
{
    int common = s->list * (s->rows - 1), all = s->list * (s->rows + 1);
    int single = (s->rows - 1) % 2, lists = s->pairs + single;
    int64_t *end;
    HALO_TRY(HALO_ALLOCATE(end, lists + 1, "a sorting network"));
    for (int i = 0; i < lists; i++) {
        end[i + 1] = i < s->pairs ? 2 * s->list * (i + 1) : common;
    }
    for (int i = 0; i < all; i++) {
        list[i] = filter_network_input(w);
    }
    merge_all(w, end + 1, lists, list, out);
    free(end);
    for (int i = 0; i < 2; i++) {
        out[i] = filter_network_select(w, list, common, list + common + i * s->list, s->list,
                                       (int)s->what->rank);
    }
    return HALO_OK;
}

typedef halo_status make_program(const sorted *s, filter_network *w, filter_value *list,
                                 filter_value *out);

static halo_status line_values(const sorted *s, filter_network *w, filter_value *list,
                               filter_value *out)
{
    make_line(s, w, list, out);
    return HALO_OK;
}

static halo_status pair_values(const sorted *s, filter_network *w, filter_value *list,
                               filter_value *out)
{
    make_pair(s, w, list, out);
    return HALO_OK;
}

static halo_status compile(const sorted *s, filter_program *program, make_program *make, int count)
{
    filter_network w = {0};
    int most = s->list * (s->rows + 2);
    filter_value *list, *out;
    HALO_TRY(HALO_ALLOCATE(list, most, "a sorting network"));
    halo_status status = HALO_ALLOCATE(out, most, "a sorting network");
    HALO_IF_OK(status, make(s, &w, list, out));
    HALO_IF_OK(status, filter_program_make(program, &w, out, count));
    filter_network_free(&w);
    free(list);
    free(out);
    return status;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Registers of a program at each phase of the rings: those of the lists have their places again
 * after rows + 1 rows, those of pairs after `pairs` pairs. */
static char **registers_of(const registers *r, int64_t phase)
{
    return r->at + phase % r->phases * r->count;
}

/* Sorts row `i` of the tile's input. */
static void make_list(const sorted *s, const filter_tile *tile, int64_t i, int64_t x, int64_t count)
{
    const int64_t bytes = (int64_t)halo_sample_types[s->type].bytes;
    char **to = registers_of(&s->line_at, i);
    for (int k = 0; k < s->line.inputs; k++) {
        union {
            const void *in;
            char *out;
        } row = {tile->in[k * tile->in_pitch + i]};
        to[k] = row.out + (x - s->what->window.before[2]) * bytes;
    }
    s->ops->run[s->type](&s->line, count, to);
}

/* Rows y and y + 1 of the block. Lists of rows up to y + the window's have been made. Programs
 * write whole lines. */
static void make_two(const sorted *s, const filter_tile *tile, int64_t y, int64_t x, int64_t count)
{
    const int64_t bytes = (int64_t)halo_sample_types[s->type].bytes;
    char **to = registers_of(&s->core_at, y / 2), **out = to + s->core.inputs;
    bool whole = count * bytes % LINE == 0;
    for (int i = 0; i < 2; i++) {
        bool direct = whole && y + i < tile->rows;
        out[i] = direct ? (char *)tile->out[y + i] + x * bytes : s->temporary[i];
    }
    s->ops->run[s->type](&s->core, count, to);
    for (int i = 0; i < 2 && y + i < tile->rows && !whole; i++) {
        memcpy((char *)tile->out[y + i] + x * bytes, out[i], (size_t)(count * bytes));
    }
}

static void make_block(const sorted *s, const filter_tile *tile, int64_t x, int64_t count)
{
    int64_t next = 0, pair = 0, rows = tile->rows + s->rows - 1;
    for (int64_t y = 0; y < tile->rows; y += 2) {
        for (; next <= halo_min(y + s->rows, rows - 1); next++) {
            make_list(s, tile, next, x, count);
        }
        for (; s->pairs > 0 && pair < y / 2 + s->pairs; pair++) {
            s->ops->run[s->type](&s->pair, count, registers_of(&s->pair_at, pair));
        }
        make_two(s, tile, y, x, count);
        if (filter_tile_ends(tile, 2 * count)) {
            return;
        }
    }
}

void filter_sorted_rows(const filter_tile *tile)
{
    const sorted *s = tile->state;
    for (int64_t x = 0; x < tile->width && !filter_tile_ends(tile, 0); x += s->block) {
        make_block(s, tile, x, halo_min(s->block, tile->width - x));
    }
}

/* ---- the state of a rank --------------------------------------------------------------------- */

static int64_t others(const filter_program *p)
{
    return p->registers - p->inputs - p->outputs;
}

static char **list_of(const sorted *s, int64_t row)
{
    return s->lists + row % (s->rows + 1) * s->list;
}

static char **pair_of(const sorted *s, int64_t pair)
{
    return s->merged + pair % s->pairs * 2 * s->list;
}

static char **add(char **to, char *const *from, int64_t count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
    return to + count;
}

static halo_status create_table(registers *r, const filter_program *program, int64_t phases)
{
    r->phases = phases;
    r->count = program->registers;
    return HALO_ALLOCATE(r->at, r->phases * r->count, "sorted rows");
}

static void fill_core(const sorted *s, int64_t phase)
{
    char **to = registers_of(&s->core_at, phase);
    for (int i = 0; i < s->pairs; i++) {
        to = add(to, pair_of(s, phase + i), 2 * s->list);
    }
    if ((s->rows - 1) % 2 > 0) {
        to = add(to, list_of(s, 2 * phase + s->rows - 1), s->list);
    }
    to = add(to, list_of(s, 2 * phase), s->list);
    to = add(to, list_of(s, 2 * phase + s->rows), s->list);
    add(to, s->temporary, others(&s->core) + 2);
}

static halo_status create_tables(sorted *s)
{
    int64_t ring = s->rows + 1, phases = ring * halo_max(1, s->pairs);
    HALO_TRY(create_table(&s->line_at, &s->line, ring));
    for (int64_t i = 0; i < ring; i++) {
        char **to = registers_of(&s->line_at, i) + s->line.inputs;
        add(add(to, list_of(s, i), s->list), s->temporary, others(&s->line));
    }
    HALO_TRY(create_table(&s->core_at, &s->core, phases));
    for (int64_t i = 0; i < phases; i++) {
        fill_core(s, i);
    }
    if (s->pairs == 0) {
        return HALO_OK;
    }
    HALO_TRY(create_table(&s->pair_at, &s->pair, phases));
    for (int64_t i = 0; i < phases; i++) {
        char **to = add(registers_of(&s->pair_at, i), list_of(s, 2 * i + 1), s->list);
        to = add(to, list_of(s, 2 * i + 2), s->list);
        add(add(to, pair_of(s, i), 2 * s->list), s->temporary, others(&s->pair));
    }
    return HALO_OK;
}

static halo_status create_registers(sorted *s, int64_t width)
{
    const int64_t bytes = (int64_t)halo_sample_types[s->type].bytes;
    int64_t lists = (int64_t)(s->rows + 1) * s->list, merged = 2 * (int64_t)s->pairs * s->list;
    int64_t rest = halo_max(others(&s->line), halo_max(others(&s->pair), others(&s->core))) + 2;
    int64_t all = lists + merged + rest, block = CACHE / all & -BLOCK_LEAST;
    block = halo_max(BLOCK_LEAST, halo_min(block, BLOCK_MOST)) / bytes;
    s->block = halo_min(block, width);
    /* An odd number of lines: of other pitches many rows would lie in the same lines of the cache.
     */
    s->pitch = (((size_t)((s->block + s->line.more) * bytes) / LINE + 2) | 1) * LINE;
    HALO_TRY(HALO_ALLOCATE_LARGE(s->memory, (size_t)all * s->pitch, "sorted rows"));
    HALO_TRY(HALO_ALLOCATE(s->lists, all, "sorted rows"));
    for (int64_t i = 0; i < all; i++) {
        s->lists[i] = s->memory + (size_t)i * s->pitch;
    }
    s->merged = s->lists + lists;
    s->temporary = s->merged + merged;
    return create_tables(s);
}

halo_status filter_sorted_create(void **state, const filter_step *step, const filter_part *part,
                                 const char *instructions)
{
    const halo_isa_variant *variant;
    sorted *s;
    HALO_TRY(halo_isa_pick(&variant, variants, instructions));
    HALO_TRY(HALO_ALLOCATE(s, 1, "a filter"));
    *state = s;
    s->what = part->own;
    s->ops = variant->ops;
    s->type = part->in;
    const filter_element *window = &s->what->window;
    s->rows = (int)filter_window_size(window, 1);
    s->list = (int)(filter_window_size(window, 0) * filter_window_size(window, 2));
    s->pairs = (s->rows - 1) / 2;
    HALO_TRY(compile(s, &s->line, line_values, s->list));
    if (s->pairs > 0) {
        HALO_TRY(compile(s, &s->pair, pair_values, 2 * s->list));
    }
    HALO_TRY(compile(s, &s->core, make_core, 2));
    return create_registers(s, step->n[2]);
}

void filter_sorted_destroy(void *state)
{
    sorted *s = state;
    if (s != NULL) {
        filter_program_free(&s->line);
        filter_program_free(&s->pair);
        filter_program_free(&s->core);
        halo_memory_free(s->memory);
        free(s->lists);
        free(s->line_at.at);
        free(s->pair_at.at);
        free(s->core_at.at);
        free(s);
    }
}
