#include "kernels/motion/motion.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/option.h"
#include "core/world/collect.h"
#include "kernels/motion/clusters.h"
#include "kernels/motion/flow.h"
#include "kernels/motion/options.h"
#include "kernels/motion/pair.h"
#include "partition/cuts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LATER_SHARE = 4 };

struct halo_motion {
    halo_world *world;
    halo_domain domain;
    halo_motion_options options;
    halo_field *coming; /* the next frame's rows */
    halo_field *last;   /* those of the frame before */
    halo_partition partition;
    motion_clustering clustering;
    bool fine;

    motion_frame frames[2]; /* whole: the frame before, the next */
    int later;              /* which of them is the later one */
    uint16_t *labels;       /* of the frame before, this rank's rows */
    uint16_t *all_labels;   /* rank 0: of all rows */
    motion_pair pair;
    motion_flow flow;

    halo_cluster_record *records; /* [clusters] of the earlier frame */
    halo_motion_centre *centres;  /* [clusters] */
    halo_motion_vector *vectors;  /* [clusters] */
    int64_t frames_seen;
    bool has_centres;
    halo_motion_report report;
};

/* ---- making ---------------------------------------------------------------------------------- */

void halo_motion_destroy(halo_motion **motion)
{
    halo_motion *m = *motion;
    if (m == NULL) {
        return;
    }
    halo_field_destroy(&m->coming);
    halo_field_destroy(&m->last);
    halo_partition_free(&m->partition);
    motion_frame_free(&m->frames[0]);
    motion_frame_free(&m->frames[1]);
    halo_memory_free(m->labels);
    halo_memory_free(m->all_labels);
    halo_memory_free(m->pair.cells);
    motion_pair_free(&m->pair);
    motion_flow_free(&m->flow);
    free(m->records);
    free(m->centres);
    free(m->vectors);
    free(m);
    *motion = NULL;
}

static halo_status create_frames(halo_motion *m, const halo_domain *domain, int cell_bits)
{
    int rows = (int)domain->n[0], columns = (int)domain->n[1];
    int64_t pixels = domain->n[0] * domain->n[1];
    HALO_TRY(halo_partition_strips(&m->partition, domain, halo_world_ranks(m->world)));
    halo_box box = halo_partition_box(&m->partition, halo_world_rank(m->world));
    HALO_TRY(halo_field_create(&m->coming, domain, &box, cell_bits, 0));
    HALO_TRY(halo_field_create(&m->last, domain, &box, cell_bits, 0));
    HALO_TRY(motion_frame_create(&m->frames[0], rows, columns));
    HALO_TRY(motion_frame_create(&m->frames[1], rows, columns));
    int64_t all = halo_world_rank(m->world) == 0 ? pixels : 0;
    HALO_TRY(HALO_ALLOCATE_LARGE(m->labels, halo_box_cells(&box) + 1, "labels"));
    HALO_TRY(HALO_ALLOCATE_LARGE(m->all_labels, all + 1, "labels"));
    m->pair.bytes = (size_t)pixels * (size_t)cell_bits / 8;
    return halo_memory_create(&m->pair.cells, m->pair.bytes, "a frame");
}

static halo_status create_tables(halo_motion *m, const motion_choices *chosen, int cell_bits)
{
    int clusters = m->clustering.options.clusters;
    HALO_TRY(HALO_ALLOCATE(m->records, clusters, "clusters"));
    HALO_TRY(HALO_ALLOCATE(m->centres, clusters, "centres of clusters"));
    HALO_TRY(HALO_ALLOCATE(m->vectors, clusters, "vectors of clusters"));
    motion_pair *p = &m->pair;
    p->world = m->world;
    p->cell_bits = cell_bits;
    p->fine = m->fine;
    HALO_TRY(motion_match_context_create(&p->context, m->options.radius));
    p->context.ops = chosen->variant->ops;
    p->context.drop = cell_bits - 8;
    m->report.instructions = halo_isa_name(chosen->variant->isa);
    return motion_pair_create(p, chosen->method, clusters);
}

