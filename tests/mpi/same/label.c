/* Regions of images that are hard on labelling, beside a flood fill. */

#include "same.h"

#include "partition/cuts.h"
#include "support/images.h"
#include "support/label_case.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An image, or several of the same size one after another, and how they are given. */
typedef struct {
    label_case c;
    int64_t height, width, cuts[BALANCE_WATCH_RANKS + 1], column_cuts[BALANCE_WATCH_RANKS + 1];
    bool distributes; /* they need not be labelled where they are given */
    bool movable;     /* fields are */
} scene;

/* Single pixels, rows, columns, sizes about those of words, and some larger ones. Methods of many
 * beats take as many as a region is long. */
static void choose_size(scene *s, uint64_t *random)
{
    static const int64_t widths[] = {1,  2,   3,   31,  62,  63,  64,  65,
                                     70, 127, 128, 129, 130, 170, 200, 260};
    const char *method = s->c.options.method;
    bool fast = strcmp(method, "union") == 0;
    s->height = 1 + random_below(random, fast ? 70 : 12);
    s->width = fast ? widths[random_below(random, 16)]
                    : 1 + random_below(random, strcmp(method, "sweep") == 0 ? 40 : 130);
    switch (random_below(random, 12)) {
    case 0:
        s->height = 1;
        break;
    case 1:
        s->height = 1 + random_below(random, 3);
        s->width = 1 + random_below(random, 8);
        break;
    case 2:
        s->height = fast ? 150 : s->height;
        break;
    case 3: /* blocks of a pixel */
        s->height = 1 + random_below(random, all_ranks());
        s->width = 1 + random_below(random, all_ranks());
        break;
    default:
        break;
    }
    if (s->c.options.transposes && fast) { /* so narrow that columns may lie as rows */
        s->width = 1 + random_below(random, 33);
        s->height = 16 * s->width - 1 + random_below(random, 400);
    }
}

static void choose_cuts(scene *s, const way *w, uint64_t *random)
{
    int ranks = all_ranks(), columns = 1;
    if (!w->strips) {
        do {
            columns = 1 + (int)random_below(random, ranks);
        } while (ranks % columns != 0 || (columns == 1 && ranks > 1));
    }
    if (s->distributes && columns > 1) { /* cuts are those of words */
        columns = ranks % 2 == 0 ? 2 : 1;
    }
    way_cuts(w, random, s->height, ranks / columns, 1, s->cuts);
    way_cuts(w, random, s->width, columns, 1, s->column_cuts);
    if (s->distributes && columns > 1) {
        s->column_cuts[1] = s->width / 128 * 64;
    }
    s->c.columns = columns;
    s->c.cuts = s->cuts;
    s->c.column_cuts = s->column_cuts;
}

static void choose(scene *s, const way *w, uint64_t *random)
{
    static const char *const methods[] = {"union", "union", "union", "settle", "sweep", "async"};
    static const char *const detectors[] = {NULL, "ack-tree", "fixed-energy", "dual-ring"};
    static const char *const decompositions[] = {NULL, "strips", "blocks", "auto"};
    halo_label_options *o = &s->c.options;
    s->c.world = mpi_check_world();
    s->c.periodic = random_below(random, 2) == 0;
    label_case_choose(&s->c, random);
    o->method = methods[random_below(random, 6)];
    o->connectivity = random_below(random, 2) == 0 ? 4 : 8;
    o->vote = w->of[WAY_vote] != NULL ? w->of[WAY_vote] : "allreduce";
    o->instructions = w->of[WAY_instructions];
    o->exchange = w->of[WAY_exchange];
    o->corner_way = w->of[WAY_corners];
    o->packing = w->of[WAY_packing];
    o->async = (halo_async_options){.detector = detectors[random_below(random, 4)],
                                    .seconds = random_below(random, 2) == 0 ? 1e-6 : 0};
    s->distributes = random_below(random, 2) == 0;
    o->decomposition = s->distributes ? decompositions[random_below(random, 4)] : NULL;
    s->movable = s->distributes && random_below(random, 2) == 0;
    o->transposes = random_below(random, 4) == 0;
    choose_size(s, random);
    choose_cuts(s, w, random);
}

static void make_movable(const label_case *c, halo_field **field)
{
    const halo_view *view = halo_field_view(*field);
    halo_field *made = NULL;
    expect(halo_field_create_movable(&made, &c->domain, &view->owned, view->cell_bits, 0) ==
               HALO_OK,
           "%s: %s", c->text, halo_last_message());
    halo_field_destroy(field);
    *field = made;
}

