#include "clustering.h"

#include "core/world/simulated_compute.h"

#include <math.h>
#include <string.h>

enum { SIDE = CLUSTERING_SIDE, CLUSTERS = CLUSTERING_CLUSTERS, PIXELS = CLUSTERING_PIXELS };
enum { ACROSS = 16, SQUARE = SIDE / ACROSS }; /* the first clusters are squares */

typedef struct {
    unsigned char grey[PIXELS], labels[PIXELS];
} labelled;

/* ---- the algorithm --------------------------------------------------------------------------- */

static void begin(clustering *data)
{
    for (int i = 0; i < PIXELS; i++) { /* waves, and a disc */
        int y = i / SIDE, x = i % SIDE, far = (x - 90) * (x - 90) + (y - 140) * (y - 140);
        data->grey[i] = (unsigned char)((x * x / 97 + y * 3) % 160 + (far < 3600 ? 80 : 0));
        data->labels[i] = (unsigned char)(y / SQUARE * ACROSS + x / SQUARE);
    }
}

static void find_centre(const labelled *picture, int k, clustering_sums *sums)
{
    *sums = (clustering_sums){0};
    for (int i = 0; i < PIXELS; i++) {
        if (picture->labels[i] == k) {
            sums->pixels++;
            sums->x += i % SIDE;
            sums->y += i / SIDE;
            sums->value += picture->grey[i];
        }
    }
}

static void move_centre(clustering_centre *centre, const clustering_sums *sums)
{
    double pixels = (double)sums->pixels;
    if (sums->pixels > 0) {
        *centre = (clustering_centre){(double)sums->x / pixels, (double)sums->y / pixels,
                                      (double)sums->value / pixels};
    }
}

static void label_line(const clustering_centre *centres, int64_t y, const unsigned char *grey,
                       unsigned char *labels)
{
    for (int x = 0; x < SIDE; x++) {
        double best = 1e300;
        for (int k = 0; k < CLUSTERS; k++) {
            double dx = x - centres[k].x, dy = (double)y - centres[k].y;
            double dv = grey[x] - centres[k].value, square = dx * dx + dy * dy + dv * dv;
            if (square < best) {
                best = square;
                labels[x] = (unsigned char)k;
            }
        }
    }
}

void clustering_alone(clustering *data, int iterations)
{
    static labelled picture;
    begin(data);
    for (int i = 0; i < iterations; i++) {
        memcpy(picture.grey, data->grey, PIXELS);
        memcpy(picture.labels, data->labels, PIXELS);
        for (int k = 0; k < CLUSTERS; k++) {
            clustering_sums sums;
            find_centre(&picture, k, &sums);
            move_centre(&data->centres[k], &sums);
        }
        for (int y = 0; y < SIDE; y++) {
            label_line(data->centres, y, &data->grey[y * SIDE], &data->labels[y * SIDE]);
        }
    }
}

void clustering_measure(double *lines, double *clusters)
{
    static clustering data;
    static labelled picture;
    clustering_sums sums;
    clustering_alone(&data, 1);
    memcpy(picture.grey, data.grey, PIXELS);
    memcpy(picture.labels, data.labels, PIXELS);
    *lines = *clusters = INFINITY;
    for (int i = 0; i < SIDE; i++) {
        double begun = halo_seconds();
        label_line(data.centres, i, &data.grey[i * SIDE], &data.labels[i * SIDE]);
        double between = halo_seconds();
        find_centre(&picture, i % CLUSTERS, &sums);
        *lines = fmin(*lines, (between - begun) / (SIDE * CLUSTERS));
        *clusters = fmin(*clusters, (halo_seconds() - between) / PIXELS);
        data.centres[i % CLUSTERS].x += (double)sums.pixels; /* so that it is needed */
    }
}

/* ---- workers --------------------------------------------------------------------------------- */

/* Spend the virtual time of a worker that converts and computes. */
static void charge(const clustering_options *o, double bytes, double flops)
{
    double all = o->slowness * (o->foreign * bytes * o->byte_flops + flops);
    o->compute != NULL ? o->compute(all) : halo_simulated_compute(all);
}

static halo_status work_on_lines(void *context, const halo_work_part *part)
{
    const clustering_options *o = context;
    const unsigned char *grey = part->units;
    unsigned char *labels = part->units_back;
    int64_t lines = part->hi - part->lo;
    charge(o, (double)sizeof(clustering_centre) * CLUSTERS + 2. * SIDE * (double)lines,
           (double)lines * SIDE * CLUSTERS * o->line_flops);
    for (int64_t i = 0; i < lines && o->computes; i++) {
        label_line(part->constant, part->lo + i, grey + i * SIDE, labels + i * SIDE);
    }
    return HALO_OK;
}

