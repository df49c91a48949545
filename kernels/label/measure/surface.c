#include "kernels/label/measure/surface.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "kernels/label/measure/by_number.h"
#include "kernels/label/measure/mesh_cells.h"

#include <string.h>

/* An entry is for region `number`. */
typedef struct {
    int64_t number, area, missing, voxels;
} surface_sums;

enum { COLUMNS = 4, CORNERS = 8 };

typedef struct {
    const label_numbered *image;
    bool all;        /* regions are one, with number 1, and faces of the volume are no border */
    int64_t pitch;   /* of rows: with a column of zeroes on either side */
    int64_t lines;   /* rows of a plane, and zeroes above and below */
    int64_t *before; /* [lines * pitch] the plane before */
    int64_t *now;    /* the same of the plane at hand */
    label_by_number table; /* of surface_sums; not of all */
    surface_sums sums;     /* of all */
    mesh_cells cells;
} surface_search;

static halo_status add_region(surface_search *s, const int64_t corners[CORNERS], int64_t number)
{
    int code = 0;
    for (int i = 0; i < CORNERS; i++) {
        code |= (corners[i] == number) << i;
    }
    surface_sums *sums = s->all ? &s->sums : label_by_number_find(&s->table, number);
    if (sums == NULL) {
        return HALO_MEMORY;
    }
    sums->area += s->cells.area[code];
    sums->missing += s->cells.missing[code];
    return HALO_OK;
}

/* Adds a cell that has several regions, or one and what is in none. */
static halo_status add_cell(surface_search *s, const int64_t corners[CORNERS])
{
    for (int i = 0; i < CORNERS; i++) {
        bool again = corners[i] == 0;
        for (int before = 0; before < i && !again; before++) {
            again = corners[before] == corners[i];
        }
        if (!again) {
            HALO_TRY(add_region(s, corners, corners[i]));
        }
    }
    return HALO_OK;
}

/* Adds the cells between rows `line - 1` and `line` of both planes. */
static halo_status add_cells(surface_search *s, int64_t line)
{
    const int64_t *rows[COLUMNS] = {s->before + (line - 1) * s->pitch, s->before + line * s->pitch,
                                    s->now + (line - 1) * s->pitch, s->now + line * s->pitch};
    int64_t begin = s->all ? 2 : 1, end = s->all ? s->pitch - 1 : s->pitch;
    for (int64_t x = begin; x < end; x++) {
        int64_t differ = 0, first = rows[0][x - 1];
        for (int i = 0; i < COLUMNS; i++) {
            differ |= (rows[i][x - 1] ^ first) | (rows[i][x] ^ first);
        }
        if (differ == 0) {
            continue;
        }
        int64_t corners[CORNERS];
        for (int i = 0; i < COLUMNS; i++) {
            corners[2 * i] = rows[i][x - 1];
            corners[2 * i + 1] = rows[i][x];
        }
        HALO_TRY(add_cell(s, corners));
    }
    return HALO_OK;
}

static halo_status add_layer(surface_search *s)
{
    int64_t begin = s->all ? 2 : 1, end = s->all ? s->lines - 1 : s->lines;
    for (int64_t line = begin; line < end; line++) {
        HALO_TRY(add_cells(s, line));
    }
    return HALO_OK;
}

/* Counts the voxels of regions in a row. */
static halo_status count_voxels(surface_search *s, const int64_t *row)
{
    int64_t begin, end = 0, number;
    while ((number = label_next_run(row, s->image->n[2], &begin, &end)) != 0) {
        surface_sums *sums = label_by_number_find(&s->table, number);
        if (sums == NULL) {
            return HALO_MEMORY;
        }
        sums->voxels += end - begin;
    }
    return HALO_OK;
}

static halo_status read_plane(surface_search *s, int64_t plane)
{
    int64_t rows = s->image->n[1], width = s->image->n[2];
    for (int64_t line = 0; line < rows; line++) {
        int64_t *row = s->now + (line + 1) * s->pitch + 1;
        HALO_TRY(label_numbered_row(s->image, plane * rows + line, row));
        for (int64_t x = 0; x < width && s->all; x++) {
            row[x] = row[x] != 0;
        }
        HALO_TRY(s->all ? HALO_OK : count_voxels(s, row));
    }
    return HALO_OK;
}

