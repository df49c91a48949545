#include "cli/polygons.h"

#include "app/image/image.h"
#include "base/names.h"
#include "core/file/file.h"
#include "core/world/collect.h"
#include "io/roi/roi.h"
#include "kernels/label/measure/polygons.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_archive(const char *path)
{
    return halo_name_ends(path, ".zip");
}

halo_status cli_polygons_check(const app_run *run, const char *path)
{
    const int64_t *n = run->domain.n;
    if (path == NULL) {
        return HALO_OK;
    }
    HALO_FAIL_IF(run->domain.axes == HALO_AXES, HALO_ARGUMENT,
                 "%s is a volume, and --polygons is for images of two axes; choose one of its "
                 "planes, as FILE:z=0",
                 run->image->path);
    return HALO_REQUIRE(!is_archive(path) || (n[0] <= HALO_ROI_MAX && n[1] <= HALO_ROI_MAX),
                        HALO_ARGUMENT,
                        "%s has %" PRId64 " x %" PRId64
                        " pixels, and ImageJ's regions of interest have coordinates up to %d; use "
                        "--polygons FILE.geojson",
                        run->image->path, n[1], n[0], HALO_ROI_MAX);
}

static const polygon_ring *rings_of(const label_polygons *polygons, int64_t *count)
{
    *count = (int64_t)(polygons->rings.size / sizeof(polygon_ring));
    return (const polygon_ring *)(const void *)polygons->rings.data;
}

static const polygon_point *points_of(const label_polygons *polygons, const polygon_ring *ring)
{
    return (const polygon_point *)(const void *)polygons->points.data + ring->first;
}

