#ifndef HALOBEAT_LABEL_LABEL_H
#define HALOBEAT_LABEL_LABEL_H

#include "core/async/async.h"
#include "core/beat/loop.h"
#include "core/field/field.h"
#include "core/file/rows.h"
#include "kernels/label/label_region.h"
#include "kernels/label/label_value.h"
#include "partition/cuts.h"

/* Region labelling (connected components) of a two-valued image of 2 or 3 axes cut into strips or
 * blocks. Numbers are those of scipy.ndimage.label. A volume's rows are counted through from plane
 * to plane: row r of a part is row r % n of its plane r / n, where n is how many rows of a plane
 * the part has.
 *
 * Two foreground pixels belong to one region if they are neighbours and, where values are
 * compared, have close ones. All methods give the same
 * regions with the same numbers, on any number of ranks and for any cuts.
 *
 * The usual order, for a program whose ranks have strips of rows: halo_label_create with these
 * strips; halo_label_distribute, which cuts and balances; halo_label_run; halo_label_regions, and
 * rows of labels from a halo_label_painting. */
typedef struct halo_label halo_label;

/* name, whether its last beat gives the numbers, help */
#define HALO_LABEL_METHOD_LIST(X)                                                     \
    X(union, true, "label each part once, then merge along the boundaries")           \
    X(settle, false,                                                                  \
      "take the largest neighbouring label, in a part until it rests; then exchange") \
    X(sweep, false, "take the largest neighbouring label once a beat")                \
    X(async, false, "settle without rounds: a message when borders have changed")

/* Local. Does a method of that name (NULL: the first) label once and merge, without beats and
 * halos? False for a name that is not in the list. */
bool halo_label_method_merges(const char *name);

/* Local. Is it without rounds (core/async/async.h)? */
bool halo_label_method_is_async(const char *name);

/* What a region is called. */
#define HALO_LABEL_NUMBERING_LIST(X)                                     \
    X(SCAN, scan, "1 to n in raster order of the regions' first pixels") \
    X(SEED, seed, "the region's largest row-major pixel index; background pixels are -1")

typedef enum {
#define HALO_LABEL_NUMBERING_ENUM(code, name, help) HALO_LABEL_##code,
    HALO_LABEL_NUMBERING_LIST(HALO_LABEL_NUMBERING_ENUM)
#undef HALO_LABEL_NUMBERING_ENUM
} halo_label_numbering;

typedef struct {
    /* Neighbours: 4 or 8 in two axes, 6, 18 or 26 in three; 0 means the fewest. */
    int connectivity;
    /* Do values decide, too, which neighbours belong together? They are then what is passed as
     * `grey` pixels; the method is "union". ALIKE: all foreground is alike. */
    halo_label_near near;
    halo_region_filter filter;      /* which regions are kept */
    halo_label_numbering numbering; /* of the labels painted; regions always count 1 to n */
    bool measure;                   /* find area, box, centroid and grey of the regions */
    const char *method;             /* a name of the list, or NULL for "union" */
    const char *vote;               /* see core/beat/vote.h; NULL means "allreduce" */
    const char *instructions;       /* "avx512", "avx2", "plain", or NULL for the best here */
    /* How pixels are cut while they are labelled, in the words of halo_decomposition_parse; columns
     * between multiples of 64 only. NULL: as they are given. */
    const char *decomposition;
    /* Or NULL. Methods of many beats balance while they run, and their results come back to the
     * parts that were given; "union" does once, in halo_label_distribute, and only strips. */
    struct halo_balancing *balancing;
    /* Bytes that the caller takes on this rank afterwards, in all and for each region: they are
     * asked for with what labelling takes. */
    int64_t later, later_a_region;
    /* As in halo_beat_options, for methods of many beats; NULL for the defaults. */
    const char *exchange, *corner_way, *packing;
    halo_async_options async; /* of the method "async"; its text must outlive the label */
} halo_label_options;

/* Collective. `partition` is how pixels are given: it cuts the domain into strips of rows or into
 * blocks, one part for each rank, of any sizes, also empty ones; it is copied. The domain has 2 or
 * 3 axes, of which any may be periodic. The world and options->balancing
 * must outlive the label. HALO_ARGUMENT for another partition, or a connectivity, method,
 * decomposition, vote or instruction set that is not known or not possible on some rank;
 * HALO_MEMORY. All ranks get the same. The caller destroys the label. */
halo_status halo_label_create(halo_label **out, halo_world *world, const halo_domain *domain,
                              const halo_partition *partition, const halo_label_options *options);

/* Local. Accepts a pointer to NULL. */
void halo_label_destroy(halo_label **label);

/* Local. Bytes that halo_label_run takes for a part of this size before it knows how many runs of
 * foreground there are. If there are many for the memory of a host, it then fails with
 * HALO_MEMORY. */
