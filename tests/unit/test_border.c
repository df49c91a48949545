#include "kernels/label/border.h"
#include "kernels/label/job.h"
#include "support/label_images.h"
#include "support/oracle.h"
#include "support/unit_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 12 };

/* A stretch of neighbouring strips that have been joined. */
typedef struct {
    int first, last; /* strips first to last - 1 */
    void *block;
    label_border border;
} group;

/* An image cut into strips, and what is known of their components. */
typedef struct {
    const image *made;
    border_touch touch;
    int parts, groups;
    int64_t cuts[MOST_PARTS + 1];
    label_strip strips[MOST_PARTS];
    int64_t *keys[MOST_PARTS];  /* [label_count] of each component, as merging finds them */
    int32_t *names[MOST_PARTS]; /* [label_count] in the border of its group, -1 inside */
    group group[MOST_PARTS];
    border_sets scratch;
    char text[160];
} scene;

static void *room(size_t bytes)
{
    void *made = calloc(1, bytes + 1);
    if (made == NULL) {
        abort();
    }
    return made;
}

static void start_strip(scene *s, int p)
{
    label_strip *strip = &s->strips[p];
    label_input input = label_input_make(s->made, s->cuts[p], s->cuts[p + 1]);
    input.diagonal = s->touch.diagonal;
    input.wrap = s->touch.wrap;
    *strip = (label_strip){.rows = label_rows_find("plain")};
    if (label_strip_unite(strip, &input) != HALO_OK) {
        abort();
    }
    size_t components = (size_t)strip->label_count;
    s->keys[p] = room(components * sizeof(int64_t));
    s->names[p] = room(components * sizeof(int32_t));
    int32_t *scratch = room(components * sizeof(int32_t)),
            *classes = room(components * sizeof(int32_t));
    for (size_t c = 0; c < components; c++) {
        scratch[c] = (int32_t)(c * 7 % 5) - 1; /* names that look as if they were taken */
    }
    group *g = &s->group[p];
    *g = (group){.first = p, .last = p + 1, .block = room(border_room(input.width))};
    g->border = border_of_strip(g->block, strip, label_key(p, 0), scratch, classes);
    for (size_t c = 0; c < components; c++) {
        s->keys[p][c] = label_key(p, (int64_t)c);
        s->names[p][c] = -1;
    }
    for (int32_t name = 0; name < g->border.head->names; name++) {
        check(g->border.keys[name] == label_key(p, classes[name]), "%s: a key", s->text);
        s->names[p][classes[name]] = name;
    }
    free(scratch);
    free(classes);
}

static void free_scene(scene *s)
{
    for (int p = 0; p < s->parts; p++) {
        free((void *)(uintptr_t)s->strips[p].input.bits);
        label_strip_free(&s->strips[p]);
        free(s->keys[p]);
        free(s->names[p]);
    }
    for (int g = 0; g < s->groups; g++) {
        free(s->group[g].block);
    }
    free(s->scratch.sets);
    free(s->scratch.set_keys);
    free(s->scratch.renamed);
}

/* What joining or closing found out about the components of a group. */
static void follow(scene *s, const group *g, int32_t shift, bool final)
{
    for (int p = g->first; p < g->last; p++) {
        for (int64_t c = 0; c < s->strips[p].label_count; c++) {
            if (s->names[p][c] >= 0) {
                int32_t set = s->scratch.sets[s->names[p][c] + shift];
                s->keys[p][c] = s->scratch.set_keys[set];
                s->names[p][c] = final ? -1 : s->scratch.renamed[set];
            }
        }
    }
}

