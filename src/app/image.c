#include "app/frame_internal.h"

#include "base/memory.h"
#include "base/names.h"
#include "base/standard.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

enum { BYTE_BITS = 8, BYTE_MAXIMUM = 255, WORD_BITS = 64 };

/* Is it a file that can be opened again? Of such a file its size is known. */
static bool is_plain_file(const app_image *image, struct stat *about)
{
    const char *path = halo_is_standard(image->path) ? halo_standard_input() : image->path;
    return stat(path, about) == 0 && S_ISREG(about->st_mode);
}

/* Pipes can be read once; opening one again would wait for somebody to write to it. */
static halo_status check_again(const app_image *image)
{
    struct stat about;
    if (!image->options.again || !image->colourful || is_plain_file(image, &about)) {
        return HALO_OK;
    }
    return halo_fail(HALO_FILE,
                     "%s: is no plain file, and the colours of the picture are read after its "
                     "greys; save it as a file first",
                     image->path);
}

/* Of a pipe that is not known. */
static double find_share(const app_image *image)
{
    struct stat about;
    const halo_png_info *info = &image->info;
    double bits = (double)info->width * (double)info->height * info->channels * info->bits;
    double share = is_plain_file(image, &about) ? (double)about.st_size * BYTE_BITS / bits : 1;
    return share < 1 ? share : 1;
}

/* On rank 0: the same of an array. */
static halo_status open_array(app_image *image)
{
    HALO_TRY(halo_npy_reals_open(&image->array, image->path, false));
    const halo_npy_header *header = halo_npy_reals_header(image->array);
    HALO_TRY(halo_npy_check_flat(header, image->path));
    int bits = (int)halo_npy_sample_bytes(header) * BYTE_BITS;
    image->info = (halo_png_info){.width = header->width,
                                  .height = header->height,
                                  .bits = bits,
                                  .channels = 1,
                                  .grey_bits = WORD_BITS,
                                  .pixel_bits = WORD_BITS,
                                  .maximum = BYTE_MAXIMUM};
    snprintf(image->kind, sizeof image->kind, "array of %s", halo_npy_types[header->type].descr);
    snprintf(image->decoder, sizeof image->decoder, "npy");
    image->share = 1;
    return HALO_OK;
}

/* On rank 0: what the file's header says. */
static halo_status open_reader(app_image *image)
{
    if (image->options.arrays && halo_name_ends(image->path, ".npy")) {
        return open_array(image);
    }
    const halo_png_read_options options = {.colour = image->options.colour};
    HALO_TRY(halo_png_reader_open(&image->reader, image->path, &options));
    image->info = *halo_png_reader_info(image->reader);
    snprintf(image->kind, sizeof image->kind, "%s", image->info.kind);
    snprintf(image->decoder, sizeof image->decoder, "%s", image->info.decoder);
    image->colourful = image->info.channels >= 3 || strcmp(image->kind, "palette") == 0;
    image->share = find_share(image);
    return check_again(image);
}

halo_status app_image_open(app_image *image, halo_world *world, const char *path,
                           const app_image_options *options)
{
    *image = (app_image){.world = world, .path = path, .options = *options};
    halo_status status = halo_world_rank(world) == 0 ? open_reader(image) : HALO_OK;
    HALO_TRY(halo_agree(world, status));
    HALO_TRY(halo_bcast(world, &image->info, sizeof image->info, 0));
    HALO_TRY(halo_bcast(world, &image->colourful, sizeof image->colourful, 0));
    HALO_TRY(halo_bcast(world, &image->share, sizeof image->share, 0));
    bool bytes = !options->native && image->info.pixel_bits <= BYTE_BITS;
    image->cell_bits = bytes ? BYTE_BITS : image->info.pixel_bits;
    image->maximum = bytes ? BYTE_MAXIMUM : image->info.maximum;
    image->domain = (halo_domain){.axes = 2,
                                  .n = {image->info.height, image->info.width, 1},
                                  .periodic = {options->periodic, options->periodic}};
    return HALO_OK;
}

/* ---- reading, on rank 0 ---------------------------------------------------------------------- */

