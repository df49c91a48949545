/* Engines of clustering beside the definition, on pictures of more tiles than a region has, one
 * below another and side by side, of noise, so that no tile has pixels of one cluster only. */

#include "kernels/cluster/pyramid_ops.h"
#include "support/images.h"
#include "support/unit_check.h"

enum { CLUSTERS = 24, AXES = 3, BEATS = 3, LONG = (REGION_TILES + 2) * TILE + 5, SHORT = 37 };

/* A run of one engine. */
typedef struct {
    const cluster_engine *engine;
    void *finds;
    cluster_job job;
    int64_t changes[CLUSTERS * (1 + AXES)], changed;
    bool moved[CLUSTERS];
    uint16_t *labels; /* [pixels] */
} engine_run;

static void begin(engine_run *r, const cluster_engine *engine, const halo_isa_variant *variant,
                  const halo_domain *domain)
{
    *r = (engine_run){.engine = engine};
    r->job =
        (cluster_job){.domain = *domain,
                      .rectangles = cluster_rectangles_of(domain->n[0], domain->n[1], CLUSTERS),
                      .clusters = CLUSTERS,
                      .axes = AXES,
                      .scale = 16,
                      .moved = r->moved,
                      .changes = r->changes,
                      .variant = variant};
    r->labels = calloc((size_t)(domain->n[0] * domain->n[1]), sizeof *r->labels);
    SUCCEEDS(cluster_centres_create(&r->job.before, CLUSTERS, AXES));
    SUCCEEDS(cluster_centres_create(&r->job.now, CLUSTERS, AXES));
    SUCCEEDS(engine->create(&r->finds, &r->job));
}

static void end(engine_run *r)
{
    r->engine->destroy(&r->finds);
    cluster_centres_free(&r->job.before);
    cluster_centres_free(&r->job.now);
    free(r->labels);
}

/* A beat with centres anywhere, which the same seed makes again; half of them stay. */
static void beat(engine_run *r, const halo_view *picture, uint64_t random)
{
    const int64_t sizes[AXES] = {picture->owned.n[1], picture->owned.n[0], 256};
    cluster_job *job = &r->job;
    cluster_centres now = job->before;
    job->before = job->now;
    job->now = now;
    for (int k = 0; k < CLUSTERS; k++) {
        job->moved[k] = !job->begun || random_below(&random, 2) == 0;
        for (int a = 0; a < AXES; a++) {
            double anywhere = (double)random_below(&random, 8 * sizes[a]) / 8;
            now.axis[a][k] = job->moved[k] ? anywhere : job->before.axis[a][k];
        }
    }
    r->changed = 0;
    memset(r->changes, 0, sizeof r->changes);
    SUCCEEDS(r->engine->beat(r->finds, job, picture, NULL, &r->changed));
    SUCCEEDS(r->engine->labels(r->finds, job, picture, 1, 0, NULL, 0)); /* as after a move */
    SUCCEEDS(r->engine->labels(r->finds, job, picture, 0, picture->owned.n[0], r->labels,
                               (size_t)picture->owned.n[1]));
    job->begun = true;
}

static void check_engine(const cluster_engine *engine, const halo_isa_variant *variant,
                         const halo_domain *domain, const halo_view *picture)
{
    size_t bytes = (size_t)(domain->n[0] * domain->n[1]) * sizeof(uint16_t);
    engine_run plain, run;
    begin(&plain, &cluster_brute, variant, domain);
    begin(&run, engine, variant, domain);
    for (int i = 0; i < BEATS; i++) {
        beat(&plain, picture, (uint64_t)i);
        beat(&run, picture, (uint64_t)i);
        check(memcmp(run.labels, plain.labels, bytes) == 0, "%s, %s, beat %d: other labels",
              engine->name, halo_isa_name(variant->isa), i);
        check(run.changed == plain.changed &&
                  memcmp(run.changes, plain.changes, sizeof run.changes) == 0,
              "%s, %s, beat %d: other sums", engine->name, halo_isa_name(variant->isa), i);
    }
    end(&plain);
    end(&run);
}

static void check_picture(int64_t rows, int64_t columns)
{
    const halo_domain domain = {.axes = 2, .n = {rows, columns, 1}};
    const halo_box whole = {.n = {rows, columns, 1}};
    halo_field *field;
    uint64_t random = 1;
    SUCCEEDS(halo_field_create(&field, &domain, &whole, 8, 0));
    const halo_view *picture = halo_field_view(field);
    for (int64_t y = 0; y < rows; y++) {
        unsigned char *row = halo_row(picture, y);
        for (int64_t x = 0; x < columns; x++) {
            row[x] = (unsigned char)random_next(&random);
        }
    }
    for (const halo_isa_variant *v = pyramid_variants; v != NULL; v = halo_isa_next(v)) {
        if (halo_isa_supported(v->isa)) {
            check_engine(&cluster_tiles, v, &domain, picture);
            check_engine(&cluster_leaves, v, &domain, picture);
        }
    }
    halo_field_destroy(&field);
}

TEST("more tiles than a region, one below another")
{
    check_picture(LONG, SHORT);
}

TEST("more tiles than a region, side by side")
{
    check_picture(SHORT, LONG);
}
