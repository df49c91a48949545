#ifndef HALOBEAT_APP_OUTPUTS_H
#define HALOBEAT_APP_OUTPUTS_H

#include "app/image/image.h"
#include "app/options/options.h"
#include "io/array/array_write.h"
#include "io/canvas/canvas.h"
#include "io/npy/npy.h"
#include "io/plot/plot.h"
#include "io/png/png_write.h"
#include "io/table/table.h"

/* The files that a run writes: which option asks for them, when, and who writes them. */

typedef struct app_run app_run;

typedef enum {
    APP_AT_END,       /* after the last beat */
    APP_BEFORE_BEATS, /* before the first */
    APP_EACH_BEAT,    /* when the command calls app_beat_files_write (app/beat_files.h) */
    APP_BETWEEN       /* when the command calls app_output_write */
} app_when;

/* The files that a writer writes. */
typedef enum {
    APP_NO_FILES,  /* ends a list */
    APP_ARRAYS,    /* arrays in formats that are none of pictures (halo_array_is_one) */
    APP_PICTURES,  /* pictures (io/array/picture.h), and folders with one of each plane */
    APP_OWN_FORMAT /* those with the writer's ending */
} app_written;

/* How rows get into files. */
typedef struct {
    app_written what;
    int kind;           /* halo_sample_type or halo_png_kind; HALO_PNG_PALETTE: colours of labels */
    int pixel;          /* of arrays: samples per pixel; 0: they are numbers */
    const char *ending; /* of the own format, ".rle" */
    halo_rows_fill *fill;                                /* `context` is the run; or NULL, and */
    const void *(*row)(const app_run *run, int64_t row); /* where a row lies as the file has it; or
                                                          * NULL, and */
    void (*fill_row)(const app_run *run, int64_t row, void *out); /* a row, made for the file */
    halo_status (*write)(app_run *run, const char *path);         /* instead of all these */
} app_writer;

typedef struct app_output {
    size_t option;                     /* offset of the file's name in the command's options, */
    const struct app_service *service; /* or in those of a service, if this is not NULL */
    const char *phase;                 /* of the progress line: "writing" */
    app_when when;
    const app_writer *writers; /* of rows as wide as run->domain, by strips; or NULL, and */
    /* Local, the same on all ranks. The side in pixels of the square that `writers` draw for each
     * cell of a picture. NULL: 1. */
    int (*scale)(const app_run *run);
    halo_status (*write)(app_run *run, const char *path);
    /* Local, on rank 0: the text of the file, of names without a writer. */
    halo_status (*text)(app_run *run, const char *path, halo_buffer *text);
    /* Local: instead of both, in a PNG of the image: paint on these rows of it. */
    halo_status (*paint)(app_run *run, const halo_canvas *canvas);
    halo_status (*prepare)(app_run *run); /* before; its time is not that of encoding */
    void (*finish)(app_run *run);         /* local, in any case after `prepare` */
    bool joins; /* a table, by app_write_table: many images may share one */
    /* Local. The name is that of a folder, in which the output has files with names of its
     * own: are all of them there? NULL: it names a file. */
    bool (*folder_is_complete)(const app_run *run, const char *path);
    bool colours; /* run->writing->background is in colours, if the image has any: it is read once
                     more */
} app_output;

/* State of the outputs while they are written. */
typedef struct app_writing {
    const app_output *output;  /* now */
    const app_writer *writer;  /* now, of its writers */
    halo_array_about about;    /* what the file of an array says about it; set by its `prepare` */
    app_background background; /* the image under drawings */
    /* Collective. Takes tables in place of their files: of one of many images. NULL: nobody does.
     */
    halo_status (*table)(app_run *run, const char *path, const halo_table *table);
    int64_t *root_cuts;    /* of app_command.root, [ranks + 1]; else NULL */
    bool lost;             /* something that was asked for could not be written */
    uint64_t lost_outputs; /* the command's outputs of which that is true, a bit each */
} app_writing;

/* Local. Is this the row of the option that names the file? */
bool app_output_is_of(const app_output *output, const app_place *at);

/* Local. Are the numbers in the file labels, which are shown in colours? */
bool app_output_has_labels(const app_run *run, const app_output *output);

/* Local. For halo_rows.progress, with the run as context: shows progress. */
void app_show_rows(void *context, int64_t done, int64_t total);

/* Collective. Write an output to the file `path`. */
halo_status app_output_write(app_run *run, const app_output *output, const char *path);

/* Collective. Write a table, or add it to one of many images. As halo_table_write. */
halo_status app_write_table(app_run *run, const char *path, const halo_table *table);

/* Collective. Write rows of the domain's size to a file, by strips: of two axes as a PNG; of two or
 * three in the format of arrays that the name's ending asks for (io/array/array_write.h). Where the
 * name has a place for a number, planes of three axes become files of their own
 * (app/paths/planes.h). */
halo_status app_write_png(app_run *run, const char *path, halo_png_kind kind, halo_rows_fill *fill);
halo_status app_write_array(app_run *run, const char *path, halo_sample_type type,
                            halo_rows_fill *fill);

/* Collective. The same for an image whose pixels have `pixel` samples, or with 0 are numbers. */
halo_status app_write_pixels(app_run *run, const char *path, halo_sample_type type, int pixel,
                             halo_rows_fill *fill);

/* Collective. Draw a plot on rank 0, as halo_plot_draw_written does. Options whose rows are
 * APP_PLOT have been checked before: gnuplot is there. Errors as of halo_plot_draw. */
halo_status app_write_plot(app_run *run, const char *path, int width, int height,
                           halo_plot_writer *write, const void *context);

/* Local, after ranks have agreed on `status`, of a file that is written beside the computing. That
 * it could not be written (HALO_FILE) does not end the run, which goes on, writes what can be
 * written, and exits with 1: it is reported with `then`, what happens now, and HALO_OK is returned.
 * NULL: it has been reported before. Other failures are returned. */
halo_status app_survive(app_run *run, halo_status status, const char *then);

/* The same of a file that is written again later: what is missing of it now is not lost. */
halo_status app_survive_for_now(app_run *run, halo_status status, const char *then);

#endif
