#ifndef HALOBEAT_APP_IMAGE_IMAGE_H
#define HALOBEAT_APP_IMAGE_IMAGE_H

#include "app/report/progress.h"
#include "core/field/field.h"
#include "core/move/scatter_gather.h"
#include "core/world/clock.h"
#include "core/world/world.h"
#include "io/canvas/canvas.h"
#include "io/image/image_reader.h"
#include "partition/cuts.h"

#include <jansson.h>

/* Reading an image or volume from a file into strips of rows or planes. If the format allows it and
 * all ranks see the same file, each rank reads its own strip; otherwise rank 0 reads the file once
 * for all. */

/* Options. Zero-initialise it: 0 means the default. */
typedef struct app_image_options {
    halo_image_raw raw;         /* layout of a file without a header */
    halo_image_choices choices; /* the part of the file that is read; must outlive the image */
    const char *const *slices;  /* [slice_count] as in halo_image_options; must outlive the image */
    int64_t slice_count;
    halo_image_want want; /* how rows are converted; 0: greys of 8 bits from 0 to 255, or of 16
                           * bits. Samples that are no greys become such over `range`, or over their
                           * extremes: see app_image_find_range */
    halo_sample_range range;
    bool frames; /* one of several images with greys of the same range, which the caller finds */
    bool digest; /* compute the digest of the image */
    bool again;  /* its colours, if it has any, will be read later (app_background) */
    bool periodic[HALO_AXES];        /* along planes, rows, columns */
    bool lines;                      /* accept arrays of one axis */
    halo_image_ground ground;        /* background of transparent pixels; zero: black */
    bool count_clear;                /* count transparent pixels in clear_pixels */
    halo_image_nodata_choice nodata; /* in place of what the file says */
    halo_image_fill fill;            /* of missing samples */
    const char *filter;              /* steps that rows are filtered by (app/image/filter.h); NULL:
                                      * none. Each colour is filtered by itself */
    bool as_stored;                  /* whatever orientation the file asks for */
    bool follow_links;               /* open other files that one of HDF5 refers to */
    bool volumes;                    /* accept three axes */
    bool narrow; /* with `volumes`: even if the last axis has 3 or 4 samples, which otherwise are
                  * colours */
    bool solid;  /* the same for axes of 2 to 4 samples of any type (halo_image_options) */
} app_image_options;

struct app_run;

typedef struct app_image {
    struct app_run *run; /* which tells users of defects */
    halo_world *world;   /* that of the run */
    const char *path;
    app_image_options options;
    halo_image_info info;   /* the same on all ranks */
    double share;           /* compression ratio: bytes of the file / bytes of its samples */
    halo_domain domain;     /* of two or three axes */
    int cell_bits;          /* of the rows: 8 or 16; native ones also 1; colours 24 or 48; reals
                             * 64; samples as many as their type */
    int64_t maximum;        /* the value of white */
    uint64_t digest;        /* hash of the file's rows in order, after they were read: detects
                             * another image, but not a forgery */
    int64_t clear_pixels;   /* transparent pixels that this rank's reader has read */
    int64_t missing_pixels; /* pixels of the whole image that are missing (info.nodata); the same on
                             * all ranks once it was read */
    bool counted;           /* they were counted in an earlier reading */
    halo_image_making making; /* of options.filter */
    /* While it reads: on rank 0, or with random access on every rank. */
    halo_image_reader *reader;
    int64_t rows_read, rows_wanted;
    progress *progress;
    halo_rows_sink *watch;
    void *context;
} app_image;

/* Local. The options of reading images that the command line gives for all files of the run. */
app_image_options app_image_options_of_files(const struct app_run *run);

/* Local. Those of files, and what the command line says of the image that the run computes on. */
app_image_options app_image_options_of_run(const struct app_run *run);

/* Collective. Opens the file `path`, which must outlive the image, and reads its properties. Errors
 * as of halo_image_reader_open, on all ranks, and HALO_FORMAT for a volume if `volumes` is not set.
 * Call app_image_close in any case. */
halo_status app_image_open(app_image *image, struct app_run *run, const char *path,
                           const app_image_options *options);

/* Collective. The extremes of the samples, as they are, of an image that is open for greys, which
 * takes a reading of the file. None are found in a pipe of whole numbers, which cannot be read
 * twice. HALO_FILE for a pipe of reals; otherwise as app_image_stream. */
halo_status app_image_find_extremes(const app_image *image, halo_sample_extremes *out);

/* Collective. Finds options.range of an image that is open for greys, whose samples are none as
 * they are (info.needs_range): those of halo_sample_are_greys need no range, others become greys
 * from the least finite sample to the largest. Called by app_image_open. Errors as of
 * app_image_find_extremes. */
halo_status app_image_find_range(app_image *image);

/* Collective. Opens the file of `first` again for its colours: cells are the red, green and blue of
 * a pixel. HALO_FORMAT if the image now has another size; otherwise as app_image_open. */
halo_status app_image_open_colours(app_image *image, const app_image *first);

/* Collective. Reads all rows: those of each rank's strip, by `cuts` [ranks + 1] (of rows, or of
 * planes in three axes), are written to the owned rows of `into`, a field of the same axes with
 * cells of `cell_bits`. A defect of the file that does no harm to pixels becomes a warning.
 * `watch`, which may be NULL, is called with local rows (planes) that have arrived, in order. The
 * file is closed. HALO_FILE, HALO_FORMAT, HALO_MEMORY, HALO_TRANSPORT. */
halo_status app_image_read(app_image *image, const int64_t *cuts, const halo_view *into,
                           progress *shown, halo_rows_sink *watch, void *context,
                           halo_clock *clock);

/* Collective. The same for run->image, which must be that of the checkpoint, if the run goes on
 * from one. */
