#include "partition/cuts.h"
#include "support/border_scene.h"
#include "support/label_images.h"
#include "support/oracle.h"
#include "support/unit_check.h"

/* ---- checks -------------------------------------------------------------------------------- */

/* The strip or block of a pixel, and the component it belongs to if it is foreground, or -1. */
static int find_pixel(const border_scene *s, int64_t y, int64_t x, int32_t *component)
{
    int row = halo_cuts_find(s->cuts[0], s->parts[0], y);
    int column = halo_cuts_find(s->cuts[1], s->parts[1], x), p = row * s->parts[1] + column;
    const label_strip *strip = &s->strips[p];
    int64_t local = y - s->cuts[0][row], end = x - s->cuts[1][column];
    const uint64_t *bits = label_input_row(&strip->input, local);
    int64_t run = strip->first_run[local] - 1;
    for (int64_t i = 0; i <= end; i++) {
        run += bit_at(bits, i) && (i == 0 || !bit_at(bits, i - 1));
    }
    *component = bit_at(bits, end) ? label_strip_root(strip, run) : -1;
    return p;
}

/* Every pixel's key is that of its region's first pixel. */
static void check_keys(const border_scene *s, const oracle *truth, const char *when)
{
    int64_t width = s->made->width, wrong = 0;
    int64_t *wanted = border_scene_room((size_t)(truth->regions + 1) * sizeof *wanted);
    for (int64_t r = 1; r <= truth->regions; r++) {
        wanted[r] = -1;
    }
    for (int64_t pixel = 0; pixel < s->made->height * width; pixel++) {
        int32_t component;
        int p = find_pixel(s, pixel / width, pixel % width, &component);
        if (component < 0) {
            continue;
        }
        int64_t *key = &wanted[truth->scan[pixel]];
        *key = *key < 0 ? label_strip_key(&s->strips[p], component) : *key;
        wrong += s->keys[p][component] != *key;
    }
    check(wrong == 0, "%s: %" PRId64 " pixels have another key %s", s->text, wrong, when);
    free(wanted);
}

