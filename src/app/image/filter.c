#include "app/image/filter.h"

#include "app/image/second.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/filter/channels.h"
#include "kernels/filter/pipeline.h"

#include <stdlib.h>
#include <string.h>

/* Images are filtered while they are read: each reader of a file has a pipeline of its own, which
 * reads the rows that it needs besides those that are asked for. */

typedef struct filtering filtering;

/* The rows of a colour, which a pipeline reads. */
typedef struct {
    filtering *of;
    int channel;
} colour_rows;

struct filtering {
    filter_chain chain;
    app_image_seconds *seconds; /* of its steps */
    filter_pixels read, out;    /* samples of a pixel: one, or those of its colour */
    colour_rows colour[FILTER_MOST_CHANNELS];
    int64_t planes, height, width; /* planes 1: an image */
    bool solid;
    filter_pipeline *pipeline[FILTER_MOST_CHANNELS]; /* of each colour, for layers from `layer` on;
                                                      * or NULL */
    int64_t layer;                                   /* the next one that they make */
    filter_made made;                                /* rows of a tile, */
    int64_t first, count;                            /* and which they are */
    filter_made one;                                 /* the same of one colour */
    /* Rows of the file that the first colour has read for a tile, since files may be read once, and
     * where the next colour has come in them. */
    halo_buffer queue;
    size_t queue_at;
    /* Rows of the file, read some at a time. */
    halo_image_reader *file;
    char *band;
    int64_t band_first, band_rows, room;
    size_t band_row;
};

static int64_t rows_of_layer(const filtering *f)
{
    return f->solid ? f->height : 1;
}

/* ---- the file -------------------------------------------------------------------------------- */

static halo_status read_band(filtering *f, int64_t row)
{
    int64_t rows = halo_min(f->room, f->planes * f->height - row);
    HALO_TRY(halo_image_reader_rows(f->file, row, rows, f->band, f->band_row));
    f->band_first = row;
    f->band_rows = rows;
    return HALO_OK;
}

static halo_status find_row(filtering *f, int64_t row, const void **out)
{
    if (row < f->band_first || row >= f->band_first + f->band_rows) {
        HALO_TRY(read_band(f, row));
    }
    *out = f->band + (size_t)(row - f->band_first) * f->band_row;
    return HALO_OK;
}

