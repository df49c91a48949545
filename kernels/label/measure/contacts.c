#include "kernels/label/measure/contacts.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/rendezvous.h"
#include "core/world/watched_sort.h"
#include "kernels/label/label_internal.h"
#include "kernels/label/measure/contact_table.h"

#include <string.h>

/* ---- rows ------------------------------------------------------------------------------------ */

/* A layer is a plane of a volume, or a row of an image. */
typedef struct {
    const label_numbered *image;
    const label_contact_choice *choice;
    int64_t lines, width; /* rows of a layer, and their pixels */
    int64_t first, end;   /* layers of this rank */
    int layer_axis;
    int64_t *layer; /* [lines * width] numbers of the layer before, row by row replaced */
    int64_t *row;   /* [band * width] the next ones; of an image they lie behind the layer */
    int64_t band;   /* rows that are painted at once */
    label_contact_table table;
} search;

/* Pixels of two rows that face each other: stretches of the same pair are added at once. */
static halo_status meet_rows(search *s, const int64_t *a, const int64_t *b, int64_t n, int axis)
{
    for (int64_t x = 0; x < n;) {
        if (a[x] == b[x] || a[x] == 0 || b[x] == 0) {
            x++;
            continue;
        }
        int64_t begin = x;
        while (x < n && a[x] == a[begin] && b[x] == b[begin]) {
            x++;
        }
        int64_t one = a[begin], other = b[begin];
        int64_t first = halo_min(one, other), second = halo_max(one, other);
        if (s->choice->takes == NULL || s->choice->takes(s->choice->context, first, second)) {
            HALO_TRY(label_contact_table_add(&s->table, first, second, axis, x - begin));
        }
    }
    return HALO_OK;
}

/* The row, and the one above it in the same plane. */
static halo_status meet_corners(search *s, const int64_t *row, const int64_t *above)
{
    HALO_TRY(meet_rows(s, row + 1, above, s->width - 1, LABEL_CORNERS));
    return meet_rows(s, row, above + 1, s->width - 1, LABEL_CORNERS);
}

/* A row's own pixels, and those beyond its ends. */
static halo_status meet_within(search *s, const int64_t *row)
{
    int64_t width = s->width;
    HALO_TRY(meet_rows(s, row + 1, row, width - 1, 2));
    return s->image->periodic[2] && width > 1 ? meet_rows(s, row, row + width - 1, 1, 2) : HALO_OK;
}

/* ---- of a volume ----------------------------------------------------------------------------- */

/* Counts the sides that a row shares: with the plane before, with itself, with the row above, and
 * beyond the edges. */
static halo_status meet_sides(search *s, const int64_t *row, int64_t line, bool has_layer)
{
    int64_t width = s->width, last = s->lines - 1;
    const int64_t *kept = s->layer + line * width;
    if (has_layer) {
        HALO_TRY(meet_rows(s, row, kept, width, 0));
    }
    HALO_TRY(meet_within(s, row));
    if (line > 0) {
        HALO_TRY(meet_rows(s, row, kept - width, width, 1));
    }
    if (s->image->periodic[1] && line == last && line > 0) {
        HALO_TRY(meet_rows(s, row, s->layer, width, 1));
    }
    return HALO_OK;
}

static halo_status take_row(search *s, int64_t plane, int64_t line, bool has_layer)
{
    int64_t width = s->width, *row = s->row, *kept = s->layer + line * width;
    HALO_TRY(label_numbered_row(s->image, plane * s->lines + line, row));
    if (s->choice->sides) {
        HALO_TRY(meet_sides(s, row, line, has_layer));
    }
    if (s->choice->corners && line > 0) {
        HALO_TRY(meet_corners(s, row, kept - width));
    }
    memcpy(kept, row, (size_t)width * sizeof *row);
    return HALO_OK;
}

static halo_status take_planes(search *s, bool has_layer)
{
    /* A single layer that follows itself has no faces with itself. */
    for (int64_t plane = s->first; plane < s->end; plane++) {
        for (int64_t line = 0; line < s->lines; line++) {
            HALO_TRY(take_row(s, plane, line, has_layer || plane > s->first));
        }
    }
    return HALO_OK;
}

/* ---- of an image ----------------------------------------------------------------------------- */

