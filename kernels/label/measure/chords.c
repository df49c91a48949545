#include "kernels/label/measure/chords.h"

#include "base/memory.h"
#include "core/world/collect.h"

#include <limits.h>
#include <string.h>

/* A chord that has begun, or none: number 0. */
typedef struct {
    int64_t number, length;
    bool cut; /* it begins at an edge of the image */
} chord;

typedef struct {
    const label_numbered *image;
    label_chords *chords;
    int layer_axis; /* planes of a volume, or rows of an image */
    int64_t lines, width, first, end;
    int64_t *row;
    chord *along; /* [width] down the rows of a plane */
    chord
        *across; /* [lines * width] through layers; those that begin with the strip go to `heads` */
    chord *heads; /* [lines * width] that have ended in the strip, and began at or before its first
                   * layer */
} chord_search;

static void count(const chord_search *s, int axis, const chord *ended, bool at_edge)
{
    if (ended->number != 0) {
        bool cut = ended->cut || at_edge;
        (cut ? s->chords->cut : s->chords->whole)[axis][ended->length]++;
    }
}

/* ---- within layers --------------------------------------------------------------------------- */

static void count_along_row(const chord_search *s)
{
    const int64_t *row = s->row, width = s->width;
    for (int64_t x = 0; x < width;) {
        int64_t begin = x;
        while (x < width && row[x] == row[begin]) {
            x++;
        }
        const chord found = {row[begin], x - begin, begin == 0};
        count(s, 2, &found, x == width);
    }
}

/* The next pixel of a line of them; `at_edge`: it is the first one of all. */
static inline void follow(const chord_search *s, int axis, chord *open, int64_t number,
                          bool at_edge)
{
    if (open->number == number && !at_edge) {
        open->length += number != 0;
        return;
    }
    count(s, axis, open, false);
    *open = (chord){number, number != 0, at_edge};
}

static void count_down_plane(const chord_search *s, int64_t line)
{
    for (int64_t x = 0; x < s->width; x++) {
        follow(s, 1, &s->along[x], s->row[x], line == 0);
        if (line == s->lines - 1) {
            count(s, 1, &s->along[x], true);
            s->along[x] = (chord){.number = 0};
        }
    }
}

/* ---- through layers -------------------------------------------------------------------------- */

/* The first chord of a column, which may go on in the strip before, is kept when it ends. A column
 * whose first chord has not ended has the number -1 in its head. */
static void follow_column(const chord_search *s, int64_t at, int64_t number, bool first)
{
    chord *open = &s->across[at], *head = &s->heads[at];
    if (first) {
        *open = (chord){number, number != 0, false};
        *head = (chord){.number = -1};
    } else if (open->number == number) {
        open->length += number != 0;
    } else {
        if (head->number < 0) {
            *head = *open;
        } else {
            count(s, s->layer_axis, open, false);
        }
        *open = (chord){number, number != 0, false};
    }
}

static halo_status scan(const chord_search *s)
{
    for (int64_t layer = s->first; layer < s->end; layer++) {
        for (int64_t line = 0; line < s->lines; line++) {
            HALO_TRY(label_numbered_row(s->image, layer * s->lines + line, s->row));
            count_along_row(s);
            if (s->layer_axis == 0) {
                count_down_plane(s, line);
            }
            for (int64_t x = 0; x < s->width; x++) {
                follow_column(s, line * s->width + x, s->row[x], layer == s->first);
            }
        }
    }
    return HALO_OK;
}

/* Joins the first chord of a column with what has come from the strip before. */
static void join(const chord_search *s, int64_t at, const chord *before, bool at_edge)
{
    chord *open = &s->across[at], *head = &s->heads[at];
    bool through = head->number < 0; /* the column is a single chord */
    chord *first = through ? open : head;
    if (!at_edge && before->number == first->number) {
        first->length += before->length;
        first->cut = before->cut;
    } else {
        count(s, s->layer_axis, before, false);
        first->cut = at_edge;
    }
    if (!through) {
        count(s, s->layer_axis, first, false);
    }
}