/* All colours ask for the same rows, in the same order. */
static halo_status read_row(void *context, int64_t z, int64_t y, void *out)
{
    const colour_rows *colour = context;
    filtering *f = colour->of;
    const void *row;
    if (colour->channel == 0) {
        HALO_TRY(find_row(f, z * f->height + y, &row));
    } else {
        row = f->queue.data + f->queue_at;
    }
    if (f->read.channels == 1) {
        memcpy(out, row, f->band_row);
        return HALO_OK;
    }
    halo_filter_take_channel(&f->read, colour->channel, row, f->width, out);
    f->queue_at += f->band_row;
    return colour->channel == 0 ? halo_buffer_append(&f->queue, row, f->band_row) : HALO_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static halo_status create_rows(filtering *f)
{
    int64_t rows = halo_filter_pipeline_tile(f->pipeline[0]) * rows_of_layer(f);
    if (f->made.row != NULL) {
        return HALO_OK;
    }
    HALO_TRY(halo_filter_made_create(&f->made, f->out.type, f->out.channels * f->width, rows));
    return f->out.channels == 1 ? HALO_OK
                                : halo_filter_made_create(
                                      &f->one, halo_filter_chain_type(&f->chain), f->width, rows);
}

static halo_status create_pipelines(filtering *f, int64_t layer)
{
    int64_t layers = f->solid ? f->planes : f->height;
    for (int k = 0; k < f->read.channels; k++) {
        const filter_source source = {.row = read_row, .context = &f->colour[k]};
        f->colour[k] = (colour_rows){f, k};
        halo_filter_pipeline_destroy(&f->pipeline[k]);
        HALO_TRY(halo_filter_pipeline_create(&f->pipeline[k], &f->chain, &f->chain.segment[0],
                                             layer, layers, &source,
                                             &(filter_pipeline_options){0}));
    }
    f->layer = layer;
    f->count = 0;
    return create_rows(f);
}

/* The rows of all colours. */
static halo_status make_pixels(filtering *f, int64_t count)
{
    halo_sample_type type = halo_filter_chain_type(&f->chain);
    if (f->read.channels == 1) {
        return halo_filter_pipeline_make(f->pipeline[0], count, f->made.row);
    }
    for (int k = 0; k < f->read.channels; k++) {
        f->queue_at = 0;
        HALO_TRY(halo_filter_pipeline_make(f->pipeline[k], count, f->one.row));
        for (int64_t i = 0; i < count * rows_of_layer(f); i++) {
            halo_filter_put_channel(&f->out, k, type, f->one.row[i], f->width, f->made.row[i]);
        }
    }
    f->queue.size = 0;
    return HALO_OK;
}

/* Makes the tile that begins with the layer of row `row`, of which rows before `end` are needed. */
static halo_status make_tile(filtering *f, int64_t row, int64_t end)
{
    int64_t unit = rows_of_layer(f), layer = row / unit, last = (end + unit - 1) / unit;
    if (f->pipeline[0] == NULL || layer != f->layer) {
        HALO_TRY(create_pipelines(f, layer));
    }
    int64_t count = halo_min(halo_filter_pipeline_tile(f->pipeline[0]), last - layer);
    HALO_TRY(make_pixels(f, count));
    f->first = layer * unit;
    f->count = count * unit;
    f->layer = layer + count;
    return HALO_OK;
}

static halo_status make_rows(void *state, halo_image_reader *file, int64_t first, int64_t rows,
                             int64_t end, void *out, size_t pitch)
{
    filtering *f = state;
    size_t bytes = filter_row_bytes(f->out.type, f->out.channels * f->width);
    f->file = file;
    for (int64_t i = 0; i < rows; i++) {
        int64_t row = first + i;
        if (row < f->first || row >= f->first + f->count) {
            HALO_TRY(make_tile(f, row, halo_max(end, first + rows)));
        }
        memcpy((char *)out + (size_t)i * pitch, f->made.row[row - f->first], bytes);
    }
    return HALO_OK;
}

/* ---- opening --------------------------------------------------------------------------------- */

static halo_status check_chain(const filter_chain *chain)
{
    if (chain->segments == 1 && !chain->segment[0].field) {
        return HALO_OK;
    }
    const filter_segment *segment = &chain->segment[chain->segment[0].field ? 0 : 1];
    return halo_fail(
        HALO_ARGUMENT,
        "--filter %s: this step needs the whole image, and --filter works on rows while "
        "they are read; filter the image first, by halobeat filter",
        chain->part[segment->first]->step->filter->name);
}

/* The samples that are read, and those that are made: of colours those that commands take. */
static halo_status choose_samples(filtering *f, const halo_image_info *of)
{
    enum { BYTE = 8 };
    int channels = of->pixel_bits / of->cell_bits;
    f->read = (filter_pixels){channels == 1           ? of->type
                              : of->cell_bits == BYTE ? HALO_SAMPLE_U8
                                                      : HALO_SAMPLE_U16,
                              channels};
    const int64_t n[HALO_AXES] = {f->planes, f->height, f->width};
    HALO_TRY(halo_filter_chain_resolve(&f->chain, f->read.type, f->solid ? HALO_AXES : 2, n));
    halo_sample_type type = halo_filter_chain_type(&f->chain);
    f->out =
        (filter_pixels){channels > 1 && type == HALO_SAMPLE_BIT ? HALO_SAMPLE_U8 : type, channels};
    return HALO_REQUIRE(
        channels == 1 || f->out.type == HALO_SAMPLE_U8 || f->out.type == HALO_SAMPLE_U16,
        HALO_ARGUMENT,
        "--filter makes colours of %s, and uint8 or uint16 are needed; add a step such as "
        "rescale:dtype=uint8, or leave out --colour",
        halo_sample_types[type].name);
}

static halo_status create(filtering *f, const app_image_options *how, const halo_image_info *of)
{
    enum { BAND = 1 << 18 };
    bool solid = of->axes == HALO_AXES;
    f->solid = solid;
    f->planes = solid ? of->planes : 1;
    f->height = of->height;
    f->width = of->width;
    HALO_TRY(halo_filter_chain_read(&f->chain, how->filter));
    HALO_TRY(app_image_seconds_open(&f->seconds, &f->chain, how, solid ? HALO_AXES : 2));
    HALO_TRY(choose_samples(f, of));
    HALO_TRY(check_chain(&f->chain));
    f->band_row = halo_image_row_bytes(of);
    f->room = halo_max(1, BAND / (int64_t)f->band_row);
    return HALO_ALLOCATE_LARGE(f->band, (size_t)f->room * f->band_row, "rows of an image");
}

static int64_t count_bytes(const void *state)
{
    const filtering *f = state;
    return f->read.channels * halo_filter_pipeline_bytes(&f->chain, &f->chain.segment[0], 0,
                                                         f->solid ? f->planes : f->height);
}

static void close_filtering(void *state)
{
    filtering *f = state;
    if (f == NULL) {
        return;
    }
    for (int k = 0; k < FILTER_MOST_CHANNELS; k++) {
        halo_filter_pipeline_destroy(&f->pipeline[k]);
    }
    halo_filter_chain_free(&f->chain);
    app_image_seconds_close(&f->seconds);
    halo_filter_made_free(&f->made);
    halo_filter_made_free(&f->one);
    halo_buffer_free(&f->queue);
    halo_memory_free(f->band);
    free(f);
}

static halo_status open_filtering(void *context, const halo_image_info *of, halo_sample_type *type,
                                  void **state)
{
    filtering *f;
    HALO_TRY(HALO_ALLOCATE(f, 1, "filters"));
    *state = f;
    HALO_TRY(create(f, context, of));
    *type = f->out.type;
    return HALO_OK;
}

halo_image_making app_image_filtering(const app_image_options *how)
{
    return (halo_image_making){.open = open_filtering,
                               .rows = make_rows,
                               .close = close_filtering,
                               .buffer = count_bytes,
                               .context = (void *)how};
}

/* ---- masks ----------------------------------------------------------------------------------- */

halo_status app_mask_filter_read(filter_chain **out, const char *steps, const halo_domain *domain)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "filters"));
    HALO_TRY(halo_filter_chain_read(*out, steps));
    HALO_TRY(halo_filter_chain_resolve_domain(*out, HALO_SAMPLE_BIT, domain));
    halo_sample_type type = halo_filter_chain_type(*out);
    const filter_step *last = &(*out)->step[(*out)->count - 1];
    return HALO_REQUIRE(type == HALO_SAMPLE_BIT, HALO_ARGUMENT,
                        "step %d, %s: the foreground stays bits, and this step makes %s",
                        last->number, last->filter->name, halo_sample_types[type].name);
}