/* Join group g with the one below it. */
static void join(scene *s, int g)
{
    group *upper = &s->group[g], *lower = &s->group[g + 1];
    void *block = room(border_room(s->touch.width));
    int32_t shift = upper->border.head->names;
    label_border joined =
        border_join(block, &upper->border, &lower->border, &s->touch, &s->scratch);
    follow(s, upper, 0, false);
    follow(s, lower, shift, false);
    check(border_size(&joined) <= border_room(s->touch.width), "%s: too large", s->text);
    free(upper->block);
    free(lower->block);
    *upper = (group){.first = upper->first, .last = lower->last, .block = block, .border = joined};
    s->groups--;
    memmove(lower, lower + 1, (size_t)(s->groups - g - 1) * sizeof *lower);
}

/* ---- checks -------------------------------------------------------------------------------- */

/* Which strip a row lies in. */
static int part_of(const scene *s, int64_t y)
{
    int p = 0;
    while (s->cuts[p + 1] <= y) {
        p++;
    }
    return p;
}

/* Every pixel's key is that of its region's first pixel. */
static void check_keys(const scene *s, const oracle *truth, const char *when)
{
    int64_t width = s->made->width, wrong = 0;
    int64_t *wanted = room((size_t)(truth->regions + 1) * sizeof *wanted);
    for (int64_t r = 1; r <= truth->regions; r++) {
        wanted[r] = -1;
    }
    for (int64_t y = 0; y < s->made->height; y++) {
        int p = part_of(s, y);
        const label_strip *strip = &s->strips[p];
        const uint64_t *row = label_input_row(&strip->input, y - s->cuts[p]);
        int64_t run = strip->first_run[y - s->cuts[p]] - 1;
        for (int64_t x = 0; x < width; x++) {
            if (!bit_at(row, x)) {
                continue;
            }
            run += x == 0 || !bit_at(row, x - 1);
            int32_t component = label_strip_root(strip, run);
            int64_t *key = &wanted[truth->scan[y * width + x]];
            *key = *key < 0 ? label_key(p, component) : *key;
            wrong += s->keys[p][component] != *key;
        }
    }
    check(wrong == 0, "%s: %" PRId64 " pixels have another key %s", s->text, wrong, when);
    free(wanted);
}

/* One row of a joined border: the runs of row y, by names that stand for their regions' keys. */
static void check_runs(const scene *s, int64_t y, const border_run *runs, int32_t count,
                       uint8_t *used)
{
    int p = part_of(s, y);
    const label_strip *strip = &s->strips[p];
    const uint64_t *row = label_input_row(&strip->input, y - s->cuts[p]);
    const label_border *border = &s->group[0].border;
    int64_t x = 0, width = s->made->width;
    int32_t first = strip->first_run[y - s->cuts[p]], found = 0;
    while (x < width) {
        if (!bit_at(row, x)) {
            x++;
            continue;
        }
        int64_t begin = x;
        while (x < width && bit_at(row, x)) {
            x++;
        }
        if (found < count) {
            const border_run *run = &runs[found];
            int32_t component = label_strip_root(strip, first + found);
            bool named = run->name >= 0 && run->name < border->head->names;
            check(named && run->begin == begin && run->end == x, "%s: run %d", s->text, found);
            check(named && border->keys[run->name] == s->keys[p][component], "%s: key of run %d",
                  s->text, found);
            if (named) {
                used[run->name] = 1;
            }
        }
        found++;
    }
    check(found == count, "%s: %d runs, not %d", s->text, count, found);
}

static void check_border(const scene *s)
{
    const label_border *border = &s->group[0].border;
    int32_t names = border->head->names;
    uint8_t *used = room((size_t)names);
    label_border opened = border_open(s->group[0].block);
    check(opened.keys == border->keys && opened.top == border->top &&
              opened.bottom == border->bottom,
          "%s: opens to something else", s->text);
    check_runs(s, 0, border->top, border->head->tops, used);
    check_runs(s, s->made->height - 1, border->bottom, border->head->bottoms, used);
    for (int32_t i = 0; i < names; i++) {
        check(used[i] == 1, "%s: name %d stands for nothing", s->text, i);
        for (int32_t j = 0; j < i; j++) {
            check(border->keys[i] != border->keys[j], "%s: two names for a region", s->text);
        }
    }
    free(used);
}

