#include "app/image/image_internal.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "core/move/scatter_gather.h"
#include "core/world/collect.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Reading the rows of an image: into a field, or a few at a time. */

/* Cuts of rows and of planes become cuts of the raster's rows. */
static int64_t rows_of_index(const app_image *image)
{
    return image->info.axes == HALO_AXES ? image->info.height : 1;
}

static void add_digest(app_image *image, int64_t first, int64_t rows, const unsigned char *out,
                       size_t pitch)
{
    size_t bytes = halo_image_row_bytes(&image->info);
    for (int64_t i = 0; i < rows; i++) {
        image->digest +=
            XXH3_64bits_withSeed(out + (size_t)i * pitch, bytes, (XXH64_hash_t)(first + i));
    }
}

/* Rows of the raster. */
static halo_status read_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    app_image *image = context;
    HALO_TRY(halo_image_reader_rows(image->reader, first, rows, out, pitch));
    if (image->options.digest) {
        add_digest(image, first, rows, out, pitch);
    }
    image->rows_read += rows;
    progress_update(image->progress, image->rows_read, image->rows_wanted);
    return first + rows < image->info.rows ? HALO_OK : halo_image_reader_finish(image->reader);
}

static void notify_rows(void *context, int64_t first, int64_t rows)
{
    const app_image *image = context;
    image->watch(image->context, first, rows);
}

void *app_image_place(const app_image *image, const halo_view *field, int64_t row)
{
    int64_t lo = field->owned.lo[0], height = image->info.height;
    return image->info.axes == HALO_AXES ? halo_row_of_plane(field, row / height - lo, row % height)
                                         : halo_row(field, row - lo);
}

/* Local. This rank's own rows, about a MiB at a time. */
static halo_status read_own(app_image *image, const int64_t *cuts, const halo_view *into)
{
    const int64_t CHUNK_BYTES = (int64_t)1 << 20;
    const int64_t *mine = cuts + halo_world_rank(image->world);
    int64_t unit = rows_of_index(image), lo = mine[0] * unit, hi = mine[1] * unit;
    int64_t step = halo_max(1, CHUNK_BYTES / (int64_t)halo_image_row_bytes(&image->info));
    size_t pitch = (size_t)into->stride[unit > 1 || image->info.axes == HALO_AXES ? 1 : 0];
    image->rows_wanted = hi - lo;
    halo_image_reader_expect(image->reader, lo, hi - lo);
    for (int64_t at = lo; at < hi;) {
        int64_t end = image->info.axes == HALO_AXES ? (at / unit + 1) * unit : hi;
        int64_t rows = halo_min(step, end - at);
        HALO_TRY(read_rows(image, at, rows, app_image_place(image, into, at), pitch));
        at += rows;
        if (image->watch != NULL && unit == 1) {
            image->watch(image->context, at - rows - lo, rows);
        } else if (image->watch != NULL && at == end) {
            image->watch(image->context, at / unit - 1 - mine[0], 1);
        }
    }
    return HALO_OK;
}

/* ---- rows as they come ----------------------------------------------------------------------- */

typedef struct {
    app_image *image;
    halo_rows_take *take;
    void *context;
} handing;

static halo_status make_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    return read_rows(((handing *)context)->image, first, rows, out, pitch);
}

static halo_status hand_on(void *context, int64_t first, int64_t rows, const void *data,
                           size_t pitch)
{
    const handing *h = context;
    return h->take(h->context, first, rows, data, pitch);
}

/* Collective. Rank 0 reads for all. */
static halo_status hand_out(app_image *image, const int64_t *cuts, halo_rows_take *take,
                            void *context, halo_clock *clock)
{
    handing h = {image, take, context};
    int64_t *row_cuts = NULL;
    halo_status status = halo_agree(image->world, app_image_row_cuts(image, cuts, &row_cuts));
    if (status == HALO_OK) {
        image->rows_wanted = image->info.rows;
        status = halo_rows_scatter(image->world, row_cuts, halo_image_row_bytes(&image->info),
                                   make_rows, hand_on, &h, clock);
    }
    free(row_cuts);
    return status;
}

