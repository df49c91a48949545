#ifndef HALOBEAT_LABEL_LABEL_H
#define HALOBEAT_LABEL_LABEL_H

#include "core/async/async.h"
#include "core/beat/loop.h"
#include "core/field/field.h"
#include "core/file/rows.h"
#include "kernels/label/label_region.h"
#include "kernels/label/label_value.h"
#include "partition/cuts.h"

#include <stddef.h>

/* Region labelling (connected components) of a binary image of 2 or 3 axes, in strips or blocks.
 * Numbers are those of scipy.ndimage.label. Rows of a volume are numbered through its planes: row r
 * of a part is row r % n of its plane r / n, where n is the number of rows of a plane in the part.
 *
 * Two neighbouring foreground pixels belong to the same region if, where values are compared, their
 * values are close. All methods give the same regions with the same numbers, on any number of ranks
 * and for all cuts.
 *
 * Typical calls for strips of rows: halo_label_create with these strips; halo_label_distribute,
 * which cuts and balances; halo_label_run; halo_label_regions, and rows of labels from a
 * halo_label_painting. */
typedef struct halo_label halo_label;

/* name, whether its last beat gives the numbers, help */
#define HALO_LABEL_METHOD_LIST(X)                                                     \
    X(union, true, "label each part once, then merge along the boundaries")           \
    X(settle, false,                                                                  \
      "take the largest neighbouring label, in a part until it rests; then exchange") \
    X(sweep, false, "take the largest neighbouring label once a beat")                \
    X(async, false, "settle without rounds: a message when borders have changed")

/* Local. True if the method of this name (NULL: the first) labels once and merges, without beats
 * and halos. False for an unknown name. */
bool halo_label_method_merges(const char *name);

/* Local. True if the method works without rounds (core/async/async.h). */
bool halo_label_method_is_async(const char *name);

/* How regions are numbered. */
#define HALO_LABEL_NUMBERING_LIST(X)                                     \
    X(SCAN, scan, "1 to n in raster order of the regions' first pixels") \
    X(SEED, seed, "the region's largest row-major pixel index; background pixels are -1")

typedef enum {
#define HALO_LABEL_NUMBERING_ENUM(code, name, help) HALO_LABEL_##code,
    HALO_LABEL_NUMBERING_LIST(HALO_LABEL_NUMBERING_ENUM)
#undef HALO_LABEL_NUMBERING_ENUM
} halo_label_numbering;

typedef struct {
    /* Number of neighbours: 4 or 8 in two axes, 6, 18 or 26 in three; 0 means 4 or 6. */
    int connectivity;
    /* The condition that values put on neighbours of one region: those of `grey`, with the
     * method "union". HALO_LABEL_NONE: values are ignored. */
    halo_label_near near;
    halo_region_filter filter;      /* which regions are kept */
    halo_label_numbering numbering; /* numbers of painted labels; halo_label_regions always uses
                                     * 1 to n */
    bool measure;                   /* compute area, box, centroid and grey of the regions */
    const char *method;             /* a name of HALO_LABEL_METHOD_LIST; NULL: "union" */
    const char *vote;               /* a method of HALO_VOTE_LIST; NULL: "allreduce" */
    const char *instructions;       /* "avx512", "avx2" or "plain"; NULL: the best of this
                                     * machine */
    /* Partition for labelling, as for halo_decomposition_parse; columns are cut at multiples of 64
     * only. NULL: the partition in which pixels are given. */
    const char *decomposition;
    /* Take the pixels of narrow images transposed, where that is possible: see
     * halo_label_is_transposed. */
    bool transposes;
    /* NULL: no balancing. Methods with several beats balance during the run, and their results are
     * returned in the partition given; "union" balances once, in halo_label_distribute, and only
     * strips. */
    struct halo_balancing *balancing;
    /* Bytes that the caller will allocate on this rank afterwards, in total and per region: memory
     * is checked for them together with that of labelling. */
    int64_t later, later_a_region;
    /* As in halo_beat_options, for methods with several beats; NULL: the defaults. */
    const char *exchange, *corner_way, *packing;
    halo_async_options async; /* for the method "async"; its strings must outlive the label */
} halo_label_options;

/* Collective. Creates a label. `partition` is the one in which pixels are given: strips of rows or
 * blocks, one part per rank, of any sizes, possibly empty; it is copied. The domain has 2 or 3
 * axes, each of which may be periodic. The world and options->balancing must outlive the label; the
 * caller destroys it. HALO_ARGUMENT for another partition, or a connectivity, method,
 * decomposition, vote or instruction set that is unknown or not possible on some rank; HALO_MEMORY;
 * the same on all ranks. */