/* ---- scenes -------------------------------------------------------------------------------- */

/* Join the strips in a random order; afterwards the rows go round. */
static void play(scene *s, uint64_t *random)
{
    size_t names = 2 * (size_t)(s->touch.width + 2);
    s->scratch = (border_sets){.sets = room(names * sizeof(int32_t)),
                               .set_keys = room(names * sizeof(int64_t)),
                               .renamed = room(names * sizeof(int32_t))};
    s->groups = s->parts;
    for (int p = 0; p < s->parts; p++) {
        start_strip(s, p);
    }
    while (s->groups > 1) {
        join(s, (int)random_below(random, s->groups - 1));
    }
    int connectivity = s->touch.diagonal ? 8 : 4;
    oracle flat = oracle_make(s->made, connectivity, (bool[2]){false, s->touch.wrap});
    check_keys(s, &flat, "when joined");
    check_border(s);
    oracle_free(&flat);
    oracle round = oracle_make(s->made, connectivity, (bool[2]){true, s->touch.wrap});
    border_close(&s->group[0].border, &s->touch, &s->scratch);
    follow(s, &s->group[0], 0, true);
    check_keys(s, &round, "when rows go round");
    oracle_free(&round);
    free_scene(s);
}

/* One image with the given cuts, 4- and 8-connected, columns going round or not. */
static void check_cuts(const image *made, const char *name, int parts, const int64_t *cuts,
                       uint64_t *random)
{
    for (int variant = 0; variant < 4; variant++) {
        scene s = {.made = made,
                   .parts = parts,
                   .touch = {.width = made->width, .diagonal = variant & 1, .wrap = variant & 2}};
        memcpy(s.cuts, cuts, ((size_t)parts + 1) * sizeof *cuts);
        snprintf(s.text, sizeof s.text, "%s of %" PRId64 " x %" PRId64 ", %d strips, variant %d",
                 name, made->height, made->width, parts, variant);
        play(&s, random);
    }
}

static void test_two_strips(void)
{
    uint64_t random = 1;
    for (int shape = 0; shape < IMAGE_SHAPES; shape++) {
        for (int64_t width = 1; width < 20; width++) {
            image made = image_make((image_shape)shape, width, 9, random_next(&random));
            for (int64_t cut = 1; cut < made.height; cut++) {
                check_cuts(&made, image_shape_name((image_shape)shape), 2,
                           (int64_t[]){0, cut, made.height}, &random);
            }
            image_free(&made);
        }
    }
}

static void test_many_strips(void)
{
    static const int64_t widths[] = {1, 2, 3, 31, 63, 64, 65, 127, 128, 129, 200};
    uint64_t random = 2;
    for (int shape = 0; shape < IMAGE_SHAPES; shape++) {
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
            int parts = 1 + (int)random_below(&random, MOST_PARTS);
            int64_t height = parts + random_below(&random, 20), cuts[MOST_PARTS + 1];
            image made = image_make((image_shape)shape, widths[w], height, random_next(&random));
            for (int p = 0; p <= parts; p++) {
                cuts[p] = p; /* strips of one row, and a last one with the rest */
            }
            cuts[parts] = height;
            check_cuts(&made, image_shape_name((image_shape)shape), parts, cuts, &random);
            for (int p = 1; p < parts; p++) {
                int64_t most = height - cuts[p - 1] - (parts - p);
                cuts[p] = cuts[p - 1] + 1 + random_below(&random, most);
            }
            check_cuts(&made, image_shape_name((image_shape)shape), parts, cuts, &random);
            image_free(&made);
        }
    }
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"two strips, cut at every row", test_two_strips},
        {"many strips, joined in any order", test_many_strips},
        CU_TEST_INFO_NULL,
    };
    return unit_check_run("border", tests);
}
