#include "core/beat/kernel_check_internal.h"

#include "base/memory.h"
#include "partition/peel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a beat ---------------------------------------------------------------------------------- */

static void locate(const check_part *part, const int64_t at[HALO_AXES], int64_t global[HALO_AXES])
{
    for (int a = 0; a < HALO_AXES; a++) {
        global[a] = part->box.lo[a] + at[a];
    }
}

/* Fill the output with poison, so that cells that the kernel does not write are found. */
static void fill_written(check_part *part, const check_grid *grid, uint64_t seed)
{
    halo_box around = check_part_around(part, grid);
    int64_t at[HALO_AXES], number = 0;
    unsigned char cell[CHECK_MAX_CELL];
    for (bool first = true; check_next(&around, at, &first); number++) {
        check_grid_poison(grid, ~seed, number, grid->zero, cell);
        check_part_put(part, grid, 1, at, cell);
    }
}

bool check_part_is_unwritten(const check_part *part, const check_grid *grid, uint64_t seed,
                             const int64_t at[HALO_AXES])
{
    halo_box around = check_part_around(part, grid);
    int64_t number = 0;
    unsigned char before[CHECK_MAX_CELL], cell[CHECK_MAX_CELL];
    for (int a = 0; a < HALO_AXES; a++) {
        number = number * around.n[a] + at[a] - around.lo[a];
    }
    check_grid_poison(grid, ~seed, number, grid->zero, before);
    check_part_get(part, grid, part->copies - 1, at, cell);
    return part->copies > 1 && memcmp(cell, before, grid->cell_bytes) == 0;
}

void check_part_fill(check_part *part, const check_grid *grid, int beat, uint64_t seed,
                     bool poisons)
{
    halo_box around = check_part_around(part, grid);
    int64_t at[HALO_AXES], global[HALO_AXES], number = 0;
    unsigned char cell[CHECK_MAX_CELL];
    for (bool first = true; check_next(&around, at, &first); number++) {
        locate(part, at, global);
        const unsigned char *truth = check_grid_cell(grid, beat, global);
        bool poisoned = poisons && !check_part_may_read(part, grid, at);
        if (poisoned) {
            check_grid_poison(grid, seed, number, truth, cell);
        }
        check_part_put(part, grid, 0, at, poisoned ? cell : truth);
    }
    if (part->copies > 1) {
        fill_written(part, grid, seed);
    }
}

halo_box check_part_todo(const check_part *part, const check_grid *grid, bool deep)
{
    halo_box todo = {.n = {part->box.n[0], part->box.n[1], part->box.n[2]}};
    for (int a = 0; deep && a < grid->domain.axes; a++) {
        int depth = grid->kernel->depth;
        int64_t end = part->box.lo[a] + part->box.n[a];
        bool low = part->cut[a] && (grid->domain.periodic[a] || part->box.lo[a] > 0);
        bool high = part->cut[a] && (grid->domain.periodic[a] || end < grid->domain.n[a]);
        /* Near an edge the halo has only the cells that exist. */
        int64_t before =
            grid->domain.periodic[a] || part->box.lo[a] > depth ? depth : part->box.lo[a];
        int64_t after = grid->domain.periodic[a] || grid->domain.n[a] - end > depth
                            ? depth
                            : grid->domain.n[a] - end;
        todo.lo[a] -= low ? before : 0;
        todo.n[a] += (low ? before : 0) + (high ? after : 0);
    }
    return todo;
}

static halo_status step_box(check_part *part, int beat, const check_grid *grid,
                            const halo_box *todo, int64_t *changed)
{
    halo_step step = {.in = part->views[0],
                      .out = part->views[part->copies - 1],
                      .todo = *todo,
                      .beat = beat,
                      .state = part->state};
    halo_status status = halo_box_cells(todo) > 0 ? grid->kernel->step(&step) : HALO_OK;
    *changed += step.changed;
    return status;
}

static halo_status advance(check_part *part, int beat, const check_grid *grid, int64_t *changed)
{
    int64_t end = part->box.lo[0] + part->box.n[0];
    bool low = grid->domain.periodic[0] || part->box.lo[0] > 0;
    bool high = grid->domain.periodic[0] || end < grid->domain.n[0];
    halo_advance how = {
        .fields = part->views[0],
        .hi = part->box.n[0],
        .ends = {low ? HALO_END_WIDENS : HALO_END_EDGE, high ? HALO_END_WIDENS : HALO_END_EDGE},
        .beats = 1,
        .beat = beat,
        .state = part->state,
        .changed = changed};
    return grid->kernel->advance(&how);
}

