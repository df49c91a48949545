#include "kernels/cluster/cluster_connect.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/cluster/engine.h"
#include "kernels/cluster/join.h"
#include "kernels/label/measure/contacts.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_ROWS = 64, WORD_BITS = 16 };

typedef struct {
    halo_beat *beat;
    halo_world *world;
    const char *instructions;
    const halo_view *picture;
    int64_t width;
    halo_partition strips;
    halo_field *values, *foreground; /* the clusters, of all pixels */
    halo_label *label;
    int64_t pieces, min_pixels;
    int32_t *superpixel; /* [pieces] on all ranks */
    int64_t after;
    cluster_shown shown;
} connection;

/* ---- pieces ---------------------------------------------------------------------------------- */

static halo_status create_fields(connection *c)
{
    const halo_box *mine = &c->picture->owned;
    const halo_domain *domain = &cluster_job_of(c->beat)->domain;
    HALO_TRY(halo_partition_with_cuts(&c->strips, domain, halo_world_ranks(c->world),
                                      halo_beat_cuts(c->beat)));
    HALO_TRY(halo_field_create(&c->values, domain, mine, WORD_BITS, 0));
    HALO_TRY(halo_field_create(&c->foreground, domain, mine, 1, 0));
    const halo_view *values = halo_field_view(c->values);
    if (mine->n[0] > 0) { /* all at once: engines that put pixels into order work block by block */
        HALO_TRY(halo_cluster_labels(c->beat, 0, mine->n[0], halo_row(values, 0),
                                     (size_t)values->stride[0] / sizeof(uint16_t)));
    }
    halo_foreground_of_values(values, HALO_SAMPLE_U16, NULL, halo_field_view(c->foreground),
                              c->instructions);
    return HALO_OK;
}

static halo_status label_pieces(connection *c)
{
    const halo_label_options options = {
        .near = {.type = HALO_SAMPLE_U16}, .measure = true, .instructions = c->instructions};
    HALO_TRY(halo_agree(c->world, create_fields(c)));
    HALO_TRY(halo_label_create(&c->label, c->world, &cluster_job_of(c->beat)->domain, &c->strips,
                               &options));
    HALO_TRY(halo_label_run(c->label, halo_field_view(c->foreground), halo_field_view(c->values)));
    c->pieces = halo_label_total(c->label);
    return c->pieces <= INT32_MAX
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "%lld pieces of clusters; up to %d can be connected. A smaller weight "
                           "makes fewer",
                           (long long)c->pieces, INT32_MAX);
}

/* ---- which of them are one superpixel -------------------------------------------------------- */

/* `*small` becomes how many pieces of all are. */
static halo_status send_areas(const connection *c, void **areas, int64_t *small)
{
    int64_t count, *mine;
    size_t total;
    const halo_region *regions = halo_label_regions(c->label, &count);
    halo_status status = halo_agree(c->world, HALO_ALLOCATE(mine, count + 1, "pieces of clusters"));
    *small = 0;
    if (status == HALO_OK) {
        for (int64_t i = 0; i < count; i++) {
            mine[i] = regions[i].area;
            *small += regions[i].area < c->min_pixels;
        }
        status = halo_gatherv(c->world, mine, (size_t)count * sizeof *mine, areas, &total);
    }
    free(mine);
    return status == HALO_OK ? halo_allreduce_sum(c->world, small, 1) : status;
}

static halo_status send_borders(const connection *c, void **borders, int64_t *count)
{
    halo_contact *contacts;
    cluster_border *mine;
    int64_t found;
    size_t bytes = 0;
    HALO_TRY(halo_label_contacts(c->label, &contacts, &found));
    halo_status status = halo_agree(c->world, HALO_ALLOCATE(mine, found + 1, "borders of pieces"));
    if (status == HALO_OK) {
        for (int64_t i = 0; i < found; i++) {
            int64_t faces = 0;
            for (int a = 0; a < HALO_AXES; a++) {
                faces += contacts[i].faces[a];
            }
            mine[i] = (cluster_border){(int32_t)(contacts[i].first - 1),
                                       (int32_t)(contacts[i].second - 1), faces};
        }
        status = halo_gatherv(c->world, mine, (size_t)found * sizeof *mine, borders, &bytes);
    }
    *count = (int64_t)(bytes / sizeof *mine);
    free(mine);
    halo_memory_free(contacts);
    return status;
}

static halo_status join(connection *c)
{
    void *areas = NULL, *borders = NULL;
    int64_t small, count = 0;
    halo_status status =
        halo_agree(c->world, HALO_ALLOCATE(c->superpixel, c->pieces, "pieces of clusters"));
    HALO_TRY_OR(done, status);
    status = send_areas(c, &areas, &small);
    HALO_TRY_OR(done, status);
    if (small > 0) {
        status = send_borders(c, &borders, &count);
        HALO_TRY_OR(done, status);
    }
    if (halo_world_rank(c->world) == 0) {
        status =
            cluster_join(c->pieces, areas, borders, count, c->min_pixels, c->superpixel, &c->after);
    }
    status = halo_agree(c->world, status);
    HALO_TRY_OR(done, status);
    status = halo_bcast(c->world, &c->after, sizeof c->after, 0);
    HALO_TRY_OR(done, status);
    status = halo_bcast(c->world, c->superpixel, (size_t)c->pieces * sizeof *c->superpixel, 0);
done:
    halo_memory_free(areas);
    halo_memory_free(borders);
    return status;
}

