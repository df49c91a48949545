#ifndef HALOBEAT_CLUSTER_CLUSTER_H
#define HALOBEAT_CLUSTER_CLUSTER_H

#include "core/beat/beat.h"

/* Exact k-means of the pixels of an image in (x, y, w * grey) or in (x, y, w * L, w * a, w * b), as
 * a kernel that halo_beat runs (k-means: S. P. Lloyd, 1957/1982; of pixels by place and brightness,
 * starting from rectangles: Polish school of heartbeat computing; pruning by boxes: D. Pelleg and
 * A. Moore, 1999).
 *
 * The definition, which every engine and instruction set follows bit for bit:
 * - Initially cluster k is the k-th of K rectangles, numbered row by row. There are R rows of
 *   rectangles, R about sqrt(K * height / width); row r is divided into K(r + 1) / R - K r / R
 *   rectangles, all as even as whole pixels allow: those of n pixels cut into p parts begin at
 *   n * i / p, rounded down.
 * - A centre is the sums of x, y and values of its cluster (integers), each rounded to double,
 *   divided by its number of pixels in double. A cluster without pixels keeps its centre.
 * - A beat gives each pixel the label k with the minimum of
 *       dx * dx + dy * dy + ww * dv * dv (+ ww * da * da + ww * db * db)
 *   in double, from the left, each operation rounded, with dx = x - (the centre's x) and so on, and
 *   ww = w * w; the lowest k of several minima.
 *
 * Labels, `changed` counts and sums are the same on any number of ranks. */

/* Engines: name, description for users. */
#define HALO_CLUSTER_ENGINE_LIST(X)                                                        \
    X(tiles, "boxes of pixels as they lie: for few beats, or place alone")                 \
    X(leaves, "pixels of a block put into order by place and brightness first: long runs") \
    X(brute, "every pixel asks every centre: the definition itself")

enum {
    HALO_CLUSTER_MAX = 65535,    /* maximum number of clusters */
    HALO_CLUSTER_SIDE = 1 << 20, /* maximum rows, and columns, of an image, so that sums fit 64
                                  * bits */
    HALO_CLUSTER_CHANNELS = 3    /* maximum number of values of a pixel */
};

/* Options. Zero-initialise it, except for `clusters`: 0 means the default. */
typedef struct {
    int clusters;             /* K: 1 to HALO_CLUSTER_MAX, at most the number of pixels */
    bool place_only;          /* w = 0: brightness is ignored */
    double weight;            /* w, per step of the cells' values; 0 means 1. If values are in
                               * steps of 1 / n of a unit, pass w / n */
    const char *engine;       /* a name of HALO_CLUSTER_ENGINE_LIST, or auto; NULL means auto */
    const char *instructions; /* avx512, avx2 or plain; NULL: the best of this machine */
    bool colour;              /* cells are three int16; otherwise one unsigned number of 8 or 16
                               * bits */
    int64_t beats;            /* expected number of beats, for auto; 0: unknown */
} halo_cluster_options;

/* Local, pure. The weight W of greys from 0 (black) to 255 (white), or of L, a and b, that stands
 * for a compactness as of SLIC: SLIC divides places by the width of a cluster, and colours (greys
 * from 0 to 1) by the compactness; here the place is left as it is. */
double halo_cluster_weight(double compactness, const halo_domain *domain, int clusters,
                           bool colour);

/* Local, pure. The weight of a step of the cells' values that such a W is, for `weight` of the
 * options: of greys from 0 to `maximum`, or of L, a and b as of halo_lab_row. */
double halo_cluster_cell_weight(double weight, bool colour, int64_t maximum);

/* Sums of one cluster, over all ranks; the same on all ranks. */
typedef struct {
    int64_t pixels; /* pixels after the last beat */
    int64_t of;     /* pixels that the sums are over: `pixels`, or if that is 0, those it had
                     * last */
    int64_t x, y;   /* sums of columns and of rows; `value`: sums of values */
    int64_t value[HALO_CLUSTER_CHANNELS];
} halo_cluster_record;

/* Local. True if such a record is possible in an image of this domain: at most all its pixels, and
 * means within the image and within the range of values. */
static inline bool halo_cluster_record_fits(const halo_cluster_record *r, const halo_domain *domain)
{
    const int64_t rows = domain->n[0], columns = domain->n[1], most = 65535;
    bool fits = r->of >= 1 && r->of <= rows * columns && r->pixels >= 0 && r->pixels <= r->of &&
                r->x >= 0 && r->x / r->of < columns && r->y >= 0 && r->y / r->of < rows;
    for (int c = 0; fits && c < HALO_CLUSTER_CHANNELS; c++) {
        fits = r->value[c] / r->of >= -most && r->value[c] / r->of <= most;
    }
    return fits;
}

/* Local. Sets *out to the kernel for these options: one field of `cell_bits` (8 or 16; 48 in
 * colour), an image that does not change; strips or blocks, no halo.
 * halo_beat_options.kernel_options must be the same options. The caller fills in the field, calls
 * halo_cluster_begin or halo_cluster_restore, and runs. HALO_ARGUMENT for invalid options. */
halo_status halo_cluster_kernel(halo_kernel *out, const halo_cluster_options *options,
                                int cell_bits);

/* Collective. To be called when the image is filled in: sums up the K rectangles. HALO_MEMORY,
 * HALO_TRANSPORT. */
halo_status halo_cluster_begin(halo_beat *beat, halo_world *world);

/* Local, on all ranks with the same records, in place of halo_cluster_begin: continues an earlier
 * run. Labels follow from the records `before` its last beat, [clusters] (NULL if it has done
 * none), and the next centres from the records `now`, [clusters]. HALO_ARGUMENT for impossible
 * records. */
halo_status halo_cluster_restore(halo_beat *beat, const halo_cluster_record *before,
                                 const halo_cluster_record *now);

/* Local, pure. Bytes that halo_cluster_begin allocates besides the field, for a part of the image;
 * 0 for an unknown engine. */
int64_t halo_cluster_bytes(const halo_cluster_options *options, const halo_box *owned,
                           int cell_bits);

/* Local. Writes labels, 0 to clusters - 1, of local rows first to first + rows - 1 of this rank's
 * part to `out`, one row every `pitch` labels: those of the last beat, or after
 * halo_cluster_connect (cluster_connect.h) those of the connected clusters. Before the first beat
 * they are the rectangles. HALO_MEMORY. */
halo_status halo_cluster_labels(const halo_beat *beat, int64_t first, int64_t rows, uint16_t *out,
                                size_t pitch);

/* Local. The records [clusters] after the last beat, and before it (NULL if there was none). Owned
 * by the run; overwritten by each beat. */
const halo_cluster_record *halo_cluster_records(const halo_beat *beat);
const halo_cluster_record *halo_cluster_records_before(const halo_beat *beat);

/* Local. The number of different labels, and their records [as many]: those of
 * halo_cluster_records, or of the connected clusters. Valid until the next beat. */
int64_t halo_cluster_shown(const halo_beat *beat, const halo_cluster_record **records);

/* Collective. Sets *inertia to what k-means minimises: the squared distances, in (x, y, w *
 * value...), of all pixels from the mean of their cluster, summed, after the last beat. Computed
 * from integer sums, hence the same on any number of ranks. HALO_TRANSPORT. */
halo_status halo_cluster_inertia(const halo_beat *beat, halo_world *world, double *inertia);

/* Local. The names of the engine that halo_beat_create has chosen, and of the instruction set. */
const char *halo_cluster_engine_name(const halo_beat *beat);
const char *halo_cluster_instructions(const halo_beat *beat);

#endif
