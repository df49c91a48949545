#include "kernels/label/contacts_array.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/watched_sort.h"
#include "kernels/array/array_internal.h"
#include "kernels/array/array_table_internal.h"
#include "kernels/label/array_rows.h"
#include "kernels/label/label_internal.h"
#include "kernels/label/measure/array_labels.h"
#include "kernels/label/measure/contact_table.h"

#include <stdlib.h>
#include <string.h>

/* Pairs of labels that touch: each row is compared with itself and with those before it that its
 * neighbours are in. Ranks, which are threads, read the rows before their first one in place.
 */

#define SPACING_ROW(axis)                                                    \
    ARRAY_SPACING_ROW(halo_contacts_array_options, axis, "1 along all axes", \
                      ", for areas of contact")

static const halo_option option_rows[] = {LABEL_CONNECTIVITY_ROW(halo_contacts_array_options),
                                          SPACING_ROW(0),
                                          SPACING_ROW(1),
                                          SPACING_ROW(2),
                                          {0}};

const halo_option *const halo_contacts_array_rows = option_rows;

typedef struct {
    label_pair *pairs; /* [count] */
    int64_t count;
} pair_list;

typedef struct {
    halo_array labels; /* of 3 axes */
    int axes, order;
    double size[HALO_AXES];
    pair_list *lists; /* [ranks] */
    int ranks;
    halo_array_table *table;
} contacts_job;

typedef struct contacts_part contacts_part;

/* Elements a[i] and b[i], from `begin` to `end - 1`, are neighbours across an axis, or
 * LABEL_CORNERS.
 */
typedef halo_status meet_elements(contacts_part *part, const void *a, const void *b, int64_t count,
                                  int axis);

/* A rank's part. */
struct contacts_part {
    const contacts_job *job;
    meet_elements *meet;
    ptrdiff_t bytes;           /* of an element */
    array_reader here, before; /* of this layer, and of the layer before */
    char *above;               /* [width] a copy of the row above, if rows are not contiguous */
    label_contact_table table;
};

/* ---- rows ------------------------------------------------------------------------------------ */

/* Most neighbours are equal: as many as this are compared at once, and then a few. */
enum { BLOCK = 16, FEW = 4 };

#define LABELLED_UNSIGNED(value) ((value) != 0)
#define LABELLED_SIGNED(value)   ((value) > 0)
#define DEFINE_MEET(code, type, kind, ...)                                                       \
    static inline bool equal_##code(const type *a, const type *b, int count)                     \
    {                                                                                            \
        type differs = 0;                                                                        \
        for (int i = 0; i < count; i++) {                                                        \
            differs = (type)(differs | (a[i] ^ b[i]));                                           \
        }                                                                                        \
        return differs == 0;                                                                     \
    }                                                                                            \
    static halo_status meet_##code(contacts_part *part, const void *a_row, const void *b_row,    \
                                   int64_t count, int axis)                                      \
    {                                                                                            \
        const type *a = a_row, *b = b_row;                                                       \
        for (int64_t x = 0; x < count;) {                                                        \
            if (count - x >= BLOCK && equal_##code(a + x, b + x, BLOCK)) {                       \
                x += BLOCK;                                                                      \
                continue;                                                                        \
            }                                                                                    \
            if (count - x >= FEW && equal_##code(a + x, b + x, FEW)) {                           \
                x += FEW;                                                                        \
                continue;                                                                        \
            }                                                                                    \
            int64_t stop = halo_min(x + FEW, count);                                             \
            while (x < stop) {                                                                   \
                type one = a[x], other = b[x];                                                   \
                int64_t begin = x++;                                                             \
                if (one == other || !LABELLED_##kind(one) || !LABELLED_##kind(other)) {          \
                    continue;                                                                    \
                }                                                                                \
                while (x < count && a[x] == one && b[x] == other) {                              \
                    x++;                                                                         \
                }                                                                                \
                bool ascends = one < other;                                                      \
                HALO_TRY(label_contact_table_add(&part->table, (int64_t)(ascends ? one : other), \
                                                 (int64_t)(ascends ? other : one), axis,         \
                                                 x - begin));                                    \
            }                                                                                    \
        }                                                                                        \
        return HALO_OK;                                                                          \
    }
