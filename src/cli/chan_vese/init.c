#include "cli/chan_vese/init.h"

#include "core/world/collect.h"
#include "kernels/chan_vese/level_set.h"

#include <inttypes.h>
#include <stdio.h>

/* What a disk is without being told: scikit-image's. */
static chan_vese_init disk_of(const chan_vese_job *job)
{
    const int64_t *n = job->image.domain.n;
    chan_vese_init disk = job->arguments->init;
    if (!disk.placed) {
        int64_t shorter = n[0] < n[1] ? n[0] : n[1];
        disk.row = (double)(n[0] / 2);
        disk.column = (double)(n[1] / 2);
        disk.radius = (double)shorter * 3.0 / 8.0;
    }
    return disk;
}

static halo_status check_size(const chan_vese_job *job, const cli_image *file)
{
    const int64_t *wanted = job->image.domain.n, *found = file->domain.n;
    return wanted[0] == found[0] && wanted[1] == found[1]
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "--init %s: it has %" PRId64 " x %" PRId64
                           " pixels, and the picture %" PRId64 " x %" PRId64
                           "; use one of the picture's size",
                           file->path, found[1], found[0], wanted[1], wanted[0]);
}

static halo_status read_into(chan_vese_job *job, cli_image *file, halo_field **samples)
{
    const halo_view *cells = halo_beat_view(job->beat, 0);
    HALO_TRY(check_size(job, file));
    HALO_TRY(halo_agree(job->world, halo_field_create(samples, &job->image.domain, &cells->owned,
                                                      file->cell_bits, 0)));
    HALO_TRY(cli_image_read(file, halo_beat_cuts(job->beat), halo_field_view(*samples),
                            &job->progress, NULL, NULL, &job->clock));
    halo_chan_vese_binary(cells, halo_field_view(*samples), 0, cells->owned.n[0]);
    return HALO_OK;
}

static halo_status read_file(chan_vese_job *job)
{
    static const cli_image_options options;
    cli_image file;
    halo_field *samples = NULL;
    halo_status status = cli_image_open(&file, job->world, job->arguments->init.path, &options);
    if (status == HALO_OK) {
        status = read_into(job, &file, &samples);
    }
    halo_field_destroy(&samples);
    cli_image_close(&file);
    return status;
}

halo_status chan_vese_init_fill(chan_vese_job *job)
{
    const chan_vese_init *init = &job->arguments->init;
    const halo_view *cells = halo_beat_view(job->beat, 0);
    if (init->kind == CHAN_VESE_FILE) {
        return read_file(job);
    }
    if (init->kind == CHAN_VESE_DISK) {
        chan_vese_init disk = disk_of(job);
        halo_chan_vese_disk(cells, disk.row, disk.column, disk.radius);
    } else {
        halo_chan_vese_checkerboard(cells, init->square);
    }
    return HALO_OK;
}

void chan_vese_init_print(const chan_vese_job *job, char text[CHAN_VESE_INIT_TEXT])
{
    const chan_vese_init *init = &job->arguments->init;
    chan_vese_init disk;
    text[0] = '\0';
    if (job->saved.reader != NULL) {
        return;
    }
    switch (init->kind) {
    case CHAN_VESE_FILE:
        snprintf(text, CHAN_VESE_INIT_TEXT, "%.180s", init->path);
        break;
    case CHAN_VESE_DISK:
        disk = disk_of(job);
        snprintf(text, CHAN_VESE_INIT_TEXT, "disk:%g,%g,%g", disk.column, disk.row, disk.radius);
        break;
    default:
        snprintf(text, CHAN_VESE_INIT_TEXT, "checkerboard:%" PRId64, init->square);
    }
}
