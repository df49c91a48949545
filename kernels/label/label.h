#ifndef HALOBEAT_LABEL_LABEL_H
#define HALOBEAT_LABEL_LABEL_H

#include "core/field/field.h"
#include "core/world/clock.h"
#include "core/world/world.h"
#include "kernels/label/label_region.h"
#include "partition/cuts.h"

/* Region labelling (connected components) of a two-valued image cut into strips or
 * blocks.
 *
 * Two lit pixels belong to one region if they are neighbours. All methods give the same regions
 * with the same numbers, on any number of ranks and for any cuts. */
typedef struct halo_label halo_label;

/* name, whether its last beat gives the numbers, help */
#define HALO_LABEL_METHOD_LIST(X)                                                     \
    X(union, true, "label each part once, then merge along the boundaries")           \
    X(settle, false,                                                                  \
      "take the largest neighbouring label, in a part until it rests; then exchange") \
    X(sweep, false, "take the largest neighbouring label once a beat")

/* What a region is called. */
#define HALO_LABEL_NUMBERING_LIST(X)                                     \
    X(SCAN, scan, "1 to n in raster order of the regions' first pixels") \
    X(SEED, seed, "the region's largest row-major pixel index; unlit pixels are -1")

typedef enum {
#define HALO_LABEL_NUMBERING_ENUM(code, name, help) HALO_LABEL_##code,
    HALO_LABEL_NUMBERING_LIST(HALO_LABEL_NUMBERING_ENUM)
#undef HALO_LABEL_NUMBERING_ENUM
} halo_label_numbering;

typedef struct {
    int connectivity;                 /* 4 or 8 neighbours; 0 means 4 */
    int64_t min_area;                 /* pixels; smaller regions become unlit */
    halo_label_numbering numbering;   /* of the labels painted; regions always count 1 to n */
    bool measure;                     /* find area, box, centroid and grey of the regions */
    const char *method;               /* a name of the list, or NULL for "union" */
    const char *vote;                 /* see core/beat/vote.h; NULL means "allreduce" */
    const char *instructions;         /* "avx512", "avx2", "plain", or NULL for the best here */
    struct halo_balancing *balancing; /* as in halo_beat_options, for methods of many beats; the
                                       * results come back to the parts they were asked for */
    /* As in halo_beat_options, for methods of many beats; NULL for the defaults. */
    const char *exchange, *corner_way, *packing;
} halo_label_options;

/* How a run went, on this rank. */
typedef struct {
    int64_t beats;                /* exchanges with other ranks, each with a vote */
    int64_t messages, bytes;      /* sent between strips */
    int64_t votes, vote_messages; /* as in halo_vote_counts */
    int64_t vote_steps;
    double edge_seconds; /* of computing: cells that had to wait for halos */
    halo_clock clock;    /* seconds per phase */
} halo_label_report;

/* Collective. `partition` cuts the domain into strips of rows or into blocks, one part for each
 * rank, of any sizes, also empty ones; it is copied. The domain has 2 axes, and is periodic in both
 * or in none. The world must outlive the label. HALO_ARGUMENT for another partition, or a
 * connectivity, method, vote or instruction set that is not known or not there on some rank;
 * HALO_MEMORY. All ranks get the same. */
halo_status halo_label_create(halo_label **out, halo_world *world, const halo_domain *domain,
                              const halo_partition *partition, const halo_label_options *options);

/* Local. Accepts a pointer to NULL. */
void halo_label_destroy(halo_label **label);

/* Collective. Label the part of this rank: `lit` has cells of 1 bit; `grey`, only read for
 * the regions' mean, has 1, 8 or 16 bits or is NULL. Both must stay as they are until painting is
 * done. May be called again; buffers are kept. HALO_ARGUMENT for a part with too many runs;
 * HALO_MEMORY; HALO_MPI. */
halo_status halo_label_run(halo_label *label, const halo_view *lit, const halo_view *grey);

/* Local, after a run: regions of the whole image, those below min_area not counted. */
int64_t halo_label_total(const halo_label *label);

/* Local, after a run with `measure`: regions in the order of their numbers; all ranks' regions one
 * after another are 1 to the total. With strips they are those whose first pixel lies in this
 * rank's; blocks side by side have even shares of those that begin in any of them. Owned by the
 * label, valid until the next run. */
const halo_region *halo_label_regions(const halo_label *label, int64_t *count);

/* Local, after a run. */
const halo_label_report *halo_label_report_of(const halo_label *label);

/* What pixels can be painted as. */
#define HALO_LABEL_PAINT_LIST(X)                                                \
    X(COLOUR, uint8_t, "0 where unlit, else 1 to 255 by number, for a palette") \
    X(U16, uint16_t, "numbers up to 65535")                                     \
    X(I32, int32_t, "numbers up to 2^31 - 1")                                   \
    X(I64, int64_t, "any number, and seeds")

typedef enum {
#define HALO_LABEL_PAINT_ENUM(code, type, help) HALO_LABEL_##code,
    HALO_LABEL_PAINT_LIST(HALO_LABEL_PAINT_ENUM)
#undef HALO_LABEL_PAINT_ENUM
} halo_label_paint;

/* Local, after a run. Paint `rows` rows of this rank's part from its local row `first` on; row i
 * goes to (char *)out + i * pitch. HALO_ARGUMENT if the numbers do not fit. */
halo_status halo_label_paint_rows(halo_label *label, halo_label_paint as, int64_t first,
                                  int64_t rows, void *out, size_t pitch);

#endif
