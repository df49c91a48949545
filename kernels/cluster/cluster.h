#ifndef HALOBEAT_CLUSTER_CLUSTER_H
#define HALOBEAT_CLUSTER_CLUSTER_H

#include "core/beat/beat.h"

/* Exact k-means of a picture's pixels in (x, y, w * grey), or in (x, y, w * L, w * a, w * b), as a
 * kernel that halo_beat runs (k-means: S. P. Lloyd, 1957/1982; of pixels in place and brightness
 * from rectangles on: Polish school of heartbeat computing; pruning by boxes: D. Pelleg and A.
 * Moore, 1999).
 *
 * The definition, which every engine and instruction set follows bit for bit:
 * - In the beginning cluster k is the k-th of K rectangles, row by row: R rows of them, R about
 *   sqrt(K * height / width), row r made of columns / (K(r + 1) / R - K r / R) of them, all as
 *   even as whole pixels allow; see halo_cluster_rectangle.
 * - A centre is its cluster's sums of x, y and values (integers), each rounded to double, divided
 *   by its pixels in double. A cluster without pixels keeps the centre it had.
 * - A beat gives each pixel the label k with the smallest
 *       dx * dx + dy * dy + ww * dv * dv (+ ww * da * da + ww * db * db)
 *   in double, from the left, each operation rounded, with dx = x - centre's x and so on and
 *   ww = w * w; the lowest k where several are smallest.
 * Labels, `changed` counts and sums are the same on any number of ranks. */

/* Engines: name, and a sentence for users. */
#define HALO_CLUSTER_ENGINE_LIST(X)                                                        \
    X(tiles, "boxes of pixels as they lie: for few beats, or place alone")                 \
    X(leaves, "pixels of a block put into order by place and brightness first: long runs") \
    X(brute, "every pixel asks every centre: the definition itself")

enum {
    HALO_CLUSTER_MAX = 65535,    /* clusters */
    HALO_CLUSTER_SIDE = 1 << 20, /* most rows, and columns, of a picture: sums fit 64 bits */
    HALO_CLUSTER_CHANNELS = 3    /* most values of a pixel */
};

/* Zero-initialise it, but for `clusters`. */
typedef struct {
    int clusters;             /* K: 1 to HALO_CLUSTER_MAX, at most the pixels */
    bool place_only;          /* w is 0: brightness does not count */
    double weight;            /* w, of one step of the cells' values; 0 means 1. With values in
                               * steps of 1 / n of a unit hand over w / n */
    const char *engine;       /* of HALO_CLUSTER_ENGINE_LIST, or auto; NULL means auto */
    const char *instructions; /* avx512, avx2 or plain; NULL means the best this machine runs */
    bool colour;              /* cells are three int16, else one unsigned number of 8 or 16 bits */
    int64_t beats;            /* that are expected, for auto; 0: unknown */
} halo_cluster_options;

/* What is known of a cluster; the same on all ranks. */
typedef struct {
    int64_t pixels; /* it has after the last beat */
    int64_t of;     /* that the sums are of: `pixels`, or, if that is 0, what it last had */
    int64_t x, y;   /* sums over those: columns, rows, values */
    int64_t value[HALO_CLUSTER_CHANNELS];
} halo_cluster_record;

/* Local. Can there be such a record of a picture of this domain? The sums of at most all its pixels
 * are places inside of it. */
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

/* Local. The kernel's table for such options: one field of `cell_bits` (8 or 16; 48 in colour), a
 * picture that no beat changes; strips or blocks, without halo. `kernel_options` of the run is the
 * same halo_cluster_options. The caller fills the field, then calls halo_cluster_begin or
 * halo_cluster_restore, and runs. HALO_ARGUMENT for options that make no sense. */
halo_status halo_cluster_kernel(halo_kernel *out, const halo_cluster_options *options,
                                int cell_bits);

/* Collective. The picture is there: sums up the K rectangles. HALO_MEMORY, HALO_MPI. */
halo_status halo_cluster_begin(halo_beat *beat, halo_world *world);

/* Local, on all ranks with the same records, instead of halo_cluster_begin: go on after beats that
 * another run did. Labels follow from the records `before` its last beat ([clusters]), NULL if it
 * has done none, and the next centres from those of `now` ([clusters]). HALO_ARGUMENT for records
 * that cannot be. */
halo_status halo_cluster_restore(halo_beat *beat, const halo_cluster_record *before,
                                 const halo_cluster_record *now);

/* Local, pure. Bytes that beginning takes beside the field, for a part of the picture; 0 for an
 * engine that there is not. */
int64_t halo_cluster_bytes(const halo_cluster_options *options, const halo_box *owned,
                           int cell_bits);

/* Local. Labels, 0 to clusters - 1, as after the last beat, or of what they were connected to
 * (connect.h), of local rows first to first + rows - 1
 * of this rank's part, one row every `pitch` labels of `out`. Before the first beat they are the
 * rectangles. HALO_MEMORY. */
halo_status halo_cluster_labels(const halo_beat *beat, int64_t first, int64_t rows, uint16_t *out,
                                size_t pitch);

/* Local. [clusters], after the last beat; and before it, or NULL if there was none. Valid as long
 * as the run; each beat fills them anew. */
const halo_cluster_record *halo_cluster_records(const halo_beat *beat);
const halo_cluster_record *halo_cluster_records_before(const halo_beat *beat);

/* Local. How many clusters the labels tell apart, and what is known of them ([as many]): those of
 * halo_cluster_records, or what they were connected to. Valid until the next beat. */
int64_t halo_cluster_shown(const halo_beat *beat, const halo_cluster_record **records);

/* Collective. What k-means makes small: the squares of the distances, in (x, y, w * value...),
 * between pixels and the mean of their own cluster, summed over all pixels; after the last beat.
 * From sums of integers, so that it is the same on any number of ranks. HALO_MPI. */
halo_status halo_cluster_inertia(const halo_beat *beat, halo_world *world, double *inertia);

/* Local. The engine that runs, by name, once halo_beat_create has chosen it; and its set of
 * instructions. */
const char *halo_cluster_engine_name(const halo_beat *beat);
const char *halo_cluster_instructions(const halo_beat *beat);

/* Local. Rectangle `cluster` of `clusters` (1 to rows * columns) of a picture. */
halo_box halo_cluster_rectangle(int64_t rows, int64_t columns, int clusters, int cluster);

#endif