/* Painted rows of the image's whole width, a few at a time, as writers ask for them. */
static void check_rows(const label_case *c, halo_label *label, const oracle *flood)
{
    enum { ROWS = 4, SPACE = 3, FILL = 0x5a5a };
    label_truth truth = label_truth_make(c->made, flood, c->options.filter.min_area, c->grey_bits);
    halo_label_painting *painting = NULL;
    int64_t width = c->made->width, pitch = width + SPACE, wrong = 0;
    expect_case_ok(c->text, halo_label_painting_create(&painting, label, HALO_LABEL_I64));
    const int64_t *cuts = halo_label_painting_cuts(painting);
    int rank = halo_world_rank(c->world), ranks = halo_world_ranks(c->world);
    expect(halo_cuts_are_valid(cuts, ranks, c->made->height), "%s: cuts of rows", c->text);
    int64_t *out = need_zeroed((size_t)(ROWS * pitch), sizeof *out);
    for (int64_t y = cuts[rank]; y < cuts[rank + 1]; y += ROWS) {
        int64_t rows = cuts[rank + 1] - y < ROWS ? cuts[rank + 1] - y : ROWS;
        for (int64_t i = 0; i < ROWS * pitch; i++) {
            out[i] = FILL;
        }
        expect(halo_label_painting_rows(painting, y, rows, out, (size_t)pitch * sizeof *out) ==
                   HALO_OK,
               "%s: %s", c->text, halo_last_message());
        for (int64_t i = 0; i < rows * pitch; i++) {
            int64_t x = i % pitch, pixel = (y + i / pitch) * width + x;
            wrong +=
                out[i] != (x < width ? label_case_pixel(c, &truth, HALO_LABEL_I64, pixel) : FILL);
        }
    }
    expect(wrong == 0, "%s: %" PRId64 " pixels of whole rows", c->text, wrong);
    free(out);
    halo_label_painting_destroy(&painting);
    label_truth_free(&truth);
}

/* From strips or blocks to where pixels are labelled; the case goes on with this rank's part. */
static bool distribute(const scene *s, halo_label *label, label_case *c)
{
    halo_status status = halo_label_distribute(label, &c->foreground, &c->grey);
    expect_case_ok(c->text, status);
    if (status != HALO_OK) {
        return false;
    }
    expect(!s->movable || halo_label_is_transposed(label) || c->columns > 1 ||
               halo_label_partition(label)->parts[1] > 1 || halo_field_is_movable(c->foreground),
           "%s: the field was replaced", c->text);
    halo_partition_free(&c->partition);
    expect_case_ok(c->text, halo_partition_copy(&c->partition, halo_label_partition(label)));
    c->columns = c->partition.parts[1];
    return true;
}

/* One more image with the same label: buffers of the one before must not show. */
static void check_image(scene *s, halo_label **label, const way *w, uint64_t *random)
{
    label_case c = s->c;
    image_shape shape = (image_shape)random_below(random, IMAGE_SHAPES);
    image made = image_make(shape, s->width, s->height, random_next(random));
    oracle flood = oracle_make(&made, c.options.connectivity, (bool[2]){c.periodic, c.periodic});
    c.made = &made;
    label_case_name(&c, image_shape_name(shape));
    size_t length = strlen(c.text);
    snprintf(c.text + length, sizeof c.text - length, ", %s, %s%s, %s", w->text,
             c.options.decomposition != NULL ? c.options.decomposition : "as given",
             s->movable ? ", movable" : "", s->distributes ? "distributed" : "in place");
    label_case_make_fields(&c);
    if (s->movable) {
        make_movable(&c, &c.foreground);
    }
    label_case_fill(&c);
    halo_status status = HALO_OK;
    if (*label == NULL) {
        status = halo_label_create(label, c.world, &c.domain, &c.partition, &c.options);
        expect_case_ok(c.text, status);
    }
    if (status == HALO_OK) {
        label_case_transpose(&c, *label);
    }
    if (status == HALO_OK && (!s->distributes || distribute(s, *label, &c))) {
        label_case_run_filled(&c, *label, &flood);
        check_rows(&c, *label, &flood);
    }
    label_case_free_fields(&c);
    oracle_free(&flood);
    image_free(&made);
}

void same_label(const way *w, uint64_t *random, way_tally *all)
{
    scene s = {.height = 0};
    halo_label *label = NULL;
    balance_watch watch = {.text = w->text};
    choose(&s, w, random);
    s.c.options.balancing = way_balance(w, &watch, 1);
    watch.blocks = true; /* it may cut anew */
    if (strcmp(s.c.options.method, "union") == 0) {
        watch.every = 0; /* it plans between beats, and may do so twice */
    }
    for (int images = 0; images < 2; images++) {
        /* Each begins where pixels are given, and may plan at once. */
        memset(watch.planned, 0, sizeof watch.planned);
        watch.last_beat -= watch.every;
        check_image(&s, &label, w, random);
    }
    halo_label_destroy(&label);
    way_balance_end(w, &watch, all);
}