halo_status halo_label_create_sized(halo_label **out, halo_world *world, const halo_domain *domain,
                                    const halo_partition *partition,
                                    const halo_label_options *options, size_t options_bytes);
#define halo_label_create(...) halo_label_create_sized(__VA_ARGS__, sizeof(halo_label_options))

/* Local. Frees the label and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_label_destroy(halo_label **label);

/* Local, the same on all ranks. True if pixels are given transposed: with options->transposes, for
 * images of two axes (or volumes with an axis of 1) that are much longer than they are wide and
 * have at most 64 columns, in strips that stay where they are, with the method "union". Such an
 * image has a row of a few pixels, and each row costs as much as many pixels. Results are those of
 * the image as it is. */
bool halo_label_is_transposed(const halo_label *label);

/* Local. The domain of the fields that halo_label_run takes, and this rank's box of it. Transposed
 * fields have two axes: a row for each column of the image. */
void halo_label_fields(const halo_label *label, halo_domain *domain, halo_box *mine);

/* Local. The partition of these fields of all ranks, before pixels are distributed: of transposed
 * ones, blocks side by side. The caller frees it. HALO_MEMORY. */
halo_status halo_label_fields_partition(const halo_label *label, halo_partition *out);

/* Local. Copies pixels of the image to `to`, a transposed field of this rank: those of `from` row
 * by row, a view of two axes with the same cells, are the pixels of the image's rows `first_row`
 * and on (of all planes). Cells of 1 bit must be 0 before. */
void halo_label_transpose(const halo_label *label, int64_t first_row, const halo_view *from,
                          const halo_view *to);

/* Local. Bytes that halo_label_run allocates for a part of this size before the number of runs of
 * foreground is known. If these do not fit the memory of a host, it fails with HALO_MEMORY. */
int64_t halo_label_bytes(const halo_label *label, const halo_box *owned);

/* Local. The partition for labelling: halo_label_run takes this rank's part of it. It differs from
 * the partition given only with options->decomposition, and after halo_label_distribute has
 * balanced. Owned by the label, valid until the next halo_label_distribute. */
const halo_partition *halo_label_partition(const halo_label *label);

/* Local, the same on all ranks. True if options->balancing can move the cuts of this labelling.
 * Those of blocks side by side can move only during methods with several beats. */
bool halo_label_can_balance(const halo_label *label);

/* Collective. Sends pixels from the partition in which they are given to that for labelling: the
 * one of options->decomposition; then, for strips and the method "union" with balancing, to cuts
 * with which all ranks should take the same time (for which the runs of all rows are counted once).
 * *foreground has cells of 1 bit. `grey` may be NULL or point to NULL, on all ranks alike;
 * otherwise its cells have 1, 8 or 16 bits. Halos are lost. Movable fields whose cuts move keep
 * their memory, as in halo_migrate_in_place; others are destroyed and replaced by new ones, which
 * the caller owns. Fields that need not move are unchanged. Times are added to COMPUTE, BALANCE,
 * MIGRATE and WAIT of the next run's report. HALO_ARGUMENT for fields of another part or cell size,
 * or cuts that are not multiples of 64; HALO_MEMORY, HALO_TRANSPORT; the same on all ranks. After a
 * failure the pixels may be lost. */
halo_status halo_label_distribute(halo_label *label, halo_field **foreground, halo_field **grey);

/* Collective. Labels this rank's part of halo_label_partition. `foreground` has cells of 1 bit;
 * `grey`, used for the statistics of regions and where values are compared, has cells of 1, 8 or 16
 * bits, or is NULL. With near.sets_foreground the foreground is written, by this function. Both
 * must not change until painting is done. May be called again; buffers are kept. HALO_ARGUMENT for
 * views of another part or cell size, and for a part with too many runs; HALO_MEMORY;
 * HALO_TRANSPORT; the same on all ranks. */
halo_status halo_label_run(halo_label *label, const halo_view *foreground, const halo_view *grey);

/* Local, after a run: the number of regions of the whole image that are kept. */
int64_t halo_label_total(const halo_label *label);

/* Local, after a run with `measure`: this rank's regions, [*count], in the order of their numbers;
 * those of all ranks, one after another, are 1 to the total. With strips they are the regions whose
 * first pixel is in this rank's strip; blocks side by side get equal shares of the regions that
 * begin in any of them. Owned by the label, valid until the next run. */
