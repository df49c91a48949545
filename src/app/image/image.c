#include "app/frame_internal.h"

#include "app/image/image.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/names.h"
#include "core/move/scatter_gather.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { BYTE_BITS = 8 };

/* Pipes can be read once; opening one again would wait for somebody to write to it. */
static halo_status check_again(const app_image *image)
{
    if (!image->options.again || !image->info.colourful || image->info.file_bytes >= 0) {
        return HALO_OK;
    }
    return halo_fail(HALO_FILE,
                     "%s: is no plain file, and the colours of the picture are read after its "
                     "greys; save it as a file first",
                     image->path);
}

static halo_status check_axes(const app_image *image)
{
    const halo_image_info *info = &image->info;
    return info->axes < HALO_AXES || image->options.volumes
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: a volume of %" PRId64 " planes, and this command takes images of "
                           "two axes; choose one of its planes, as %s%sz=0",
                           image->path, info->planes, image->path,
                           image->path[halo_name_chosen(image->path)] == '\0' ? ":" : ",");
}

/* Compression ratio of the file. That of a pipe is not known, and taken for 1. */
static double find_share(const app_image *image)
{
    const halo_image_info *info = &image->info;
    double bits = (double)info->width * (double)info->rows * info->channels * info->bits;
    double share = info->file_bytes >= 0 ? (double)info->file_bytes * BYTE_BITS / bits : 1;
    return share < 1 ? share : 1;
}

static halo_image_options wanted(const app_image *image)
{
    const app_image_options *options = &image->options;
    return (halo_image_options){.ground = options->ground,
                                .count_clear = options->count_clear,
                                .nodata = options->nodata,
                                .count_missing = !image->counted,
                                .as_stored = options->as_stored,
                                .follow_links = options->follow_links,
                                .want = options->want,
                                .wide = options->wide,
                                .range = options->range,
                                .finds_range = !options->frames,
                                .raw = options->raw,
                                .choices = options->choices,
                                .slices = options->slices,
                                .slice_count = options->slice_count,
                                .volumes = options->volumes,
                                .lines = options->lines,
                                .narrow = options->narrow,
                                .solid = options->solid};
}

/* On rank 0: what the file's header says. */
static halo_status open_reader(app_image *image)
{
    const halo_image_options options = wanted(image);
    halo_image_reader_close(&image->reader);
    HALO_TRY(halo_image_reader_open(&image->reader, image->path, &options));
    image->info = *halo_image_reader_info(image->reader);
    image->share = find_share(image);
    HALO_TRY(check_axes(image));
    return check_again(image);
}

static void set_properties(app_image *image)
{
    const halo_image_info *info = &image->info;
    bool solid = info->axes == HALO_AXES;
    const bool *periodic = image->options.periodic + (solid ? 0 : 1);
    image->cell_bits = info->pixel_bits;
    image->maximum = info->maximum;
    image->domain = (halo_domain){.axes = info->axes,
                                  .periodic = {periodic[0], periodic[1], solid && periodic[2]}};
    image->domain.n[0] = solid ? info->planes : info->height;
    image->domain.n[1] = solid ? info->height : info->width;
    image->domain.n[2] = solid ? info->width : 1;
}

/* Collective. Opens the file on rank 0. */
static halo_status open_first(app_image *image)
{
    halo_world *world = image->world;
    halo_status status = halo_world_rank(world) == 0 ? open_reader(image) : HALO_OK;
    HALO_TRY(halo_agree(world, status));
    HALO_TRY(halo_bcast(world, &image->info, sizeof image->info, 0));
    HALO_TRY(halo_bcast(world, &image->share, sizeof image->share, 0));
    set_properties(image);
    return HALO_OK;
}