/* ---- superpixels ----------------------------------------------------------------------------- */

static halo_status create_shown(connection *c)
{
    const cluster_job *job = cluster_job_of(c->beat);
    const int64_t max = HALO_CLUSTER_MAX + 1;
    if (c->after > max) {
        return halo_fail(HALO_ARGUMENT,
                         "%lld superpixels of %lld pixels or more; there are labels for %lld. Ask "
                         "for fewer clusters, or join larger pieces to their neighbours",
                         (long long)c->after, (long long)c->min_pixels, (long long)max);
    }
    cluster_shown *shown = &c->shown;
    shown->clusters = c->after;
    shown->width = c->width;
    HALO_TRY(HALO_ALLOCATE_LARGE(shown->labels, c->picture->owned.n[0] * c->width + 1,
                                 "labels of superpixels"));
    HALO_TRY(HALO_ALLOCATE(shown->records, c->after, "sums of superpixels"));
    HALO_TRY(HALO_ALLOCATE(shown->sums, c->after * (1 + job->axes), "sums of superpixels"));
    return HALO_OK;
}

/* Label a row by its pieces, numbered from 1, and add its pixels to the sums of their superpixels.
 */
static void take_row(connection *c, int64_t y, const int32_t *pieces)
{
    const cluster_job *job = cluster_job_of(c->beat);
    uint16_t *labels = c->shown.labels + y * c->width;
    for (int64_t x = 0; x < c->width; x++) {
        int32_t pixel[CLUSTER_AXES], label = c->superpixel[pieces[x] - 1];
        int64_t *sum = c->shown.sums + (int64_t)label * (1 + job->axes);
        labels[x] = (uint16_t)label;
        cluster_pixel(job, c->picture, y, x, pixel);
        sum[0]++;
        for (int a = 0; a < job->axes; a++) {
            sum[1 + a] += pixel[a];
        }
    }
}

static halo_status paint(connection *c)
{
    int64_t rows = c->picture->owned.n[0];
    int32_t *pieces;
    HALO_TRY(create_shown(c));
    HALO_TRY(HALO_ALLOCATE_LARGE(pieces, CHUNK_ROWS * c->width, "rows of labels"));
    halo_status status = HALO_OK;
    for (int64_t first = 0; first < rows && status == HALO_OK; first += CHUNK_ROWS) {
        int64_t count = halo_min(CHUNK_ROWS, rows - first);
        status = halo_label_paint_rows(c->label, HALO_LABEL_I32, first, count, pieces,
                                       (size_t)c->width * sizeof *pieces);
        for (int64_t i = 0; i < count && status == HALO_OK; i++) {
            take_row(c, first + i, pieces + i * c->width);
        }
    }
    halo_memory_free(pieces);
    return status;
}

static halo_status show(connection *c)
{
    const cluster_job *job = cluster_job_of(c->beat);
    HALO_TRY(halo_agree(c->world, paint(c)));
    HALO_TRY(halo_allreduce_sum(c->world, c->shown.sums, (int)c->after * (1 + job->axes)));
    cluster_records_add(c->shown.records, (int)c->after, job->axes, c->shown.sums);
    cluster_show(c->beat, &c->shown);
    return HALO_OK;
}

halo_status halo_cluster_connect(halo_beat *beat, halo_world *world, double min_share,
                                 const char *instructions, halo_cluster_connection *out)
{
    const cluster_job *job = cluster_job_of(beat);
    double pixels = (double)(job->domain.n[0] * job->domain.n[1]);
    connection c = {.beat = beat,
                    .world = world,
                    .instructions = instructions,
                    .picture = halo_beat_view(beat, 0),
                    .width = job->domain.n[1],
                    .min_pixels = (int64_t)(min_share * pixels / job->clusters)};
    cluster_show(beat, &c.shown);
    halo_status status = label_pieces(&c);
    if (status == HALO_OK) {
        status = join(&c);
    }
    if (status == HALO_OK) {
        status = show(&c);
    }
    *out =
        (halo_cluster_connection){.pieces = c.pieces, .min_pixels = c.min_pixels, .after = c.after};
    cluster_shown_free(&c.shown);
    free(c.superpixel);
    halo_label_destroy(&c.label);
    halo_field_destroy(&c.foreground);
    halo_field_destroy(&c.values);
    halo_partition_free(&c.strips);
    return status;
}

/* Clusters of 16 bits and their foreground; labelling takes a label of 32 bits for a run, of which
 * there are few in pictures that have superpixels. */
int64_t halo_cluster_connect_bytes(const halo_box *owned)
{
    return 3 * halo_box_cells(owned) + halo_cluster_connected_bytes(owned);
}

int64_t halo_cluster_connected_bytes(const halo_box *owned)
{
    return halo_box_cells(owned) * (int64_t)sizeof(uint16_t);
}