/* Collective. Columns go from rank to rank, a row at a time, so that ranks work at once. */
static halo_status join_strips(chord_search *s)
{
    int before = label_numbered_rank(s->image, -1);
    int behind = label_numbered_rank(s->image, 1);
    chord *came;
    halo_status status = HALO_ALLOCATE_LARGE(came, s->width + 1, "chords");
    HALO_TRY_OR(done, halo_agree(s->image->world, status));
    size_t bytes = (size_t)s->width * sizeof *came;
    bool owns = s->first < s->end;
    for (int64_t line = 0; line < s->lines && owns; line++) {
        chord *columns = s->across + line * s->width;
        halo_message in = {.rank = before, .data = came, .bytes = bytes};
        halo_message out = {.rank = behind, .data = columns, .bytes = bytes};
        halo_status now = halo_sendrecv(s->image->world, NULL, 0, &in, before >= 0 ? 1 : 0);
        for (int64_t x = 0; x < s->width; x++) {
            join(s, line * s->width + x, &came[x], before < 0);
            if (behind < 0) {
                count(s, s->layer_axis, &columns[x], true);
            }
        }
        now = halo_status_first(now,
                                halo_sendrecv(s->image->world, &out, behind >= 0 ? 1 : 0, NULL, 0));
        status = halo_status_first(status, now);
    }
    status = halo_agree(s->image->world, status);
done:
    halo_memory_free(came);
    return status;
}

/* ---------------------------------------------------------------------------------------------- */

static halo_status create(chord_search *s)
{
    const int64_t *cuts = s->image->cuts + halo_world_rank(s->image->world);
    int64_t cells = s->lines * s->width;
    s->first = cuts[0] / s->lines;
    s->end = cuts[1] / s->lines;
    for (int axis = s->layer_axis; axis < HALO_AXES; axis++) {
        int64_t lengths = s->image->n[axis] + 1;
        HALO_TRY(HALO_ALLOCATE_LARGE(s->chords->whole[axis], lengths, "chords"));
        HALO_TRY(HALO_ALLOCATE_LARGE(s->chords->cut[axis], lengths, "chords"));
    }
    HALO_TRY(HALO_ALLOCATE_LARGE(s->row, s->width + 1, "rows of labels"));
    HALO_TRY(HALO_ALLOCATE_LARGE(s->along, s->width + 1, "chords"));
    HALO_TRY(HALO_ALLOCATE_LARGE(s->across, cells + 1, "chords"));
    return HALO_ALLOCATE_LARGE(s->heads, cells + 1, "chords");
}

/* Collective. */
static halo_status add_ranks(const chord_search *s)
{
    for (int axis = s->layer_axis; axis < HALO_AXES; axis++) {
        int lengths = (int)s->image->n[axis] + 1;
        HALO_TRY(halo_allreduce_sum(s->image->world, s->chords->whole[axis], lengths));
        HALO_TRY(halo_allreduce_sum(s->image->world, s->chords->cut[axis], lengths));
    }
    return HALO_OK;
}

halo_status label_chords_count(label_chords *chords, const label_numbered *image)
{
    bool deep = image->axes == HALO_AXES;
    chord_search s = {.image = image,
                      .chords = chords,
                      .layer_axis = deep ? 0 : 1,
                      .lines = deep ? image->n[1] : 1,
                      .width = image->n[2]};
    halo_status status = halo_agree(image->world, create(&s));
    HALO_IF_OK(status, halo_agree(image->world, scan(&s)));
    HALO_IF_OK(status, join_strips(&s));
    HALO_IF_OK(status, add_ranks(&s));
    halo_memory_free(s.row);
    halo_memory_free(s.along);
    halo_memory_free(s.across);
    halo_memory_free(s.heads);
    return status;
}

void label_chords_free(label_chords *chords)
{
    for (int axis = 0; axis < HALO_AXES; axis++) {
        halo_memory_free(chords->whole[axis]);
        halo_memory_free(chords->cut[axis]);
    }
    *chords = (label_chords){.whole = {NULL}};
}
