#include "kernels/cluster/engine.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Every pixel asks every centre. */

typedef struct {
    uint16_t *labels; /* row by row; NULL until they are asked for */
    halo_box owned;   /* that they are of */
} brute;

static halo_status brute_create(void **out, const cluster_job *job)
{
    (void)job;
    brute *b;
    HALO_TRY(HALO_ALLOCATE(b, 1, "the brute engine"));
    *out = b;
    return HALO_OK;
}

static void brute_forget(void *engine)
{
    brute *b = engine;
    halo_memory_free(b->labels);
    b->labels = NULL;
}

static void brute_destroy(void **engine)
{
    if (*engine != NULL) {
        brute_forget(*engine);
        free(*engine);
        *engine = NULL;
    }
}

static int nearest(const cluster_job *job, const cluster_centres *centres, const int32_t *at)
{
    double pixel[CLUSTER_AXES], min = 0;
    for (int a = 0; a < job->axes; a++) {
        pixel[a] = at[a];
    }
    int best = -1;
    for (int k = 0; k < job->clusters; k++) {
        double distance = cluster_distance(job, centres, pixel, k);
        if (best < 0 || distance < min) {
            best = k;
            min = distance;
        }
    }
    return best;
}

static void nearest_row(const cluster_job *job, const cluster_centres *centres,
                        const halo_view *picture, int64_t y, uint16_t *labels)
{
    int32_t at[CLUSTER_AXES];
    for (int64_t x = 0; x < picture->owned.n[1]; x++) {
        cluster_pixel(job, picture, y, x, at);
        labels[x] = (uint16_t)nearest(job, centres, at);
    }
}

static int64_t brute_bytes(const halo_box *owned, int cell_bits)
{
    (void)cell_bits;
    return halo_box_cells(owned) * (int64_t)sizeof(uint16_t);
}

/* Labels as they are. */
static halo_status make_labels(brute *b, const cluster_job *job, const halo_view *picture)
{
    int64_t columns = picture->owned.n[1], lo = picture->owned.lo[1];
    if (b->labels != NULL && memcmp(&b->owned, &picture->owned, sizeof b->owned) == 0) {
        return HALO_OK;
    }
    brute_forget(b);
    b->owned = picture->owned;
    HALO_TRY(HALO_ALLOCATE_LARGE(b->labels, halo_box_cells(&picture->owned), "labels"));
    for (int64_t y = 0; y < picture->owned.n[0]; y++) {
        uint16_t *row = b->labels + y * columns;
        if (job->begun) {
            nearest_row(job, &job->before, picture, y, row);
        } else {
            cluster_rectangles_row(&job->rectangles, picture->owned.lo[0] + y, lo, lo + columns,
                                   row);
        }
    }
    return HALO_OK;
}

static halo_status brute_beat(void *engine, const cluster_job *job, const halo_view *picture,
                              halo_row_cost *row_cost, int64_t *changed)
{
    brute *b = engine;
    HALO_TRY(make_labels(b, job, picture));
    int64_t rows = picture->owned.n[0], columns = picture->owned.n[1];
    int32_t at[CLUSTER_AXES];
    void *row;
    HALO_TRY(halo_memory_create(&row, (size_t)columns * sizeof(uint16_t), "a row of labels"));
    for (int64_t y = 0; y < rows; y++) {
        uint16_t *labels = b->labels + y * columns, *now = row;
        nearest_row(job, &job->now, picture, y, now);
        for (int64_t x = 0; x < columns; x++) {
            if (now[x] != labels[x]) {
                cluster_pixel(job, picture, y, x, at);
                cluster_change(job, at, labels[x], now[x]);
                labels[x] = now[x];
                *changed += 1;
            }
        }
        halo_row_cost_mark(row_cost, y, y + 1);
    }
    halo_memory_free(row);
    return HALO_OK;
}

static halo_status brute_labels(void *engine, const cluster_job *job, const halo_view *picture,
                                int64_t first, int64_t rows, uint16_t *out, size_t pitch)
{
    brute *b = engine;
    HALO_TRY(make_labels(b, job, picture));
    int64_t columns = picture->owned.n[1];
    for (int64_t y = 0; y < rows; y++) {
        memcpy(out + (size_t)y * pitch, b->labels + (first + y) * columns,
               (size_t)columns * sizeof *out);
    }
    return HALO_OK;
}

const cluster_engine cluster_brute = {.name = "brute",
                                      .create = brute_create,
                                      .bytes = brute_bytes,
                                      .destroy = brute_destroy,
                                      .forget = brute_forget,
                                      .beat = brute_beat,
                                      .labels = brute_labels};
