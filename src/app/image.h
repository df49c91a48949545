#ifndef HALOBEAT_APP_IMAGE_H
#define HALOBEAT_APP_IMAGE_H

#include "app/progress.h"
#include "core/field/field.h"
#include "core/move/scatter_gather.h"
#include "core/world/clock.h"
#include "core/world/world.h"
#include "io/canvas/canvas.h"
#include "io/image/image_reader.h"
#include "partition/cuts.h"

#include <jansson.h>

/* A picture, or a volume, from its file to strips of rows or planes. Where the format allows it and
 * all ranks see the same file, each reads what is its own; otherwise rank 0 reads the file, once.
 */

/* Zero-initialisable. */
typedef struct {
    halo_image_raw raw; /* of a file without a header */
    const char *const
        *slices; /* [slice_count] as in halo_image_options; they outlive the picture */
    int64_t slice_count;
    bool native; /* cells as the reader hands them out: of one bit, or with values to 3 or 15. The
                  * default is 8 bits with values from 0 to 255, or 16 bits */
    bool wide;   /* and native ones of the file's own type where that is no unsigned one of 8 or 16
                  * bits: info.type, one a pixel */
    bool colour; /* cells are a pixel's red, green and blue, of 8 or 16 bits each */
    bool digest; /* find the picture's */
    bool again;  /* its colours, if it has any, are to be read later (app_background) */
    bool periodic[HALO_AXES]; /* opposite edges are neighbours along planes, rows, columns */
    bool arrays;  /* NumPy arrays, and samples that are no greys of 1 to 16 bits, are cells of
                   * double precision, of any value; `maximum` is that of a picture of them, 255 */
    bool samples; /* cells are of the file's own type, one a pixel (info.type) */
    bool reals;   /* cells are doubles, of samples of any type, one a pixel */
    bool lines;   /* arrays of one axis are taken */
    halo_image_ground ground; /* what transparent pixels are laid over; zero: black */
    bool count_clear;         /* count them in clear_pixels */
    bool volumes;             /* three axes are taken, too, */
    bool narrow; /* and also if the last one has 3 or 4 samples, which otherwise are colours */
} app_image_options;

typedef struct {
    halo_world *world;
    const char *path;
    app_image_options options;
    halo_image_info info; /* the same on all ranks */
    double share;         /* of its samples' bytes that the file has: how well they compress */
    halo_domain domain;   /* of two axes, or three */
    int cell_bits;        /* of the rows: 8 or 16; native ones 1 as well; of colour 24 or 48; of
                           * arrays 64 */
    int64_t maximum;      /* the upper end of the cells' values */
    uint64_t digest;      /* of the file's rows in order, once they are read: it differs for another
                           * picture, but stops no forgery */
    int64_t clear_pixels; /* that are transparent, of those that this rank's reader has read */
    /* While it reads: rank 0's, or of random access every rank's. */
    halo_image_reader *reader;
    int64_t rows_read, rows_wanted;
    progress *progress;
    halo_rows_sink *watch;
    void *context;
} app_image;

/* Collective. Open the file `path`, which must outlive the picture, and learn what it is. Errors as
 * halo_image_reader_open, on all ranks, and HALO_FORMAT for a volume that is not asked for.
 * app_image_close in any case. */
halo_status app_image_open(app_image *image, halo_world *world, const char *path,
                           const app_image_options *options);

/* Collective. Open the file of `first` once more, for its colours: cells are a pixel's red, green
 * and blue. HALO_FORMAT if it has become a picture of another size; otherwise as above. */
halo_status app_image_open_colours(app_image *image, const app_image *first);

/* Collective. Read all rows: those of each rank's strip, by `cuts` ([ranks + 1], of rows, or of
 * planes where there are three axes), fill the owned rows of `into`, a field of as many axes with
 * cells of `cell_bits`. `watch`, which may be NULL, is called with local rows (planes) that have
 * come, in order. The file is closed. HALO_FILE, HALO_FORMAT, HALO_MEMORY,
 * HALO_MPI. */
halo_status app_image_read(app_image *image, const int64_t *cuts, const halo_view *into,
                           progress *shown, halo_rows_sink *watch, void *context,
                           halo_clock *clock);

/* Collective. The same for who does not keep the image: this rank's rows come a few at a time, in
 * order, to `take`, with their numbers in the raster (planes' rows counted through). The file is
 * closed; an ordinary one (info.file_bytes is not negative) may be read again, as long as it does
 * not change: HALO_FILE then. Digests are not made. Errors also those of `take`. */
halo_status app_image_stream(app_image *image, const int64_t *cuts, progress *shown,
                             halo_rows_take *take, void *context, halo_clock *clock);

/* Local. Is what was opened now the file that was opened first? HALO_FILE if it has changed. */
halo_status app_image_check_unchanged(const halo_image_info *now, const app_image *first);

/* Local. Rows that app_image_stream hands out, as an image of two axes. */
halo_view app_image_band(const app_image *image, const void *data, size_t pitch, int64_t rows);

/* Local. A strip for each rank, of which no two have a part of one chunk of the file if that makes
 * none much higher. The caller frees the partition. HALO_MEMORY. */
halo_status app_image_strips(const app_image *image, halo_partition *out);

/* Local. A field for this rank's strip of the picture, by `cuts`, with cells of image->cell_bits.
 * HALO_MEMORY. */
halo_status app_image_create_field(const app_image *image, const int64_t *cuts, halo_field **out);

/* Local. */
void app_image_close(app_image *image);

/* Local, on rank 0: an object of the JSON summary (NULL for want of memory). */
json_t *app_image_json(const app_image *image);

/* Local, once it is read with its digest. What a checkpoint says of the picture it belongs to (NULL
 * for want of memory); is this the picture that `signature`, of the checkpoint `path`, is of?
 * HALO_ARGUMENT if it is another one. */
json_t *app_image_sign(const app_image *image);
halo_status app_image_check(const app_image *image, const json_t *signature, const char *path);

/* The image of a run as the background of a picture. */
typedef struct {
    halo_field *colours; /* or NULL */
    const halo_view *view;
    int64_t maximum; /* of its samples */
} app_background;

struct app_run;

/* Collective. Fill in run->background. With `in_colours`: the image in its colours if its file has
 * any, or if the run computes on colours; the file is read once more for them, the first time.
 * Otherwise the samples that the run computes on, which are run->picture, or in run->beat.
 * HALO_FORMAT if the file has become a picture of another size; otherwise as app_image_open and
 * app_image_read. */
halo_status app_background_open(struct app_run *run, bool in_colours);

/* Local. Paint rows canvas->first_row (of the whole image) and on, which are this rank's. */
void app_background_paint(const app_background *background, const halo_canvas *canvas);

#endif
