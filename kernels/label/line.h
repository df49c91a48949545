#ifndef HALOBEAT_LABEL_LINE_H
#define HALOBEAT_LABEL_LINE_H

#include "core/world/collect.h"
#include "partition/cuts.h"

/* Ranks in line along an axis, and how groups of them double: what each rank of a group knows of
 * the group becomes known of two groups in every round, ceil(log2(count)) rounds in all. Internal
 * to the label kernel. */
typedef struct {
    int *ranks; /* [count] those that own pixels, in order */
    int count;
    int mine;               /* our place among them; -1 if we own none */
    halo_message *messages; /* [count] scratch */
} label_line;

/* The places first to first + count - 1 of a line. */
typedef struct {
    int first, count;
} label_group;

/* What a round of doubling is to a rank. */
typedef struct {
    label_group ours, theirs; /* theirs.count is 0 for ranks that sit the round out */
    bool lower;               /* ours comes before theirs in the line */
} label_round;

/* Local. The line along `axis` in which `rank` lies, which the caller frees. All ranks' lines along
 * an axis have the same count. HALO_MEMORY. */
halo_status label_line_create(label_line *line, const halo_partition *partition, int rank,
                              int axis);

/* Local. Accepts a zeroed line. */
void label_line_free(label_line *line);

/* Local. Rounds until what a rank of a line knows is known of all of it. */
int label_line_rounds(const label_line *line);

/* Local. Whom we meet when groups of `size` places meet. */
label_round label_line_round(const label_line *line, int size);

#endif