static halo_status work_on_clusters(void *context, const halo_work_part *part)
{
    const clustering_options *o = context;
    clustering_sums *sums = part->units_back;
    int64_t clusters = part->hi - part->lo;
    charge(o, 2. * PIXELS + (sizeof *sums + sizeof(clustering_centre)) * (double)clusters,
           (double)clusters * PIXELS * o->line_flops * o->share);
    for (int64_t i = 0; i < clusters && o->computes; i++) {
        find_centre(part->constant, (int)(part->lo + i), &sums[i]);
    }
    return HALO_OK;
}

/* ---- the master ------------------------------------------------------------------------------ */

typedef struct {
    halo_world *world;
    const clustering_options *options;
    halo_repeated_work *lines, *clusters;
    double transfer, computing; /* of all workers */
} session;

static halo_status create(session *s)
{
    const clustering_options *o = s->options;
    halo_repeated_work_options common = {
        .context = (clustering_options *)(uintptr_t)o,
        .balancer = o->balancer,
        .workers = {.master_rests = true, .unmeasured = strcmp(o->balancer, "none") == 0}};
    halo_repeated_work_options lines = common, clusters = common;
    lines.work = work_on_lines;
    lines.units = SIDE;
    lines.constant_out = sizeof(clustering_centre) * CLUSTERS;
    lines.unit_out = lines.unit_back = SIDE;
    clusters.work = work_on_clusters;
    clusters.units = CLUSTERS;
    clusters.constant_out = sizeof(labelled);
    clusters.unit_out = sizeof(clustering_centre);
    clusters.unit_back = sizeof(clustering_sums);
    HALO_TRY(halo_repeated_work_create(&s->lines, s->world, &lines));
    return halo_repeated_work_create(&s->clusters, s->world, &clusters);
}

/* One beat, with what the master converts for its workers, and what balancing takes it. */
static halo_status run(session *s, halo_repeated_work *work, const halo_repeated_work_beat *beat,
                       double constant_bytes, double unit_bytes, int64_t *counts)
{
    const clustering_options *o = s->options;
    bool master = halo_world_rank(s->world) == 0, balanced = strcmp(o->balancer, "none") != 0;
    int workers = halo_world_ranks(s->world) - 1;
    if (master) {
        charge(o, constant_bytes + unit_bytes / workers, balanced ? workers * o->plan_flops : 0);
    }
    HALO_TRY(halo_repeated_work_run(work, beat, NULL));
    const halo_repeated_work_report report = halo_repeated_work_get_report(work);
    for (int r = 1; master && r < report.ranks; r++) {
        counts[r] = report.loads[r].hi - report.loads[r].lo;
        s->transfer += report.loads[r].time.transfer;
        s->computing += report.loads[r].time.computing;
    }
    return HALO_OK;
}

static halo_status iterate(session *s, clustering *data, clustering_result *result)
{
    static labelled picture;
    static clustering_sums sums[CLUSTERS];
    double centres = sizeof(clustering_centre) * CLUSTERS;
    memcpy(picture.grey, data->grey, PIXELS);
    memcpy(picture.labels, data->labels, PIXELS);
    const halo_repeated_work_beat clusters = {
        .constant = &picture, .units = data->centres, .units_back = sums};
    HALO_TRY(
        run(s, s->clusters, &clusters, sizeof picture, centres + sizeof sums, result->clusters));
    for (int k = 0; k < CLUSTERS && s->options->computes; k++) {
        move_centre(&data->centres[k], &sums[k]);
    }
    const halo_repeated_work_beat lines = {
        .constant = data->centres, .units = data->grey, .units_back = data->labels};
    return run(s, s->lines, &lines, centres, 2. * PIXELS, result->lines);
}

halo_status clustering_run(halo_world *world, const clustering_options *options, clustering *data,
                           clustering_result *result)
{
    session s = {.world = world, .options = options};
    begin(data);
    *result = (clustering_result){0};
    halo_status status = create(&s);
    double begun = halo_seconds();
    for (int i = 0; i < options->iterations && status == HALO_OK; i++) {
        status = iterate(&s, data, result);
    }
    result->seconds = halo_seconds() - begun;
    double all = s.transfer + s.computing;
    result->transfer_share = all > 0 ? s.transfer / all : 0;
    halo_repeated_work_destroy(&s.lines);
    halo_repeated_work_destroy(&s.clusters);
    return status;
}
