#include "app/services/memory.h"

#include "app/batch/batch.h"
#include "app/frame_internal.h"
#include "app/image/image.h"
#include "app/outputs.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "core/beat/beat.h"
#include "core/world/memory_ask.h"
#include "io/png/png_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Estimates the memory that a run will need in proportion to its data; buffers of a fixed size
 * are left out. */

enum { BYTE_BITS = 8, CHANNELS = 3 };

/* Bytes of the buffers that files are read and written by, at most. */
static const int64_t READ_CHUNK = (int64_t)1 << 20;
static const int64_t PNG_CHUNK = (int64_t)1 << 20, PNG_KEPT = (int64_t)10 << 20,
                     NPY_CHUNK = (int64_t)1 << 20;

/* ---- inputs ---------------------------------------------------------------------------------- */

int64_t app_image_decoding(const app_image *image)
{
    const halo_image_info *info = &image->info;
    int64_t row = info->width * image->cell_bits / BYTE_BITS;
    int64_t file = info->width * info->channels * halo_max(info->bits, 1) / BYTE_BITS;
    int64_t whole = info->held ? info->height * file : 0; /* is decoded at once */
    int64_t ranks = info->random_access ? halo_world_ranks(image->world) : 1;
    bool reads = halo_world_rank(image->world) == 0 || info->random_access;
    int64_t turned = halo_min(info->turned, (info->rows / ranks + 1) * row);
    return reads ? info->buffer + turned + whole : 0;
}

int64_t app_image_later(const app_image *image)
{
    const halo_image_info *info = &image->info;
    bool reads = halo_world_rank(image->world) == 0 || info->random_access;
    int64_t row = info->width * image->cell_bits / BYTE_BITS;
    int64_t chunks = halo_world_ranks(image->world) > 1 ? 3 : 0; /* on their way */
    int64_t chunk = halo_max(row, halo_min(info->height * row, READ_CHUNK));
    return app_image_decoding(image) + (reads ? chunks * chunk : 0);
}

/* ---- outputs --------------------------------------------------------------------------------- */

/* Rows that this rank writes. Lines of blocks are shared out evenly before they are written. */
static int64_t own_rows(const app_run *run)
{
    int ranks = halo_world_ranks(run->world);
    if (run->cuts == NULL && halo_beat_partition(run->beat)->parts[0] < ranks) {
        return run->domain.n[0] / ranks + 1;
    }
    const int64_t *mine = app_cuts(run) + halo_world_rank(run->world);
    return mine[1] - mine[0];
}

/* Share of its samples that a picture takes. This rank keeps its rows, compressed, up to PNG_KEPT,
 * before they go to the file. Their compression is known only then; most results compress about as
 * well as the image. */
static double share_of(const app_run *run)
{
    static const double of_numbers = .1, least = .02;
    double share = run->command->image ? run->image->share : of_numbers;
    return share > least ? share : least;
}

int64_t app_png_later(const app_run *run, halo_png_kind kind)
{
    static const unsigned char palette[CHANNELS];
    bool planes = run->domain.axes == HALO_AXES; /* each is a file, written alone */
    const halo_png_header header = {.width = run->domain.n[run->domain.axes - 1],
                                    .height = run->domain.n[run->domain.axes - 2],
                                    .kind = kind,
                                    .palette = palette,
                                    .colours = 256};
    enum { CHUNKS = 4 }; /* on their way */
    int64_t row = (int64_t)halo_png_row_bytes(&header),
            strip = (planes ? header.height : own_rows(run)) * row;
    return halo_min((int64_t)(share_of(run) * (double)strip), PNG_KEPT) +
           CHUNKS * halo_max(row, halo_min(strip, PNG_CHUNK));
}

int64_t app_npy_later(const app_run *run, int64_t row_bytes)
{
    return halo_max(row_bytes, halo_min(own_rows(run) * row_bytes, NPY_CHUNK));
}

/* The rows are ones that the command knows before it writes. */
static int64_t writer_later(const app_run *run, const app_output *output, const char *path)
{
    const app_writer *writer = app_writer_of(output, path);
    bool known = writer->write == NULL && (run->cuts != NULL || run->beat != NULL);
    return !known                         ? 0
           : writer->what == APP_PICTURES ? app_png_later(run, (halo_png_kind)writer->kind)
                                          : app_npy_later(run, run->domain.n[1]);
}

/* The image in its colours, which are read once more. */
static int64_t background_later(const app_run *run)
{
    const app_image *image = run->image;
    int64_t pixel = CHANNELS * (image->info.bits > BYTE_BITS ? 2 : 1);
    return image->info.colourful ? own_rows(run) * image->domain.n[1] * pixel : 0;
}

static int64_t outputs_later(const app_run *run)
{
    int64_t max = 0, colours = 0;
    const app_output *output = run->command->outputs;
    for (; output != NULL && output->phase != NULL; output++) {
        const char *path = app_output_path(run, output);
        if (path == NULL) {
            continue;
        }
        int64_t mine = output->paint != NULL     ? app_png_later(run, HALO_PNG_RGB8)
                       : output->writers != NULL ? writer_later(run, output, path)
                                                 : 0;
        max = halo_max(max, mine);
        colours = halo_max(colours, output->colours ? background_later(run) : 0);
    }
    return max + colours;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void print_subject(const app_run *run, char *text, size_t size)
{
    const int64_t *n = run->domain.n;
    int axes = run->domain.axes;
    char sizes[80] = "";
    for (int a = axes - 1; a >= 0; a--) {
        size_t used = strlen(sizes);
        snprintf(sizes + used, sizeof sizes - used, "%s%" PRId64, used > 0 ? " x " : "", n[a]);
    }
    if (run->image->path != NULL) {
        snprintf(text, size, "an image of %s pixels (%s)", sizes, run->image->path);
    } else {
        snprintf(text, size, "a grid of %s cells", sizes);
    }
}

static halo_status check_memory(app_run *run)
{
    char subject[HALO_MESSAGE_SIZE / 2];
    app_needs needs = {.remedy = "a smaller grid"};
    if (run->command->image) {
        needs.reading = app_image_later(run->image);
        needs.remedy = "a smaller image";
    }
    if (run->command->needs == NULL) {
        return HALO_OK;
    }
    needs.writing = outputs_later(run);
    run->command->needs(run, &needs);
    int64_t later = halo_max(needs.reading, halo_max(needs.computing, needs.writing));
    int64_t *largest = halo_world_is_alone(run->world) ? app_batch_largest(run) : NULL;
    if (largest != NULL && later <= *largest) {
        return HALO_OK; /* to look takes as long as a small image */
    }
    print_subject(run, subject, sizeof subject);
    const halo_memory_demand demand = {
        .more = halo_max(0, halo_memory_held() + later), .what = subject, .remedy = needs.remedy};
    HALO_TRY(halo_memory_ask(run->world, &demand));
    if (largest != NULL) {
        *largest = halo_max(*largest, later);
    }
    return HALO_OK;
}

const app_service app_memory_service = {.ready = check_memory};
