#ifndef HALOBEAT_CLI_OUTLINE_H
#define HALOBEAT_CLI_OUTLINE_H

#include "app/image/image.h"
#include "app/run.h"
#include "kernels/label/measure/numbered.h"

/* The edges of regions drawn over a picture: --outline. */

/* Zero-initialise it. */
typedef struct {
    app_image picture;
    halo_field *field; /* of its rows, in colours or greys */
    uint64_t *edges;   /* bits of this rank's rows (kernels/label/measure/outlines.h) */
    int64_t first_row, words;
} cli_outline;

/* Local. HALO_ARGUMENT if the picture that is read once more for its outline can be read once only.
 */
halo_status cli_outline_check(const app_image *picture);

/* Collective. Reads the file of `picture` once more, in its colours, or as greys over the range of
 * its samples, and finds the edges of the image's regions, which has the same rows. run->cuts are
 * those of image->cuts. Errors of app_image_open, app_image_read and label_outlines. Call
 * cli_outline_free in any case. */
halo_status cli_outline_create(cli_outline *outline, app_run *run, const app_image *picture,
                               const label_numbered *image);

/* Local. Writes rows of this rank, red, green and blue of each pixel. */
void cli_outline_rows(const cli_outline *outline, int64_t first, int64_t rows, void *out,
                      size_t pitch);

/* Local. Accepts a zeroed outline. */
void cli_outline_free(cli_outline *outline);

#endif
