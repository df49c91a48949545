#include "app/image/image.h"
#include "app/options/kept.h"
#include "app/services/checkpoint.h"
#include "cli/paths/job.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

/* Checkpoints: the distances so far, a row of them for each row of the raster. Where they come
 * from, sources, barriers and sizes of cells, is the command line's, and must be the same. */

enum { DIGEST_TEXT = 17 };

static void find_digest(const app_run *run, char text[DIGEST_TEXT])
{
    const paths_options *asked = run->options;
    const paths_job *job = run->job;
    const paths_barriers *barriers = &asked->barriers;
    const halo_image_nodata *nodata = &run->image->info.nodata;
    const double flags[] = {nodata->missing, (double)nodata->cell, barriers->negative,
                            job->options.cell_size[0], job->options.cell_size[1]};
    size_t values = (size_t)barriers->count * sizeof *barriers->values;
    XXH64_hash_t digest = XXH3_64bits(flags, sizeof flags);
    digest = XXH3_64bits_withSeed(barriers->values, values, digest);
    digest = XXH3_64bits_withSeed(job->sources, (size_t)job->source_count * sizeof *job->sources,
                                  digest);
    snprintf(text, DIGEST_TEXT, "%016" PRIx64, (uint64_t)digest);
}

halo_status paths_check_restored(const app_run *run)
{
    char digest[DIGEST_TEXT];
    find_digest(run, digest);
    const char *saved = app_restores(run)
                            ? json_string_value(json_object_get(app_restored(run), "search"))
                            : digest;
    return saved != NULL && strcmp(saved, digest) == 0
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "the checkpoint \"%s\" was made with another --from, --barrier, "
                           "--nodata or --cell-size; give the same again",
                           run->arguments->state.restore);
}

static bool check_saved(app_run *run, const halo_checkpoint *info, const json_t *saved)
{
    const json_t *image = json_object_get(saved, "image");
    int64_t width = json_integer_value(json_object_get(image, "width"));
    (void)run;
    return info->rows == json_integer_value(json_object_get(image, "height")) &&
           info->row_bytes == (size_t)width * sizeof(double);
}

static bool keep(app_run *run, json_t *saved)
{
    char digest[DIGEST_TEXT];
    find_digest(run, digest);
    return json_object_set_new(saved, "search", json_string(digest)) == 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static halo_status fill_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    for (int64_t i = 0; i < rows; i++) {
        const halo_paths_cell *cells = paths_row(run, first + i);
        double *row = (double *)((char *)out + (size_t)i * pitch);
        for (int64_t x = 0; x < run->domain.n[1]; x++) {
            row[x] = cells[x].distance;
        }
    }
    return HALO_OK;
}

/* The costs are there already. Anybody can write a file: what is no distance is refused. */
static halo_status take_rows(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    const app_run *run = context;
    for (int64_t i = 0; i < rows; i++) {
        halo_paths_cell *cells = paths_row(run, first + i);
        const char *row = (const char *)data + (size_t)i * pitch;
        for (int64_t x = 0; x < run->domain.n[1]; x++) {
            double distance;
            memcpy(&distance, row + (size_t)x * sizeof distance, sizeof distance);
            bool barrier = isinf(cells[x].cost) && distance < cells[x].distance;
            if (!(distance >= 0) || barrier || distance > cells[x].distance) {
                return halo_fail(HALO_FORMAT,
                                 "\"%s\": %g is no distance of the cell in row %" PRId64
                                 ", column %" PRId64 "; begin anew without it",
                                 run->arguments->state.restore, distance, first + i, x);
            }
            cells[x].distance = distance;
        }
    }
    return HALO_OK;
}

static halo_status lay_rows(app_run *run, app_layout *rows, bool reads)
{
    *rows = (app_layout){.rows = run->domain.n[0],
                         .row_bytes = (size_t)run->domain.n[1] * sizeof(double),
                         .cuts = run->cuts,
                         .fill = fill_rows,
                         .take = take_rows,
                         .context = run};
    ((paths_job *)run->job)->collected = !reads;
    return reads ? HALO_OK : paths_collect(run);
}

static void release_rows(app_run *run)
{
    paths_job *job = run->job;
    if (job->collected) { /* those that were read have still to be spread */
        paths_release(run);
    }
}

static halo_status parse_digest(const char *text, void *into)
{
    (void)into;
    return strlen(text) == DIGEST_TEXT - 1 ? HALO_OK : HALO_ARGUMENT;
}

static const app_kept kept[] = {{.row = {.name = "search",
                                         .type = APP_TEXT,
                                         .parse = parse_digest,
                                         .takes = "a text of 16 hexadecimal digits"}},
                                {.max = 0}};

const app_state paths_state = {.image = "image",
                               .kept = kept,
                               .check = check_saved,
                               .keep = keep,
                               .layout = lay_rows,
                               .release = release_rows};