HALO_SAMPLE_WHOLE_LIST(DEFINE_MEET)
#undef DEFINE_MEET

static meet_elements *const meetings[HALO_SAMPLE_TYPES] = {
#define MEET_ENTRY(code, ...) [HALO_SAMPLE_##code] = meet_##code,
    HALO_SAMPLE_WHOLE_LIST(MEET_ENTRY)
#undef MEET_ENTRY
};

/* Rows of which one is `apart` axes from the other: neighbours are straight across, along `axis`,
 * and one column to either side. */
static halo_status meet_rows(contacts_part *part, const char *row, const char *other, int apart,
                             int axis)
{
    int64_t width = part->job->labels.n[2];
    HALO_TRY(part->meet(part, row, other, width, apart == 1 ? axis : LABEL_CORNERS));
    if (apart < part->job->order && width > 1) {
        HALO_TRY(part->meet(part, row + part->bytes, other, width - 1, LABEL_CORNERS));
        HALO_TRY(part->meet(part, row, other + part->bytes, width - 1, LABEL_CORNERS));
    }
    return HALO_OK;
}

/* The rows of the layer before: the one across, and those beside it. */
static halo_status meet_layer(contacts_part *part, const char *row, int64_t z, int64_t y)
{
    HALO_TRY(meet_rows(part, row, array_reader_row(&part->before, z - 1, y), 1, 0));
    for (int step = -1; step <= 1 && part->job->order > 1; step += 2) {
        if (y + step >= 0 && y + step < part->job->labels.n[1]) {
            HALO_TRY(meet_rows(part, row, array_reader_row(&part->before, z - 1, y + step), 2, 0));
        }
    }
    return HALO_OK;
}

/* The row above, which is not read again where rows are copied. */
static const char *row_above(contacts_part *part, int64_t z, int64_t y, bool first)
{
    return part->here.contiguous || first ? array_reader_row(&part->here, z, y - 1) : part->above;
}

static halo_status take_row(contacts_part *part, int64_t z, int64_t y, bool first)
{
    size_t bytes = (size_t)(part->bytes * part->job->labels.n[2]);
    if (y > 0) {
        const char *above = row_above(part, z, y, first);
        if (above != part->above && !part->here.contiguous) {
            memcpy(part->above, above, bytes);
            above = part->above;
        }
        HALO_TRY(meet_rows(part, array_reader_row(&part->here, z, y), above, 1, 1));
    }
    const char *row = array_reader_row(&part->here, z, y);
    HALO_TRY(part->meet(part, row + part->bytes, row, part->job->labels.n[2] - 1, 2));
    if (z > 0) {
        HALO_TRY(meet_layer(part, row, z, y));
    }
    if (!part->here.contiguous) {
        memcpy(part->above, row, bytes);
    }
    return HALO_OK;
}

static halo_status take_rows(contacts_part *part, array_call *call, const halo_world *world,
                             int64_t first, int64_t end)
{
    int64_t lines = part->job->labels.n[1];
    for (int64_t row = first; row < end; row++) {
        HALO_TRY(take_row(part, row / lines, row % lines, row == first));
        if (array_call_watch(call, world, row - first, end - first)) {
            return array_call_stop();
        }
    }
    return HALO_OK;
}

/* ---- pairs of a rank ------------------------------------------------------------------------- */

/* Labels that are unsigned have the order of their bits. */
static int compare(const void *a, const void *b)
{
    const halo_contact *one = &((const label_pair *)a)->contact;
    const halo_contact *other = &((const label_pair *)b)->contact;
    uint64_t first = (uint64_t)one->first, second = (uint64_t)one->second;
    return one->first != other->first     ? (first < (uint64_t)other->first ? -1 : 1)
           : one->second != other->second ? (second < (uint64_t)other->second ? -1 : 1)
                                          : 0;
}

