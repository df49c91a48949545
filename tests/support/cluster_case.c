#include "support/cluster_case.h"

#include "kernels/cluster/centres.h"
#include "support/images.h"
#include "support/need.h"

#include <stdlib.h>
#include <string.h>

enum { AXES = 5, CHECK = 5 };

static int32_t draw(const cluster_case *c, int64_t y, int64_t x, uint64_t *random)
{
    int32_t max = c->cell_bits == 8 ? 255 : 65535, noise = (int32_t)random_below(random, max + 1);
    switch (c->picture) {
    case CLUSTER_constant:
        return 7;
    case CLUSTER_checks:
        return (y / CHECK + x / CHECK) % 2 == 0 ? 10 : 13;
    case CLUSTER_slope:
        return (int32_t)((y + 2 * x) * max / (c->rows + 2 * c->columns)) / 2 + noise / 20;
    default:
        return noise;
    }
}

/* Labels the pixels of rectangle k: number `i` of `count` in row `r` of `rows` rows. */
static void label_rectangle(cluster_case *c, int k, int64_t r, int64_t rows, int64_t i,
                            int64_t count)
{
    for (int64_t y = c->rows * r / rows; y < c->rows * (r + 1) / rows; y++) {
        for (int64_t x = c->columns * i / count; x < c->columns * (i + 1) / count; x++) {
            c->labels[y * c->columns + x] = (uint16_t)k;
        }
    }
}

/* As cluster.h defines them; only the number of their rows is the kernel's. */
static void label_rectangles(cluster_case *c)
{
    int64_t rows = cluster_rectangles_of(c->rows, c->columns, c->clusters).rectangle_rows;
    int k = 0;
    for (int64_t r = 0; r < rows; r++) {
        int64_t count = c->clusters * (r + 1) / rows - c->clusters * r / rows;
        for (int64_t i = 0; i < count; i++) {
            label_rectangle(c, k++, r, rows, i, count);
        }
    }
}

static void set_centres(cluster_case *c)
{
    int64_t(*sums)[1 + AXES] = need_zeroed((size_t)c->clusters, sizeof *sums);
    for (int64_t i = 0; i < c->rows * c->columns; i++) {
        int64_t *sum = sums[c->labels[i]];
        sum[0]++;
        sum[1] += i % c->columns;
        sum[2] += i / c->columns;
        for (int a = 0; a < c->channels; a++) {
            sum[3 + a] += c->values[i * c->channels + a];
        }
    }
    for (int k = 0; k < c->clusters; k++) {
        for (int a = 0; a < AXES && sums[k][0] > 0; a++) {
            c->centres[k][a] = (double)sums[k][1 + a] / (double)sums[k][0];
        }
    }
    free(sums);
}

void cluster_case_begin(cluster_case *c)
{
    label_rectangles(c);
    set_centres(c);
    c->beats = 0;
    c->changed = 0;
}

void cluster_case_create(cluster_case *c)
{
    size_t pixels = (size_t)(c->rows * c->columns);
    uint64_t random = c->seed;
    c->channels = c->cell_bits == 48 ? 3 : 1;
    c->values = need_zeroed(pixels * (size_t)c->channels, sizeof *c->values);
    c->labels = need_zeroed(pixels, sizeof *c->labels);
    c->centres = need_zeroed((size_t)c->clusters, sizeof *c->centres);
    for (int64_t i = 0; i < c->rows * c->columns * c->channels; i++) {
        int64_t pixel = i / c->channels;
        c->values[i] = draw(c, pixel / c->columns, pixel % c->columns, &random) -
                       (c->cell_bits == 48 ? 32768 : 0);
    }
    cluster_case_begin(c);
}

void cluster_case_free(cluster_case *c)
{
    free(c->values);
    free(c->labels);
    free(c->centres);
}

static uint16_t nearest(const cluster_case *c, int64_t i)
{
    int best = 0;
    double min = 0, ww = c->weight * c->weight;
    for (int k = 0; k < c->clusters; k++) {
        double dx = (double)(i % c->columns) - c->centres[k][0];
        double dy = (double)(i / c->columns) - c->centres[k][1];
        double distance = dx * dx + dy * dy;
        for (int a = 0; a < c->channels; a++) {
            double dv = c->values[i * c->channels + a] - c->centres[k][2 + a];
            distance = distance + ww * dv * dv;
        }
        if (k == 0 || distance < min) {
            min = distance;
            best = k;
        }
    }
    return (uint16_t)best;
}

void cluster_case_beat(cluster_case *c)
{
    c->changed = 0;
    for (int64_t i = 0; i < c->rows * c->columns; i++) {
        uint16_t label = nearest(c, i);
        c->changed += label != c->labels[i];
        c->labels[i] = label;
    }
    set_centres(c);
    c->beats++;
}

halo_cluster_options cluster_case_options(const cluster_case *c)
{
    return (halo_cluster_options){.clusters = c->clusters,
                                  .weight = c->weight,
                                  .place_only = c->weight == 0,
                                  .colour = c->cell_bits == 48};
}

void cluster_case_fill(const cluster_case *c, const halo_view *view)
{
    for (int64_t y = 0; y < view->owned.n[0]; y++) {
        unsigned char *row = halo_row(view, y);
        for (int64_t x = 0; x < view->owned.n[1] * c->channels; x++) {
            int64_t first = (view->owned.lo[0] + y) * c->columns + view->owned.lo[1];
            int32_t value = c->values[first * c->channels + x];
            if (c->cell_bits == 8) {
                row[x] = (unsigned char)value;
            } else {
                uint16_t bits = (uint16_t)value;
                memcpy(row + 2 * x, &bits, sizeof bits);
            }
        }
    }
}

int64_t cluster_case_differences(const cluster_case *c, const halo_beat *beat)
{
    halo_box owned = halo_beat_view(beat, 0)->owned;
    uint16_t *labels = need_zeroed((size_t)halo_box_cells(&owned) + 1, sizeof *labels);
    int64_t differences = 0, half = owned.n[0] / 2;
    size_t pitch = (size_t)owned.n[1];
    /* In two parts, as callers do that write band by band. */
    halo_status status = halo_cluster_labels(beat, 0, half, labels, pitch);
    if (status == HALO_OK) {
        status =
            halo_cluster_labels(beat, half, owned.n[0] - half, labels + half * owned.n[1], pitch);
    }
    for (int64_t i = 0; i < halo_box_cells(&owned); i++) {
        int64_t y = owned.lo[0] + i / owned.n[1], x = owned.lo[1] + i % owned.n[1];
        differences += labels[i] != c->labels[y * c->columns + x];
    }
    free(labels);
    return status == HALO_OK ? differences : -1;
}
