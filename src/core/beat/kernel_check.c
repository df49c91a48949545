#include "core/beat/kernel_check.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/random.h"
#include "core/beat/kernel_check_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static halo_status complain(const check_grid *grid, const check_part *part,
                            const int64_t local[HALO_AXES], int beat, const char *what)
{
    int64_t at[HALO_AXES];
    char place[CHECK_PLACE];
    for (int a = 0; a < HALO_AXES; a++) {
        at[a] = part->box.lo[a] + local[a];
    }
    check_print_place(grid, at, place);
    return halo_fail(HALO_ARGUMENT, "kernel \"%s\" %s: the cell at %s, beat %d", grid->kernel->name,
                     what, place, beat + 1);
}

/* As the heartbeat does with the sums of all ranks. */
static halo_status add_sums(const check_grid *grid, check_part *parts, int64_t count)
{
    const halo_kernel *kernel = grid->kernel;
    int64_t all[CHECK_MAX_SUMS] = {0}, own[CHECK_MAX_SUMS];
    for (int64_t i = 0; kernel->beat != NULL && i < count; i++) {
        memset(own, 0, sizeof own);
        HALO_TRY(kernel->beat(parts[i].state, own, false));
        for (int s = 0; s < kernel->sums; s++) {
            all[s] += own[s];
        }
    }
    for (int64_t i = 0; kernel->beat != NULL && i < count; i++) {
        HALO_TRY(kernel->beat(parts[i].state, all, true));
    }
    return HALO_OK;
}

/* ---- in one part ----------------------------------------------------------------------------- */

static check_part whole_part(const check_grid *grid)
{
    check_part part = {.depth = grid->kernel->depth};
    memcpy(part.box.n, grid->domain.n, sizeof part.box.n);
    return part;
}

static void take_cells(const check_part *part, const check_grid *grid, int copy,
                       unsigned char *cells)
{
    halo_box all = {.n = {part->box.n[0], part->box.n[1], part->box.n[2]}};
    int64_t at[HALO_AXES], number = 0;
    for (bool first = true; check_next(&all, at, &first); number++) {
        check_part_get(part, grid, copy, at, cells + (size_t)number * grid->cell_bytes);
    }
}

/* Cells that are all the same say nothing. Floating-point numbers are then from 0 to 1, whole ones
 * are 0 or 1. */
static void draw_cells(check_grid *grid)
{
    for (int64_t i = 0; i < grid->cells; i++) {
        unsigned char *cell = grid->now[0] + (size_t)i * grid->cell_bytes;
        for (int f = 0; f < grid->fields; f++) {
            double real = halo_random_at(1, (uint64_t)f, i) * 0x1p-32;
            float single = (float)real;
            bool is_float = grid->kernel->cell_kind[f] == HALO_FLOAT;
            if (is_float && grid->bytes[f] == sizeof real) {
                memcpy(cell + grid->offset[f], &real, sizeof real);
            } else if (is_float && grid->bytes[f] == sizeof single) {
                memcpy(cell + grid->offset[f], &single, sizeof single);
            } else {
                cell[grid->offset[f]] = real < .5;
            }
        }
    }
}

static halo_status find_first_cells(check_grid *grid)
{
    const halo_kernel *kernel = grid->kernel;
    check_part part = whole_part(grid);
    halo_status status = check_part_create(&part, grid);
    if (status == HALO_OK && kernel->start != NULL) {
        status = kernel->start(part.state, part.views[0]);
    }
    if (status == HALO_OK) {
        take_cells(&part, grid, 0, grid->now[0]);
        check_grid_find_values(grid, 0);
        if (grid->value_count == 1) {
            draw_cells(grid);
            grid->drawn = true;
        }
    }
    if (status == HALO_OK && grid->drawn && kernel->adjust != NULL) {
        check_part_fill(&part, grid, 0, 0, false);
        status = kernel->adjust(part.state, part.views[0]);
        take_cells(&part, grid, 0, grid->now[0]);
    }
    check_part_free(&part, grid);
    return status;
}

/* Other cells in the same grid: each is where another was. */
static void shuffle_cells(check_grid *grid)
{
    unsigned char cell[CHECK_MAX_CELL];
    grid->drawn = true;
    for (int64_t i = grid->cells - 1; i > 0; i--) {
        unsigned char *a = grid->now[0] + (size_t)i * grid->cell_bytes;
        unsigned char *b =
            grid->now[0] + (size_t)(halo_random_at(2, 0, i) % (i + 1)) * grid->cell_bytes;
        memcpy(cell, a, grid->cell_bytes);
        memcpy(a, b, grid->cell_bytes);
        memcpy(b, cell, grid->cell_bytes);
    }
}