static void bits_to_bytes(const uint64_t *words, int64_t width, unsigned char *bytes)
{
    for (int64_t x = 0; x < width; x++) {
        bytes[x] = (words[x / WORD_BITS] >> (x % WORD_BITS) & 1) != 0 ? BYTE_MAXIMUM : 0;
    }
}

static halo_status read_bits(app_image *image, int64_t rows, unsigned char *out, size_t pitch)
{
    for (int64_t i = 0; i < rows; i++) {
        HALO_TRY(halo_png_reader_rows(image->reader, 1, image->row,
                                      halo_png_grey_row_bytes(&image->info)));
        bits_to_bytes(image->row, image->info.width, out + (size_t)i * pitch);
    }
    return HALO_OK;
}

/* Samples of two and four bits. */
static void scale_up(const app_image *image, int64_t rows, unsigned char *out, size_t pitch)
{
    int factor = BYTE_MAXIMUM / (int)image->info.maximum;
    for (int64_t i = 0; i < rows; i++) {
        unsigned char *row = out + (size_t)i * pitch;
        for (int64_t x = 0; x < image->info.width; x++) {
            row[x] = (unsigned char)(row[x] * factor);
        }
    }
}

static void add_digest(app_image *image, int64_t first, int64_t rows, const unsigned char *out,
                       size_t pitch)
{
    size_t bytes = image->cell_bits == 1
                       ? halo_png_grey_row_bytes(&image->info)
                       : (size_t)image->info.width * (size_t)image->cell_bits / BYTE_BITS;
    for (int64_t i = 0; i < rows; i++) {
        image->digest +=
            XXH3_64bits_withSeed(out + (size_t)i * pitch, bytes, (XXH64_hash_t)(first + i));
    }
}

static halo_status read_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    app_image *image = context;
    if (image->array != NULL) {
        HALO_TRY(halo_npy_reals_rows(image->array, rows, out, pitch));
    } else if (image->row != NULL) {
        HALO_TRY(read_bits(image, rows, out, pitch));
    } else {
        HALO_TRY(halo_png_reader_rows(image->reader, rows, out, pitch));
    }
    if (image->maximum != image->info.maximum && image->row == NULL) {
        scale_up(image, rows, out, pitch);
    }
    if (image->options.digest) {
        add_digest(image, first, rows, out, pitch);
    }
    image->rows_read += rows;
    progress_update(image->progress, image->rows_read, image->info.height);
    bool more = image->rows_read < image->info.height || image->array != NULL;
    return more ? HALO_OK : halo_png_reader_finish(image->reader);
}

static void notify_rows(void *context, int64_t first, int64_t rows)
{
    const app_image *image = context;
    image->watch(image->context, first, rows);
}

halo_status app_image_read(app_image *image, const int64_t *cuts, const halo_view *into,
                           progress *shown, halo_rows_sink *watch, void *context, halo_clock *clock)
{
    progress_phase(shown, "reading");
    image->progress = shown;
    image->watch = watch;
    image->context = context;
    halo_status status = HALO_OK;
    if (image->reader != NULL && image->info.pixel_bits == 1 && image->cell_bits == BYTE_BITS) {
        status =
            halo_memory_create(&image->row, halo_png_grey_row_bytes(&image->info), "a row of bits");
    }
    HALO_TRY(halo_agree(image->world, status));
    halo_rows_input input = {
        .source = read_rows, .sink = watch != NULL ? notify_rows : NULL, .context = image};
    HALO_TRY(halo_rows_scatter_field(image->world, cuts, into, &input, clock));
    app_image_close(image);
    return halo_bcast(image->world, &image->digest, sizeof image->digest, 0);
}

halo_status app_image_create_field(const app_image *image, const int64_t *cuts, halo_field **out)
{
    int rank = halo_world_rank(image->world);
    const halo_box mine = {.lo = {cuts[rank], 0, 0},
                           .n = {cuts[rank + 1] - cuts[rank], image->domain.n[1], 1}};
    return halo_field_create(out, &image->domain, &mine, image->cell_bits, 0);
}

void app_image_close(app_image *image)
{
    halo_png_reader_close(&image->reader);
    halo_npy_reals_close(&image->array);
    halo_memory_free(image->row);
    image->row = NULL;
}

