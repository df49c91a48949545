#include "app/image/filter.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/filter/pipeline.h"

#include <stdlib.h>
#include <string.h>

/* Images are filtered while they are read: each reader of a file has a pipeline of its own, which
 * reads the rows that it needs besides those that are asked for. */

typedef struct {
    filter_chain chain;
    int64_t planes, height, width; /* planes 1: an image */
    bool solid;
    filter_pipeline *pipeline; /* for rows from `next` on; or NULL */
    int64_t layer;             /* the next one that the pipeline makes */
    filter_made made;          /* rows of a tile, */
    int64_t first, count;      /* and which they are */
    /* Rows of the file, read some at a time. */
    halo_image_reader *file;
    char *band;
    int64_t band_first, band_rows, room;
    size_t band_row;
} filtering;

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

static halo_status read_row(void *context, int64_t z, int64_t y, void *out)
{
    filtering *f = context;
    int64_t row = z * f->height + y;
    if (row < f->band_first || row >= f->band_first + f->band_rows) {
        HALO_TRY(read_band(f, row));
    }
    memcpy(out, f->band + (size_t)(row - f->band_first) * f->band_row, f->band_row);
    return HALO_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static halo_status create_pipeline(filtering *f, int64_t layer)
{
    const filter_source source = {read_row, f};
    int64_t layers = f->solid ? f->planes : f->height;
    halo_filter_pipeline_destroy(&f->pipeline);
    HALO_TRY(halo_filter_pipeline_create(&f->pipeline, &f->chain, 0, layer, layers, &source,
                                         &(filter_pipeline_options){0}));
    f->layer = layer;
    f->count = 0;
    return f->made.row != NULL
               ? HALO_OK
               : halo_filter_made_create(&f->made, halo_filter_chain_type(&f->chain), f->width,
                                         halo_filter_pipeline_tile(f->pipeline) * rows_of_layer(f));
}

/* Makes the tile that begins with the layer of row `row`, of which rows before `end` are needed. */
static halo_status make_tile(filtering *f, int64_t row, int64_t end)
{
    int64_t unit = rows_of_layer(f), layer = row / unit, last = (end + unit - 1) / unit;
    if (f->pipeline == NULL || layer != f->layer) {
        HALO_TRY(create_pipeline(f, layer));
    }
    int64_t count = halo_min(halo_filter_pipeline_tile(f->pipeline), last - layer);
    HALO_TRY(halo_filter_pipeline_make(f->pipeline, count, f->made.row));
    f->first = layer * unit;
    f->count = count * unit;
    f->layer = layer + count;
    return HALO_OK;
}

static halo_status make_rows(void *state, halo_image_reader *file, int64_t first, int64_t rows,
                             int64_t end, void *out, size_t pitch)
{
    filtering *f = state;
    size_t bytes = filter_row_bytes(halo_filter_chain_type(&f->chain), f->width);
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

static halo_status create(filtering *f, const char *steps, const halo_image_info *of)
{
    enum { BAND = 1 << 18 };
    bool solid = of->axes == HALO_AXES;
    const int64_t n[HALO_AXES] = {solid ? of->planes : 1, of->height, of->width};
    f->solid = solid;
    f->planes = n[0];
    f->height = n[1];
    f->width = n[2];
    HALO_TRY(halo_filter_chain_read(&f->chain, steps));
    HALO_TRY(halo_filter_chain_resolve(&f->chain, of->type, solid ? HALO_AXES : 2, n));
    HALO_TRY(check_chain(&f->chain));
    f->band_row = halo_image_row_bytes(of);
    f->room = halo_max(1, BAND / (int64_t)f->band_row);
    return HALO_ALLOCATE_LARGE(f->band, (size_t)f->room * f->band_row, "rows of an image");
}

static void close_filtering(void *state)
{
    filtering *f = state;
    if (f == NULL) {
        return;
    }
    halo_filter_pipeline_destroy(&f->pipeline);
    halo_filter_chain_free(&f->chain);
    halo_filter_made_free(&f->made);
    halo_memory_free(f->band);
    free(f->made.row);
    free(f);
}

static halo_status open_filtering(void *context, const halo_image_info *of, halo_sample_type *type,
                                  void **state)
{
    filtering *f;
    HALO_TRY(HALO_ALLOCATE(f, 1, "filters"));
    *state = f;
    HALO_TRY(create(f, context, of));
    *type = halo_filter_chain_type(&f->chain);
    return HALO_OK;
}

halo_image_making app_image_filtering(const char *steps)
{
    return (halo_image_making){.open = open_filtering,
                               .rows = make_rows,
                               .close = close_filtering,
                               .context = (void *)steps};
}