static halo_status create(halo_motion **out, halo_world *world, const halo_domain *domain,
                          int cell_bits, const halo_motion_options *o)
{
    motion_choices chosen;
    HALO_TRY(motion_options_check(o, domain, cell_bits));
    HALO_TRY(motion_options_choose(&chosen, o));
    HALO_TRY(HALO_ALLOCATE(*out, 1, "motion"));
    halo_motion *m = *out;
    m->world = world;
    m->domain = *domain;
    m->options = motion_options_resolve(o, domain, &chosen);
    m->fine = chosen.fine;
    m->clustering = (motion_clustering){.options = {.clusters = m->options.clusters,
                                                    .weight = o->weight,
                                                    .place_only = o->place_only,
                                                    .engine = o->engine,
                                                    .instructions = o->instructions},
                                        .max_beats = m->options.cluster_beats};
    m->clustering.options.beats = m->clustering.max_beats;
    halo_kernel kernel; /* looks at the options */
    HALO_TRY(halo_cluster_kernel(&kernel, &m->clustering.options, cell_bits));
    HALO_TRY(create_frames(m, domain, cell_bits));
    return create_tables(m, &chosen, cell_bits);
}

halo_status halo_motion_create_sized(halo_motion **out, halo_world *world,
                                     const halo_domain *domain, int cell_bits,
                                     const halo_motion_options *given, size_t given_bytes)
{
    halo_motion_options options;
    *out = NULL;
    halo_status status =
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_motion_options");
    HALO_IF_OK(status, create(out, world, domain, cell_bits, &options));
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        status = halo_master_worker_create(&(*out)->pair.workers, world, NULL);
    }
    if (status != HALO_OK) {
        halo_motion_destroy(out);
    }
    return status;
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Everyone's rows to rank 0, one row after another. */
static halo_status gather_rows(halo_motion *m, const void *rows, size_t row_bytes, void *all)
{
    size_t mine = (size_t)halo_field_view(m->coming)->owned.n[0] * row_bytes, total;
    void *in;
    HALO_TRY(halo_gatherv(m->world, rows, mine, &in, &total));
    if (in != NULL) {
        memcpy(all, in, total);
    }
    halo_memory_free(in);
    return HALO_OK;
}

/* The rows of the view to rank 0's cells. */
static halo_status gather_frame(halo_motion *m)
{
    const halo_view *view = halo_field_view(m->coming);
    size_t row_bytes = (size_t)m->domain.n[1] * (size_t)m->pair.cell_bits / 8;
    void *rows = NULL;
    halo_status mine =
        halo_memory_create(&rows, (size_t)view->owned.n[0] * row_bytes + 1, "rows of a frame");
    halo_status status = halo_agree(m->world, mine);
    for (int64_t y = 0; y < view->owned.n[0] && status == HALO_OK; y++) {
        memcpy((char *)rows + (size_t)y * row_bytes, halo_row(view, y), row_bytes);
    }
    if (status == HALO_OK) {
        status = gather_rows(m, rows, row_bytes, m->pair.cells);
    }
    halo_memory_free(rows);
    return status;
}

/* The earlier frame's clusters, and their pieces on rank 0. */
static halo_status cluster(halo_motion *m)
{
    halo_beat_report report;
    motion_clustering how = m->clustering;
    if (m->has_centres) { /* they are nearly there */
        how.max_beats = (how.max_beats + LATER_SHARE - 1) / LATER_SHARE;
    }
    HALO_TRY(motion_cluster_frame(&how, m->world, &m->domain, &m->partition,
                                  halo_field_view(m->last), m->has_centres ? m->centres : NULL,
                                  m->labels, m->records, &report));
    m->report.clustering_beats += report.beats;
    halo_clock_add(&m->report.clock, &report.clock);
    HALO_TRY(gather_rows(m, m->labels, (size_t)m->domain.n[1] * sizeof *m->labels, m->all_labels));
    motion_parts_free(&m->pair.parts);
    halo_status mine = HALO_OK;
    if (halo_world_rank(m->world) == 0) {
        mine = motion_parts_create(&m->pair.parts, m->all_labels, (int)m->domain.n[0],
                                   (int)m->domain.n[1], m->clustering.options.clusters);
    }
    return halo_agree(m->world, mine);
}

