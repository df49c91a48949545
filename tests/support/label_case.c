#include "support/label_case.h"

#include "core/world/collect.h"
#include "kernels/label/rows/row_ops.h"
#include "support/label_truth.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void label_case_choose(label_case *c, uint64_t *random)
{
    static const int grey_bits[] = {0, 1, 8, 16};
    static const int64_t areas[] = {0, 1, 2, 5, 20};
    static const char *const votes[] = {"allreduce", "tree", "coordinator", "broadcast",
                                        "pipeline"};
    static const char *const sets[] = {"avx512", "avx2", "plain"};
    c->grey_bits = grey_bits[random_below(random, 4)];
    c->options.measure = random_below(random, 4) != 0;
    c->options.filter.min_area = areas[random_below(random, 5)];
    c->options.numbering = random_below(random, 3) == 0 ? HALO_LABEL_SEED : HALO_LABEL_SCAN;
    c->options.vote = votes[random_below(random, 5)];
    const char *set = sets[random_below(random, 3)];
    c->options.instructions = halo_isa_find(label_row_variants, set) != NULL ? set : "plain";
}

static int columns_of(const label_case *c)
{
    return c->columns > 0 ? c->columns : 1;
}

void label_case_name(label_case *c, const char *shape)
{
    const halo_label_options *o = &c->options;
    snprintf(c->text, sizeof c->text,
             "%s %" PRId64 " x %" PRId64 "%s in %d columns, %d, %s, %s, >= %" PRId64, shape,
             c->made->height, c->made->width, c->periodic ? " round" : "", columns_of(c),
             o->connectivity, o->method, o->vote, o->filter.min_area);
}

static halo_box own_box(const label_case *c)
{
    return halo_partition_box(&c->partition, halo_world_rank(c->world));
}

static void make_partition(label_case *c)
{
    int columns = columns_of(c), rows = halo_world_ranks(c->world) / columns;
    expect(halo_partition_blocks(&c->partition, &c->domain, (const int[]){rows, columns, 1}) ==
               HALO_OK,
           "partition: %s", halo_last_message());
    memcpy(c->partition.cuts[0], c->cuts, ((size_t)rows + 1) * sizeof *c->cuts);
    if (columns > 1) {
        memcpy(c->partition.cuts[1], c->column_cuts,
               ((size_t)columns + 1) * sizeof *c->column_cuts);
    }
}

void label_case_make_fields(label_case *c)
{
    c->domain = (halo_domain){.axes = 2,
                              .n = {c->made->height, c->made->width, 1},
                              .periodic = {c->periodic, c->periodic}};
    make_partition(c);
    halo_box owned = own_box(c);
    expect_ok(halo_field_create(&c->foreground, &c->domain, &owned, HALO_BIT, 0));
    if (c->grey_bits > 0) {
        expect_ok(halo_field_create(&c->grey, &c->domain, &owned, c->grey_bits, 0));
    }
}

void label_case_free_fields(label_case *c)
{
    halo_field_destroy(&c->foreground);
    halo_field_destroy(&c->grey);
    halo_partition_free(&c->partition);
}

static void set_cell(const halo_view *view, int64_t y, int64_t x, int64_t value)
{
    void *row = halo_row(view, y);
    if (view->cell_bits == 1) {
        uint64_t *word = (uint64_t *)row + x / 64, bit = UINT64_C(1) << (x % 64);
        *word = value != 0 ? *word | bit : *word & ~bit;
    } else if (view->cell_bits == 8) {
        ((uint8_t *)row)[x] = (uint8_t)value;
    } else {
        ((uint16_t *)row)[x] = (uint16_t)value;
    }
}

void label_case_fill(const label_case *c)
{
    const halo_view *foreground = halo_field_view(c->foreground);
    for (int64_t y = 0; y < foreground->owned.n[0]; y++) {
        int64_t global = foreground->owned.lo[0] + y;
        for (int64_t x = 0; x < foreground->owned.n[1]; x++) {
            int64_t column = foreground->owned.lo[1] + x;
            set_cell(foreground, y, x, c->made->foreground[global * c->made->width + column]);
            if (c->grey != NULL) {
                set_cell(halo_field_view(c->grey), y, x, grey_at(c->grey_bits, global, column));
            }
        }
    }
}

static void transpose(const label_case *c, const halo_label *label, halo_field **field)
{
    halo_domain domain;
    halo_box mine;
    halo_field *made = NULL;
    const halo_view *view = halo_field_view(*field);
    halo_label_fields(label, &domain, &mine);
    expect_case_ok(c->text, halo_field_create(&made, &domain, &mine, view->cell_bits, 0));
    halo_label_transpose(label, view->owned.lo[0], view, halo_field_view(made));
    halo_field_destroy(field);
    *field = made;
}

