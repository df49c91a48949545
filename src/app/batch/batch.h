#ifndef HALOBEAT_APP_BATCH_BATCH_H
#define HALOBEAT_APP_BATCH_BATCH_H

#include "app/options/options.h"
#include "app/services/service.h"

/* Runs of a command on many images: each image is a task, computed by one rank or a few, and gives
 * one line of a table. Outputs are then patterns of names (names.h). An image that fails is
 * reported, the others continue, and the run fails.
 *
 * A run has many images if several are named, or a pattern that is not the name of a file; or if an
 * output's name has a placeholder for the image's name; or if one of the options of the service, or
 * of handing out images, was given. */

struct app_batch;

/* The service, which runs all in place of the frame. A command with it has that of tasks, too, and
 * tells the columns of the table: texts of cells with keys of the JSON object of each image. */
extern const app_service app_batch_service;

/* The options of the service. */
typedef struct {
    const char *table; /* file with one line per image; or NULL */
    const char *sheet; /* picture of all results; or NULL */
    bool each;         /* the pictures of a folder are images by themselves */
    int64_t ranks_per_image;
    const char *folder; /* images are those that arrive in it; or NULL */
    double watch_every; /* seconds from one look at it to the next; 0: as the system tells */
} batch_arguments;

/* Local. The options of a run of many images. */
const batch_arguments *app_batch_arguments(const app_run *run);

/* Local. The images of a run of many, also in the run of each of them; NULL: it is none. */
struct app_batch *app_batch_of(const app_run *run);

/* Local. The largest number of bytes that an image of this rank took so far, to be raised; NULL:
 * this is none of many. */
int64_t *app_batch_largest(const app_run *run);

#endif
