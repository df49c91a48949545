#include "kernels/cluster/cluster_connect.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/option.h"
#include "core/world/collect.h"
#include "kernels/cluster/engine.h"
#include "kernels/cluster/join.h"
#include "kernels/label/label.h"
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
    int64_t *areas;      /* [pieces] pixels */
    cluster_borders borders;
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
    const halo_label_options options = {.near = {.type = HALO_SAMPLE_U16},
                                        .instructions = c->instructions};
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

/* ---- their pixels and borders ---------------------------------------------------------------- */

/* Calls `take` for each row of this rank in turn, with the numbers of its pieces, from 1 on, and
 * those of the row before; NULL: there is none. */
typedef halo_status take_pieces(connection *c, int64_t y, const int32_t *row, const int32_t *above);

static halo_status pass_rows(connection *c, const int32_t *above, take_pieces *take)
{
    int64_t rows = c->picture->owned.n[0], width = c->width;
    int32_t *last, *pieces;
    HALO_TRY(HALO_ALLOCATE_LARGE(last, (CHUNK_ROWS + 1) * width, "rows of labels"));
    pieces = last + width; /* behind the last row of the chunk before */
    halo_status status = HALO_OK;
    for (int64_t first = 0; first < rows && status == HALO_OK; first += CHUNK_ROWS) {
        int64_t count = halo_min(CHUNK_ROWS, rows - first);
        status = halo_label_paint_rows(c->label, HALO_LABEL_I32, first, count, pieces,
                                       (size_t)width * sizeof *pieces);
        for (int64_t i = 0; i < count && status == HALO_OK; i++) {
            const int32_t *row = pieces + i * width;
            status = take(c, first + i, row, i > 0 || first > 0 ? row - width : above);
        }
        memcpy(last, pieces + (count - 1) * width, (size_t)width * sizeof *last);
        HALO_IF_OK(status, halo_watch_work(c->world, first + count, rows));
    }
    halo_memory_free(last);
    return status;
}

/* Adds the pixels of a row to the areas of its pieces. */
static halo_status count_row(connection *c, int64_t y, const int32_t *row, const int32_t *above)
{
    (void)y;
    (void)above;
    for (int64_t x = 0, begin = 0; x < c->width; begin = x) {
        while (x < c->width && row[x] == row[begin]) {
            x++;
        }
        c->areas[row[begin] - 1] += x - begin;
    }
    return HALO_OK;
}

/* Adds the faces of a row's pixels with each other, and with those of the row before. */
static halo_status border_row(connection *c, int64_t y, const int32_t *row, const int32_t *above)
{
    (void)y;
    for (int64_t x = 1; x < c->width; x++) {
        if (row[x] != row[x - 1]) {
            HALO_TRY(cluster_borders_add(&c->borders, row[x - 1] - 1, row[x] - 1, 1));
        }
    }
    for (int64_t x = 0; above != NULL && x < c->width;) {
        int64_t begin = x;
        while (x < c->width && row[x] == row[begin] && above[x] == above[begin]) {
            x++;
        }
        if (row[begin] != above[begin]) {
            HALO_TRY(cluster_borders_add(&c->borders, row[begin] - 1, above[begin] - 1, x - begin));
        }
    }
    return HALO_OK;
}

/* The nearest rank with rows, `step` from this one on; -1 if there is none. */
static int find_rank(const connection *c, int step)
{
    const int64_t *cuts = c->strips.cuts[0];
    int ranks = halo_world_ranks(c->world), rank = halo_world_rank(c->world) + step;
    while (rank >= 0 && rank < ranks && cuts[rank] == cuts[rank + 1]) {
        rank += step;
    }
    return rank < ranks ? rank : -1;
}

/* Collective. Copies the last row of the nearest lower rank to `above`. */
static halo_status fetch_above(connection *c, int32_t *row, int32_t *above, bool *has_above)
{
    int64_t rows = c->picture->owned.n[0];
    size_t bytes = (size_t)c->width * sizeof *row;
    int before = rows > 0 ? find_rank(c, -1) : -1, behind = rows > 0 ? find_rank(c, 1) : -1;
    halo_status status =
        behind < 0 ? HALO_OK
                   : halo_label_paint_rows(c->label, HALO_LABEL_I32, rows - 1, 1, row, bytes);
    HALO_TRY(halo_agree(c->world, status));
    halo_message out = {.rank = behind, .data = row, .bytes = bytes};
    halo_message in = {.rank = before, .data = above, .bytes = bytes};
    *has_above = before >= 0;
    return halo_agree(c->world, halo_sendrecv(c->world, &out, behind >= 0, &in, before >= 0));
}