void label_case_transpose(label_case *c, const halo_label *label)
{
    if (halo_label_is_transposed(label)) {
        transpose(c, label, &c->foreground);
        if (c->grey != NULL) {
            transpose(c, label, &c->grey);
        }
    }
}

/* ---- what came out ------------------------------------------------------------------------- */

/* Regions that begin above this row. */
static int64_t regions_above(const label_truth *truth, int64_t row)
{
    int64_t count = 0;
    while (count < truth->regions && truth->first_row[count] < row) {
        count++;
    }
    return count;
}

/* Blocks side by side share regions evenly; only those that own pixels do. */
static void find_share(const label_case *c, int64_t *first, int64_t *last)
{
    int mine = 0, owners = 0, columns = columns_of(c), rank = halo_world_rank(c->world);
    for (int i = 0; i < columns; i++) {
        halo_box box = halo_partition_box(&c->partition, rank - rank % columns + i);
        mine += i < rank % columns && halo_box_cells(&box) > 0;
        owners += halo_box_cells(&box) > 0;
    }
    halo_box own = own_box(c);
    int64_t count = *last - *first, share = owners > 0 ? count / owners : 0;
    int64_t longer = owners > 0 ? count % owners : 0;
    *first += share * mine + (mine < longer ? mine : longer);
    *last = *first + (halo_box_cells(&own) > 0 ? share + (mine < longer) : 0);
}

static void check_regions(const label_case *c, const halo_label *label, const label_truth *truth)
{
    halo_box owned = own_box(c);
    int64_t count, first = regions_above(truth, owned.lo[0]);
    int64_t last = regions_above(truth, owned.lo[0] + owned.n[0]);
    find_share(c, &first, &last);
    const halo_region *found = halo_label_regions(label, &count);
    expect(count == last - first, "%s: %" PRId64 " own regions, not %" PRId64, c->text, count,
           last - first);
    for (int64_t i = 0; i < count && i < last - first; i++) {
        const halo_region *is = &found[i], *should = &truth->region[first + i];
        expect(is->number == should->number && is->area == should->area && is->top == should->top &&
                   is->left == should->left && is->bottom == should->bottom &&
                   is->right == should->right && is->last == should->last,
               "%s: area, box or last pixel of region %" PRId64, c->text, should->number);
        expect(is->row_sum == should->row_sum && is->column_sum == should->column_sum,
               "%s: centroid of region %" PRId64, c->text, should->number);
        expect(is->grey_sum == should->grey_sum,
               "%s: grey (%d bits) of region %" PRId64 ": %" PRId64 ", not %" PRId64, c->text,
               c->grey_bits, should->number, is->grey_sum, should->grey_sum);
    }
}

static int64_t painted(const void *row, halo_label_paint as, int64_t x)
{
    switch (as) {
    case HALO_LABEL_COLOUR:
        return ((const uint8_t *)row)[x];
    case HALO_LABEL_U16:
        return ((const uint16_t *)row)[x];
    case HALO_LABEL_I32:
        return ((const int32_t *)row)[x];
    default:
        return ((const int64_t *)row)[x];
    }
}

int64_t label_case_pixel(const label_case *c, const label_truth *truth, halo_label_paint as,
                         int64_t pixel)
{
    bool seeds = c->options.numbering == HALO_LABEL_SEED;
    int64_t number = seeds ? truth->seed[pixel] : truth->scan[pixel];
    if (as != HALO_LABEL_COLOUR) {
        return number;
    }
    return truth->scan[pixel] == 0 ? 0 : (seeds ? number : number - 1) % 255 + 1;
}

/* Paint this rank's rows, a few at a time, with room between them that must stay as it is. */
static void check_paint(const label_case *c, halo_label *label, const label_truth *truth,
                        halo_label_paint as)
{
    static const size_t sizes[] = {1, 2, 4, 8};
    enum { BAND = 3, SPACE = 64, FILL = 0x5a };
    halo_box owned = own_box(c);
    int64_t width = owned.n[1], wrong = 0;
    size_t bytes = (size_t)width * sizes[as], pitch = (bytes + 2 * SPACE - 1) / SPACE * SPACE;
    unsigned char *out = aligned_alloc(SPACE, BAND * pitch + SPACE);
    for (int64_t y = 0; y < owned.n[0]; y += BAND) {
        int64_t rows = owned.n[0] - y < BAND ? owned.n[0] - y : BAND;
        memset(out, FILL, BAND * pitch);
        halo_status status = halo_label_paint_rows(label, as, y, rows, out, pitch);
        expect(status == HALO_OK, "%s: paint %d: %s", c->text, as, halo_last_message());
        for (int64_t i = 0; i < rows; i++) {
            const unsigned char *row = out + (size_t)i * pitch;
            for (int64_t x = 0; x < width; x++) {
                int64_t pixel = (owned.lo[0] + y + i) * c->made->width + owned.lo[1] + x;
                wrong += painted(row, as, x) != label_case_pixel(c, truth, as, pixel);
            }
            for (size_t b = bytes; b < pitch; b++) {
                wrong += row[b] != FILL;
            }
        }
    }
    expect(wrong == 0, "%s: %" PRId64 " pixels or gaps are wrong, painted as %d", c->text, wrong,
           as);
    free(out);
}

