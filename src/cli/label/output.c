#include "app/outputs.h"
#include "app/paths/planes.h"
#include "base/names.h"
#include "cli/label/job.h"
#include "io/array/array_write.h"
#include "io/npy/npy.h"
#include "io/png/png_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool has_seeds(const app_run *run)
{
    const label_options *asked = run->options;
    return asked->label.numbering == HALO_LABEL_SEED;
}

/* ---- images of labels ------------------------------------------------------------------------ */

static halo_status open_painting(app_run *run, halo_label_paint as)
{
    label_job *job = run->job;
    HALO_TRY(halo_label_painting_create(&job->painting, job->label, as));
    run->cuts = halo_label_painting_cuts(job->painting);
    return HALO_OK;
}

static void close_painting(app_run *run)
{
    label_job *job = run->job;
    halo_label_painting_destroy(&job->painting);
    run->cuts = NULL;
}

static halo_status fill_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    const label_job *job = run->job;
    return halo_label_painting_rows(job->painting, first, rows, out, pitch);
}

const halo_npy_type label_sample_types[] = {[LABEL_SAMPLES_UINT16] = HALO_NPY_U16,
                                            [LABEL_SAMPLES_UINT32] = HALO_NPY_U32,
                                            [LABEL_SAMPLES_UINT64] = HALO_NPY_U64};

/* The samples that hold numbers up to the total, unless they were asked for: those of scipy in
 * .npy, elsewhere the fewest bits. */
static halo_npy_type choose_samples(const app_run *run)
{
    const label_options *asked = run->options;
    const label_job *job = run->job;
    int64_t total = halo_label_total(job->label);
    if (asked->samples != LABEL_SAMPLES_AUTO) {
        return label_sample_types[asked->samples];
    }
    if (halo_name_ends(asked->output, ".npy")) {
        return has_seeds(run) || total > INT32_MAX ? HALO_NPY_I64 : HALO_NPY_I32;
    }
    if (!halo_array_holds(asked->output, HALO_NPY_U32, 2)) { /* a picture */
        return HALO_NPY_U16;
    }
    return total <= UINT16_MAX ? HALO_NPY_U16 : total <= INT32_MAX ? HALO_NPY_U32 : HALO_NPY_U64;
}

static halo_status check_samples(const app_run *run, halo_npy_type type)
{
    const label_options *asked = run->options;
    const label_job *job = run->job;
    int64_t total = halo_label_total(job->label), most = INT64_MAX;
    most = type == HALO_NPY_U16 ? UINT16_MAX : type == HALO_NPY_U32 ? INT32_MAX : most;
    if (total <= most) {
        return HALO_OK;
    }
    bool narrow = !halo_array_holds(asked->output, HALO_NPY_U32, 2);
    return narrow ? halo_fail(HALO_FORMAT,
                              "%" PRId64
                              " regions do not fit in the 16 bits of %s, which hold %d; use "
                              "-o FILE.npy, or leave out small regions with --min-area",
                              total, asked->output, UINT16_MAX)
                  : halo_fail(HALO_FORMAT,
                              "%" PRId64 " regions do not fit in uint%zu, which holds %" PRId64
                              "; use --out-dtype auto",
                              total, 8 * halo_npy_types[type].bytes, most);
}

/* Fiji takes whole numbers of 32 bits for floats. */
static void warn_of_rounding(app_run *run, halo_npy_type type)
{
    enum { EXACT = 1 << 24 };
    const label_options *asked = run->options;
    const label_job *job = run->job;
    bool tiff = halo_name_ends(asked->output, ".tif") || halo_name_ends(asked->output, ".tiff");
    if (tiff && type == HALO_NPY_U32 && halo_label_total(job->label) > EXACT) {
        app_warn(run,
                 "ImageJ and Fiji read samples of 32 bits as floats, which round labels above %d; "
                 "leave out small regions with --min-area, or use another program for %s",
                 EXACT, asked->output);
    }
}

static void name_array(app_run *run)
{
    const label_options *asked = run->options;
    run->writing->about = (halo_array_about){.name = "labels",
                                             .labels = true,
                                             .geometry = label_geometry(run),
                                             .packing = (halo_array_packing)asked->packing};
    if (asked->spacing.count == 0) {
        run->writing->about.geotiff = run->image->info.geotiff;
    }
}

static halo_status prepare_labels(app_run *run)
{
    label_job *job = run->job;
    job->samples = choose_samples(run);
    HALO_TRY(check_samples(run, job->samples));
    warn_of_rounding(run, job->samples);
    name_array(run);
    bool wide = job->samples == HALO_NPY_I64 || job->samples == HALO_NPY_U64;
    return open_painting(run, wide                           ? HALO_LABEL_I64
                              : job->samples == HALO_NPY_U16 ? HALO_LABEL_U16
                                                             : HALO_LABEL_I32);
}

static halo_status write_labels(app_run *run, const char *path)
{
    const label_job *job = run->job;
    return app_planes_are_png(path) ? app_write_png(run, path, HALO_PNG_GREY16, fill_rows)
                                    : app_write_array(run, path, job->samples, fill_rows);
}

static halo_status prepare_colour(app_run *run)
{
    HALO_TRY(halo_label_part_colours(((label_job *)run->job)->label));
    return open_painting(run, HALO_LABEL_COLOUR);
}

static halo_status write_colour(app_run *run, const char *path)
{
    return app_write_colours(run, path, fill_rows);
}

/* ---------------------------------------------------------------------------------------------- */

const app_output label_outputs[] = {{.option = offsetof(label_options, output),
                                     .phase = "writing labels",
                                     .write = write_labels,
                                     .prepare = prepare_labels,
                                     .finish = close_painting},
                                    {.option = offsetof(label_options, colour),
                                     .phase = "writing colours",
                                     .write = write_colour,
                                     .prepare = prepare_colour,
                                     .finish = close_painting},
                                    {.option = offsetof(label_options, regions),
                                     .phase = "writing regions",
                                     .write = label_write_regions,
                                     .joins = true},
                                    {.option = offsetof(label_options, contacts),
                                     .phase = "writing contacts",
                                     .write = label_write_contacts,
                                     .joins = true},
                                    {0}};