halo_status app_read_image(struct app_run *run, const int64_t *cuts, const halo_view *into,
                           halo_rows_sink *watch, void *context);

/* Collective. As app_image_read, without storing the image: this rank's rows are passed to `take` a
 * few at a time, in order, numbered through all planes. The file is closed; a regular one
 * (info.file_bytes is not negative) may be read again while it does not change: HALO_FILE if it
 * has. Computes no digest. Also errors of `take`. */
halo_status app_image_stream(app_image *image, const int64_t *cuts, progress *shown,
                             halo_rows_take *take, void *context, halo_clock *clock);

/* Local. HALO_FILE if the file has changed since it was first opened. */
halo_status app_image_check_unchanged(const halo_image_info *now, const app_image *first);

/* Another image of a run than the one that it computes on, which has to have its planes, rows
 * and columns.
 */
typedef struct {
    const char *path;
    const char *option;  /* that names it, for messages: "init" */
    const char *of;      /* what it must be as large as: "picture" */
    const char *whole;   /* who needs all pixels: "chan-vese"; NULL: pixels may be missing */
    const int64_t *cuts; /* [ranks + 1] strips of rows */
    halo_rows_take *take;
    void *context;
} app_image_beside;

/* Collective. Reads such an image as app_image_stream does, as doubles. HALO_ARGUMENT for another
 * size, HALO_FORMAT if pixels are missing, and errors of app_image_open and app_image_stream. */
halo_status app_image_read_beside(struct app_run *run, const app_image_beside *what);

/* Local. Checks that the image of --OPTION has the rows and columns of `domain`. `of` names what
 * the domain belongs to: "picture". HALO_ARGUMENT. */
halo_status app_image_check_size(const app_image *image, const char *option,
                                 const halo_domain *domain, const char *of);

/* Local, after reading. HALO_FORMAT if pixels are missing: `what` needs all of them. */
halo_status app_image_check_missing(const app_image *image, const char *what);

/* Local. A view of rows passed by app_image_stream, as an image of two axes. */
halo_view app_image_band(const app_image *image, const void *data, size_t pitch, int64_t rows);

/* Local. Calls `convert` with such rows, the first of which is row `first` of the file, in pieces
 * of one plane: `to` are the same pixels in `field`, a field of the image whose rank owns these
 * rows, with cells of any size. */
typedef void app_rows_convert(void *context, const halo_view *from, const halo_view *to);
void app_image_convert(const app_image *image, const halo_view *field, int64_t first, int64_t rows,
                       const void *data, size_t pitch, app_rows_convert *convert, void *context);

/* Local. The place of row `row` of the file in a field of the image, whose rank owns the row. The
 * rows of a volume are those of its planes, one after the other. */
void *app_image_place(const app_image *image, const halo_view *field, int64_t row);

/* Local. Calls `take` with such rows, of samples of 8 bits or more, as an image of two axes: all of
 * them, or, if pixels are marked as missing by a value, one by one without those. HALO_MEMORY. */
typedef void app_rows_take(void *context, const halo_view *rows);
halo_status app_image_each_present(const app_image *image, int64_t rows, const void *data,
                                   size_t pitch, app_rows_take *take, void *context);

/* Local. Creates a strip per rank; no chunk of the file is in two strips if no strip becomes much
 * higher by that. Each has `min` layers at least, or none. The caller frees the partition.
 * HALO_MEMORY. */
halo_status app_image_strips(const app_image *image, int64_t min, halo_partition *out);

/* Local. Makes the cuts of strips (of rows, or of planes) those of rows, numbered through all
 * planes, as files have them: [ranks + 1], for free(). HALO_MEMORY. */
halo_status app_image_row_cuts(const app_image *image, const int64_t *cuts, int64_t **out);

/* Local. Creates a field for this rank's strip, by `cuts`, with cells of image->cell_bits.
 * HALO_MEMORY. */
halo_status app_image_create_field(const app_image *image, const int64_t *cuts, halo_field **out);

/* Local. Closes the file. Accepts an image that was closed before. */
void app_image_close(app_image *image);

/* Local, on rank 0: an object for the JSON summary (NULL if there is no memory). */
json_t *app_image_json(const app_image *image);

/* Local, on rank 0, after reading: samples that stand for no data; NULL if nothing says which, and
 * none is NaN (or for want of memory). */
json_t *app_image_nodata_json(const app_image *image);

/* Local, after reading with a digest. app_image_sign makes an object that identifies the image in a
 * checkpoint (NULL if there is no memory). app_image_check compares such a `signature` of the
 * checkpoint `path`: HALO_ARGUMENT if it is of another image. */
json_t *app_image_sign(const app_image *image);
halo_status app_image_check(const app_image *image, const json_t *signature, const char *path);

/* The image of a run as the background of a picture. */
typedef struct {
    halo_field *colours; /* or NULL */
    const halo_view *view;
    int64_t maximum; /* maximum of its samples */
} app_background;

/* Collective. Sets run->writing->background. With `in_colours`, to the image in its colours, if its
 * file has any or the run computes on colours; they are read from the file the first time.
 * Otherwise to the samples that the run computes on, run->samples or those in run->beat.
 * HALO_FORMAT if the image in the file now has another size; otherwise errors of app_image_open and
 * app_image_read. */
halo_status app_background_open(struct app_run *run, bool in_colours);

/* Local. Will run->samples be shown by an output that is asked for? */
bool app_samples_are_shown(const struct app_run *run);

/* Local. Frees run->samples, unless they will be shown: for a command whose beats do not need
 * them. */
void app_release_samples(struct app_run *run);

/* Local. Paints rows canvas->first_row (of the whole image) and on, which must be this rank's. */
void app_background_paint(const app_background *background, const halo_canvas *canvas);

#endif