/* ---- results --------------------------------------------------------------------------------- */

static int32_t mean_place(int64_t sum, int64_t of)
{
    return (int32_t)((double)sum * HALO_MOTION_ONE / (double)of + .5);
}

/* Rank 0's vectors to all. */
static halo_status share_vectors(halo_motion *m)
{
    int clusters = m->clustering.options.clusters;
    for (int k = 0; k < clusters && halo_world_rank(m->world) == 0; k++) {
        const halo_cluster_record *r = &m->records[k];
        const motion_found *found = &m->pair.parts.table[k].found;
        m->vectors[k] = (halo_motion_vector){0};
        if (m->pair.parts.table[k].count > 0) {
            m->vectors[k] = (halo_motion_vector){.pixels = r->pixels,
                                                 .x = mean_place(r->x, r->of),
                                                 .y = mean_place(r->y, r->of),
                                                 .u = found->fine_u,
                                                 .v = found->fine_v,
                                                 .cost = found->cost,
                                                 .compared = found->compared};
        }
    }
    return halo_bcast(m->world, m->vectors, (size_t)clusters * sizeof *m->vectors, 0);
}

static int64_t moved_sum(int64_t sum, int64_t of, int32_t by, int64_t n)
{
    double max = (double)of * (double)(n - 1);
    double moved = (double)sum + (double)of * by / HALO_MOTION_ONE;
    return (int64_t)(moved < 0 ? 0 : moved > max ? max : moved);
}

/* The next frame's clusters begin where these have gone. */
static void move_centres(halo_motion *m)
{
    for (int k = 0; k < m->clustering.options.clusters; k++) {
        halo_motion_centre *c = &m->centres[k];
        *c = m->records[k];
        c->x = moved_sum(c->x, c->of, m->vectors[k].u, m->domain.n[1]);
        c->y = moved_sum(c->y, c->of, m->vectors[k].v, m->domain.n[0]);
    }
    m->has_centres = true;
}

static void report_pair(halo_motion *m)
{
    m->report.pairs++;
    m->report.beats += m->pair.done;
    m->report.last_beats = m->pair.done;
    m->report.last = halo_world_rank(m->world) == 0 ? m->pair.beats : NULL;
    m->report.imbalance =
        m->pair.imbalances > 0 ? m->pair.imbalance_sum / (double)m->pair.imbalances : 0;
    halo_master_worker_sent(m->pair.workers, &m->report.messages, &m->report.bytes);
}

static halo_status match(halo_motion *m)
{
    m->pair.pairs = m->report.pairs;
    m->later = 1 - m->later;
    m->pair.coming = &m->frames[m->later];
    m->pair.context.one = &m->frames[1 - m->later];
    m->pair.context.other = &m->frames[m->later];
    HALO_TRY(motion_pair_run(&m->pair, &m->report.clock));
    HALO_TRY(share_vectors(m));
    if (m->fine) {
        HALO_TRY(motion_flow_share(&m->flow, m->world, &m->pair.parts, m->pair.context.one));
    }
    move_centres(m);
    report_pair(m);
    return HALO_OK;
}

halo_status halo_motion_next(halo_motion *motion)
{
    HALO_TRY(gather_frame(motion));
    if (motion->frames_seen == 0) {
        HALO_TRY(halo_bcast(motion->world, motion->pair.cells, motion->pair.bytes, 0));
        motion_frame_fill(&motion->frames[0], motion->pair.cells, motion->pair.cell_bits);
        motion->later = 0;
    } else {
        HALO_TRY(cluster(motion));
        HALO_TRY(match(motion));
    }
    motion->frames_seen++;
    /* The rows that have come are those of the frame before from now on. */
    motion_copy_rows(halo_field_view(motion->coming), halo_field_view(motion->last));
    return HALO_OK;
}