/* One row of a joined border: the runs of row y, by names that stand for their regions' keys. */
static void check_runs(const border_scene *s, int64_t y, const border_run *runs, int32_t count,
                       uint8_t *used)
{
    const uint8_t *row = s->made->foreground + y * s->made->width;
    const label_border *border = &s->group[0].border;
    int64_t x = 0, width = s->made->width;
    int32_t found = 0;
    while (x < width) {
        if (row[x] == 0) {
            x++;
            continue;
        }
        int64_t begin = x;
        while (x < width && row[x] != 0) {
            x++;
        }
        if (found < count) {
            const border_run *run = &runs[found];
            int32_t component;
            int p = find_pixel(s, y, begin, &component);
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

static void check_border(const border_scene *s)
{
    const label_border *border = &s->group[0].border;
    int32_t names = border->head->names;
    uint8_t *used = border_scene_room((size_t)names);
    label_border opened = border_open(s->group[0].block);
    check(opened.keys == border->keys && opened.side[BORDER_TOP] == border->side[BORDER_TOP] &&
              opened.side[BORDER_BOTTOM] == border->side[BORDER_BOTTOM],
          "%s: opens to something else", s->text);
    check(border->head->runs[BORDER_LEFT] == 0 && border->head->runs[BORDER_RIGHT] == 0,
          "%s: sides that nothing will be joined to", s->text);
    check_runs(s, 0, border->side[BORDER_TOP], border->head->runs[BORDER_TOP], used);
    check_runs(s, s->made->height - 1, border->side[BORDER_BOTTOM],
               border->head->runs[BORDER_BOTTOM], used);
    for (int32_t i = 0; i < names; i++) {
        check(used[i] == 1, "%s: name %d stands for nothing", s->text, i);
        for (int32_t j = 0; j < i; j++) {
            check(border->keys[i] != border->keys[j], "%s: two names for a region", s->text);
        }
    }
    free(used);
}

/* ---- scenes -------------------------------------------------------------------------------- */

/* Join the parts in a random order, if columns go round whole rows first; afterwards the rows go
 * round. */
static void play(border_scene *s, uint64_t *random)
{
    border_scene_start(s);
    while (s->groups[0] > 1 || s->groups[1] > 1) {
        int axis = s->groups[0] == 1 || s->touch.periodic ? 1 : (int)random_below(random, 2);
        axis = s->groups[1] == 1 ? 0 : axis;
        border_scene_join_line(s, axis, (int)random_below(random, s->groups[axis] - 1));
    }
    int connectivity = s->touch.diagonal ? 8 : 4;
    oracle flat = oracle_make(s->made, connectivity, (bool[2]){false, s->touch.periodic});
    check_keys(s, &flat, "when joined");
    check_border(s);
    oracle_free(&flat);
    oracle round = oracle_make(s->made, connectivity, (bool[2]){true, s->touch.periodic});
    border_scene_close_axis(s, (const int[]){0, 0}, 0, true);
    check_keys(s, &round, "when rows go round");
    oracle_free(&round);
    border_scene_free(s);
}

/* One image with the given cuts, 4- and 8-connected, columns going round or not. */
static void check_cuts(const image *made, int shape, const int parts[2], const int64_t *row_cuts,
                       const int64_t *column_cuts, uint64_t *random)
{
    static border_scene s; /* too large for a stack that sanitizers check */
    for (int variant = 0; variant < 4; variant++) {
        s = (border_scene){
            .made = made,
            .parts = {parts[0], parts[1]},
            .touch = {.width = made->width, .diagonal = variant & 1, .periodic = variant & 2}};
        memcpy(s.cuts[0], row_cuts, ((size_t)parts[0] + 1) * sizeof *row_cuts);
        memcpy(s.cuts[1], column_cuts, ((size_t)parts[1] + 1) * sizeof *column_cuts);
        snprintf(s.text, sizeof s.text,
                 "%s of %" PRId64 " x %" PRId64 ", %d x %d parts, variant %d",
                 image_shape_name((image_shape)shape), made->height, made->width, parts[0],
                 parts[1], variant);
        play(&s, random);
    }
}

/* Cuts into parts of at least one cell. */
static void cut_anywhere(int64_t n, int parts, int64_t *cuts, uint64_t *random)
{
    cuts[0] = 0;
    cuts[parts] = n;
    for (int p = 1; p < parts; p++) {
        int64_t most = n - cuts[p - 1] - (parts - p);
        cuts[p] = cuts[p - 1] + 1 + random_below(random, most);
    }
}

TEST("many strips, joined in any order")
{
    static const int64_t widths[] = {1, 2, 3, 31, 63, 64, 65, 127, 128, 129, 200};
    uint64_t random = 2;
    for (int shape = 0; shape < IMAGE_SHAPES; shape++) {
        for (size_t w = 0; w < COUNT(widths); w++) {
            int parts = 1 + (int)random_below(&random, BORDER_SCENE_PARTS);
            int64_t height = parts + random_below(&random, 20), cuts[BORDER_SCENE_PARTS + 1];
            image made = image_make((image_shape)shape, widths[w], height, random_next(&random));
            for (int p = 0; p <= parts; p++) {
                cuts[p] = p; /* strips of one row, and a last one with the rest */
            }
            cuts[parts] = height;
            const int strips[] = {parts, 1};
            const int64_t all[] = {0, made.width};
            check_cuts(&made, shape, strips, cuts, all, &random);
            cut_anywhere(height, parts, cuts, &random);
            check_cuts(&made, shape, strips, cuts, all, &random);
            image_free(&made);
        }
    }
}

/* The two or the four meet at every row or pixel. */
TEST("two strips and four blocks, cut everywhere")
{
    uint64_t random = 3;
    for (int n = 0; n < IMAGE_SHAPES * 19; n++) {
        int shape = n / 19;
        int64_t width = 1 + n % 19, height = width == 6 ? 5 : 9;
        image made = image_make((image_shape)shape, width, height, random_next(&random));
        for (int64_t row = 1; row < height; row++) {
            const int64_t rows[] = {0, row, height};
            check_cuts(&made, shape, (const int[]){2, 1}, rows, (int64_t[]){0, width}, &random);
            for (int64_t column = 1; column < width && width == 6; column++) {
                check_cuts(&made, shape, (const int[]){2, 2}, rows, (int64_t[]){0, column, width},
                           &random);
            }
        }
        image_free(&made);
    }
}

TEST("many blocks, joined in any order")
{
    static const int64_t widths[] = {2, 5, 12, 31, 65, 130};
    uint64_t random = 4;
    for (int shape = 0; shape < IMAGE_SHAPES; shape++) {
        for (size_t w = 0; w < COUNT(widths); w++) {
            int64_t most = widths[w] < 6 ? widths[w] : 6, cuts[2][BORDER_SCENE_PARTS + 1];
            int parts[] = {1 + (int)random_below(&random, 6),
                           2 + (int)random_below(&random, most - 1)};
            int64_t height = parts[0] + random_below(&random, 20);
            image made = image_make((image_shape)shape, widths[w], height, random_next(&random));
            cut_anywhere(height, parts[0], cuts[0], &random);
            cut_anywhere(widths[w], parts[1], cuts[1], &random);
            check_cuts(&made, shape, parts, cuts[0], cuts[1], &random);
            image_free(&made);
        }
    }
}