/* Collective. Finds the borders of this rank's rows, and between the first of them and the row
 * above it. */
static halo_status find_borders(connection *c)
{
    int32_t *rows;
    bool has_above;
    halo_status status = HALO_ALLOCATE_LARGE(rows, 2 * c->width, "rows of labels");
    status = halo_agree(c->world, status);
    HALO_IF_OK(status, fetch_above(c, rows, rows + c->width, &has_above));
    if (status == HALO_OK) {
        status = pass_rows(c, has_above ? rows + c->width : NULL, border_row);
        HALO_IF_OK(status, cluster_borders_merge(&c->borders));
        status = halo_agree(c->world, status);
    }
    halo_memory_free(rows);
    return status;
}

/* Collective. Rank 0 has the borders of all ranks then. */
static halo_status gather_borders(connection *c)
{
    cluster_border *list = NULL;
    void *all;
    size_t bytes;
    HALO_TRY(halo_gatherv(c->world, c->borders.list,
                          (size_t)c->borders.count * sizeof *c->borders.list, &all, &bytes));
    halo_status status = HALO_OK;
    if (bytes > 0) {
        list = malloc(bytes);
        status =
            list != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: borders of pieces");
    }
    if (status == HALO_OK && bytes > 0) {
        memcpy(list, all, bytes);
    }
    halo_memory_free(all);
    cluster_borders_take(&c->borders, list, list != NULL ? (int64_t)(bytes / sizeof *list) : 0);
    return status;
}

/* ---- which of them are one superpixel -------------------------------------------------------- */

static halo_status create_pieces(connection *c)
{
    HALO_TRY(HALO_ALLOCATE_LARGE(c->superpixel, c->pieces, "pieces of clusters"));
    return HALO_ALLOCATE_LARGE(c->areas, c->pieces, "pieces of clusters");
}

/* Collective. Each piece that is large enough is a superpixel, unless others join it. */
static halo_status join(connection *c)
{
    int64_t small = 0;
    HALO_TRY(halo_agree(c->world, create_pieces(c)));
    HALO_TRY(halo_agree(c->world, pass_rows(c, NULL, count_row)));
    HALO_TRY(halo_allreduce_sum(c->world, c->areas, (int)c->pieces));
    for (int64_t p = 0; p < c->pieces; p++) {
        small += c->areas[p] < c->min_pixels;
    }
    c->borders.world = c->world;
    if (small > 0) {
        HALO_TRY(find_borders(c));
        HALO_TRY(halo_world_ranks(c->world) > 1 ? halo_agree(c->world, gather_borders(c))
                                                : HALO_OK);
    }
    halo_status status = HALO_OK;
    if (halo_world_rank(c->world) == 0) {
        status =
            cluster_join(c->pieces, c->areas, &c->borders, c->min_pixels, c->superpixel, &c->after);
    }
    HALO_TRY(halo_agree(c->world, status));
    HALO_TRY(halo_bcast(c->world, &c->after, sizeof c->after, 0));
    return halo_bcast(c->world, c->superpixel, (size_t)c->pieces * sizeof *c->superpixel, 0);
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
static halo_status label_row(connection *c, int64_t y, const int32_t *pieces, const int32_t *above)
{
    const cluster_job *job = cluster_job_of(c->beat);
    uint16_t *labels = c->shown.labels + y * c->width;
    (void)above;
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
    return HALO_OK;
}

static halo_status paint(connection *c)
{
    HALO_TRY(create_shown(c));
    return pass_rows(c, NULL, label_row);
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

halo_status halo_cluster_connect_sized(halo_beat *beat, halo_world *world, double min_share,
                                       const char *instructions, halo_cluster_connection *out,
                                       size_t out_bytes)
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
    const halo_cluster_connection own = {
        .pieces = c.pieces, .min_pixels = c.min_pixels, .after = c.after};
    halo_report_give(out, out_bytes, &own, sizeof own);
    cluster_shown_free(&c.shown);
    halo_memory_free(c.superpixel);
    halo_memory_free(c.areas);
    cluster_borders_free(&c.borders);
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
