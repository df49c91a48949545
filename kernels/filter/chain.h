#ifndef HALOBEAT_FILTER_CHAIN_H
#define HALOBEAT_FILTER_CHAIN_H

#include "kernels/filter/filter.h"

/* Chains of steps. Internal to the kernels; everything here is local. */

enum { FILTER_MOST_STEPS = 64 };

/* Reasons why a part begins a segment, and does not join the one before. X(code, before, text,
 * end): a clause that begins with the name of the part's filter, or (`before`) of the one before
 * it, then `text`, then the other name and `end`, unless that is NULL. */
#define FILTER_CUT_LIST(X)                                                               \
    X(NONE, false, "", NULL)                                                             \
    X(NEEDS_ALL, false, " needs the whole image", NULL)                                  \
    X(AFTER_ALL, true, " needs the whole image", NULL)                                   \
    X(WRAPS, false, " has edges that wrap, and ", " before it has others")               \
    X(NO_LONGER_WRAPS, true, " has edges that wrap, and ", " behind it has others")      \
    X(READS_AGAIN, false, " reads its image twice, which it cannot in the pass of ", "") \
    X(SEPARATE, true, " has a result that is written", NULL)

typedef enum {
#define FILTER_CUT_ENUM(code, ...) FILTER_CUT_##code,
    FILTER_CUT_LIST(FILTER_CUT_ENUM)
#undef FILTER_CUT_ENUM
} filter_cut;

/* Parts that are computed in one pass; or a single one that needs the whole image. */
typedef struct {
    int first, count;         /* of chain->part */
    filter_cut why;           /* they do not belong to the segment before */
    bool field;               /* it needs the whole image */
    bool wraps;               /* edges along the layers wrap */
    int64_t depth[HALO_AXES]; /* of all parts together */
} filter_segment;

typedef struct {
    int count;
    filter_step step[FILTER_MOST_STEPS];
    filter_part *part[FILTER_MOST_STEPS * (FILTER_MOST_PARTS + 1)]; /* of all, once resolved */
    int parts;
    filter_segment segment[FILTER_MOST_STEPS * (FILTER_MOST_PARTS + 1)];
    int segments;
    bool separate; /* set before it is resolved: each step begins a segment, so that its input,
                    * which is the result of the step before, is held */
    bool fused;    /* set before it is resolved: parts that look at all samples before they compute
                    * rows (filter_part.reduction) do so in passes of their own over what the parts
                    * before them in the segment make again; otherwise that is kept in memory */
} filter_chain;

/* Zero-initialise the chain. Adds the step that a text such as gaussian:2:mode=nearest says, or
 * those that blanks separate. HALO_ARGUMENT, HALO_MEMORY. Call filter_chain_free in any case. */
halo_status halo_filter_chain_add(filter_chain *chain, const char *text);
halo_status halo_filter_chain_read(filter_chain *chain, const char *text);
void halo_filter_chain_free(filter_chain *chain);

/* The same for an allocated one, which is freed; accepts a pointer to NULL. */
void halo_filter_chain_destroy(filter_chain **chain);

/* Finds types, parts and depths of all steps for an image of this type and shape (planes, rows,
 * columns, of which the last `axes` count). May be called again for another. HALO_ARGUMENT. */
halo_status halo_filter_chain_resolve(filter_chain *chain, halo_sample_type type, int axes,
                                      const int64_t n[HALO_AXES]);

/* The same for an image with a domain of 2 or 3 axes. */
halo_status halo_filter_chain_resolve_domain(filter_chain *chain, halo_sample_type type,
                                             const halo_domain *domain);

/* The axis of layers, which strips cut and which flow through a chain: planes of volumes, otherwise
 * rows. */
static inline int filter_layer_axis(int axes)
{
    return axes == HALO_AXES ? 0 : 1;
}

/* Why segment `segment`, from 1 on, is not one with the segment before it, as a clause: "fill_holes
 * needs the whole image". */
enum { FILTER_WHY_SIZE = 256 };
void halo_filter_chain_why(const filter_chain *chain, int segment, char text[FILTER_WHY_SIZE]);

/* The segments of the first and of the last part of step `step`, from 0. */
int halo_filter_chain_first_segment(const filter_chain *chain, int step);
int halo_filter_chain_last_segment(const filter_chain *chain, int step);

/* The layers that a segment reads beyond a strip; and the most of all from segment `first` on, and
 * of those that need the whole image. */
int64_t halo_filter_chain_depth(const filter_chain *chain, int segment);
int64_t halo_filter_chain_most_depth(const filter_chain *chain, int first);

/* True if any part looks at all samples before it computes rows. */
bool halo_filter_chain_reduces(const filter_chain *chain);

/* Does every step make means (halo_filter.smooths)? */
bool halo_filter_chain_smooths(const filter_chain *chain);

/* The type that the last step makes. */
halo_sample_type halo_filter_chain_type(const filter_chain *chain);

#endif
