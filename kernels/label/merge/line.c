#include "kernels/label/merge/line.h"

#include "base/memory.h"

#include <stdlib.h>

halo_status label_line_create(label_line *line, const halo_partition *partition, int rank, int axis)
{
    int parts = partition->parts[axis], place[HALO_AXES];
    const int64_t *cuts = partition->cuts[axis];
    halo_box own = halo_partition_box(partition, rank);
    halo_partition_place(partition, rank, place);
    *line = (label_line){.mine = -1};
    HALO_TRY(HALO_ALLOCATE(line->ranks, parts, "a table of ranks"));
    HALO_TRY(HALO_ALLOCATE(line->messages, parts, "a table of ranks"));
    for (int p = 0; p < parts; p++) {
        place[axis] = p;
        int there = halo_partition_at(partition, place);
        if (there == rank && halo_box_cells(&own) > 0) {
            line->mine = line->count;
        }
        if (cuts[p] < cuts[p + 1]) {
            line->ranks[line->count++] = there;
        }
    }
    return HALO_OK;
}

void label_line_free(label_line *line)
{
    free(line->ranks);
    free(line->messages);
    *line = (label_line){0};
}

int label_line_rounds(const label_line *line)
{
    int rounds = 0;
    for (int size = 1; size < line->count; size *= 2) {
        rounds++;
    }
    return rounds;
}

static label_group group_at(const label_line *line, int index, int size)
{
    int first = index * size, rest = line->count - first;
    return (label_group){first, rest < 0 ? 0 : rest < size ? rest : size};
}

label_round label_line_round(const label_line *line, int size)
{
    if (line->mine < 0) {
        return (label_round){0};
    }
    int index = line->mine / size;
    return (label_round){.ours = group_at(line, index, size),
                         .theirs = group_at(line, index ^ 1, size),
                         .lower = index % 2 == 0};
}
