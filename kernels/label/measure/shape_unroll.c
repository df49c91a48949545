#include "kernels/label/measure/shape_unroll.h"

#include "base/memory.h"
#include "kernels/label/label_internal.h"
#include "kernels/label/measure/shape_join.h"

#include <stdlib.h>
#include <string.h>

enum { DIRECTIONS = 27 };

typedef struct {
    halo_label *label, *pieces;
    halo_label_painting *regions_of, *pieces_of;
    label_by_number *table; /* of regions */
    label_by_number sums;   /* of pieces */
    int64_t first, end;     /* layers of this rank: planes of a volume, rows of an image */
    int64_t lines, width;   /* rows of a layer, and their pixels */
    bool deep;
    int64_t *region[2], *piece[2]; /* numbers of a layer, and of the layer before */
    halo_buffer links;
    piece_link last[DIRECTIONS]; /* the latest of each: mostly the next one, too */
    /* The pieces of this rank's regions, and the links between them. */
    piece_sums *parts;
    piece_link *joints;
    int64_t part_count, joint_count;
} unrolling;

/* ---- links across edges ---------------------------------------------------------------------- */

static halo_status add_link(unrolling *u, const piece_link *link)
{
    piece_link *last = &u->last[9 * (link->by[0] + 1) + 3 * (link->by[1] + 1) + link->by[2] + 1];
    if (memcmp(last, link, sizeof *link) == 0) {
        return HALO_OK;
    }
    *last = *link;
    return halo_buffer_append(&u->links, link, sizeof *link);
}

/* The index within an axis of `n` cells that `at` is the image of, *by images away. */
static int64_t wrap(int64_t at, int64_t n, int8_t *by)
{
    *by = (int8_t)(at < 0 ? -1 : at >= n);
    return at - *by * n;
}

/* Pixel x of line y and its neighbour at `step`, if that is beyond an edge and one of the region.
 * by[] has the layer's part already. */
static halo_status link_pixel(unrolling *u, const int step[HALO_AXES], int64_t y, int64_t x,
                              int8_t by_layer)
{
    const bool *periodic = u->label->job.periodic;
    piece_link link = {0};
    int layer = step[0] != 0, layers = u->deep ? 0 : 1;
    int8_t by_line = 0;
    int64_t other_y = wrap(y + step[1], u->lines, &by_line);
    int64_t other_x = wrap(x + step[2], u->width, &link.by[2]);
    if ((link.by[2] != 0 && !periodic[2]) || (by_line != 0 && !periodic[1])) {
        return HALO_OK;
    }
    link.by[1] = by_line;
    link.by[layers] = (int8_t)(link.by[layers] + by_layer);
    int64_t at = y * u->width + x, other = other_y * u->width + other_x;
    link.region = u->region[0][at];
    if (link.region == 0 || link.region != u->region[layer][other] ||
        (link.by[0] | link.by[1] | link.by[2]) == 0) {
        return HALO_OK;
    }
    link.a = u->piece[0][at];
    link.b = u->piece[layer][other];
    return add_link(u, &link);
}

/* Only rows and columns at edges have neighbours beyond them, unless the layer before is. */
static halo_status link_step(unrolling *u, const int step[HALO_AXES], int8_t by_layer)
{
    for (int64_t y = 0; y < u->lines; y++) {
        bool row = by_layer != 0 || y + step[1] < 0 || y + step[1] >= u->lines;
        int64_t edge = step[2] < 0 ? 0 : u->width - 1;
        int64_t begin = row ? 0 : edge, end = row ? u->width : step[2] != 0 ? edge + 1 : edge;
        for (int64_t x = begin; x < end; x++) {
            HALO_TRY(link_pixel(u, step, y, x, by_layer));
        }
    }
    return HALO_OK;
}

/* Each pair of neighbours once: those in the layer before, and those before it in the layer. */
static halo_status link_layer(unrolling *u, int64_t layer, bool has_before)
{
    int order = u->label->job.order, lines = u->deep ? 1 : 0;
    for (int dz = has_before ? -1 : 0; dz <= 0; dz++) {
        for (int dy = -lines; dy <= (dz < 0 ? lines : 0); dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                int axes = (dz != 0) + (dy != 0) + (dx != 0);
                if (axes > 0 && axes <= order) {
                    HALO_TRY(link_step(u, (int[]){dz, dy, dx}, dz < 0 && layer == 0 ? -1 : 0));
                }
            }
        }
    }
    return HALO_OK;
}

/* ---- sums of pieces -------------------------------------------------------------------------- */

static halo_status add_runs(unrolling *u, int64_t layer, int64_t line)
{
    const int64_t *region = u->region[0] + line * u->width;
    const int64_t *piece = u->piece[0] + line * u->width;
    for (int64_t x = 0; x < u->width;) {
        int64_t begin = x;
        while (x < u->width && piece[x] == piece[begin]) {
            x++;
        }
        if (region[begin] == 0) {
            continue;
        }
        piece_sums *sums = label_by_number_find(&u->sums, piece[begin]);
        if (sums == NULL) {
            return u->sums.failure;
        }
        sums->region = region[begin];
        shape_add_run(&sums->moments, u->deep ? layer : 0, u->deep ? line : layer, begin, x);
    }
    return HALO_OK;
}

static void swap(int64_t *rows[2])
{
    int64_t *first = rows[0];
    rows[0] = rows[1];
    rows[1] = first;
}

