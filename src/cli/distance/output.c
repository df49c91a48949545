#include "cli/distance/job.h"

#include <math.h>
#include <string.h>

/* Files of distances and indices, whose rows lie in fields. */

static halo_status fill_from(const app_run *run, const halo_field *field, int64_t first,
                             int64_t rows, void *out, size_t pitch)
{
    const halo_view *view = halo_field_view(field);
    int64_t unit = run->domain.axes == HALO_AXES ? run->domain.n[1] : 1;
    int64_t before = view->owned.lo[0] * unit, width = run->domain.n[run->domain.axes - 1];
    size_t bytes = (size_t)width * (size_t)(view->cell_bits / 8);
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch, halo_view_row(view, first + i - before), bytes);
    }
    return HALO_OK;
}

static halo_status fill_distances(void *context, int64_t first, int64_t rows, void *out,
                                  size_t pitch)
{
    const app_run *run = context;
    return fill_from(run, ((const distance_job *)run->job)->distances, first, rows, out, pitch);
}

static halo_status fill_indices(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    return fill_from(run, ((const distance_job *)run->job)->indices, first, rows, out, pitch);
}

static halo_status prepare(app_run *run)
{
    const distance_options *options = run->options;
    run->writing->about =
        (halo_array_about){.name = "distances",
                           .geometry = app_spacing_geometry(run->image, &options->spacing),
                           .packing = (halo_array_packing)options->packing};
    if (options->spacing.count == 0) {
        run->writing->about.geotiff = run->image->info.geotiff;
    }
    return HALO_OK;
}

static halo_status write_distances(app_run *run, const char *path)
{
    return app_write_array(run, path, ((const distance_job *)run->job)->type, fill_distances);
}

static halo_status prepare_indices(app_run *run)
{
    HALO_TRY(prepare(run));
    run->writing->about.name = "indices";
    return HALO_OK;
}

static halo_status write_indices(app_run *run, const char *path)
{
    bool wide = ((const distance_job *)run->job)->wide;
    return app_write_array(run, path, wide ? HALO_SAMPLE_I64 : HALO_SAMPLE_I32, fill_indices);
}

static halo_status fill_thickness(void *context, int64_t first, int64_t rows, void *out,
                                  size_t pitch)
{
    const app_run *run = context;
    const distance_options *options = run->options;
    const double side = app_pixel_of(run->image, &options->spacing).size[HALO_AXES - 1];
    HALO_TRY(fill_from(run, ((const distance_job *)run->job)->thickness, first, rows, out, pitch));
    for (int64_t i = 0; i < rows; i++) {
        char *row = (char *)out + (size_t)i * pitch;
        for (int64_t x = 0; x < run->domain.n[run->domain.axes - 1]; x++) {
            uint32_t square;
            memcpy(&square, row + x * (int64_t)sizeof square, sizeof square);
            double root = square == UINT32_MAX ? (double)INFINITY : sqrt((double)square);
            float thickness = (float)(2 * side * root);
            memcpy(row + x * (int64_t)sizeof square, &thickness, sizeof thickness);
        }
    }
    return HALO_OK;
}

static halo_status prepare_thickness(app_run *run)
{
    HALO_TRY(prepare(run));
    run->writing->about.name = "thickness";
    return HALO_OK;
}

static halo_status write_thickness(app_run *run, const char *path)
{
    return app_write_array(run, path, HALO_SAMPLE_F32, fill_thickness);
}

const app_output distance_outputs[] = {{.option = offsetof(distance_options, output),
                                        .phase = "writing distances",
                                        .write = write_distances,
                                        .prepare = prepare},
                                       {.option = offsetof(distance_options, indices),
                                        .phase = "writing indices",
                                        .write = write_indices,
                                        .prepare = prepare_indices},
                                       {.option = offsetof(distance_options, thickness),
                                        .phase = "writing thickness",
                                        .write = write_thickness,
                                        .prepare = prepare_thickness},
                                       {0}};