/* The beats of all cells. A second time they must be the same, with other cells where they are
 * written to. */
static halo_status run_whole(check_grid *grid, bool again)
{
    check_part part = whole_part(grid);
    halo_status status = check_part_create(&part, grid);
    halo_box todo = {.n = {part.box.n[0], part.box.n[1], part.box.n[2]}};
    for (int beat = 0; beat < CHECK_BEATS && status == HALO_OK; beat++) {
        int64_t at[HALO_AXES], changed = 0;
        uint64_t seed = 10 + (uint64_t)again;
        check_part_fill(&part, grid, beat, seed, false);
        status = check_part_step(&part, beat, grid, &todo, false, &changed);
        if (status == HALO_OK && again && check_part_differs(&part, grid, beat, &todo, at)) {
            bool unwritten = check_part_is_unwritten(&part, grid, seed, at);
            status = complain(grid, &part, at, beat,
                              unwritten ? "does not write every cell of `todo`"
                                        : "computes a cell differently each time");
        } else if (!again) {
            take_cells(&part, grid, part.copies - 1, grid->now[beat + 1]);
            grid->changed[beat] = changed;
        }
        if (status == HALO_OK) {
            status = add_sums(grid, &part, 1);
        }
    }
    check_part_free(&part, grid);
    return status;
}

/* ---- in several ------------------------------------------------------------------------------ */

typedef struct {
    check_part *parts, *others; /* of kernels in place the same without poison; else NULL */
    int64_t count;
    int cuts[HALO_AXES]; /* parts along each axis */
    bool deep;
} division;

static halo_status create_parts(const check_grid *grid, const division *d, check_part *parts)
{
    for (int64_t i = 0; i < d->count; i++) {
        check_part *part = &parts[i];
        int64_t rest = i;
        for (int a = HALO_AXES - 1; a >= 0; a--) {
            int64_t n = grid->domain.n[a], number = rest % d->cuts[a];
            part->box.lo[a] = n * number / d->cuts[a];
            part->box.n[a] = n * (number + 1) / d->cuts[a] - part->box.lo[a];
            part->cut[a] = d->cuts[a] > 1;
            rest /= d->cuts[a];
        }
        part->depth = grid->kernel->depth * (1 + d->deep);
        part->corners = grid->kernel->corners || d->deep;
        HALO_TRY(check_part_create(part, grid));
    }
    return HALO_OK;
}

/* Cells at the beginning depend on where they are in the grid. */
static halo_status check_start(const check_grid *grid, const division *d)
{
    unsigned char cell[CHECK_MAX_CELL];
    for (int64_t i = 0; grid->kernel->start != NULL && !grid->drawn && i < d->count; i++) {
        check_part *part = &d->parts[i];
        halo_box all = {.n = {part->box.n[0], part->box.n[1], part->box.n[2]}};
        int64_t at[HALO_AXES];
        HALO_TRY(grid->kernel->start(part->state, part->views[0]));
        for (bool first = true; check_next(&all, at, &first);) {
            int64_t global[HALO_AXES];
            for (int a = 0; a < HALO_AXES; a++) {
                global[a] = part->box.lo[a] + at[a];
            }
            check_part_get(part, grid, 0, at, cell);
            if (memcmp(cell, check_grid_cell(grid, 0, global), grid->cell_bytes) != 0) {
                return complain(grid, part, at, -1,
                                "starts with other cells in a part of the grid than in all of it");
            }
        }
    }
    return HALO_OK;
}

/* Cells that depend on poison, of a kernel in place, whose cells may be updated in any order. */
static bool differ(const check_grid *grid, const check_part *one, const check_part *other,
                   const halo_box *todo, int64_t at[HALO_AXES])
{
    unsigned char cell[CHECK_MAX_CELL], same[CHECK_MAX_CELL];
    for (bool first = true; check_next(todo, at, &first);) {
        check_part_get(one, grid, 0, at, cell);
        check_part_get(other, grid, 0, at, same);
        if (memcmp(cell, same, grid->cell_bytes) != 0) {
            return true;
        }
    }
    return false;
}