/* The table's pairs, in ascending order, become a list. */
static halo_status list_pairs(const halo_world *world, label_contact_table *table, pair_list *list)
{
    const label_contact_table old = *table;
    *list = (pair_list){.pairs = old.places};
    *table = (label_contact_table){.places = NULL};
    for (int64_t i = 0; i <= old.mask; i++) {
        HALO_TRY(halo_watch_entry(world, i));
        if (list->pairs[i].contact.first != 0) {
            list->pairs[list->count++] = list->pairs[i];
        }
    }
    return halo_watched_sort(world, list->pairs, list->count, sizeof *list->pairs, compare);
}

static halo_status create_part(contacts_part *part, const contacts_job *job,
                               const halo_world *world)
{
    part->job = job;
    part->meet = meetings[job->labels.type];
    part->bytes = array_element(&job->labels);
    HALO_TRY(array_reader_create(&part->here, &job->labels));
    HALO_TRY(array_reader_create(&part->before, &job->labels));
    HALO_TRY(HALO_ALLOCATE_LARGE(part->above, part->bytes * job->labels.n[2] + 1, "a row"));
    return label_contact_table_create(&part->table, world);
}

static halo_status find_pairs(contacts_part *part, contacts_job *job, array_call *call,
                              const halo_world *world)
{
    int64_t rank = halo_world_rank(world), ranks = halo_world_ranks(world);
    int64_t rows = job->labels.n[0] * job->labels.n[1];
    HALO_TRY(create_part(part, job, world));
    array_call_phase(call, world, 1);
    HALO_TRY(take_rows(part, call, world, rows * rank / ranks, rows * (rank + 1) / ranks));
    return list_pairs(world, &part->table, &job->lists[rank]);
}

/* ---- the table ------------------------------------------------------------------------------- */

/* The lists of all ranks as one, in ascending order, with each pair once. */
static halo_status merge(const halo_world *world, const contacts_job *job, pair_list *out)
{
    int64_t all = 0, kept = 0;
    for (int rank = 0; rank < job->ranks; rank++) {
        all += job->lists[rank].count;
    }
    HALO_TRY(HALO_ALLOCATE_LARGE(out->pairs, all + 1, "regions that touch"));
    all = 0;
    for (int rank = 0; rank < job->ranks; rank++) {
        const pair_list *list = &job->lists[rank];
        HALO_TRY(halo_watched_copy(world, out->pairs + all, list->pairs, list->count,
                                   sizeof *list->pairs));
        all += list->count;
    }
    HALO_TRY(halo_watched_sort(world, out->pairs, all, sizeof *out->pairs, compare));
    for (int64_t i = 0; i < all; i++) {
        HALO_TRY(halo_watch_entry(world, i));
        if (kept == 0 || compare(&out->pairs[kept - 1], &out->pairs[i]) != 0) {
            out->pairs[kept++] = out->pairs[i];
            continue;
        }
        label_pair *to = &out->pairs[kept - 1];
        to->corners += out->pairs[i].corners;
        for (int axis = 0; axis < HALO_AXES; axis++) {
            to->contact.faces[axis] += out->pairs[i].contact.faces[axis];
        }
    }
    out->count = kept;
    return HALO_OK;
}

static halo_status write_rows(const halo_world *world, const contacts_job *job,
                              const pair_list *list)
{
    int64_t *first = array_table_values(job->table, 0), *second = array_table_values(job->table, 1);
    int64_t *pairs = array_table_values(job->table, 2);
    double *area = array_table_values(job->table, 3);
    const double *size = job->size;
    for (int64_t i = 0; i < list->count; i++) {
        HALO_TRY(halo_watch_entry(world, i));
        const label_pair *pair = &list->pairs[i];
        const int64_t *faces = pair->contact.faces;
        first[i] = pair->contact.first;
        second[i] = pair->contact.second;
        pairs[i] = faces[0] + faces[1] + faces[2] + pair->corners;
        area[i] = (double)faces[0] * size[1] * size[2] + (double)faces[1] * size[0] * size[2] +
                  (double)faces[2] * size[0] * size[1];
    }
    return HALO_OK;
}

