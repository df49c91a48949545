#ifndef HALOBEAT_APP_IMAGE_PULL_H
#define HALOBEAT_APP_IMAGE_PULL_H

#include "app/image/image.h"

/* Rows of an image as they are asked for, so that the image is never in memory as a whole. Each
 * rank reads those that it asks for from the file. */
typedef struct app_image_pull {
    app_image *image;
    halo_clock *clock;
    int64_t lo, hi;     /* rows of this rank's strip, numbered through all planes */
    int64_t begin, end; /* those that it asks for */
    int64_t missing;    /* samples of the strip that are missing */
    char *band;         /* some rows of the file, */
    size_t row_bytes;
    int64_t room, first, count; /* and which they are */
    int readings;               /* of the file, from the first row on */
} app_image_pull;

/* Collective, before anything was read. True on all ranks if they can ask for any row of the file,
 * in any order; otherwise a single rank can ask for all rows in order. Opens the file on all ranks.
 */
halo_status app_image_pull_any(app_image *image, bool *any);

/* Collective. Begins to read, for a rank with rows `lo` to `hi - 1`, which asks for rows `begin` to
 * `end - 1` and no others. Zero-initialise `pull`, and call app_image_pull_free in any case.
 * HALO_MEMORY. */
halo_status app_image_pull_begin(app_image_pull *pull, app_image *image, const int64_t strip[2],
                                 const int64_t asks[2], halo_clock *clock);

/* Collective. Begins once more with the first row, or anywhere. HALO_FILE if the file has changed;
 * errors of halo_image_reader_open. `pull` is an app_image_pull. */
halo_status app_image_pull_again(void *pull);

/* Local. Row `y` of plane `z`, as bytes of halo_image_row_bytes. `pull` is an app_image_pull.
 * HALO_FORMAT, also for what the file system says: it is not the result that cannot be written. */
halo_status app_image_pull_row(void *pull, int64_t z, int64_t y, void *out);

/* Local, once this rank has asked for all rows. HALO_FORMAT if some of its strip are missing, which
 * app_image_pull_end says for all ranks. */
halo_status app_image_pull_check(const app_image_pull *pull);

/* Collective, at the end, whatever the status: closes the file. Returns `status`, unless pixels are
 * missing, which `what` needs (app_image_check_missing). */
halo_status app_image_pull_end(app_image_pull *pull, halo_status status, const char *what);

/* Local. Accepts zeroes. */
void app_image_pull_free(app_image_pull *pull);

#endif
