#ifndef HALOBEAT_APP_SERVICES_MEMORY_H
#define HALOBEAT_APP_SERVICES_MEMORY_H

#include "app/image/image.h"
#include "app/services/service.h"
#include "io/png/png_write.h"

/* An estimate of the memory that a run takes, made before it starts. The service app_memory_service
 * refuses the run if a host has less, after everything was created and before it is touched. */

/* Bytes that this rank takes after `create` beyond the blocks it holds by then (base/memory.h), at
 * most at a time in each phase, as far as they grow with the data; negative for those that it gives
 * back before. The frame fills in what it takes itself for the image and for outputs that it
 * writes. */
typedef struct app_needs {
    int64_t reading, computing, writing;
    const char *remedy; /* besides more hosts: "a smaller image" */
} app_needs;

/* Bytes of messages under way when blocks become strips, at most. */
enum { APP_ON_THE_WAY = 12 << 20 };

/* Local. Bytes that this rank needs to write rows of the domain's size as a picture, as far as that
 * can be known before they are compressed. */
int64_t app_png_later(const app_run *run, halo_png_kind kind);
int64_t app_npy_later(const app_run *run, int64_t row_bytes); /* as an array */

/* Local. Bytes that this rank needs to read the image, its rows not counted. */
int64_t app_image_later(const app_image *image);

/* Local. Those of them that its file takes while it is open: of an image whose rows are pulled
 * (app/image/pull.h). */
int64_t app_image_decoding(const app_image *image);

#endif