static halo_status add_planes(surface_search *s, bool has_layer)
{
    const int64_t *cuts = s->image->cuts + halo_world_rank(s->image->world);
    int64_t rows = s->image->n[1], first = cuts[0] / rows, end = cuts[1] / rows;
    for (int64_t plane = first; plane < end; plane++) {
        int64_t *turned = s->before;
        HALO_TRY(read_plane(s, plane));
        if (!s->all || has_layer || plane > first) {
            HALO_TRY(add_layer(s));
        }
        s->before = s->now;
        s->now = turned;
    }
    if (first < end && end == s->image->n[0] && !s->all) { /* behind the last plane is nothing */
        memset(s->now, 0, (size_t)(s->lines * s->pitch) * sizeof *s->now);
        return add_layer(s);
    }
    return HALO_OK;
}

/* Collective. The plane before this rank's first one, if there is any. */
static halo_status fetch_layer(surface_search *s, bool *has_layer)
{
    int64_t rows = s->image->n[1], width = s->image->n[2], *came;
    halo_world *world = s->image->world;
    halo_status status =
        halo_agree(world, HALO_ALLOCATE_LARGE(came, rows * width + 1, "a plane of labels"));
    HALO_IF_OK(status, label_numbered_layer_before(s->image, false, came, has_layer));
    for (int64_t line = 0; status == HALO_OK && *has_layer && line < rows; line++) {
        int64_t *row = s->before + (line + 1) * s->pitch + 1;
        for (int64_t x = 0; x < width; x++) {
            int64_t number = came[line * width + x];
            row[x] = s->all ? number != 0 : number;
        }
    }
    halo_memory_free(came);
    return status;
}

static void add_sums(const void *context, void *to, const void *part)
{
    surface_sums *sums = to;
    const surface_sums *more = part;
    (void)context;
    sums->area += more->area;
    sums->missing += more->missing;
    sums->voxels += more->voxels;
}

static halo_status create(surface_search *s, const double size[HALO_AXES])
{
    s->pitch = s->image->n[2] + 2;
    s->lines = s->image->n[1] + 2;
    mesh_cells_make(&s->cells, size);
    HALO_TRY(HALO_ALLOCATE_LARGE(s->before, s->lines * s->pitch, "a plane of labels"));
    return HALO_ALLOCATE_LARGE(s->now, s->lines * s->pitch, "a plane of labels");
}

/* Collective. Adds up what this rank's cells have. */
static halo_status search(surface_search *s, const double size[HALO_AXES])
{
    halo_world *world = s->image->world;
    bool has_layer = false;
    HALO_TRY(halo_agree(world, create(s, size)));
    HALO_TRY(fetch_layer(s, &has_layer));
    return halo_agree(world, add_planes(s, has_layer));
}

static void free_search(surface_search *s)
{
    label_by_number_free(&s->table);
    halo_memory_free(s->before);
    halo_memory_free(s->now);
}

/* Collective. */
static halo_status find(surface_search *s, const double size[HALO_AXES], label_surface **out,
                        int64_t *count)
{
    HALO_TRY(label_by_number_create(&s->table, s->image, sizeof(surface_sums)));
    HALO_TRY(search(s, size));
    HALO_TRY(label_by_number_share(&s->table, add_sums, NULL));
    *count = s->table.count;
    HALO_TRY(
        halo_agree(s->image->world, HALO_ALLOCATE_LARGE(*out, *count + 1, "surfaces of regions")));
    for (int64_t i = 0; i < *count; i++) {
        const surface_sums *sums = label_by_number_own(&s->table, i);
        (*out)[i] = (label_surface){.area = (double)sums->area * s->cells.area_unit,
                                    .volume = (double)sums->voxels -
                                              (double)sums->missing * s->cells.volume_unit};
    }
    return HALO_OK;
}

halo_status label_surfaces(const label_numbered *image, const double size[HALO_AXES],
                           label_surface **out, int64_t *count)
{
    surface_search s = {.image = image};
    *out = NULL;
    *count = 0;
    halo_status status = find(&s, size, out, count);
    free_search(&s);
    return status;
}

halo_status label_surface_of_all(const label_numbered *image, const double size[HALO_AXES],
                                 double *area)
{
    surface_search s = {.image = image, .all = true};
    halo_status status = search(&s, size);
    HALO_IF_OK(status, halo_allreduce_sum(image->world, &s.sums.area, 1));
    *area = (double)s.sums.area * s.cells.area_unit;
    free_search(&s);
    return status;
}

int64_t label_surface_bytes(void)
{
    return (int64_t)(sizeof(surface_sums) + sizeof(label_surface));
}
