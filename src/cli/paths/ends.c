#include "app/report/facts.h"
#include "cli/paths/job.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Sources and targets of rasters and graphs. */

/* Turns planes, rows and columns into rows, numbered through all planes, and columns. */
static void number_rows(int64_t *places, int64_t count, int64_t plane_rows)
{
    for (int64_t i = 0; i < count; i++) {
        const int64_t *from = places + HALO_AXES * i;
        int64_t row = from[0] * plane_rows + from[1], column = from[2];
        places[2 * i] = row;
        places[2 * i + 1] = column;
    }
}

halo_status paths_ends_open(app_run *run)
{
    const paths_options *options = run->options;
    paths_ends *ends = run->job;
    const char *from = options->from.odd[run->domain.axes], *to = options->to.odd[run->domain.axes];
    ends->axes = run->domain.axes < 2 ? 1 : 2;
    if (run->domain.axes > 1 && (from != NULL || to != NULL)) {
        return paths_refuse_place(from != NULL ? "--from" : "--to", from != NULL ? from : to);
    }
    if (!paths_is_mask(&options->from)) {
        HALO_TRY(halo_places_read(run->world, &options->from, &run->domain, "source",
                                  &ends->sources, &ends->source_count));
    }
    HALO_TRY(halo_places_read(run->world, &options->to, &run->domain, "target", &ends->targets,
                              &ends->target_count));
    if (run->domain.axes == HALO_AXES) {
        ends->plane_rows = run->domain.n[1];
        number_rows(ends->sources, ends->source_count, ends->plane_rows);
        number_rows(ends->targets, ends->target_count, ends->plane_rows);
    }
    return HALO_OK;
}

void paths_print_place(const paths_ends *ends, const int64_t *place, char text[PATHS_PLACE_TEXT])
{
    if (ends->axes == 1) {
        snprintf(text, PATHS_PLACE_TEXT, "%" PRId64, place[0] + 1);
    } else if (ends->plane_rows == 0) {
        snprintf(text, PATHS_PLACE_TEXT, "%" PRId64 ",%" PRId64, place[1], place[0]);
    } else {
        snprintf(text, PATHS_PLACE_TEXT, "%" PRId64 ",%" PRId64 ",%" PRId64, place[1],
                 place[0] % ends->plane_rows, place[0] / ends->plane_rows);
    }
}

void paths_ends_free(paths_ends *ends)
{
    free(ends->sources);
    free(ends->targets);
    free(ends->distances);
}

halo_status paths_ends_verdict(app_run *run)
{
    const paths_ends *ends = run->job;
    const int64_t *first = NULL;
    int64_t lost = 0;
    char name[PATHS_PLACE_TEXT];
    for (int64_t i = ends->target_count - 1; ends->distances != NULL && i >= 0; i--) {
        if (isinf(ends->distances[i])) {
            first = ends->targets + i * ends->axes;
            lost++;
        }
    }
    if (first == NULL) {
        return HALO_OK;
    }
    bool graph = ends->axes == 1;
    paths_print_place(ends, first, name);
    return halo_fail(HALO_FORMAT,
                     "no path leads to the %s %s (%" PRId64 " of %" PRId64 " targets are "
                     "unreachable): %s in the way",
                     graph ? "vertex" : "target", name, lost, ends->target_count,
                     graph ? "there are no arcs, or --max-distance is"
                           : "barriers or --max-distance are");
}

static json_t *target_json(const paths_ends *ends, const int64_t *place)
{
    int64_t rows = ends->plane_rows;
    return ends->axes == 1 ? json_pack("{s:I}", "vertex", (json_int_t)place[0] + 1)
           : rows == 0
               ? json_pack("{s:I, s:I}", "x", (json_int_t)place[1], "y", (json_int_t)place[0])
               : json_pack("{s:I, s:I, s:I}", "x", (json_int_t)place[1], "y",
                           (json_int_t)(place[0] % rows), "z", (json_int_t)(place[0] / rows));
}

json_t *paths_ends_json(const paths_ends *ends)
{
    enum { MAX_TARGETS = 1000 };
    if (ends->distances != NULL && ends->target_count > MAX_TARGETS) {
        return json_null();
    }
    json_t *list = json_array();
    for (int64_t i = 0; ends->distances != NULL && i < ends->target_count; i++) {
        const int64_t *place = ends->targets + i * ends->axes;
        json_t *target = target_json(ends, place);
        json_object_set_new(target, "distance", app_fact_real(ends->distances[i], true));
        json_array_append_new(list, target);
    }
    return list;
}
