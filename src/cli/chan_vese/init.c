#include "app/image/image.h"
#include "app/options/values.h"
#include "base/standard.h"
#include "cli/chan_vese/job.h"
#include "kernels/chan_vese/level_set.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- as it is asked for ---------------------------------------------------------------------- */

static const double FARTHEST = 1e9; /* pixels, of a disk's centre and edge */

/* "X,Y,R" */
static bool scan_disk(const char *text, chan_vese_init *into)
{
    into->placed = true;
    return halo_scan_number(&text, -FARTHEST, FARTHEST, &into->column) && *text++ == ',' &&
           halo_scan_number(&text, -FARTHEST, FARTHEST, &into->row) && *text++ == ',' &&
           halo_scan_number(&text, 0, FARTHEST, &into->radius) && *text == '\0' && into->radius > 0;
}

static halo_status scan_init(const char *text, chan_vese_init *into)
{
    const char *square = app_behind_name(text, "checkerboard");
    const char *disk = app_behind_name(text, "disk");
    bool sized = strchr(text, ':') != NULL;
    if (square != NULL) {
        into->kind = CHAN_VESE_CHECKERBOARD;
        into->square = 5; /* scikit-image's */
        bool good =
            !sized || (halo_scan_integer(&square, 1, INT32_MAX, &into->square) && *square == '\0');
        return good ? HALO_OK : HALO_ARGUMENT;
    }
    if (disk != NULL) {
        into->kind = CHAN_VESE_DISK;
        return !sized || scan_disk(disk, into) ? HALO_OK : HALO_ARGUMENT;
    }
    into->kind = CHAN_VESE_FILE;
    into->path = text;
    HALO_TRY(strcmp(text, "-") == 0 ? halo_standard_input_check() : HALO_OK);
    return app_is_file_name(text) ? HALO_OK : HALO_ARGUMENT;
}

halo_status chan_vese_parse_init(const char *text, void *into)
{
    chan_vese_init *init = into;
    *init = (chan_vese_init){0};
    return scan_init(text, init);
}

/* ---- as it begins ---------------------------------------------------------------------------- */

static const chan_vese_options *options_of(const app_run *run)
{
    return run->options;
}

/* The disk; by default scikit-image's. */
static chan_vese_init disk_of(const app_run *run)
{
    const int64_t *n = run->domain.n;
    chan_vese_init disk = options_of(run)->init;
    if (!disk.placed) {
        int64_t shorter = n[0] < n[1] ? n[0] : n[1];
        disk.row = (double)(n[0] / 2);
        disk.column = (double)(n[1] / 2);
        disk.radius = (double)shorter * 3.0 / 8.0;
    }
    return disk;
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
    if (init->kind == CHAN_VESE_FILE) {
        return app_image_read_beside(run, &(app_image_beside){.path = init->path,
                                                              .option = "init",
                                                              .of = "picture",
                                                              .whole = "chan-vese",
                                                              .cuts = halo_beat_cuts(run->beat),
                                                              .take = take_rows,
                                                              .context = &cells});
    }
    if (init->kind == CHAN_VESE_DISK) {
        chan_vese_init disk = disk_of(run);
        halo_chan_vese_disk(&cells, disk.row, disk.column, disk.radius);
    } else {
        halo_chan_vese_checkerboard(&cells, init->square);
    }
    return HALO_OK;
}

void chan_vese_init_print(const app_run *run, char text[CHAN_VESE_INIT_TEXT])
{
    const chan_vese_init *init = &options_of(run)->init;
    chan_vese_init disk;
    switch (init->kind) {
    case CHAN_VESE_FILE:
        snprintf(text, CHAN_VESE_INIT_TEXT, "%.180s", init->path);
        break;
    case CHAN_VESE_DISK:
        disk = disk_of(run);
        snprintf(text, CHAN_VESE_INIT_TEXT, "disk:%g,%g,%g", disk.column, disk.row, disk.radius);
        break;
    default:
        snprintf(text, CHAN_VESE_INIT_TEXT, "checkerboard:%" PRId64, init->square);
    }
}
