#include "cli/paths/job.h"
#include "io/npy/npy.h"

#include <math.h>

/* ---- distances ------------------------------------------------------------------------------- */

static halo_status fill_distances(void *context, int64_t first, int64_t rows, void *out,
                                  size_t pitch)
{
    const app_run *run = context;
    const paths_job *job = run->job;
    double unreached = halo_paths_unreached(&job->options);
    for (int64_t i = 0; i < rows; i++) {
        const halo_paths_cell *cells = paths_row(run, first + i);
        double *row = (double *)((char *)out + (size_t)i * pitch);
        for (int64_t x = 0; x < run->domain.n[1]; x++) {
            row[x] = cells[x].distance < unreached ? cells[x].distance : HUGE_VAL;
        }
    }
    return HALO_OK;
}

static const app_writer distance_writers[] = {{".npy", HALO_NPY_F64, fill_distances}, {0}};

const app_output paths_outputs[] = {{.option = offsetof(paths_options, output),
                                     .phase = "writing distances",
                                     .writers = distance_writers,
                                     .prepare = paths_collect,
                                     .finish = paths_release},
                                    {0}};