static halo_status take_layers(unrolling *u, bool has_before)
{
    for (int64_t layer = u->first; layer < u->end; layer++) {
        for (int64_t line = 0; line < u->lines; line++) {
            int64_t row = layer * u->lines + line, at = line * u->width;
            HALO_TRY(halo_label_painting_rows(u->regions_of, row, 1, u->region[0] + at, 0));
            HALO_TRY(halo_label_painting_rows(u->pieces_of, row, 1, u->piece[0] + at, 0));
            HALO_TRY(add_runs(u, layer, line));
        }
        HALO_TRY(link_layer(u, layer, has_before || layer > u->first));
        swap(u->region);
        swap(u->piece);
    }
    return HALO_OK;
}

static void add_sums(const void *context, void *to, const void *part)
{
    piece_sums *sums = to;
    const piece_sums *more = part;
    (void)context;
    sums->region = more->region;
    shape_add(&sums->moments, &more->moments);
}

/* ---- regions of pieces ----------------------------------------------------------------------- */

/* Pieces of regions that are dropped have no sums. */
static int64_t drop_empty(const label_by_number *sums)
{
    int64_t kept = 0;
    piece_sums *all = (piece_sums *)(void *)sums->own;
    for (int64_t i = 0; i < sums->count; i++) {
        if (all[i].region != 0) {
            all[kept++] = all[i];
        }
    }
    return kept;
}

/* ---------------------------------------------------------------------------------------------- */

/* Collective. Label once more, without periodic axes. */
static halo_status label_pieces(unrolling *u)
{
    static const int neighbours[][HALO_AXES] = {{4, 8, 0}, {6, 18, 26}};
    const label_job *job = &u->label->job;
    halo_domain domain = job->domain;
    memset(domain.periodic, 0, sizeof domain.periodic);
    const halo_label_options options = {.connectivity = neighbours[u->deep][job->order - 1],
                                        .near = job->near,
                                        .measure = true,
                                        .transposes = job->transposed};
    HALO_TRY(halo_label_create(&u->pieces, job->world, &domain, &job->partition, &options));
    HALO_TRY(halo_label_run(u->pieces, job->foreground, job->grey));
    /* Rows are to be painted on the same ranks. */
    halo_partition_free(&u->pieces->given);
    HALO_TRY(halo_agree(job->world, halo_partition_copy(&u->pieces->given, &u->label->given)));
    HALO_TRY(halo_label_painting_create(&u->pieces_of, u->pieces, HALO_LABEL_I64));
    const label_numbered pieces = label_numbered_of(u->pieces, u->pieces_of);
    return label_by_number_create(&u->sums, &pieces, sizeof(piece_sums));
}

static halo_status create(unrolling *u)
{
    const label_job *job = &u->label->job;
    const int64_t *cuts = halo_label_painting_cuts(u->regions_of) + halo_world_rank(job->world);
    u->first = cuts[0] / u->lines;
    u->end = cuts[1] / u->lines;
    for (int i = 0; i < 2; i++) {
        int64_t pixels = u->lines * u->width;
        HALO_TRY(HALO_ALLOCATE_LARGE(u->region[i], pixels, "rows of labels"));
        HALO_TRY(HALO_ALLOCATE_LARGE(u->piece[i], pixels, "rows of labels"));
    }
    return HALO_OK;
}

static halo_status receive(unrolling *u, bool *has_before)
{
    bool round = u->label->job.periodic[u->deep ? 0 : 1];
    const label_numbered regions = label_numbered_of(u->label, u->regions_of);
    const label_numbered pieces = label_numbered_of(u->pieces, u->pieces_of);
    HALO_TRY(label_numbered_layer_before(&regions, round, u->region[1], has_before));
    return label_numbered_layer_before(&pieces, round, u->piece[1], has_before);
}

static halo_status unroll(unrolling *u)
{
    halo_world *world = u->table->world;
    bool has_before;
    HALO_TRY(label_pieces(u));
    HALO_TRY(halo_agree(world, create(u)));
    HALO_TRY(receive(u, &has_before));
    HALO_TRY(halo_agree(world, take_layers(u, has_before)));
    HALO_TRY(label_by_number_share(&u->sums, add_sums, NULL));
    label_by_number_post parts = {.size = sizeof *u->parts, .offset = offsetof(piece_sums, region)};
    parts.data = u->sums.own;
    parts.count = drop_empty(&u->sums);
    HALO_TRY(label_by_number_send(u->table, &parts, (void **)&u->parts, &u->part_count));
    const label_by_number_post joints = {.data = u->links.data,
                                         .count = (int64_t)(u->links.size / sizeof *u->joints),
                                         .size = sizeof *u->joints,
                                         .offset = offsetof(piece_link, region)};
    HALO_TRY(label_by_number_send(u->table, &joints, (void **)&u->joints, &u->joint_count));
    const shape_pieces pieces = {u->parts, u->part_count, u->joints, u->joint_count};
    return halo_agree(world, shape_join(&pieces, u->label->job.n, u->table));
}

halo_status label_unroll(halo_label *label, halo_label_painting *painting, label_by_number *table)
{
    const label_job *job = &label->job;
    bool deep = job->domain.axes == HALO_AXES;
    unrolling u = {.label = label,
                   .regions_of = painting,
                   .table = table,
                   .deep = deep,
                   .lines = deep ? job->n[1] : 1,
                   .width = job->n[2]};
    halo_status status = unroll(&u);
    halo_label_painting_destroy(&u.pieces_of);
    halo_label_destroy(&u.pieces);
    label_by_number_free(&u.sums);
    for (int i = 0; i < 2; i++) {
        halo_memory_free(u.region[i]);
        halo_memory_free(u.piece[i]);
    }
    halo_buffer_free(&u.links);
    halo_memory_free(u.parts);
    halo_memory_free(u.joints);
    return status;
}
