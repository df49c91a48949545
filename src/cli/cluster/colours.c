#include "cli/cluster/colours.h"

#include "kernels/cluster/lab.h"

bool cluster_colours_has(const cli_cluster_job *job)
{
    return job->options.colour || job->image.colourful;
}

/* Rows on their way to be L, a and b. */
typedef struct {
    const halo_view *from, *into;
    halo_lab *lab;
} conversion;

static void convert(void *context, int64_t first, int64_t rows)
{
    const conversion *c = context;
    for (int64_t y = first; y < first + rows; y++) {
        halo_lab_row(c->lab, halo_row(c->from, y), c->into->owned.n[1], halo_row(c->into, y));
    }
}

halo_status cluster_colours_read_lab(cli_cluster_job *job, const int64_t *cuts,
                                     const halo_view *into)
{
    halo_field *colours = NULL;
    conversion c = {.into = into};
    halo_status status = cli_image_create_field(&job->image, cuts, &colours);
    if (status == HALO_OK) {
        c.from = halo_field_view(colours);
        status = halo_lab_create(&c.lab, job->image.cell_bits / HALO_CLUSTER_CHANNELS);
    }
    status = halo_agree(job->world, status);
    if (status == HALO_OK) {
        status =
            cli_image_read(&job->image, cuts, c.from, &job->progress, convert, &c, &job->clock);
    }
    halo_lab_destroy(&c.lab);
    halo_field_destroy(&colours);
    return status;
}