/* Rows behind the one above them, with which they are met as if all of them were one. */
static halo_status take_band(search *s, int64_t rows, bool has_above)
{
    int64_t width = s->width;
    const int64_t *first = has_above ? s->row : s->row + width;
    int64_t faced = (has_above ? rows : rows - 1) * width;
    if (s->choice->sides) {
        HALO_TRY(meet_rows(s, first, first - width, faced, 1));
    }
    for (int64_t i = 0; i < rows && width > 1; i++) {
        const int64_t *row = s->row + i * width;
        if (s->choice->sides) {
            HALO_TRY(meet_within(s, row));
        }
        if (s->choice->corners && (i > 0 || has_above)) {
            HALO_TRY(meet_corners(s, row, row - width));
        }
    }
    return HALO_OK;
}

static halo_status take_bands(search *s, bool has_layer)
{
    const size_t row_bytes = (size_t)s->width * sizeof *s->row;
    for (int64_t at = s->first; at < s->end; at += s->band) {
        int64_t rows = halo_min(s->band, s->end - at);
        HALO_TRY(s->image->rows(s->image->context, at, rows, s->row, row_bytes));
        HALO_TRY(take_band(s, rows, has_layer || at > s->first));
        memcpy(s->layer, s->row + (rows - 1) * s->width, row_bytes);
    }
    return HALO_OK;
}

/* ---- all ranks' ------------------------------------------------------------------------------ */

static int compare(const void *a, const void *b)
{
    const halo_contact *one = a, *other = b;
    return one->first != other->first     ? (one->first < other->first ? -1 : 1)
           : one->second != other->second ? (one->second < other->second ? -1 : 1)
                                          : 0;
}

typedef struct {
    const halo_world *world;
    halo_contact *contacts;
    int64_t count;
} contact_list;

/* Contacts in order, each pair once. */
static halo_status merge(contact_list *list)
{
    halo_contact *contacts = list->contacts;
    int64_t kept = 0;
    HALO_TRY(halo_watched_sort(list->world, contacts, list->count, sizeof *contacts, compare));
    for (int64_t i = 0; i < list->count; i++) {
        HALO_TRY(halo_watch_entry(list->world, i));
        if (kept > 0 && compare(&contacts[kept - 1], &contacts[i]) == 0) {
            for (int axis = 0; axis < HALO_AXES; axis++) {
                contacts[kept - 1].faces[axis] += contacts[i].faces[axis];
            }
        } else {
            contacts[kept++] = contacts[i];
        }
    }
    list->count = kept;
    return HALO_OK;
}

static halo_status take_all(void *context, const void *data, int64_t count, int64_t *answers)
{
    contact_list *list = context;
    HALO_TRY(HALO_ALLOCATE_LARGE(list->contacts, count + 1, "regions that touch"));
    if (count > 0) {
        HALO_TRY(
            halo_watched_copy(list->world, list->contacts, data, count, sizeof *list->contacts));
        memset(answers, 0, (size_t)count * sizeof *answers);
    }
    list->count = count;
    return merge(list);
}

/* Local. Moves the contacts to the front of the table's memory, without the gaps between them, and
 * sets the rank of each, which has `share` regions. */
static halo_status pack_contacts(label_contact_table *table, int64_t share, int *to, int64_t *count)
{
    halo_contact *found = (halo_contact *)(void *)table->places; /* shorter than places are */
    for (int64_t i = 0; i <= table->mask; i++) {
        HALO_TRY(halo_watch_entry(table->world, i));
        const halo_contact contact = table->places[i].contact;
        if (contact.first != 0) {
            to[*count] = (int)((contact.first - 1) / share);
            memcpy(&found[(*count)++], &contact, sizeof contact);
        }
    }
    return HALO_OK;
}

/* Collective. Each contact goes to the rank that has its first region's share of the numbers. */
static halo_status share_out(search *s, contact_list *list)
{
    halo_world *world = s->image->world;
    int64_t ranks = halo_world_ranks(world), count = 0, *answers = NULL;
    int64_t share = (s->image->total + ranks - 1) / ranks;
    int *to = NULL;
    label_contact_table *table = &s->table;
    halo_status status = HALO_ALLOCATE_LARGE(to, table->count + 1, "regions that touch");
    if (status == HALO_OK) {
        status = HALO_ALLOCATE_LARGE(answers, table->count + 1, "regions that touch");
    }
    HALO_TRY_OR(done, halo_agree(world, status));
    HALO_TRY_OR(done, halo_agree(world, pack_contacts(table, share, to, &count)));
    const halo_queries queries = {
        .count = count, .size = sizeof(halo_contact), .ranks = to, .data = table->places};
    status = halo_rendezvous(world, &queries, take_all, list, answers);
done:
    halo_memory_free(to);
    halo_memory_free(answers);
    return status;
}