static halo_status make_table(const halo_world *world, const contacts_job *job)
{
    pair_list list = {.count = 0};
    halo_status status = merge(world, job, &list);
    HALO_IF_OK(status, array_table_allocate(job->table, list.count));
    HALO_IF_OK(status, write_rows(world, job, &list));
    halo_memory_free(list.pairs);
    return status;
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static halo_status find_rank(halo_world *world, array_call *call, void *context)
{
    contacts_job *job = context;
    contacts_part part = {.job = job};
    halo_status status = HALO_OK;
    if (halo_world_rank(world) == 0) {
        job->ranks = halo_world_ranks(world);
        status = HALO_ALLOCATE(job->lists, job->ranks, "regions that touch");
    }
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        status = halo_agree(world, find_pairs(&part, job, call, world));
    }
    if (status == HALO_OK) {
        status = halo_agree(world, halo_world_rank(world) == 0 ? make_table(world, job) : HALO_OK);
    }
    array_reader_free(&part.here);
    array_reader_free(&part.before);
    halo_memory_free(part.above);
    halo_memory_free(part.table.places);
    return status;
}

/* ---- the call -------------------------------------------------------------------------------- */

static halo_status create_table(contacts_job *job)
{
    halo_sample_type of_labels =
        job->labels.type == HALO_SAMPLE_U64 ? HALO_SAMPLE_U64 : HALO_SAMPLE_I64;
    HALO_TRY(array_table_create(&job->table));
    HALO_TRY(array_table_add(job->table, "label", of_labels));
    HALO_TRY(array_table_add(job->table, "neighbour", of_labels));
    HALO_TRY(array_table_add(job->table, "pairs", HALO_SAMPLE_I64));
    return array_table_add(job->table, "area", HALO_SAMPLE_F64);
}

static halo_status find(contacts_job *job, halo_context *context)
{
    /* Seconds of a core for an element and each of half its neighbours, at least. */
    const double cost = .2e-9, neighbours[HALO_AXES] = {3, 9, 13};
    int64_t rows = job->labels.n[0] * job->labels.n[1];
    int64_t cells = rows * job->labels.n[2];
    HALO_TRY(create_table(job));
    return cells == 0 ? array_table_allocate(job->table, 0)
                      : array_call_run(context, cost * neighbours[job->order - 1] * (double)cells,
                                       rows, find_rank, job);
}

halo_status halo_contacts_array_sized(halo_context *context, const halo_array *labels,
                                      const halo_contacts_array_options *given,
                                      halo_array_table **table, size_t given_bytes)
{
    halo_contacts_array_options options;
    contacts_job job = {.table = NULL};
    bool spaced;
    *table = NULL;
    HALO_TRY(halo_options_take(&options, sizeof options, given, given_bytes,
                               "halo_contacts_array_options"));
    HALO_TRY(array_labels_check(labels));
    HALO_TRY(label_find_order(options.connectivity, labels->axes, &job.order));
    HALO_TRY(array_take_spacing(options.spacing, labels->axes, job.size, &spaced));
    job.axes = labels->axes;
    job.labels = array_with_axes(labels, HALO_AXES);
    halo_status status = find(&job, context);
    for (int rank = 0; rank < job.ranks && job.lists != NULL; rank++) {
        halo_memory_free(job.lists[rank].pairs);
    }
    free(job.lists);
    if (status != HALO_OK) {
        halo_array_table_destroy(&job.table);
    }
    *table = job.table;
    return status;
}