int64_t halo_label_bytes(const halo_label *label, const halo_box *owned);

/* Local. Who labels what: this rank's part of it is what halo_label_run takes. It is another one
 * than that given only with options->decomposition, and after halo_label_distribute has balanced.
 * Owned by the label, valid until that is called again. */
const halo_partition *halo_label_partition(const halo_label *label);

/* Local, the same on all ranks. Can options->balancing move the boundaries of this labelling? Those
 * of blocks side by side only while a method labels beat by beat: "union" labels once. */
bool halo_label_can_balance(const halo_label *label);

/* Collective. Bring pixels from the partition they are given in to where they will be labelled: cut
 * anew if options->decomposition says so, then, for strips and the method "union" with a balancing,
 * with boundaries from which all ranks should label for equally long (all rows are counted through
 * once to know). `*foreground` has cells of 1 bit. `grey` may be NULL or point to NULL, on all
 * ranks alike; else its cells have 1, 8 or 16 bits. Their depth may be any, but halos are lost.
 * Movable fields whose boundaries move keep their memory, as in halo_migrate_in_place; others are
 * destroyed and replaced by new ones, which are the caller's. Fields that need not move stay as
 * they are. Time goes to COMPUTE, BALANCE, MIGRATE and WAIT of the next run's report.
 * HALO_ARGUMENT for fields of another part or cell size, or cuts within words of 64 bits;
 * HALO_MEMORY, HALO_MPI. All ranks get the same; afterwards the pixels may be lost. */
halo_status halo_label_distribute(halo_label *label, halo_field **foreground, halo_field **grey);

/* Collective. Label the part of this rank (of halo_label_partition): `foreground` has cells of 1
 * bit; `grey`, only read for what regions tell of it, has 1, 8 or 16 bits or is NULL. Both must
 * stay as they are until painting is done. May be called again; buffers are kept. HALO_ARGUMENT for
 * views of another part or cell size, and for a part with too many runs; HALO_MEMORY; HALO_MPI. All
 * ranks get the same. */
halo_status halo_label_run(halo_label *label, const halo_view *foreground, const halo_view *grey);

/* Local, after a run: regions of the whole image that are kept. */
int64_t halo_label_total(const halo_label *label);

/* Local, after a run with `measure`: regions in the order of their numbers; all ranks' regions one
 * after another are 1 to the total. With strips they are those whose first pixel lies in this
 * rank's; blocks side by side have even shares of those that begin in any of them. Owned by the
 * label, valid until the next run. */
const halo_region *halo_label_regions(const halo_label *label, int64_t *count);

/* Local. The last run on this rank: a beat is an exchange with others and a vote; messages are
 * those between parts, but for what distributing sent; the clock counts distributing before it
 * and painting after it, too. Owned by the label. */
const halo_beat_report *halo_label_get_report(const halo_label *label);

/* Local. What the last run has computed asynchronously; all zero with other methods. */
halo_async_report halo_label_get_async_report(const halo_label *label);

/* What pixels can be painted as. */
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

/* Local, after a run. Paint `rows` rows of this rank's part from its local row `first` on; row i
 * goes to (char *)out + i * pitch. HALO_ARGUMENT if the numbers do not fit. */
halo_status halo_label_paint_rows(halo_label *label, halo_label_paint as, int64_t first,
                                  int64_t rows, void *out, size_t pitch);

/* Rows of the image's whole width on their way to a file, or to whoever wants them, each on the
 * rank that has its strip: of strips painted when they are asked for, of blocks all at once in the
 * beginning, since every row has pixels from several of them. */
typedef struct halo_label_painting halo_label_painting;

/* Collective, after a run, which must not be repeated while it is in use. Time goes to MIGRATE and
 * WAIT of the label's report. HALO_ARGUMENT if numbers of blocks do not fit, HALO_MEMORY, HALO_MPI,
 * on all ranks. The caller destroys the painting, before the label. */
halo_status halo_label_painting_create(halo_label_painting **out, halo_label *label,
                                       halo_label_paint as);

/* Local. [ranks + 1] who has which rows: the strips labelled; of blocks those given, or even ones
 * if blocks were given. Owned by the painting. */
const int64_t *halo_label_painting_cuts(const halo_label_painting *painting);

/* Local. A halo_rows_fill whose context is a halo_label_painting: rows of this rank's strip, by
 * their global numbers. HALO_ARGUMENT if the numbers do not fit. */
halo_status halo_label_painting_rows(void *painting, int64_t first_row, int64_t rows, void *out,
                                     size_t pitch);

/* Local. Accepts a pointer to NULL. */
void halo_label_painting_destroy(halo_label_painting **painting);

#endif