halo_status halo_motion_restore(halo_motion *motion, const halo_motion_centre *centres,
                                int64_t pairs)
{
    int64_t pixels = 0;
    for (int k = 0; k < motion->clustering.options.clusters; k++) {
        const halo_motion_centre *c = &centres[k];
        bool fits = halo_cluster_record_fits(c, &motion->domain);
        pixels += fits ? c->pixels : -motion->domain.n[0] * motion->domain.n[1];
    }
    if (pixels != motion->domain.n[0] * motion->domain.n[1] || pairs < 1 ||
        motion->frames_seen > 0) {
        return halo_fail(HALO_ARGUMENT,
                         "these centres, kept after %lld pairs, are not of a frame of %lld x %lld "
                         "pixels that comes first",
                         (long long)pairs, (long long)motion->domain.n[1],
                         (long long)motion->domain.n[0]);
    }
    memcpy(motion->centres, centres, (size_t)motion->clustering.options.clusters * sizeof *centres);
    motion->has_centres = true;
    motion->report.pairs = pairs;
    return HALO_OK;
}

/* ---- what is asked --------------------------------------------------------------------------- */

/* As many pieces as clusters that are squares have in tiles they lie across. */
static int64_t piece_bytes(const halo_motion *m)
{
    double tiles = (double)m->domain.n[0] * (double)m->domain.n[1] / (MOTION_TILE * MOTION_TILE);
    double side = sqrt(tiles / m->options.clusters); /* of a cluster, in tiles */
    double pieces = tiles * (1 + 1 / side) * (1 + 1 / side);
    return (int64_t)(pieces * ((double)sizeof(motion_piece) + sizeof(int64_t) + 1));
}

int64_t halo_motion_later(const halo_motion *motion, int64_t pairs)
{
    const halo_box *mine = &halo_field_view(motion->coming)->owned;
    bool first = halo_world_rank(motion->world) == 0;
    int64_t cells = halo_box_cells(mine), all = motion->domain.n[0] * motion->domain.n[1];
    int64_t row = motion->pair.cell_bits / 8, label = (int64_t)sizeof *motion->labels;
    int64_t labels = first ? all * label : 0;
    int64_t frame = all * (int64_t)sizeof(uint16_t) * 4 / 3; /* with its smaller levels */
    int64_t pieces = first || motion->fine ? piece_bytes(motion) : 0;
    int64_t gathered = cells * row + (first ? all * row : 0);
    int64_t clustered =
        cells * row + halo_cluster_bytes(&motion->clustering.options, mine, motion->pair.cell_bits);
    clustered += pairs > 1 ? pieces : -frame - labels;
    return halo_max(gathered, halo_max(clustered, labels + 2 * pieces));
}

const halo_view *halo_motion_view(const halo_motion *motion)
{
    return halo_field_view(motion->coming);
}

const int64_t *halo_motion_cuts(const halo_motion *motion)
{
    return motion->partition.cuts[0];
}

const halo_motion_vector *halo_motion_vectors(const halo_motion *motion)
{
    return motion->vectors;
}

const halo_motion_options *halo_motion_options_of(const halo_motion *motion)
{
    return &motion->options;
}

void halo_motion_flow(const halo_motion *motion, int64_t first, int64_t rows, float *out,
                      size_t pitch)
{
    const halo_box *owned = &halo_field_view(motion->coming)->owned;
    for (int64_t y = first; y < first + rows; y++) {
        float *row = (float *)(void *)((char *)out + (size_t)(y - first) * pitch);
        if (motion->fine) {
            motion_flow_row(&motion->flow, &motion->pair.context, owned->lo[0] + y, row);
            continue;
        }
        for (int64_t x = 0; x < owned->n[1]; x++) {
            const halo_motion_vector *v = &motion->vectors[motion->labels[y * owned->n[1] + x]];
            row[2 * x] = (float)v->u / HALO_MOTION_ONE;
            row[2 * x + 1] = (float)v->v / HALO_MOTION_ONE;
        }
    }
}

const halo_motion_centre *halo_motion_centres(const halo_motion *motion)
{
    return motion->has_centres ? motion->centres : NULL;
}

const halo_motion_report *halo_motion_get_report(const halo_motion *motion)
{
    return &motion->report;
}
