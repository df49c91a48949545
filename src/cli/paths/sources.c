#include "app/image/image.h"
#include "cli/paths/job.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <math.h>

/* The sources of a raster: places, or pixels of a picture. */

/* ---- a picture of sources -------------------------------------------------------------------- */

typedef struct {
    const char *path;
    int64_t width;
    paths_source_take *take;
    void *context;
} mask_visit;

/* NaN stands for samples that are missing. */
static halo_status take_mask(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    const mask_visit *visit = context;
    int64_t width = visit->width;
    for (int64_t y = 0; y < rows; y++) {
        const double *samples = (const void *)((const char *)data + (size_t)y * pitch);
        for (int64_t x = 0; x < width; x++) {
            HALO_FAIL_IF(samples[x] > INT32_MAX, HALO_FORMAT,
                         "--from %s: the number of a source is %.17g, in row %" PRId64
                         ", column %" PRId64 " (from 0); the largest one is %d",
                         visit->path, samples[x], first + y, x, INT32_MAX);
            if (samples[x] > 0) {
                visit->take(visit->context, first + y, x, (int64_t)ceil(samples[x]));
            }
        }
    }
    return HALO_OK;
}

halo_status paths_visit_sources(app_run *run, paths_source_take *take, void *context)
{
    const paths_options *options = run->options;
    const paths_job *job = run->job;
    const int64_t *mine = run->cuts + halo_world_rank(run->world);
    for (int64_t i = 0; i < job->ends.source_count; i++) {
        const halo_paths_place *place = &paths_places_of(job->ends.sources)[i];
        if (place->row >= mine[0] && place->row < mine[1]) {
            take(context, place->row, place->column, i + 1);
        }
    }
    const int64_t width = run->domain.n[run->domain.axes - 1];
    mask_visit visit = {options->from.path, width, take, context};
    return paths_is_mask(&options->from)
               ? app_image_read_beside(run, &(app_image_beside){.path = options->from.path,
                                                                .option = "from",
                                                                .of = "costs",
                                                                .cuts = job->strips.cuts[0],
                                                                .take = take_mask,
                                                                .context = &visit})
               : HALO_OK;
}

/* ---- the first distances --------------------------------------------------------------------- */

typedef struct {
    const app_run *run;
    int64_t count, blocked; /* on barriers */
    int64_t first[2];       /* of those: its row and column */
} starting;

static void start_at(void *context, int64_t row, int64_t column, int64_t number)
{
    starting *s = context;
    halo_paths_cell *cell = paths_row(s->run, row) + column;
    (void)number;
    if (isinf(cell->cost)) {
        if (s->blocked++ == 0) {
            s->first[0] = row;
            s->first[1] = column;
        }
        return;
    }
    s->count += !signbit(cell->distance);
    cell->distance = -0.0;
}

/* Pixels of a picture may lie on barriers, if there are others. */
halo_status paths_fill_sources(app_run *run)
{
    starting s = {.run = run};
    char first[PATHS_PLACE_TEXT];
    HALO_TRY(paths_visit_sources(run, start_at, &s));
    bool wrong = s.blocked > 0 && !paths_is_mask(&((const paths_options *)run->options)->from);
    paths_print_place(run->job, s.first, first);
    HALO_TRY(halo_agree(run->world,
                        HALO_REQUIRE(!wrong, HALO_ARGUMENT,
                                     "the source %s is on a barrier; use one beside it", first)));
    HALO_TRY(halo_allreduce_sum(run->world, &s.count, 1));
    return HALO_REQUIRE(
        s.count > 0, HALO_ARGUMENT,
        "there is no source: no pixel of the picture of sources is more than 0 and on no barrier");
}
