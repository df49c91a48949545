#define _GNU_SOURCE /* realpath */
#include "base/names.h"
#include "core/file/file.h"
#include "io/contour/contours_internal.h"
#include "io/table/table.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static halo_status format_from_path(const char *path, halo_contours_format *format)
{
    static const char *const endings[] = {
#define FORMAT_ENTRY(code, ending, help) ending,
        HALO_CONTOURS_FORMAT_LIST(FORMAT_ENTRY)
#undef FORMAT_ENTRY
    };
    for (int i = 0; i < HALO_CONTOURS_FORMATS; i++) {
        if (halo_name_ends(path, endings[i])) {
            *format = (halo_contours_format)i;
            return HALO_OK;
        }
    }
    return halo_fail(HALO_ARGUMENT,
                     "cannot tell a format of contours from %s: end it in .csv, .json or .svg",
                     path);
}

/* ---- a table --------------------------------------------------------------------------------- */

enum { COLUMNS = 4 };

/* The first row is for points at pixels, whose coordinates are integers; the second for points
 * between them. */
static const halo_table_column columns[][COLUMNS] = {{{"contour", HALO_TABLE_INTEGER},
                                                      {"point", HALO_TABLE_INTEGER},
                                                      {"x", HALO_TABLE_INTEGER},
                                                      {"y", HALO_TABLE_INTEGER}},
                                                     {{"contour", HALO_TABLE_INTEGER},
                                                      {"point", HALO_TABLE_INTEGER},
                                                      {"x", HALO_TABLE_RATIO},
                                                      {"y", HALO_TABLE_RATIO}}};

typedef struct {
    const halo_contours_scene *scene;
    int64_t *contour; /* of the row that was asked for last */
} point_table;

static void point_row(const void *context, int64_t row, halo_table_value *values)
{
    const point_table *table = context;
    const halo_contours *contours = table->scene->contours;
    while (row < halo_contours_first(contours, *table->contour)) {
        --*table->contour;
    }
    while (row >= halo_contours_first(contours, *table->contour + 1)) {
        ++*table->contour;
    }
    const halo_contour_point *point = &table->scene->points[row];
    values[0] = (halo_table_value){*table->contour, 1};
    values[1] = (halo_table_value){row - halo_contours_first(contours, *table->contour), 1};
    int64_t unit = halo_contours_unit(table->scene);
    values[2] = (halo_table_value){point->x, unit};
    values[3] = (halo_table_value){point->y, unit};
}

static halo_status write_table(halo_world *world, const char *path,
                               const halo_contours_scene *scene)
{
    int64_t contour = 0;
    const point_table points = {.scene = scene, .contour = &contour};
    const halo_table table = {
        .columns = columns[halo_contours_unit(scene) > 1],
        .column_count = COLUMNS,
        .rows = halo_world_rank(world) == 0 ? halo_contours_point_count(scene->contours) : 0,
        .row = point_row,
        .context = &points};
    return halo_table_write(world, path, &table);
}

/* ---- text ------------------------------------------------------------------------------------ */

/* The absolute path of a file's folder, with a slash behind it. */
static int find_folder(const char *path, char folder[PATH_MAX])
{
    char given[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash + 1 - path) : 0;
    snprintf(given, sizeof given, "%.*s", (int)length, path);
    if (length >= PATH_MAX || realpath(length > 0 ? given : ".", folder) == NULL) {
        return 0;
    }
    size_t end = strlen(folder);
    if (end + 2 > PATH_MAX) {
        return 0;
    }
    memcpy(folder + end, "/", end > 1 ? 2 : 0); /* but not behind the root's */
    return 1;
}

/* The way to the file `target` from the folder of the file `from`. */
static halo_status find_link(halo_buffer *link, const char *target, const char *from)
{
    char whole[PATH_MAX], folder[PATH_MAX];
    if (realpath(target, whole) == NULL || !find_folder(from, folder)) {
        return halo_buffer_append(link, target, strlen(target) + 1);
    }
    size_t common = 0;
    for (size_t i = 0; whole[i] != '\0' && whole[i] == folder[i]; i++) {
        common = whole[i] == '/' ? i + 1 : common;
    }
    for (const char *up = strchr(folder + common, '/'); up != NULL; up = strchr(up + 1, '/')) {
        HALO_TRY(halo_buffer_append(link, "../", 3));
    }
    return halo_buffer_append(link, whole + common, strlen(whole + common) + 1);
}

static halo_status make_svg(const char *path, const halo_contours_scene *scene, halo_buffer *text)
{
    halo_buffer link = {0};
    halo_status status = scene->picture != NULL ? find_link(&link, scene->picture, path) : HALO_OK;
    if (status == HALO_OK) {
        status = halo_contours_svg(text, scene, (const char *)link.data);
    }
    halo_buffer_free(&link);
    return status;
}

static halo_status write_text(halo_world *world, const char *path, halo_contours_format format,
                              const halo_contours_scene *scene)
{
    halo_file *file;
    halo_buffer text = {0};
    halo_status status = halo_file_create(&file, world, path);
    if (status == HALO_OK) {
        if (halo_world_rank(world) == 0) {
            status = format == HALO_CONTOURS_SVG ? make_svg(path, scene, &text)
                                                 : halo_contours_json(&text, scene);
        }
        if (status == HALO_OK && text.size > 0) {
            status = halo_file_write(file, 0, text.data, text.size);
        }
        status = halo_file_commit(&file, status);
    }
    halo_buffer_free(&text);
    return status;
}

halo_status halo_contours_write(halo_world *world, const char *path,
                                const halo_contours_scene *scene)
{
    halo_contours_format format = HALO_CONTOURS_CSV;
    HALO_TRY(format_from_path(path, &format));
    return format == HALO_CONTOURS_CSV ? write_table(world, path, scene)
                                       : write_text(world, path, format, scene);
}
