#include "core/beat/kernel_check_internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- the grid -------------------------------------------------------------------------------- */

halo_status check_grid_create(check_grid *grid, const halo_kernel *kernel,
                              const halo_domain *domain, const void *options)
{
    static const int margins[HALO_AXES] = {32, 8, 3};
    *grid = (check_grid){.kernel = kernel, .options = options, .domain = *domain};
    grid->margin = margins[domain->axes - 1];
    grid->cells = domain->n[0] * domain->n[1] * domain->n[2];
    while (grid->fields < HALO_KERNEL_FIELDS && kernel->cell_bits[grid->fields] != 0) {
        int bits = kernel->cell_bits[grid->fields];
        grid->bytes[grid->fields] = bits == HALO_BIT ? 1 : (size_t)bits / 8;
        grid->offset[grid->fields] = grid->cell_bytes;
        grid->cell_bytes += grid->bytes[grid->fields];
        grid->fields++;
    }
    int64_t bytes = grid->cells * (int64_t)grid->cell_bytes;
    for (int beat = 0; beat <= CHECK_BEATS; beat++) {
        HALO_TRY(HALO_ALLOCATE(grid->now[beat], bytes, "a grid to check a kernel with"));
    }
    HALO_TRY(HALO_ALLOCATE(grid->values, bytes, "values to check a kernel with"));
    return HALO_ALLOCATE(grid->zero, grid->cell_bytes, "a cell");
}

void check_grid_free(check_grid *grid)
{
    for (int beat = 0; beat <= CHECK_BEATS; beat++) {
        free(grid->now[beat]);
    }
    free(grid->values);
    free(grid->zero);
}

const unsigned char *check_grid_cell(const check_grid *grid, int beat, const int64_t at[HALO_AXES])
{
    int64_t index = 0;
    for (int a = 0; a < HALO_AXES; a++) {
        int64_t n = grid->domain.n[a], place = at[a];
        if (grid->domain.periodic[a]) {
            place = (place % n + n) % n;
        }
        if (place < 0 || place >= n) {
            return grid->zero;
        }
        index = index * n + place;
    }
    return grid->now[beat] + (size_t)index * grid->cell_bytes;
}

/* ---- values ---------------------------------------------------------------------------------- */

static const unsigned char *value_at(const check_grid *grid, int64_t i)
{
    return grid->values + (size_t)i * grid->cell_bytes;
}

static void add_value(check_grid *grid, const unsigned char *cell)
{
    enum { MAX_VALUES = 64 };
    int64_t room = grid->cells < MAX_VALUES ? grid->cells : MAX_VALUES;
    for (int64_t i = 0; i < grid->value_count; i++) {
        if (memcmp(value_at(grid, i), cell, grid->cell_bytes) == 0) {
            return;
        }
    }
    if (grid->value_count < room) {
        memcpy(grid->values + (size_t)grid->value_count++ * grid->cell_bytes, cell,
               grid->cell_bytes);
    }
}

void check_grid_find_values(check_grid *grid, int last)
{
    grid->value_count = 0;
    for (int beat = 0; beat <= last; beat++) {
        for (int64_t i = 0; i < grid->cells; i++) {
            add_value(grid, grid->now[beat] + (size_t)i * grid->cell_bytes);
        }
    }
    for (int f = 0; f < grid->fields; f++) {
        grid->constant[f] = true;
        for (int64_t i = 1; i < grid->value_count; i++) {
            grid->constant[f] =
                grid->constant[f] && memcmp(value_at(grid, i) + grid->offset[f],
                                            grid->values + grid->offset[f], grid->bytes[f]) == 0;
        }
    }
}

/* Another number: of floating-point ones always, of whole ones where all cells have the same. */
static void alter(const check_grid *grid, int f, double by, unsigned char *cell)
{
    const halo_kernel *kernel = grid->kernel;
    if (kernel->cell_kind[f] == HALO_FLOAT && grid->bytes[f] == sizeof(float)) {
        float number;
        memcpy(&number, cell, sizeof number);
        number += (float)by * (number < 0 ? 1 - number : 1 + number);
        memcpy(cell, &number, sizeof number);
    } else if (kernel->cell_kind[f] == HALO_FLOAT && grid->bytes[f] == sizeof(double)) {
        double number;
        memcpy(&number, cell, sizeof number);
        number += by * (number < 0 ? 1 - number : 1 + number);
        memcpy(cell, &number, sizeof number);
    } else if (grid->constant[f] && grid->bytes[f] <= sizeof(uint64_t)) {
        *cell = kernel->cell_bits[f] == HALO_BIT ? !*cell : (unsigned char)(*cell ^ 1);
    }
}

/* Numbers that need not be good, but many (G. L. Steele and others' SplitMix64, 2014). */
static uint32_t draw(uint64_t seed, uint64_t number)
{
    uint64_t x = seed * UINT64_C(0xd1342543de82ef95) + number * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(x >> 32);
}

void check_grid_poison(const check_grid *grid, uint64_t seed, int64_t number,
                       const unsigned char *truth, unsigned char *out)
{
    int64_t i = draw(seed, (uint64_t)number) % grid->value_count;
    if (memcmp(value_at(grid, i), truth, grid->cell_bytes) == 0) {
        i = (i + 1) % grid->value_count;
    }
    memcpy(out, value_at(grid, i), grid->cell_bytes);
    double by = .25 + draw(~seed, (uint64_t)number) * 0x1p-32;
    for (int f = 0; f < grid->fields; f++) {
        alter(grid, f, by, out + grid->offset[f]);
    }
}