halo_status app_image_open(app_image *image, app_run *run, const char *path,
                           const app_image_options *options)
{
    *image = (app_image){.run = run, .world = run->world, .path = path, .options = *options};
    HALO_TRY(open_first(image));
    if (!image->info.needs_range || options->frames) {
        return HALO_OK;
    }
    HALO_TRY(app_image_find_range(image));
    return image->options.range.given ? open_first(image) : HALO_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

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

/* Returns the place of row `row` of the raster in the field. */
static void *place_of(const app_image *image, const halo_view *into, int64_t row)
{
    int64_t lo = into->owned.lo[0], height = image->info.height;
    return image->info.axes == HALO_AXES ? halo_row_of_plane(into, row / height - lo, row % height)
                                         : halo_row(into, row - lo);
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
        HALO_TRY(read_rows(image, at, rows, place_of(image, into, at), pitch));
        at += rows;
        if (image->watch != NULL && unit == 1) {
            image->watch(image->context, at - rows - lo, rows);
        } else if (image->watch != NULL && at == end) {
            image->watch(image->context, at / unit - 1 - mine[0], 1);
        }
    }
    return HALO_OK;
}

static bool is_same_file(const halo_image_info *one, const halo_image_info *other)
{
    return strcmp(one->format, other->format) == 0 && one->file_bytes == other->file_bytes &&
           one->changed[0] == other->changed[0] && one->changed[1] == other->changed[1] &&
           one->rows == other->rows && one->width == other->width && one->type == other->type &&
           one->nodata.missing == other->nodata.missing && one->nodata.cell == other->nodata.cell;
}

static bool is_same(const halo_image_info *one, const halo_image_info *other)
{
    return is_same_file(one, other) && one->pixel_bits == other->pixel_bits &&
           one->maximum == other->maximum;
}