/* ---- as a background ------------------------------------------------------------------------- */

/* Open the file once more, for its colours. */
static halo_status open_again(app_image *image, const app_image *first)
{
    const app_image_options options = {.colour = true};
    HALO_TRY(app_image_open(image, first->world, first->path, &options));
    if (image->domain.n[0] == first->domain.n[0] && image->domain.n[1] == first->domain.n[1]) {
        return HALO_OK;
    }
    return halo_fail(HALO_FORMAT,
                     "%s has become another picture while it was being used, of %" PRId64
                     " x %" PRId64 " pixels and not %" PRId64 " x %" PRId64 "; begin again",
                     image->path, image->domain.n[1], image->domain.n[0], first->domain.n[1],
                     first->domain.n[0]);
}

halo_status app_background_open(app_run *run, bool in_colours)
{
    app_background *background = &run->background;
    const app_image *image = &run->image;
    const int64_t *cuts = app_cuts(run);
    app_image again;
    if (background->colours != NULL) {
        return HALO_OK;
    }
    *background = (app_background){.maximum = image->maximum};
    if (run->picture != NULL) {
        background->view = halo_field_view(run->picture);
    } else if (run->beat != NULL) {
        background->view = halo_beat_view(run->beat, run->command->image_field);
    }
    if (!in_colours || (!image->colourful && !image->options.colour)) {
        return HALO_OK;
    }
    halo_status status = open_again(&again, image);
    if (status == HALO_OK) {
        status =
            halo_agree(image->world, app_image_create_field(&again, cuts, &background->colours));
    }
    if (status == HALO_OK) {
        background->maximum = again.maximum;
        background->view = halo_field_view(background->colours);
        status =
            app_image_read(&again, cuts, background->view, &run->progress, NULL, NULL, &run->clock);
    }
    app_image_close(&again);
    return status;
}

void app_background_paint(const app_background *background, const halo_canvas *canvas)
{
    const halo_view *view = background->view;
    halo_canvas_fill_picture(canvas, halo_row(view, canvas->first_row - view->owned.lo[0]),
                             (size_t)view->stride[0], view->cell_bits, background->maximum);
}

/* ---- in reports and checkpoints -------------------------------------------------------------- */

json_t *app_image_json(const app_image *image)
{
    const halo_png_info *info = &image->info;
    return json_pack("{s:o, s:I, s:I, s:i, s:s, s:b, s:I, s:s}", "file", app_fact_text(image->path),
                     "width_pixels", (json_int_t)info->width, "height_pixels",
                     (json_int_t)info->height, "bits_per_sample", info->bits, "kind", image->kind,
                     "interlaced", (int)info->interlaced, "maximum_grey", (json_int_t)info->maximum,
                     "decoder", image->decoder);
}

enum { DIGEST_TEXT = 17 };

static void print_digest(const app_image *image, char text[DIGEST_TEXT])
{
    snprintf(text, DIGEST_TEXT, "%016" PRIx64, image->digest);
}

json_t *app_image_sign(const app_image *image)
{
    char digest[DIGEST_TEXT];
    print_digest(image, digest);
    return json_pack("{s:I, s:I, s:s}", "width", (json_int_t)image->info.width, "height",
                     (json_int_t)image->info.height, "digest", digest);
}

halo_status app_image_check(const app_image *image, const json_t *signature, const char *path)
{
    char digest[DIGEST_TEXT];
    const char *signed_digest = json_string_value(json_object_get(signature, "digest"));
    int64_t width = json_integer_value(json_object_get(signature, "width"));
    int64_t height = json_integer_value(json_object_get(signature, "height"));
    print_digest(image, digest);
    if (signed_digest != NULL && strcmp(signed_digest, digest) == 0 && width == image->info.width &&
        height == image->info.height) {
        return HALO_OK;
    }
    return halo_fail(HALO_ARGUMENT,
                     "the checkpoint \"%s\" is of another picture, of %" PRId64 " x %" PRId64
                     " pixels, than \"%s\", of %" PRId64 " x %" PRId64
                     "; restore it with the one it was made from",
                     path, width, height, image->path, image->info.width, image->info.height);
}