static halo_status create(search *s)
{
    enum { PIXELS = 4096 };
    bool deep = s->layer_axis == 0;
    s->band = deep ? 1 : halo_max(1, PIXELS / halo_max(1, s->width));
    HALO_TRY(label_contact_table_create(&s->table, s->image->world));
    HALO_TRY(HALO_ALLOCATE_LARGE(s->layer, (s->lines + s->band) * s->width + 1, "rows of labels"));
    s->row = s->layer + s->lines * s->width;
    return HALO_OK;
}

static halo_status find(search *s, contact_list *list)
{
    halo_world *world = s->image->world;
    bool has_layer;
    const int64_t *cuts = s->image->cuts + halo_world_rank(world);
    s->first = cuts[0] / s->lines;
    s->end = cuts[1] / s->lines;
    HALO_TRY(halo_agree(world, create(s)));
    HALO_TRY(label_numbered_layer_before(s->image, s->image->periodic[s->layer_axis], s->layer,
                                         &has_layer));
    HALO_TRY(halo_agree(world,
                        s->layer_axis == 0 ? take_planes(s, has_layer) : take_bands(s, has_layer)));
    return share_out(s, list);
}

halo_status label_contacts_find(const label_numbered *image, const label_contact_choice *choice,
                                halo_contact **out, int64_t *count)
{
    bool deep = image->axes == HALO_AXES;
    contact_list list = {.world = image->world};
    search s = {.image = image,
                .choice = choice,
                .lines = deep ? image->n[1] : 1,
                .width = image->n[2],
                .layer_axis = deep ? 0 : 1};
    *out = NULL;
    *count = 0;
    halo_status status = find(&s, &list);
    halo_memory_free(s.table.places);
    halo_memory_free(s.layer);
    if (status != HALO_OK) {
        halo_memory_free(list.contacts);
        return status;
    }
    *out = list.contacts;
    *count = list.count;
    return HALO_OK;
}

/* ---- of a label ------------------------------------------------------------------------------ */

/* A painting of seeds, which count from 0, with a background of -1: as in paint.c, 1 more is a
 * number. */
typedef struct {
    halo_label_painting *painting;
    int64_t width;
} seed_rows;

static halo_status fill_seeds(void *context, int64_t first_row, int64_t rows, void *out,
                              size_t pitch)
{
    const seed_rows *seeds = context;
    HALO_TRY(halo_label_painting_rows(seeds->painting, first_row, rows, out, pitch));
    for (int64_t y = 0; y < rows; y++) {
        int64_t *row = (int64_t *)(void *)((char *)out + (size_t)y * pitch);
        for (int64_t x = 0; x < seeds->width; x++) {
            row[x]++;
        }
    }
    return HALO_OK;
}

halo_status label_contacts_choose(halo_label *label, const label_contact_choice *choice,
                                  halo_contact **out, int64_t *count)
{
    const int64_t *n = label->job.n;
    seed_rows seeds = {.width = n[2]};
    *out = NULL;
    *count = 0;
    halo_status status = halo_label_painting_create(&seeds.painting, label, HALO_LABEL_I64);
    if (status == HALO_OK) {
        label_numbered image = label_numbered_of(label, seeds.painting);
        if (label->naming.seeds) {
            image.total = n[0] * n[1] * n[2];
            image.rows = fill_seeds;
            image.context = &seeds;
        }
        status = label_contacts_find(&image, choice, out, count);
    }
    halo_label_painting_destroy(&seeds.painting);
    return status;
}

halo_status halo_label_contacts(halo_label *label, halo_contact **out, int64_t *count)
{
    static const label_contact_choice all = {.sides = true};
    if (label->naming.seeds) {
        *out = NULL;
        *count = 0;
        return halo_fail(HALO_ARGUMENT, "contacts are of regions that are numbered from 1");
    }
    return label_contacts_choose(label, &all, out, count);
}