/* ---- a part ---------------------------------------------------------------------------------- */

halo_status check_part_create(check_part *part, const check_grid *grid)
{
    const halo_kernel *kernel = grid->kernel;
    part->margin = grid->margin;
    part->copies = kernel->in_place || kernel->advance != NULL ? 1 : CHECK_COPIES;
    for (int copy = 0; copy < part->copies; copy++) {
        for (int f = 0; f < grid->fields; f++) {
            halo_field **field = &part->fields[copy][f];
            HALO_TRY(halo_field_create(field, &grid->domain, &part->box, kernel->cell_bits[f],
                                       part->depth + part->margin));
            part->views[copy][f] = *halo_field_view(*field);
            part->views[copy][f].depth = part->views[copy][f].side_depth = part->depth;
        }
    }
    return kernel->create != NULL ? kernel->create(&part->state, &grid->domain, grid->options)
                                  : HALO_OK;
}

void check_part_free(check_part *part, const check_grid *grid)
{
    if (grid->kernel->destroy != NULL && part->state != NULL) {
        grid->kernel->destroy(&part->state);
    }
    for (int copy = 0; copy < CHECK_COPIES; copy++) {
        for (int f = 0; f < HALO_KERNEL_FIELDS; f++) {
            halo_field_destroy(&part->fields[copy][f]);
        }
    }
}

bool check_part_may_read(const check_part *part, const check_grid *grid,
                         const int64_t at[HALO_AXES])
{
    int sides = 0;
    bool exists = true;
    for (int a = 0; a < grid->domain.axes; a++) {
        int64_t n = part->box.n[a], beyond = at[a] < 0 ? -at[a] : at[a] >= n ? at[a] - n + 1 : 0;
        int64_t place = part->box.lo[a] + at[a];
        if (beyond > part->depth) {
            return false;
        }
        exists = exists && (grid->domain.periodic[a] || (place >= 0 && place < grid->domain.n[a]));
        sides += beyond > 0 && part->cut[a];
    }
    /* Beyond the edges all is 0, on every rank. */
    return sides <= 1 || part->corners || !exists;
}

halo_box check_part_around(const check_part *part, const check_grid *grid)
{
    halo_box around = {.n = {1, 1, 1}};
    for (int a = 0; a < grid->domain.axes; a++) {
        int64_t reach = part->depth + part->margin;
        around.lo[a] = -reach;
        around.n[a] = part->box.n[a] + 2 * reach;
    }
    return around;
}

bool check_next(const halo_box *box, int64_t at[HALO_AXES], bool *first)
{
    if (*first) {
        memcpy(at, box->lo, sizeof box->lo);
        *first = false;
        return halo_box_cells(box) > 0;
    }
    for (int a = HALO_AXES - 1; a >= 0; a--) {
        if (++at[a] < box->lo[a] + box->n[a]) {
            return true;
        }
        at[a] = box->lo[a];
    }
    return false;
}

/* Rows of bits have a halo of their own beside them, and 0 behind it. */
static bool has_place(const check_part *part, const check_grid *grid, int f,
                      const int64_t at[HALO_AXES])
{
    int last = grid->domain.axes - 1;
    return grid->kernel->cell_bits[f] != HALO_BIT ||
           (at[last] >= -part->depth && at[last] < part->box.n[last] + part->depth);
}

static void *row_of(const halo_view *view, const int64_t at[HALO_AXES])
{
    char *row = view->origin;
    for (int a = 0; a < view->axes - 1; a++) {
        row += at[a] * view->stride[a];
    }
    return row;
}

/* The word of a bit, and the bit in it. */
static uint64_t *word_of(const halo_view *view, const int64_t at[HALO_AXES], int *bit)
{
    enum { WORD = 64 };
    int64_t x = at[view->axes - 1], word = (x + WORD * WORD) / WORD - WORD;
    *bit = (int)(x - word * WORD);
    return (uint64_t *)row_of(view, at) + word;
}

void check_part_get(const check_part *part, const check_grid *grid, int copy,
                    const int64_t at[HALO_AXES], unsigned char *cell)
{
    for (int f = 0; f < grid->fields; f++) {
        const halo_view *view = &part->views[copy][f];
        unsigned char *into = cell + grid->offset[f];
        int bit = 0;
        if (view->cell_bits != HALO_BIT) {
            memcpy(into, (char *)row_of(view, at) + at[view->axes - 1] * (view->cell_bits / 8),
                   grid->bytes[f]);
        } else {
            bool there = has_place(part, grid, f, at);
            *into = there && (*word_of(view, at, &bit) >> bit & 1) != 0;
        }
    }
}

void check_part_put(const check_part *part, const check_grid *grid, int copy,
                    const int64_t at[HALO_AXES], const unsigned char *cell)
{
    for (int f = 0; f < grid->fields; f++) {
        const halo_view *view = &part->views[copy][f];
        const unsigned char *from = cell + grid->offset[f];
        if (view->cell_bits != HALO_BIT) {
            memcpy((char *)row_of(view, at) + at[view->axes - 1] * (view->cell_bits / 8), from,
                   grid->bytes[f]);
        } else if (has_place(part, grid, f, at)) {
            int bit = 0;
            uint64_t *word = word_of(view, at, &bit);
            *word = (*word & ~(UINT64_C(1) << bit)) | (uint64_t)(*from & 1) << bit;
        }
    }
}