static halo_status check_step(const check_grid *grid, const division *d, int64_t i, int beat,
                              int64_t *changed)
{
    check_part *part = &d->parts[i];
    halo_box todo = check_part_todo(part, grid, d->deep);
    uint64_t seed = 100 + (uint64_t)(beat + CHECK_BEATS * i);
    int64_t at[HALO_AXES], uncounted = 0;
    bool pieces = beat % 2 == 1, wrong;
    check_part_fill(part, grid, beat, seed, true);
    HALO_TRY(check_part_step(part, beat, grid, &todo, pieces, changed));
    if (d->others != NULL) {
        check_part_fill(&d->others[i], grid, beat, seed, false);
        HALO_TRY(check_part_step(&d->others[i], beat, grid, &todo, pieces, &uncounted));
        wrong = differ(grid, part, &d->others[i], &todo, at);
    } else {
        wrong = check_part_differs(part, grid, beat, &todo, at);
    }
    if (wrong) {
        return check_blame(part, grid, beat, d->deep, at);
    }
    return check_part_wrote_outside(part, grid, seed, &todo, at)
               ? complain(grid, part, at, beat, "writes a cell that is not in `todo`")
               : HALO_OK;
}

static halo_status check_beats(const check_grid *grid, const division *d)
{
    for (int beat = 0; beat < CHECK_BEATS; beat++) {
        int64_t changed = 0;
        for (int64_t i = 0; i < d->count; i++) {
            HALO_TRY(check_step(grid, d, i, beat, &changed));
        }
        if (grid->kernel->converges && !d->deep && d->others == NULL &&
            changed != grid->changed[beat]) {
            return halo_fail(HALO_ARGUMENT,
                             "kernel \"%s\" counts %" PRId64 " changed cells in %" PRId64
                             " parts at beat %d, and %" PRId64
                             " in one: count those of `todo`, each once",
                             grid->kernel->name, changed, d->count, beat + 1, grid->changed[beat]);
        }
        HALO_TRY(add_sums(grid, d->parts, d->count));
        HALO_TRY(d->others != NULL ? add_sums(grid, d->others, d->count) : HALO_OK);
    }
    return HALO_OK;
}

