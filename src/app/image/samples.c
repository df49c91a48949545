#include "app/frame_internal.h"

#include "app/image/samples.h"
#include "core/world/collect.h"
#include "kernels/label/threshold/threshold.h"

halo_sample_type app_image_type(const app_image *image)
{
    enum { BYTE = 8 };
    halo_sample_type type = image->info.type;
    return !halo_sample_types[type].grey       ? type
           : image->info.cell_bits == HALO_BIT ? HALO_SAMPLE_BIT
           : image->info.cell_bits == BYTE     ? HALO_SAMPLE_U8
                                               : HALO_SAMPLE_U16;
}

/* ---- all rows -------------------------------------------------------------------------------- */

/* Layers `first` to `first + layers - 1` of the field: rows of an image, or planes. */
static halo_status pass_layers(const halo_view *view, int64_t first, int64_t layers,
                               halo_rows_take *take, void *context)
{
    bool solid = view->axes == HALO_AXES;
    int64_t rows = solid ? view->owned.n[1] : layers, lo = view->owned.lo[0];
    size_t pitch = (size_t)view->stride[solid ? 1 : 0];
    for (int64_t z = first; z < first + (solid ? layers : 1) && layers > 0 && rows > 0; z++) {
        const void *data = solid ? halo_row_of_plane(view, z, 0) : halo_row(view, z);
        HALO_TRY(take(context, (lo + z) * (solid ? rows : 1), rows, data, pitch));
    }
    return HALO_OK;
}

halo_status app_samples_of_field(const halo_field *field, halo_rows_take *take, void *context)
{
    const halo_view *view = halo_field_view(field);
    return pass_layers(view, 0, view->owned.n[0], take, context);
}

/* Samples are counted while they are still in the cache. */
static void take_arrived(void *context, int64_t first, int64_t layers)
{
    app_samples *s = context;
    HALO_IF_OK(s->status,
               pass_layers(halo_field_view(s->kept), first, layers, s->take, s->taken_by));
}

static halo_status take_stored(void *context, int64_t first, int64_t rows, const void *data,
                               size_t pitch)
{
    const app_samples *s = context;
    HALO_TRY(s->store(s->context, first, rows, data, pitch));
    return s->take != NULL ? s->take(s->taken_by, first, rows, data, pitch) : HALO_OK;
}

static halo_status read_first(app_samples *s)
{
    app_image *image = s->image;
    app_run *run = image->run;
    s->read = true;
    if (s->kept == NULL) {
        return app_image_stream(image, s->cuts, &run->progress, take_stored, s, &run->clock);
    }
    HALO_TRY(app_image_read(image, s->cuts, halo_field_view(s->kept), &run->progress,
                            s->take != NULL ? take_arrived : NULL, s, &run->clock));
    return halo_agree(image->world, s->status);
}

halo_status app_samples_each(app_samples *s, halo_rows_take *take, void *context)
{
    app_run *run = s->image->run;
    s->take = take;
    s->taken_by = context;
    if (!s->read && (s->kept != NULL || s->store != NULL)) {
        return read_first(s);
    }
    return s->kept != NULL
               ? halo_agree(s->image->world, app_samples_of_field(s->kept, take, context))
               : app_image_stream(s->image, s->cuts, &run->progress, take, context, &run->clock);
}

halo_status app_samples_read(app_samples *s)
{
    bool wants = !s->read && (s->kept != NULL || s->store != NULL);
    return wants ? app_samples_each(s, NULL, NULL) : HALO_OK;
}

/* ---- what all of them are -------------------------------------------------------------------- */

typedef struct {
    const app_image *image;
    const halo_sample_bins *bins;
    halo_sample_extremes *of;
    int64_t *counts;
    halo_rows_take *also;
    void *context;
} looking;

static void add_extremes(void *context, const halo_view *rows)
{
    looking *l = context;
    halo_extremes_add(l->of, rows, l->image->run->arguments->common.instructions);
}

static halo_status take_extremes(void *context, int64_t first, int64_t rows, const void *data,
                                 size_t pitch)
{
    const looking *l = context;
    (void)first;
    return app_image_each_present(l->image, rows, data, pitch, add_extremes, context);
}

halo_status app_samples_find_extremes(app_samples *samples, halo_sample_extremes *out)
{
    halo_sample_type type = app_image_type(samples->image);
    looking l = {.image = samples->image, .of = out};
    if (halo_sample_types[type].grey) {
        *out = halo_sample_type_extremes(type);
        return HALO_OK;
    }
    *out = (halo_sample_extremes){.type = type};
    HALO_TRY(app_samples_each(samples, take_extremes, &l));
    return halo_extremes_share(samples->image->world, out);
}

static void add_counts(void *context, const halo_view *rows)
{
    const looking *l = context;
    halo_histogram_add(l->bins, rows, l->counts);
}

static halo_status take_counts(void *context, int64_t first, int64_t rows, const void *data,
                               size_t pitch)
{
    const looking *l = context;
    if (l->also != NULL) {
        HALO_TRY(l->also(l->context, first, rows, data, pitch));
    }
    if (!halo_sample_types[l->bins->of.type].grey) {
        return app_image_each_present(l->image, rows, data, pitch, add_counts, context);
    }
    const halo_view band = app_image_band(l->image, data, pitch, rows);
    halo_histogram_add(l->bins, &band, l->counts);
    return HALO_OK;
}

halo_status app_samples_count(app_samples *samples, const halo_sample_bins *bins, int64_t *counts,
                              halo_rows_take *also, void *context)
{
    const halo_image_nodata *nodata = &samples->image->info.nodata;
    looking l = {
        .image = samples->image, .bins = bins, .counts = counts, .also = also, .context = context};
    HALO_TRY(app_samples_each(samples, take_counts, &l));
    HALO_TRY(halo_allreduce_sum(samples->image->world, counts, (int)bins->count));
    if (nodata->missing == HALO_MISSING_CELL && halo_sample_types[bins->of.type].grey) {
        counts[nodata->cell] = 0; /* they have a bin of their own */
    }
    return HALO_OK;
}