/* Appends text by printf's rules, of 256 bytes at most. */
static halo_status add(halo_buffer *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static halo_status add(halo_buffer *out, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return halo_buffer_append(out, text, (size_t)length);
}

/* ---- GeoJSON --------------------------------------------------------------------------------- */

/* From corners of pixels to places on the map of a GeoTIFF file, or to themselves. */
typedef struct {
    bool maps, mirrors;
    double step[2][2]; /* [axis of the image][axis of the map] */
    double corner[2];  /* of the first pixel */
} polygon_map;

/* The origin is the centre of the first pixel. */
static polygon_map map_of(const app_image *image)
{
    const halo_image_geometry *geometry = &image->info.geometry;
    polygon_map map = {.maps = image->info.geotiff.count > 0 && geometry->placed};
    for (int axis = 0; axis < 2; axis++) {
        for (int k = 0; k < 2; k++) {
            map.step[axis][k] = geometry->spacing[axis] * geometry->direction[axis][k];
        }
    }
    for (int k = 0; k < 2; k++) {
        map.corner[k] = geometry->origin[k] - (map.step[0][k] + map.step[1][k]) / 2;
    }
    map.mirrors = map.maps && map.step[0][0] * map.step[1][1] < map.step[0][1] * map.step[1][0];
    return map;
}

static halo_status add_point(halo_buffer *out, const polygon_map *map, const polygon_point *point)
{
    if (!map->maps) {
        return add(out, "[%" PRId64 ",%" PRId64 "]", point->x, point->y);
    }
    double place[2];
    for (int k = 0; k < 2; k++) {
        place[k] = map->corner[k] + (double)point->x * map->step[0][k] +
                   (double)point->y * map->step[1][k];
    }
    return add(out, "[%.15g,%.15g]", place[0], place[1]);
}

/* A ring ends with its first point. On a map with y up it goes the other way round, so that
 * outsides are counter-clockwise there, too. */
static halo_status add_ring(halo_buffer *out, const polygon_map *map,
                            const label_polygons *polygons, const polygon_ring *ring)
{
    const polygon_point *points = points_of(polygons, ring);
    HALO_TRY(add(out, "["));
    for (int64_t i = 0; i <= ring->count; i++) {
        int64_t at = (map->mirrors ? ring->count - i : i) % ring->count;
        HALO_TRY(add(out, "%s", i > 0 ? "," : ""));
        HALO_TRY(add_point(out, map, &points[at]));
    }
    return add(out, "]");
}

static halo_status add_geometry(halo_buffer *out, const polygon_map *map,
                                const label_polygons *polygons)
{
    int64_t count, pieces = 0;
    const polygon_ring *rings = rings_of(polygons, &count);
    for (int64_t i = 0; i < count; i++) {
        pieces += !rings[i].hole;
    }
    bool several = pieces > 1;
    HALO_TRY(add(out, "{\"type\": \"%s\", \"coordinates\": %s",
                 several ? "MultiPolygon" : "Polygon", several ? "[" : ""));
    for (int64_t i = 0; i < count; i++) {
        const char *before = i == 0 ? "[" : rings[i].hole ? "," : "],[";
        HALO_TRY(add(out, "%s", before));
        HALO_TRY(add_ring(out, map, polygons, &rings[i]));
    }
    return add(out, "]%s}", several ? "]" : "");
}

/* The columns of a row as an object. */
static halo_status add_properties(halo_buffer *out, const halo_table *table, int64_t row)
{
    size_t before = out->size;
    HALO_TRY(halo_table_append(out, table, HALO_TABLE_JSON, row, 1, true));
    size_t length = out->size - before - 1; /* without the end of a line before it */
    memmove(out->data + before, out->data + before + 1, length);
    out->size--;
    return HALO_OK;
}

static int64_t label_of(const halo_table *table, int64_t row)
{
    halo_table_value values[HALO_TABLE_COLUMNS];
    table->row(table->context, row, values);
    return values[0].numerator;
}

/* Local. The features of this rank; commas stand between them. */
static halo_status add_features(halo_buffer *out, const polygon_map *map, label_polygons *polygons,
                                const halo_table *table, bool opening)
{
    bool is_unsigned = table->columns[0].kind == HALO_TABLE_UNSIGNED;
    for (int64_t i = 0; i < table->rows; i++) {
        int64_t label = label_of(table, i);
        HALO_TRY(label_polygons_trace(polygons, i));
        HALO_TRY(add(out, "%s", opening && i == 0 ? "\n" : ",\n"));
        HALO_TRY(is_unsigned ? add(out, "{\"type\": \"Feature\", \"id\": %" PRIu64, (uint64_t)label)
                             : add(out, "{\"type\": \"Feature\", \"id\": %" PRId64, label));
        HALO_TRY(add(out, ", \"properties\": "));
        HALO_TRY(add_properties(out, table, i));
        HALO_TRY(add(out, ", \"geometry\": "));
        HALO_TRY(add_geometry(out, map, polygons));
        HALO_TRY(add(out, "}"));
    }
    return HALO_OK;
}

/* Collective. Sets *at to the bytes that lower ranks have, and *all to those of all. */
static halo_status place(halo_world *world, int64_t bytes, int64_t *at, int64_t *all)
{
    *at = *all = bytes;
    HALO_TRY(halo_exscan(world, at, 1));
    return halo_allreduce_sum(world, all, 1);
}

/* Collective. */
static halo_status write_features(halo_world *world, halo_file *file, const halo_buffer *text)
{
    static const char head[] = "{\"type\": \"FeatureCollection\", \"features\": [";
    static const char tail[] = "\n]}\n";
    const int64_t begin = sizeof head - 1;
    int64_t at, all;
    HALO_TRY(place(world, (int64_t)text->size, &at, &all));
    halo_status status = halo_file_write(file, begin + at, text->data, text->size);
    if (halo_world_rank(world) == 0) {
        HALO_IF_OK(status, halo_file_write(file, 0, head, sizeof head - 1));
        HALO_IF_OK(status, halo_file_write(file, begin + all, tail, sizeof tail - 1));
    }
    return status;
}

static halo_status write_geojson(const app_run *run, const char *path, label_polygons *polygons,
                                 const halo_table *table)
{
    halo_world *world = run->world;
    const polygon_map map = map_of(run->image);
    halo_buffer text = {0};
    halo_file *file = NULL;
    int64_t before = table->rows;
    halo_status status = halo_agree(world, halo_exscan(world, &before, 1));
    HALO_IF_OK(status, halo_agree(world, add_features(&text, &map, polygons, table, before == 0)));
    HALO_IF_OK(status, halo_file_create(&file, world, path));
    if (status == HALO_OK) {
        status = halo_file_commit(&file, write_features(world, file, &text));
    }
    halo_buffer_free(&text);
    return status;
}

/* ---- regions of interest --------------------------------------------------------------------- */

/* A rank has this of an archive. */
typedef struct {
    halo_buffer files, list; /* with entries whose places begin with this rank's own files */
    halo_buffer entries;     /* of halo_zip_entry */
    halo_buffer one, rings;  /* of the region at hand */
} archive;

static halo_status add_roi(archive *a, const label_polygons *polygons)
{
    int64_t count;
    const polygon_ring *rings = rings_of(polygons, &count);
    a->rings.size = a->one.size = 0;
    for (int64_t i = 0; i < count; i++) {
        const halo_roi_ring ring = {&points_of(polygons, &rings[i])->x, rings[i].count};
        HALO_TRY(halo_buffer_append(&a->rings, &ring, sizeof ring));
    }
    return halo_roi_append(&a->one, (const halo_roi_ring *)(const void *)a->rings.data, count);
}

static halo_status add_rois(archive *a, label_polygons *polygons, const halo_table *table)
{
    for (int64_t i = 0; i < table->rows; i++) {
        char name[HALO_ZIP_NAME];
        halo_zip_entry entry;
        snprintf(name, sizeof name, "%06" PRIu64 ".roi", (uint64_t)label_of(table, i));
        HALO_TRY(label_polygons_trace(polygons, i));
        HALO_TRY(add_roi(a, polygons));
        HALO_TRY(halo_zip_append(&a->files, 0, name, &a->one, &entry));
        HALO_TRY(halo_buffer_append(&a->entries, &entry, sizeof entry));
    }
    return HALO_OK;
}

/* Local. Makes the list of files, whose first one is at `at`. */
static halo_status add_list(archive *a, int64_t at)
{
    const halo_zip_entry *entries = (const halo_zip_entry *)(const void *)a->entries.data;
    int64_t count = (int64_t)(a->entries.size / sizeof *entries);
    for (int64_t i = 0; i < count; i++) {
        halo_zip_entry entry = entries[i];
        entry.at += (uint32_t)at;
        HALO_TRY(halo_zip_append_entry(&a->list, &entry));
    }
    return HALO_OK;
}

/* Collective. Files, and behind them the list of all. */
static halo_status write_archive(halo_world *world, halo_file *file, archive *a, int64_t regions)
{
    int64_t at, all, list_at, list_all;
    halo_buffer end = {0};
    HALO_TRY(place(world, (int64_t)a->files.size, &at, &all));
    HALO_FAIL_IF(all > INT32_MAX, HALO_ARGUMENT,
                 "regions of interest of %" PRId64
                 " bytes do not fit in an archive; use --polygons FILE.geojson",
                 all);
    HALO_TRY(halo_agree(world, add_list(a, at)));
    HALO_TRY(place(world, (int64_t)a->list.size, &list_at, &list_all));
    halo_status status = halo_file_write(file, at, a->files.data, a->files.size);
    HALO_IF_OK(status, halo_file_write(file, all + list_at, a->list.data, a->list.size));
    if (halo_world_rank(world) == 0) {
        HALO_IF_OK(status, halo_zip_append_end(&end, regions, all, list_all));
        HALO_IF_OK(status, halo_file_write(file, all + list_all, end.data, end.size));
    }
    halo_buffer_free(&end);
    return status;
}

static halo_status write_rois(const app_run *run, const char *path, label_polygons *polygons,
                              const halo_table *table)
{
    halo_world *world = run->world;
    archive a = {.files = {0}};
    halo_file *file = NULL;
    int64_t regions = table->rows;
    HALO_TRY(halo_agree(world, halo_allreduce_sum(world, &regions, 1)));
    HALO_FAIL_IF(regions > HALO_ZIP_FILES, HALO_ARGUMENT,
                 "%" PRId64
                 " regions are more than the %d files of an archive; use --polygons FILE.geojson",
                 regions, HALO_ZIP_FILES);
    halo_status status = halo_agree(world, add_rois(&a, polygons, table));
    HALO_IF_OK(status, halo_file_create(&file, world, path));
    if (status == HALO_OK) {
        status = halo_file_commit(&file, write_archive(world, file, &a, regions));
    }
    halo_buffer *buffers[] = {&a.files, &a.list, &a.entries, &a.one, &a.rings};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        halo_buffer_free(buffers[i]);
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------- */

halo_status cli_polygons_write(app_run *run, const char *path, const halo_table *table,
                               const label_numbered *image)
{
    label_polygons polygons;
    halo_status status = label_polygons_create(&polygons, image);
    if (status == HALO_OK) {
        status = (is_archive(path) ? write_rois : write_geojson)(run, path, &polygons, table);
    }
    label_polygons_free(&polygons);
    return status;
}