static halo_status check_division(const check_grid *grid, division *d)
{
    const halo_kernel *kernel = grid->kernel;
    d->count = (int64_t)d->cuts[0] * d->cuts[1] * d->cuts[2];
    halo_status status = HALO_ALLOCATE(d->parts, d->count, "parts of a grid");
    HALO_TRY_OR(done, status);
    HALO_TRY_OR(done, create_parts(grid, d, d->parts));
    if (kernel->in_place && kernel->advance == NULL) {
        HALO_TRY_OR(done, HALO_ALLOCATE(d->others, d->count, "parts of a grid"));
        HALO_TRY_OR(done, create_parts(grid, d, d->others));
    }
    HALO_TRY_OR(done, check_start(grid, d));
    status = check_beats(grid, d);
done:
    for (int64_t i = 0; i < d->count; i++) {
        if (d->parts != NULL) {
            check_part_free(&d->parts[i], grid);
        }
        if (d->others != NULL) {
            check_part_free(&d->others[i], grid);
        }
    }
    free(d->parts);
    free(d->others);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

int check_parts_of(const check_grid *grid, int axis, int64_t layers, int most)
{
    int last = grid->domain.axes - 1;
    bool cut = axis <= last;
    for (int f = 0; f < grid->fields; f++) { /* rows of bits are never cut */
        cut = cut && (axis != last || grid->kernel->cell_bits[f] != HALO_BIT);
    }
    int64_t parts = halo_min(grid->domain.n[axis] / halo_max(layers, 1), most);
    return cut && parts > 1 ? (int)parts : 1;
}

static halo_status check_divisions(const check_grid *grid, halo_kernel_check_report *report)
{
    const halo_kernel *kernel = grid->kernel;
    bool can_be_deep = !kernel->in_place && kernel->advance == NULL && kernel->beat == NULL &&
                       !kernel->single && kernel->depth > 0;
    /* Axes to cut, at most how many parts, and halos for two beats. */
    static const struct {
        unsigned axes;
        int most;
        bool deep;
    } plans[] = {{1, 3, false}, {6, 3, false}, {7, 3, false}, {7, CHECK_MAX_PARTS, false},
                 {1, 3, true},  {7, 3, true}};
    for (size_t p = 0; p < sizeof plans / sizeof *plans; p++) {
        division d = {.deep = plans[p].deep};
        bool several = false;
        for (int a = 0; a < HALO_AXES; a++) {
            d.cuts[a] = (plans[p].axes >> a & 1) != 0
                            ? check_parts_of(grid, a, kernel->depth * (1 + d.deep), plans[p].most)
                            : 1;
            several = several || d.cuts[a] > 1;
        }
        if (several && (can_be_deep || !d.deep)) {
            HALO_TRY(check_division(grid, &d));
            report->decompositions++;
        }
    }
    return HALO_OK;
}

/* With the first cells that the kernel has, and with these in other places. */
static halo_status check_grids(check_grid *grid, halo_kernel_check_report *report)
{
    HALO_TRY(find_first_cells(grid));
    for (int round = 0; round < 2; round++) {
        if (round > 0) {
            shuffle_cells(grid);
        }
        check_grid_find_values(grid, 0);
        HALO_TRY(run_whole(grid, false));
        check_grid_find_values(grid, CHECK_BEATS);
        HALO_TRY(run_whole(grid, true));
        HALO_TRY(check_divisions(grid, report));
        HALO_TRY(check_threads(grid, report));
    }
    return HALO_OK;
}

static halo_status check_domain(const halo_kernel *kernel, const halo_domain *domain,
                                const void *options, halo_kernel_check_report *report)
{
    check_grid grid;
    halo_status status = check_grid_create(&grid, kernel, domain, options);
    if (status == HALO_OK) {
        status = check_grids(&grid, report);
    }
    check_grid_free(&grid);
    return status;
}

static halo_status check_table(const halo_kernel *kernel)
{
    int bits = 0;
    for (int f = 0; f < HALO_KERNEL_FIELDS; f++) {
        bits += kernel->cell_bits[f];
    }
    if (kernel->side_halo != NULL || kernel->sums > CHECK_MAX_SUMS || bits / 8 > CHECK_MAX_CELL) {
        return halo_fail(HALO_ARGUMENT,
                         "kernel \"%s\" cannot be checked: it has rows of its own layout, more "
                         "than %d sums, or cells of more than %d bytes",
                         kernel->name, (int)CHECK_MAX_SUMS, (int)CHECK_MAX_CELL);
    }
    return kernel->step == NULL && kernel->advance == NULL
               ? halo_fail(HALO_ARGUMENT, "kernel \"%s\" has neither `step` nor `advance`",
                           kernel->name)
               : HALO_OK;
}

/* A small size for a kernel, along each axis of the domain. */
static void choose_size(const halo_kernel *kernel, halo_domain *domain)
{
    /* Parts of several sizes, and rows of bits of more than one word; all even, for kernels that
     * take turns. */
    static const int64_t times[HALO_AXES] = {8, 4, 4}, more[HALO_AXES] = {22, 10, 4};
    int last = domain->axes - 1;
    for (int a = 0; a < HALO_AXES; a++) {
        domain->n[a] = a <= last ? times[last] * kernel->depth + more[last] + 2 * a : 1;
    }
    for (int f = 0; f < HALO_KERNEL_FIELDS; f++) {
        if (kernel->cell_bits[f] == HALO_BIT) {
            domain->n[last] = 70;
        }
    }
}

static halo_status try_create(const halo_kernel *kernel, const halo_domain *domain,
                              const void *options)
{
    void *state = NULL;
    halo_status status = kernel->create != NULL ? kernel->create(&state, domain, options) : HALO_OK;
    if (kernel->destroy != NULL && state != NULL) {
        kernel->destroy(&state);
    }
    return status;
}

halo_status halo_kernel_check(const halo_kernel *kernel, const halo_domain *domain,
                              const void *options, halo_kernel_check_report *report)
{
    halo_domain small = *domain;
    bool periodic = false;
    *report = (halo_kernel_check_report){.axes = domain->axes, .beats = CHECK_BEATS};
    HALO_TRY(check_table(kernel));
    choose_size(kernel, &small);
    for (int a = 0; a < HALO_AXES; a++) {
        small.n[a] = halo_min(small.n[a], domain->n[a]);
        report->n[a] = small.n[a];
        periodic = periodic || domain->periodic[a];
    }
    /* If no axis is said to be periodic, check both, with and without periodic axes, as far as the
     * kernel takes them. */
    halo_status open = try_create(kernel, &small, options);
    if (periodic || open == HALO_OK) {
        HALO_TRY(open);
        HALO_TRY(check_domain(kernel, &small, options, report));
    }
    for (int a = 0; a < domain->axes && !periodic; a++) {
        small.periodic[a] = true;
    }
    if (periodic) {
        return HALO_OK;
    }
    halo_status closed = try_create(kernel, &small, options);
    if (closed == HALO_OK) {
        return check_domain(kernel, &small, options, report);
    }
    return open; /* either is enough */
}