const halo_region *halo_label_regions(const halo_label *label, int64_t *count);

/* Local. The report of the last run on this rank. A beat is an exchange and a vote; messages are
 * those between parts, without distributing; the clock includes distributing before the run and
 * painting after it. Owned by the label. */
const halo_beat_report *halo_label_get_report(const halo_label *label);

/* Local. The report of asynchronous computing in the last run; all 0 with other methods. */
void halo_label_get_async_report_sized(const halo_label *label, halo_async_report *report,
                                       size_t report_bytes);
static inline halo_async_report halo_label_get_async_report(const halo_label *label)
{
    halo_async_report halo_filled;
    halo_label_get_async_report_sized(label, &halo_filled, sizeof(halo_async_report));
    return halo_filled;
}

/* Pixel formats of painted labels. */
#define HALO_LABEL_PAINT_LIST(X)                                                   \
    X(COLOUR, uint8_t, "0 for background, else 1 to 255 by number, for a palette") \
    X(U16, uint16_t, "numbers up to 65535")                                        \
    X(I32, int32_t, "numbers up to 2^31 - 1")                                      \
    X(I64, int64_t, "any number, and seeds")

typedef enum {
#define HALO_LABEL_PAINT_ENUM(code, type, help) HALO_LABEL_##code,
    HALO_LABEL_PAINT_LIST(HALO_LABEL_PAINT_ENUM)
#undef HALO_LABEL_PAINT_ENUM
} halo_label_paint;

/* Collective, after a run with `measure`. With the numbering HALO_LABEL_SEED, and `scan`: paintings
 * that are created from now on have the numbers 1 to n of halo_label_regions, as measures of
 * regions need, until this is called without `scan`. Takes memory for a number of each label and
 * component. With HALO_LABEL_SCAN nothing changes. HALO_MEMORY, HALO_TRANSPORT; the same on all
 * ranks. */
halo_status halo_label_paint_scan(halo_label *label, bool scan);

/* Local. Bytes per region that halo_label_paint_scan allocates for a while. */
int64_t halo_label_scan_bytes_sized(const halo_label_options *options, size_t options_bytes);
#define halo_label_scan_bytes(...) \
    halo_label_scan_bytes_sized(__VA_ARGS__, sizeof(halo_label_options))

/* Collective, after a run, before COLOUR is painted. Regions that share a side or a corner of
 * pixels of one plane, and whose numbers are a multiple of 255 apart, get different colours: the
 * one of fewer such pairs, or else of the larger number, gets the next colour that none of its
 * neighbours has. If they have all 255, it keeps its own. Colours are the same for any number of
 * ranks. HALO_MEMORY, HALO_TRANSPORT; the same on all ranks. */
halo_status halo_label_part_colours(halo_label *label);

/* Local, after a run. Paints `rows` rows of this rank's part from its local row `first` on; row i
 * is written to (char *)out + i * pitch. HALO_ARGUMENT if the numbers do not fit the format. */
halo_status halo_label_paint_rows(halo_label *label, halo_label_paint as, int64_t first,
                                  int64_t rows, void *out, size_t pitch);

/* Painted rows of the whole width of the image, for writers of files and other consumers, each on
 * the rank that has the strip of the row. Strips are painted when rows are requested; blocks all at
 * once when the object is created, since every row has pixels of several blocks. */
typedef struct halo_label_painting halo_label_painting;

/* Collective, after a run, which must not be repeated while the painting is in use. Times are added
 * to MIGRATE and WAIT of the label's report. The caller destroys the painting, before the label.
 * HALO_ARGUMENT if numbers of blocks do not fit the format, HALO_MEMORY, HALO_TRANSPORT; the same
 * on all ranks. */
halo_status halo_label_painting_create(halo_label_painting **out, halo_label *label,
                                       halo_label_paint as);

/* Local. [ranks + 1] cuts of the rows that each rank has: the strips for labelling; with blocks,
 * the strips given, or even ones if blocks were given. Owned by the painting. */
const int64_t *halo_label_painting_cuts(const halo_label_painting *painting);

/* Local. A halo_rows_fill whose context is a halo_label_painting: paints rows of this rank's strip,
 * by their global numbers. HALO_ARGUMENT if the numbers do not fit the format. */
halo_status halo_label_painting_rows(void *painting, int64_t first_row, int64_t rows, void *out,
                                     size_t pitch);

/* Local. Frees the painting and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_label_painting_destroy(halo_label_painting **painting);

#endif
