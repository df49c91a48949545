#include "cli/snake/checkpoint.h"

#include "cli/snake/init.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char kernel_name[] = "snake";

enum { LEAST_POINTS = 3 };

/* A row of the file. */
typedef struct {
    halo_contour_point now, begun;
    int32_t contour;
} record;

/* Rank 0 has all rows: [ranks + 1], for the caller to free; NULL for want of memory. */
static int64_t *make_cuts(const halo_world *world, int64_t points)
{
    int ranks = halo_world_ranks(world);
    int64_t *cuts = malloc(((size_t)ranks + 1) * sizeof *cuts);
    for (int r = 0; cuts != NULL && r <= ranks; r++) {
        cuts[r] = r > 0 ? points : 0;
    }
    return cuts;
}

/* ---- writing ------------------------------------------------------------------------------------
 */

typedef struct {
    const halo_contours *contours;
    const halo_contour_point *places;
    int64_t contour; /* of the row that was asked for last */
} writing;

static halo_status fill_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    writing *w = context;
    for (int64_t i = 0; i < rows; i++) {
        while (first + i >= halo_contours_first(w->contours, w->contour + 1)) {
            w->contour++;
        }
        record row = {.now = w->places[first + i],
                      .begun = halo_contours_points(w->contours)[first + i],
                      .contour = (int32_t)w->contour};
        memcpy((char *)out + (size_t)i * pitch, &row, sizeof row);
    }
    return HALO_OK;
}

json_t *snake_checkpoint_parameters(const app_options *given)
{
    json_t *json = json_object();
    if (json != NULL && !app_options_save(given, json)) {
        json_decref(json);
        json = NULL;
    }
    return json;
}

static char *make_text(const snake_saved *what, const app_options *given)
{
    json_t *json = json_pack("{s:O?, s:o, s:b, s:I, s:f}", "picture", what->picture, "parameters",
                             snake_checkpoint_parameters(given), "settled", (int)what->settled,
                             "moved", (json_int_t)what->moved, "distance_pixels", what->distance);
    char *text = json != NULL ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    return text;
}

halo_status snake_checkpoint_write(halo_world *world, const char *path, const app_options *given,
                                   const snake_saved *what, const halo_contours *contours,
                                   const halo_contour_point *places)
{
    writing w = {.contours = contours, .places = places};
    int64_t points = halo_contours_point_count(contours);
    int64_t *cuts = make_cuts(world, points);
    char *text = make_text(what, given);
    halo_status status = cuts != NULL && text != NULL
                             ? HALO_OK
                             : halo_fail(HALO_MEMORY, "out of memory: a checkpoint");
    HALO_TRY_OR(done, halo_agree(world, status));
    halo_checkpoint checkpoint = {.kernel = kernel_name,
                                  .options = text,
                                  .beat = what->beat,
                                  .rows = points,
                                  .row_bytes = sizeof(record)};
    halo_rows rows = {.fill = fill_rows, .context = &w};
    status = halo_checkpoint_write(world, path, &checkpoint, cuts, &rows);
done:
    free(text);
    free(cuts);
    return status;
}

/* ---- reading ------------------------------------------------------------------------------------
 */

static bool parse_text(const json_t *json, const halo_checkpoint *info, snake_saved *what)
{
    what->picture = json_incref(json_object_get(json, "picture"));
    what->beat = info->beat;
    what->moved = json_integer_value(json_object_get(json, "moved"));
    what->distance = json_number_value(json_object_get(json, "distance_pixels"));
    what->settled = json_is_true(json_object_get(json, "settled"));
    return info->row_bytes == sizeof(record);
}

static halo_status fail_parts(const char *path)
{
    return halo_fail(HALO_FORMAT,
                     "\"%s\" is a checkpoint whose parts contradict each other, or of another "
                     "version of `halobeat snake`",
                     path);
}