static int log2_up(int n)
{
    int power = 0;
    while (1 << power < n) {
        power++;
    }
    return power;
}

/* Beats of all ranks, and messages of their votes, as in Andrews' chapter. */
static void check_report(const label_case *c, const halo_label *label)
{
    const halo_beat_report *report = halo_label_get_report(label);
    int ranks = halo_world_ranks(c->world);
    const char *vote = c->options.vote;
    int64_t sum = report->vote_messages, max[] = {report->vote_steps, report->beats};
    expect_ok(halo_allreduce_sum(c->world, &sum, 1));
    expect_ok(halo_allreduce_max(c->world, max, 2));
    /* A method that merges needs the vote of each beat before the next one. Otherwise votes may be
     * late, and all ranks end an asynchronous vote together. */
    bool late = strcmp(vote, "pipeline") == 0 && (strcmp(c->options.method, "settle") == 0 ||
                                                  strcmp(c->options.method, "sweep") == 0);
    int64_t votes = report->beats + (late ? log2_up(ranks) : 0);
    expect(report->beats == max[1] && report->votes == votes,
           "%s: %" PRId64 " beats with %" PRId64 " votes here, %" PRId64 " elsewhere", c->text,
           report->beats, report->votes, max[1]);
    if (strcmp(c->options.method, "union") == 0) {
        int columns = columns_of(c);
        expect(report->beats <= log2_up(columns) + log2_up(ranks / columns) + 2,
               "%s: %" PRId64 " beats", c->text, report->beats);
    }
    int64_t per_vote = strcmp(vote, "coordinator") == 0 ? 2 * ranks
                       : strcmp(vote, "broadcast") == 0 ? 2 * ranks - 1
                       : strcmp(vote, "tree") == 0      ? 2 * (ranks - 1)
                       : strcmp(vote, "pipeline") == 0  ? ranks * log2_up(ranks)
                                                        : 0;
    expect(sum == per_vote * report->votes, "%s: %" PRId64 " messages in %" PRId64 " votes",
           c->text, sum, report->votes);
    if (strcmp(vote, "tree") == 0) {
        expect(max[0] == 2 * log2_up(ranks) * report->votes,
               "%s: %" PRId64 " steps in %" PRId64 " votes", c->text, max[0], report->votes);
    }
}

void label_case_run(const label_case *c, halo_label *label, const oracle *flood)
{
    label_case_fill(c);
    label_case_run_filled(c, label, flood);
}

void label_case_run_filled(const label_case *c, halo_label *label, const oracle *flood)
{
    label_truth truth = label_truth_make(c->made, flood, c->options.filter.min_area, c->grey_bits);
    const halo_view *grey = c->grey != NULL ? halo_field_view(c->grey) : NULL;
    halo_status status = halo_label_run(label, halo_field_view(c->foreground), grey);
    expect_case_ok(c->text, status);
    if (status == HALO_OK) {
        expect(halo_label_total(label) == truth.regions, "%s: %" PRId64 " regions, not %" PRId64,
               c->text, halo_label_total(label), truth.regions);
        if (c->options.measure) {
            check_regions(c, label, &truth);
        }
        check_paint(c, label, &truth, HALO_LABEL_COLOUR);
        check_paint(c, label, &truth, HALO_LABEL_I64);
        if (c->options.numbering == HALO_LABEL_SCAN) {
            check_paint(c, label, &truth, HALO_LABEL_U16);
            check_paint(c, label, &truth, HALO_LABEL_I32);
        }
        check_report(c, label);
    }
    label_truth_free(&truth);
}

int64_t label_case_check(label_case *c, const char *shape, const oracle *flood)
{
    label_case_name(c, shape);
    label_case_make_fields(c);
    halo_label *label;
    int64_t beats = 0;
    halo_status status =
        halo_label_create(&label, c->world, &c->domain, &c->partition, &c->options);
    expect_case_ok(c->text, status);
    if (status == HALO_OK) {
        label_case_run(c, label, flood);
        beats = halo_label_get_report(label)->beats;
    }
    halo_label_destroy(&label);
    label_case_free_fields(c);
    return beats;
}