/* Collective. Does every rank see the file that rank 0 sees? Open it on all of them then. */
static halo_status open_everywhere(app_image *image, bool *everywhere)
{
    *everywhere = image->info.random_access;
    if (!*everywhere || halo_world_is_alone(image->world)) {
        return HALO_OK;
    }
    const halo_image_options options = wanted(image);
    int64_t blind = 0;
    if (image->reader == NULL) {
        bool opened = halo_image_reader_open(&image->reader, image->path, &options) == HALO_OK &&
                      is_same(&image->info, halo_image_reader_info(image->reader));
        blind = opened ? 0 : 1;
    }
    HALO_TRY(halo_allreduce_sum(image->world, &blind, 1));
    *everywhere = blind == 0;
    if (!*everywhere && halo_world_rank(image->world) != 0) {
        halo_image_reader_close(&image->reader);
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
    int ranks = halo_world_ranks(image->world);
    int64_t *row_cuts, unit = rows_of_index(image);
    halo_status status =
        halo_agree(image->world, HALO_ALLOCATE(row_cuts, ranks + 1, "cuts of an image"));
    if (status == HALO_OK) {
        for (int r = 0; r <= ranks; r++) {
            row_cuts[r] = cuts[r] * unit;
        }
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
        if (status == HALO_OK) {
            status = take(context, at, rows, band, pitch);
        }
    }
    halo_memory_free(band);
    return status;
}

halo_status app_image_check_unchanged(const halo_image_info *now, const app_image *first)
{
    return is_same_file(now, &first->info)
               ? HALO_OK
               : halo_fail(HALO_FILE,
                           "%s has changed between two readings of it; begin again when nobody "
                           "writes to it",
                           first->path);
}

/* Collective. For a second time: open the file again where it was read. */
static halo_status open_once_more(app_image *image)
{
    const halo_image_options options = wanted(image);
    halo_status status = HALO_OK;
    image->rows_read = 0;
    if (halo_world_rank(image->world) == 0 && image->reader == NULL) {
        status = halo_image_reader_open(&image->reader, image->path, &options);
        if (status == HALO_OK) {
            status = app_image_check_unchanged(halo_image_reader_info(image->reader), image);
        }
    }
    return halo_agree(image->world, status);
}

/* Collective. After the rows, which only some ranks may have read from the file: closes it, and
 * tells of the defect that the first of these ranks has found. */
static halo_status close_read(app_image *image)
{
    int64_t ranks = halo_world_ranks(image->world), warns;
    char defect[HALO_IMAGE_WARNING] = "";
    if (image->reader != NULL) {
        snprintf(defect, sizeof defect, "%s", halo_image_reader_warning(image->reader));
    }
    warns = defect[0] != '\0' ? ranks - halo_world_rank(image->world) : 0;
    image->missing_pixels = 0; /* but for what this rank's reader has found */
    app_image_close(image);
    HALO_TRY(halo_allreduce_max(image->world, &warns, 1));
    if (warns > 0) {
        HALO_TRY(halo_bcast(image->world, defect, sizeof defect, (int)(ranks - warns)));
        app_warn(image->run, "%.300s: %s", image->path, defect);
    }
    return HALO_OK;
}

halo_status app_image_stream(app_image *image, const int64_t *cuts, progress *shown,
                             halo_rows_take *take, void *context, halo_clock *clock)
{
    bool everywhere = false;
    progress_phase(shown, "reading");
    image->progress = shown;
    HALO_TRY(open_once_more(image));
    HALO_TRY(open_everywhere(image, &everywhere));
    if (everywhere) {
        halo_stretch stretch = halo_clock_begin(image->world);
        halo_status status = halo_agree(image->world, take_own(image, cuts, take, context));
        halo_clock_end(clock, HALO_PHASE_DECODE, stretch, image->world);
        HALO_TRY(status);
    } else {
        HALO_TRY(hand_out(image, cuts, take, context, clock));
    }
    int64_t known = image->missing_pixels;
    HALO_TRY(close_read(image));
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
        memcpy(place_of(image, s->into, first + i), (const char *)data + (size_t)i * pitch,
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
    HALO_TRY(open_everywhere(image, &everywhere));
    HALO_TRY(everywhere ? read_everywhere(image, cuts, into, clock)
                        : scatter(image, cuts, into, clock));
    HALO_TRY(close_read(image));
    int64_t sums[] = {(int64_t)image->digest, image->missing_pixels};
    HALO_TRY(halo_allreduce_sum(image->world, sums, 2));
    image->digest = (uint64_t)sums[0];
    image->missing_pixels = sums[1];
    return HALO_OK;
}

halo_view app_image_band(const app_image *image, const void *data, size_t pitch, int64_t rows)
{
    return (halo_view){.axes = 2,
                       .cell_bits = image->cell_bits,
                       .origin = (void *)data,
                       .stride = {(ptrdiff_t)pitch, image->cell_bits / BYTE_BITS},
                       .owned = {.n = {rows, image->info.width, 1}}};
}

halo_status app_image_each_present(const app_image *image, int64_t rows, const void *data,
                                   size_t pitch, app_rows_take *take, void *context)
{
    const halo_image_info *info = &image->info;
    void *present;
    if (info->nodata.missing != HALO_MISSING_CELL) {
        const halo_view band = app_image_band(image, data, pitch, rows);
        take(context, &band);
        return HALO_OK;
    }
    HALO_TRY(halo_memory_create(&present, halo_image_row_bytes(info), "a row of an image"));
    halo_view row = app_image_band(image, present, pitch, 1);
    for (int64_t y = 0; y < rows; y++) {
        row.owned.n[1] =
            halo_image_take_present(info, (const char *)data + (size_t)y * pitch, present);
        take(context, &row);
    }
    halo_memory_free(present);
    return HALO_OK;
}

halo_status app_image_strips(const app_image *image, int64_t min, halo_partition *out)
{
    int ranks = halo_world_ranks(image->world);
    int64_t n = image->domain.n[0], *cuts;
    HALO_TRY(halo_partition_thick_strips(out, &image->domain, ranks, min));
    cuts = out->cuts[0];
    if (image->info.random_access) {
        halo_cuts_aligned(n, ranks, image->info.layers, cuts);
        if (halo_cuts_check_depth(cuts, ranks, (int)min) != HALO_OK) {
            halo_partition_free(out);
            return halo_partition_thick_strips(out, &image->domain, ranks, min);
        }
    }
    return HALO_OK;
}

halo_status app_image_create_field(const app_image *image, const int64_t *cuts, halo_field **out)
{
    int rank = halo_world_rank(image->world);
    const halo_box mine = {
        .lo = {cuts[rank], 0, 0},
        .n = {cuts[rank + 1] - cuts[rank], image->domain.n[1], image->domain.n[2]}};
    return halo_field_create(out, &image->domain, &mine, image->cell_bits, 0);
}

void app_image_close(app_image *image)
{
    if (image->reader != NULL) {
        image->clear_pixels = halo_image_reader_clear(image->reader);
        image->missing_pixels = halo_image_reader_missing(image->reader);
    }
    halo_image_reader_close(&image->reader);
}
