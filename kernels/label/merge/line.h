#ifndef HALOBEAT_LABEL_LINE_H
#define HALOBEAT_LABEL_LINE_H

#include "core/world/collect.h"
#include "partition/cuts.h"

/* The ranks in a line along an axis, and how groups of them double: in each round what each rank
 * knows about its group becomes known in two groups, in ceil(log2(count)) rounds. Internal to the
 * label kernel. */
typedef struct {
    int *ranks; /* [count] the ranks that own pixels, in order */
    int count;
    int mine;               /* index of this rank among them; -1 if it owns none */
    halo_message *messages; /* [count] scratch */
} label_line;

/* Places first to first + count - 1 of a line. */
typedef struct {
    int first, count;
} label_group;

/* A round of doubling for one rank. */
typedef struct {
    label_group ours, theirs; /* theirs.count is 0 for ranks without a partner in this round */
    bool lower;               /* `ours` is before `theirs` in the line */
} label_round;

/* Local. Creates the line along `axis` that contains `rank`; the caller frees it. All ranks' lines
 * along an axis have the same count. HALO_MEMORY. */
halo_status label_line_create(label_line *line, const halo_partition *partition, int rank,
                              int axis);

/* Local. Accepts a zeroed line. */
void label_line_free(label_line *line);

/* Local. The number of rounds until all of a line knows everything. */
int label_line_rounds(const label_line *line);

/* Local. The round in which groups of `size` places meet. */
label_round label_line_round(const label_line *line, int size);

#endif
