#include "cli/cluster/colours.h"

#include "kernels/cluster/lab.h"

bool cluster_colours_has(const cli_cluster_job *job)
{
    return job->options.colour || job->image.colourful;
}

static halo_status create_field(const cli_cluster_job *job, const cli_image *image,
                                const int64_t *cuts, halo_field **out)
{
    int rank = halo_world_rank(job->world);
    const halo_box mine = {.lo = {cuts[rank], 0, 0},
                           .n = {cuts[rank + 1] - cuts[rank], image->domain.n[1], 1}};
    return halo_field_create(out, &image->domain, &mine, image->cell_bits, 0);
}

halo_status cluster_colours_read(halo_field **out, cli_cluster_job *job, const int64_t *cuts,
                                 int64_t *maximum)
{
    cli_image image;
    halo_status status = cli_image_open_again(&image, &job->image);
    if (status == HALO_OK) {
        *maximum = image.maximum;
        status = halo_agree(job->world, create_field(job, &image, cuts, out));
    }
    if (status == HALO_OK) {
        status = cli_image_read(&image, cuts, halo_field_view(*out), &job->progress, NULL, NULL,
                                &job->clock);
    }
    cli_image_close(&image);
    return status;
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
    halo_status status = create_field(job, &job->image, cuts, &colours);
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
