#include "cli/label/job.h"

/* Pixels that are missing, as the image says (info.nodata), are no foreground, whatever the
 * threshold, --invert and --fill-holes make of them, and no part of thresholds. */

static bool marks_cells(const app_run *run)
{
    return run->image->info.nodata.missing == HALO_MISSING_CELL;
}

bool label_needs_present(const app_run *run)
{
    const label_options *asked = run->options;
    bool inverts = asked->invert && asked->threshold.kind == THRESHOLD_HYSTERESIS;
    bool local = asked->threshold.kind == THRESHOLD_LOCAL; /* of greys, which are never NaN */
    bool can = run->image->info.nodata.missing != HALO_MISSING_NEVER;
    return marks_cells(run) || (can && (inverts || local || asked->fill_holes));
}

static void divide_present(const app_run *run, const halo_view *from, const halo_view *bits)
{
    halo_image_info info = run->image->info;
    info.width = from->owned.n[1]; /* several rows of the image may be one */
    for (int64_t y = 0; y < from->owned.n[0]; y++) {
        halo_image_find_missing(&info, halo_row(from, y), halo_row(bits, y));
    }
    halo_foreground_invert(bits, bits);
}

void label_find_present(const app_run *run, int64_t first, int64_t rows, const void *data,
                        size_t pitch)
{
    const label_job *job = run->job;
    if (job->present != NULL) {
        label_divide_rows(run, job->present, first, rows, data, pitch, divide_present);
    }
}
