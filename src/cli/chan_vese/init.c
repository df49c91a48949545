#include "app/image/image.h"
#include "app/options/values.h"
#include "base/standard.h"
#include "cli/chan_vese/job.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- as it is asked for ---------------------------------------------------------------------- */

halo_status chan_vese_parse_init(const char *text, void *into)
{
    chan_vese_init *init = into;
    *init = (chan_vese_init){0};
    if (app_behind_name(text, "checkerboard") != NULL || app_behind_name(text, "disk") != NULL) {
        return halo_chan_vese_parse_start(text, &init->start);
    }
    init->path = text;
    HALO_TRY(strcmp(text, "-") == 0 ? halo_standard_input_check() : HALO_OK);
    return app_is_file_name(text) ? HALO_OK : HALO_ARGUMENT;
}

/* ---- as it begins ---------------------------------------------------------------------------- */

static const chan_vese_options *options_of(const app_run *run)
{
    return run->options;
}

/* Samples of any type: what is not 0 is inside. */
static halo_status take_rows(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    const halo_view *cells = context;
    for (int64_t y = 0; y < rows; y++) {
        halo_chan_vese_binary(
            cells, first + y - cells->owned.lo[0],
            (const double *)(const void *)((const char *)data + y * (int64_t)pitch));
    }
    return HALO_OK;
}

halo_status chan_vese_fill(app_run *run)
{
    const chan_vese_init *init = &options_of(run)->init;
    halo_view cells = *halo_beat_view(run->beat, 0);
    if (init->path != NULL) {
        return app_image_read_beside(run, &(app_image_beside){.path = init->path,
                                                              .option = "init",
                                                              .of = "picture",
                                                              .whole = "chan-vese",
                                                              .cuts = halo_beat_cuts(run->beat),
                                                              .take = take_rows,
                                                              .context = &cells});
    }
    halo_chan_vese_fill(&cells, &init->start, run->domain.n);
    return HALO_OK;
}

void chan_vese_init_print(const app_run *run, char text[CHAN_VESE_INIT_TEXT])
{
    const chan_vese_init *init = &options_of(run)->init;
    const halo_chan_vese_start start = halo_chan_vese_complete(&init->start, run->domain.n);
    if (init->path != NULL) {
        snprintf(text, CHAN_VESE_INIT_TEXT, "%.180s", init->path);
    } else if (start.shape == HALO_CHAN_VESE_DISK) {
        snprintf(text, CHAN_VESE_INIT_TEXT, "disk:%g,%g,%g", start.column, start.row, start.radius);
    } else {
        snprintf(text, CHAN_VESE_INIT_TEXT, "checkerboard:%" PRId64, start.square);
    }
}