halo_status check_part_step(check_part *part, int beat, const check_grid *grid,
                            const halo_box *todo, bool pieces, int64_t *changed)
{
    const halo_kernel *kernel = grid->kernel;
    if (kernel->advance != NULL) {
        return advance(part, beat, grid, changed);
    }
    if (!pieces || kernel->whole) {
        return step_box(part, beat, grid, todo, changed);
    }
    int layers[HALO_AXES];
    halo_box interior, edges[HALO_EDGES];
    for (int a = 0; a < HALO_AXES; a++) {
        layers[a] = part->cut[a] ? kernel->depth : 0;
    }
    int count = halo_box_peel(todo, layers, layers, &interior, edges);
    HALO_TRY(step_box(part, beat, grid, &interior, changed));
    for (int i = 0; i < count; i++) {
        HALO_TRY(step_box(part, beat, grid, &edges[i], changed));
    }
    return HALO_OK;
}

bool check_part_differs(const check_part *part, const check_grid *grid, int beat,
                        const halo_box *todo, int64_t at[HALO_AXES])
{
    int64_t global[HALO_AXES];
    unsigned char cell[CHECK_MAX_CELL];
    for (bool first = true; check_next(todo, at, &first);) {
        locate(part, at, global);
        check_part_get(part, grid, part->copies - 1, at, cell);
        if (memcmp(cell, check_grid_cell(grid, beat + 1, global), grid->cell_bytes) != 0) {
            return true;
        }
    }
    return false;
}

static bool is_inside(const halo_box *box, const int64_t at[HALO_AXES])
{
    bool inside = true;
    for (int a = 0; a < HALO_AXES; a++) {
        inside = inside && at[a] >= box->lo[a] && at[a] < box->lo[a] + box->n[a];
    }
    return inside;
}

/* Whoever computes whole words of bits may clear the halo beside them. */
static bool shares_a_word(const check_part *part, const check_grid *grid,
                          const int64_t at[HALO_AXES])
{
    int last = grid->domain.axes - 1;
    bool bits = false;
    for (int f = 0; f < grid->fields; f++) {
        bits = bits || grid->kernel->cell_bits[f] == HALO_BIT;
    }
    return bits && (at[last] < 0 || at[last] >= part->box.n[last]);
}

bool check_part_wrote_outside(const check_part *part, const check_grid *grid, uint64_t seed,
                              const halo_box *todo, int64_t at[HALO_AXES])
{
    halo_box around = check_part_around(part, grid);
    unsigned char cell[CHECK_MAX_CELL], before[CHECK_MAX_CELL];
    int64_t number = 0;
    for (bool first = true; part->copies > 1 && check_next(&around, at, &first); number++) {
        if (is_inside(todo, at) || shares_a_word(part, grid, at)) {
            continue;
        }
        check_grid_poison(grid, ~seed, number, grid->zero, before);
        check_part_get(part, grid, 1, at, cell);
        if (memcmp(cell, before, grid->cell_bytes) != 0) {
            return true;
        }
    }
    return false;
}

/* ---- what a cell depends on ------------------------------------------------------------------ */

void check_print_place(const check_grid *grid, const int64_t at[HALO_AXES], char text[CHECK_PLACE])
{
    static const char *const names[HALO_AXES][HALO_AXES] = {
        {"place"}, {"row", "column"}, {"plane", "row", "column"}};
    int axes = grid->domain.axes;
    size_t used = 0;
    for (int a = 0; a < axes; a++) {
        used += (size_t)snprintf(text + used, CHECK_PLACE - used, "%s%s %" PRId64,
                                 a > 0 ? ", " : "", names[axes - 1][a], at[a]);
    }
}

/* A cell beyond what may be read, and how far from the cell in question. */
typedef struct {
    int64_t at[HALO_AXES], far;
} suspect;

static int compare_suspects(const void *a, const void *b)
{
    const suspect *x = a, *y = b;
    return (x->far > y->far) - (x->far < y->far);
}

static int64_t find_suspects(const check_part *part, const check_grid *grid,
                             const int64_t cell[HALO_AXES], suspect *found)
{
    halo_box around = check_part_around(part, grid);
    int64_t at[HALO_AXES], count = 0;
    for (bool first = true; check_next(&around, at, &first);) {
        if (!check_part_may_read(part, grid, at)) {
            suspect *s = &found[count++];
            *s = (suspect){.far = 0};
            for (int a = 0; a < HALO_AXES; a++) {
                s->at[a] = at[a];
                s->far += (at[a] - cell[a]) * (at[a] - cell[a]);
            }
        }
    }
    qsort(found, (size_t)count, sizeof *found, compare_suspects);
    return count;
}