static halo_status read_text(const char *path, const halo_checkpoint *info, app_options *given,
                             snake_saved *what)
{
    if (strcmp(info->kernel, kernel_name) != 0) {
        return halo_fail(HALO_FORMAT,
                         "\"%s\" is a checkpoint of `halobeat %s`, not of `halobeat snake`", path,
                         info->kernel);
    }
    what->json = json_loads(info->options, 0, NULL);
    return what->json != NULL && parse_text(what->json, info, what)
               ? app_options_restore(given, json_object_get(what->json, "parameters"), path)
               : fail_parts(path);
}

typedef struct {
    const char *path;
    int64_t width, height; /* of the picture */
    halo_contours *contours;
    halo_contour_point *places;
} reading;

static bool is_inside(const reading *r, const halo_contour_point *place)
{
    return place->x >= 0 && place->x < r->width && place->y >= 0 && place->y < r->height;
}

static halo_status take_rows(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    reading *r = context;
    for (int64_t i = 0; i < rows; i++) {
        record row;
        memcpy(&row, (const char *)data + (size_t)i * pitch, sizeof row);
        int64_t contours = halo_contours_count(r->contours);
        if (!is_inside(r, &row.now) || !is_inside(r, &row.begun) || row.contour > contours ||
            row.contour < contours - 1) {
            return fail_parts(r->path);
        }
        if (row.contour == contours) {
            HALO_TRY(halo_contours_begin(r->contours));
        }
        HALO_TRY(halo_contours_add(r->contours, row.begun.x, row.begun.y));
        r->places[first + i] = row.now;
    }
    return HALO_OK;
}

static halo_status check_contours(const reading *r)
{
    for (int64_t c = 0; c < halo_contours_count(r->contours); c++) {
        if (halo_contours_first(r->contours, c + 1) - halo_contours_first(r->contours, c) <
            LEAST_POINTS) {
            return fail_parts(r->path);
        }
    }
    return halo_contours_count(r->contours) > 0 ? HALO_OK : fail_parts(r->path);
}

static halo_status read_rows(halo_world *world, halo_checkpoint_reader *reader, reading *r)
{
    void *places = NULL;
    int64_t points = halo_checkpoint_info(reader)->rows;
    int64_t *cuts = make_cuts(world, points);
    halo_status status = cuts != NULL
                             ? halo_memory_create(&places, (size_t)points * sizeof *r->places + 1,
                                                  "the points of contours")
                             : halo_fail(HALO_MEMORY, "out of memory: a checkpoint");
    r->places = places;
    HALO_TRY_OR(done, halo_agree(world, status));
    HALO_TRY_OR(done, halo_checkpoint_read(reader, cuts, take_rows, r));
    status = halo_world_rank(world) == 0 ? check_contours(r) : HALO_OK;
    HALO_TRY_OR(done, halo_contours_share(world, r->contours, status));
    status = halo_bcast(world, r->places, (size_t)points * sizeof *r->places, 0);
done:
    free(cuts);
    return status;
}

halo_status snake_checkpoint_read(halo_world *world, const char *path, app_options *given,
                                  snake_saved *what, halo_contours *contours,
                                  halo_contour_point **places)
{
    halo_checkpoint_reader *reader = NULL;
    *what = (snake_saved){0};
    *places = NULL;
    HALO_TRY(halo_checkpoint_open(&reader, world, path));
    reading r = {.path = path, .contours = contours};
    halo_status status =
        halo_agree(world, read_text(path, halo_checkpoint_info(reader), given, what));
    if (status == HALO_OK) {
        r.width = json_integer_value(json_object_get(what->picture, "width"));
        r.height = json_integer_value(json_object_get(what->picture, "height"));
        status = read_rows(world, reader, &r);
    }
    halo_checkpoint_close(&reader);
    *places = r.places;
    return status;
}

void snake_saved_free(snake_saved *what)
{
    json_decref(what->picture);
    json_decref(what->json);
    what->picture = what->json = NULL;
}