/* Local. This rank's own rows, about a MiB at a time. */
static halo_status take_own(app_image *image, const int64_t *cuts, halo_rows_take *take,
                            void *context)
{
    const int64_t CHUNK_BYTES = (int64_t)1 << 20;
    const int64_t *mine = cuts + halo_world_rank(image->world);
    int64_t unit = rows_of_index(image), lo = mine[0] * unit, hi = mine[1] * unit;
    size_t pitch = halo_rows_pitch(halo_image_row_bytes(&image->info));
    int64_t step = halo_max(1, CHUNK_BYTES / (int64_t)pitch);
    void *band;
    image->rows_wanted = hi - lo;
    halo_image_reader_expect(image->reader, lo, hi - lo);
    HALO_TRY(
        halo_memory_create(&band, (size_t)halo_min(step, hi - lo) * pitch, "rows of an image"));
    halo_status status = HALO_OK;
    for (int64_t at = lo; at < hi && status == HALO_OK; at += step) {
        int64_t rows = halo_min(step, hi - at);
        status = read_rows(image, at, rows, band, pitch);
        HALO_IF_OK(status, take(context, at, rows, band, pitch));
    }
    halo_memory_free(band);
    return status;
}

halo_status app_image_stream(app_image *image, const int64_t *cuts, progress *shown,
                             halo_rows_take *take, void *context, halo_clock *clock)
{
    bool everywhere = false;
    progress_phase(shown, "reading");
    image->progress = shown;
    HALO_TRY(app_image_open_again(image));
    HALO_TRY(app_image_open_everywhere(image, &everywhere));
    if (everywhere) {
        halo_stretch stretch = halo_clock_begin(image->world);
        halo_status status = halo_agree(image->world, take_own(image, cuts, take, context));
        halo_clock_end(clock, HALO_PHASE_DECODE, stretch, image->world);
        HALO_TRY(status);
    } else {
        HALO_TRY(hand_out(image, cuts, take, context, clock));
    }
    int64_t known = image->missing_pixels;
    HALO_TRY(app_image_close_read(image));
    if (image->counted) {
        image->missing_pixels = known;
        return HALO_OK;
    }
    image->counted = true;
    return image->info.nodata.missing != HALO_MISSING_NEVER
               ? halo_allreduce_sum(image->world, &image->missing_pixels, 1)
               : HALO_OK;
}

/* ---- a volume that rank 0 reads for others --------------------------------------------------- */

typedef struct {
    const app_image *image;
    const halo_view *into;
} storing;

static halo_status store_rows(void *context, int64_t first, int64_t rows, const void *data,
                              size_t pitch)
{
    const storing *s = context;
    const app_image *image = s->image;
    int64_t height = image->info.height;
    for (int64_t i = 0; i < rows; i++) {
        memcpy(app_image_place(image, s->into, first + i), (const char *)data + (size_t)i * pitch,
               halo_image_row_bytes(&image->info));
        if (image->watch != NULL && (first + i + 1) % height == 0) {
            image->watch(image->context, (first + i) / height - s->into->owned.lo[0], 1);
        }
    }
    return HALO_OK;
}

static halo_status scatter(app_image *image, const int64_t *cuts, const halo_view *into,
                           halo_clock *clock)
{
    const halo_rows_input input = {
        .source = read_rows, .sink = image->watch != NULL ? notify_rows : NULL, .context = image};
    image->rows_wanted = image->info.rows;
    return image->info.axes == HALO_AXES
               ? hand_out(image, cuts, store_rows, &(storing){image, into}, clock)
               : halo_rows_scatter_field(image->world, cuts, into, &input, clock);
}

static halo_status read_everywhere(app_image *image, const int64_t *cuts, const halo_view *into,
                                   halo_clock *clock)
{
    halo_stretch stretch = halo_clock_begin(image->world);
    halo_status status = halo_agree(image->world, read_own(image, cuts, into));
    halo_clock_end(clock, HALO_PHASE_DECODE, stretch, image->world);
    return status;
}

halo_status app_image_read(app_image *image, const int64_t *cuts, const halo_view *into,
                           progress *shown, halo_rows_sink *watch, void *context, halo_clock *clock)
{
    bool everywhere = false;
    progress_phase(shown, "reading");
    image->progress = shown;
    image->watch = watch;
    image->context = context;
    HALO_TRY(app_image_open_everywhere(image, &everywhere));
    HALO_TRY(everywhere ? read_everywhere(image, cuts, into, clock)
                        : scatter(image, cuts, into, clock));
    HALO_TRY(app_image_close_read(image));
    int64_t sums[] = {(int64_t)image->digest, image->missing_pixels};
    HALO_TRY(halo_allreduce_sum(image->world, sums, 2));
    image->digest = (uint64_t)sums[0];
    image->missing_pixels = sums[1];
    return HALO_OK;
}