/* The cell after a beat of a new part, in which the cell `poisoned`, or none, is another. */
static halo_status compute(const check_part *like, const check_grid *grid, int beat, bool deep,
                           const int64_t cell[HALO_AXES], const int64_t *poisoned, uint64_t seed,
                           unsigned char *out)
{
    check_part part = {.box = like->box, .depth = like->depth, .corners = like->corners};
    memcpy(part.cut, like->cut, sizeof part.cut);
    halo_status status = check_part_create(&part, grid);
    if (status == HALO_OK) {
        halo_box todo = check_part_todo(&part, grid, deep);
        int64_t changed = 0;
        check_part_fill(&part, grid, beat, 0, false);
        if (poisoned != NULL) {
            unsigned char now[CHECK_MAX_CELL], other[CHECK_MAX_CELL];
            check_part_get(&part, grid, 0, poisoned, now);
            check_grid_poison(grid, seed, 0, now, other);
            check_part_put(&part, grid, 0, poisoned, other);
        }
        status = check_part_step(&part, beat, grid, &todo, false, &changed);
        check_part_get(&part, grid, part.copies - 1, cell, out);
    }
    check_part_free(&part, grid);
    return status;
}

/* The nearest cell that changes what is computed; -1 if none does. HALO_ARGUMENT if it changes by
 * itself. */
static halo_status find_culprit(const check_part *part, const check_grid *grid, int beat, bool deep,
                                const int64_t cell[HALO_AXES], const suspect *suspects,
                                int64_t count, int64_t *culprit)
{
    enum { TRIES = 3 };
    unsigned char right[CHECK_MAX_CELL], other[CHECK_MAX_CELL];
    *culprit = -1;
    HALO_TRY(compute(part, grid, beat, deep, cell, NULL, 0, right));
    HALO_TRY(compute(part, grid, beat, deep, cell, NULL, 0, other));
    if (memcmp(right, other, grid->cell_bytes) != 0) {
        return halo_fail(HALO_ARGUMENT, "kernel \"%s\" computes a cell differently each time",
                         grid->kernel->name);
    }
    for (int64_t i = 0; i < TRIES * count && *culprit < 0; i++) {
        HALO_TRY(
            compute(part, grid, beat, deep, cell, suspects[i / TRIES].at, (uint64_t)i + 1, other));
        *culprit = memcmp(right, other, grid->cell_bytes) != 0 ? i / TRIES : -1;
    }
    return HALO_OK;
}

static halo_status accuse(const check_part *part, const check_grid *grid, int beat,
                          const int64_t cell[HALO_AXES], const int64_t other[HALO_AXES])
{
    const halo_kernel *kernel = grid->kernel;
    int64_t global[HALO_AXES], offset[HALO_AXES], farthest = 0;
    char place[CHECK_PLACE], away[CHECK_PLACE];
    locate(part, cell, global);
    for (int a = 0; a < HALO_AXES; a++) {
        offset[a] = other[a] - cell[a];
        farthest = llabs(offset[a]) > farthest ? llabs(offset[a]) : farthest;
    }
    check_print_place(grid, global, place);
    check_print_place(grid, offset, away);
    if (farthest > kernel->depth) {
        return halo_fail(HALO_ARGUMENT,
                         "kernel \"%s\" reads beyond its depth of %d: after beat %d the cell at "
                         "%s depends on its neighbour at distance %s; set .depth = %" PRId64,
                         kernel->name, kernel->depth, beat + 1, place, away, farthest);
    }
    return halo_fail(HALO_ARGUMENT,
                     "kernel \"%s\" reads diagonally, and its table does not say so: after beat %d "
                     "the cell at %s depends on its neighbour at distance %s; set .corners = true",
                     kernel->name, beat + 1, place, away);
}

halo_status check_blame(const check_part *part, const check_grid *grid, int beat, bool deep,
                        const int64_t at[HALO_AXES])
{
    halo_box around = check_part_around(part, grid);
    suspect *suspects;
    int64_t culprit = -1, global[HALO_AXES];
    HALO_TRY(HALO_ALLOCATE(suspects, halo_box_cells(&around), "cells beyond a part"));
    int64_t count = find_suspects(part, grid, at, suspects);
    halo_status status = find_culprit(part, grid, beat, deep, at, suspects, count, &culprit);
    if (status == HALO_OK && culprit >= 0) {
        status = accuse(part, grid, beat, at, suspects[culprit].at);
    } else if (status == HALO_OK) {
        char place[CHECK_PLACE];
        locate(part, at, global);
        check_print_place(grid, global, place);
        status =
            halo_fail(HALO_ARGUMENT,
                      "kernel \"%s\" computes the cell at %s differently in a part of the "
                      "grid%s than in all of it, at beat %d, though no cell beyond the halo "
                      "matters: results may depend on cells and global indices only",
                      grid->kernel->name, place,
                      deep ? " with a halo for two beats, where `todo` has cells of the halo," : "",
                      beat + 1);
    }
    free(suspects);
    return status;
}
