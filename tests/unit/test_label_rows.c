#include "support/label_images.h"
#include "support/oracle.h"
#include "support/unit_check.h"

enum { GUARD = 64, SLACK = 64, WIDEST = 640, HIGHEST = 70, SETS = 3 };

/* The sets of instructions that this machine has. */
static const label_row_ops *sets[SETS];
static int set_count;

static void find_sets(void)
{
    for (const halo_isa_variant *v = label_row_variants; v != NULL; v = halo_isa_next(v)) {
        if (halo_isa_supported(v->isa)) {
            sets[set_count++] = v->ops;
        }
    }
}

static const char *name_of(const label_row_ops *ops)
{
    const halo_isa_variant *v = label_row_variants;
    while (v->ops != ops) {
        v++;
    }
    return halo_isa_name(v->isa);
}

static const int64_t far_widths[] = {127, 128, 129, 511, 512, 513, 577};
enum { NEAR_WIDTHS = 70, WIDTHS = NEAR_WIDTHS + COUNT(far_widths) };

static int64_t width_at(int i)
{
    return i < NEAR_WIDTHS ? i + 1 : far_widths[i - NEAR_WIDTHS];
}

/* ---- strips against the oracle ------------------------------------------------------------- */

static void name_case(char *name, size_t size, const label_strip *strip, image_shape shape)
{
    const label_input *input = &strip->input;
    snprintf(name, size, "%s, %s of %" PRId64 " x %" PRId64 ", %d-connected%s", name_of(strip->ops),
             image_shape_name(shape), input->height, input->width, input->order > 1 ? 8 : 4,
             input->periodic ? ", columns go round" : "");
}

/* The component of every pixel is the oracle's region. */
static bool same_as_oracle(const label_strip *strip, const oracle *truth)
{
    const label_input *input = &strip->input;
    if (strip->class_count != truth->regions) {
        return false;
    }
    int64_t run = 0;
    for (int64_t y = 0; y < input->height; y++) {
        const uint64_t *row = label_input_row(input, y);
        if (strip->first_run[y] != run) {
            return false;
        }
        for (int64_t x = 0; x < input->width; x++) {
            bool foreground = bit_at(row, x),
                 starts = foreground && (x == 0 || !bit_at(row, x - 1));
            run += starts;
            int64_t found = foreground ? strip->classes[strip->labels[run - 1]] + 1 : 0;
            if (found != truth->scan[y * input->width + x]) {
                return false;
            }
        }
    }
    return strip->first_run[input->height] == run && strip->runs == run;
}

static halo_status label_one(label_strip *strip, const label_input *input)
{
    HALO_TRY(label_strip_count(strip, input));
    HALO_TRY(label_strip_unite(strip));
    label_strip_finish(strip, NULL, 0);
    return HALO_OK;
}

/* The strips are kept from image to image, as their users do. */
static void check_image(label_strip *strips, image_shape shape, int64_t width, int64_t height,
                        uint64_t seed)
{
    char name[160];
    image made = image_make(shape, width, height, seed);
    label_input input = label_input_make(&made, 0, height);
    for (int variant = 0; variant < 4; variant++) {
        input.order = variant & 1 ? 2 : 1;
        input.periodic = variant & 2;
        const bool periodic[2] = {false, input.periodic};
        oracle truth = oracle_make(&made, input.order > 1 ? 8 : 4, periodic);
        for (int s = 0; s < set_count; s++) {
            bool good =
                label_one(&strips[s], &input) == HALO_OK && same_as_oracle(&strips[s], &truth);
            name_case(name, sizeof name, &strips[s], shape);
            check(good, "%s", name);
        }
        oracle_free(&truth);
    }
    free((void *)(uintptr_t)input.bits);
    image_free(&made);
}

TEST("strips of every shape and size against the oracle")
{
    label_strip strips[SETS] = {{0}};
    uint64_t random = 1;
    for (int s = 0; s < set_count; s++) {
        strips[s].ops = sets[s];
    }
    for (int shape = 0; shape < IMAGE_SHAPES; shape++) {
        for (int i = 0; i < WIDTHS; i++) {
            int64_t height = 1 + random_below(&random, HIGHEST);
            check_image(strips, (image_shape)shape, width_at(i), height, random);
        }
        for (int64_t height = 1; height <= HIGHEST; height++) {
            int64_t width = width_at((int)random_below(&random, NEAR_WIDTHS));
            check_image(strips, (image_shape)shape, width, height, random);
        }
    }
    for (int s = 0; s < set_count; s++) {
        label_strip_free(&strips[s]);
    }
}

/* ---- from runs to pixels ------------------------------------------------------------------- */

/* One width of pixel: random values for the runs of a row, painted between guards. */
#define CHECK_PAINT(bits_wide, type, paint)                                                      \
    static void check_paint##bits_wide(const label_row_ops *rows, const uint64_t *bits,          \
                                       int64_t width, int64_t shift, uint64_t *random)           \
    {                                                                                            \
        static _Alignas(64) type out[GUARD + WIDEST + 2 * GUARD],                                \
            before[sizeof out / sizeof *out];                                                    \
        static type values[1 + WIDEST + SLACK];                                                  \
        for (size_t i = 0; i < COUNT(values); i++) {                                             \
            values[i] = (type)random_next(random);                                               \
        }                                                                                        \
        memset(out, 0x5a, sizeof out);                                                           \
        memcpy(before, out, sizeof out);                                                         \
        type *row = out + GUARD + shift;                                                         \
        paint;                                                                                   \
        int64_t run = 0, wrong = 0;                                                              \
        for (int64_t x = 0; x < width; x++) {                                                    \
            run += bit_at(bits, x) && (x == 0 || !bit_at(bits, x - 1));                          \
            wrong += row[x] != (bit_at(bits, x) ? values[run] : 0);                              \
        }                                                                                        \
        size_t ahead = (size_t)(GUARD + shift) * sizeof *out;                                    \
        size_t behind = sizeof out - ahead - (size_t)width * sizeof *out;                        \
        bool kept = memcmp(out, before, ahead) == 0 && memcmp(row + width, before, behind) == 0; \
        check(wrong == 0 && kept,                                                                \
              "%s, paint" #bits_wide ", %" PRId64 " pixels at +%" PRId64 ": %" PRId64            \
              " are wrong%s",                                                                    \
              name_of(rows), width, shift, wrong, kept ? "" : ", and pixels beside the row");    \
    }

CHECK_PAINT(8, uint8_t, rows->paint8(bits, bits, width, values + 1, row))
CHECK_PAINT(16, uint16_t, rows->paint16(bits, bits, width, values + 1, row))
CHECK_PAINT(32, int32_t,
            rows->paint32(bits, bits, width, values + 1, row, random_below(random, 2) == 1))
CHECK_PAINT(64, int64_t, rows->paint64(bits, bits, width, values + 1, row))

TEST("runs to pixels, and nothing beside them")
{
    uint64_t random = 3;
    for (int shape = 0; shape < IMAGE_SHAPES; shape++) {
        for (int i = 0; i < WIDTHS; i++) {
            image made = image_make((image_shape)shape, width_at(i), 6, random);
            label_input input = label_input_make(&made, 0, made.height);
            for (int64_t y = 0; y < made.height; y++) {
                const uint64_t *bits = label_input_row(&input, y);
                int64_t shift = y % 2 == 0 ? 0 : random_below(&random, GUARD);
                for (int s = 0; s < set_count; s++) {
                    check_paint8(sets[s], bits, made.width, shift, &random);
                    check_paint16(sets[s], bits, made.width, shift, &random);
                    check_paint32(sets[s], bits, made.width, shift, &random);
                    check_paint64(sets[s], bits, made.width, shift, &random);
                }
            }
            free((void *)(uintptr_t)input.bits);
            image_free(&made);
        }
    }
}

/* ---- forests ------------------------------------------------------------------------------- */

enum { LABELS = 400, FORESTS = 300 };

/* A forest of `count` labels in which every `roots`th is a root, of which every `marked`th has a
 * negative number; 0: none. Parents are far away, or close by. */
static void make_forest(int32_t *parents, int32_t count, int64_t roots, int64_t marked,
                        uint64_t *random)
{
    int32_t marks = 0;
    for (int32_t i = 0; i < count; i++) {
        int64_t reach = random_below(random, 2) == 0 ? i : i < 20 ? i : 20;
        parents[i] = i == 0 || random_below(random, roots) == 0
                         ? i
                         : i - 1 - (int32_t)random_below(random, reach);
        if (parents[i] == i && marked > 0 && random_below(random, marked) == 0) {
            parents[i] = -1 - marks++;
        }
    }
}

/* The number of each label's set, found by going up. Returns how many sets are numbered. */
static int32_t number_sets(const int32_t *parents, int32_t count, int32_t *sets_of)
{
    int32_t next = 0;
    for (int32_t i = 0; i < count; i++) {
        sets_of[i] = parents[i] == i ? next++ : parents[i] < 0 ? parents[i] : sets_of[parents[i]];
    }
    return next;
}

static void check_flatten(const label_row_ops *rows, const int32_t *parents, int32_t count,
                          bool marked)
{
    int32_t right[LABELS], flat[LABELS], apart[LABELS + 1];
    bool listed[LABELS] = {false};
    int32_t sets_right = number_sets(parents, count, right);
    int64_t aparts = 0, wrong = 0;
    memcpy(flat, parents, (size_t)count * sizeof *flat);
    int64_t found = rows->flatten(flat, count, marked ? apart : NULL, &aparts);
    for (int64_t i = 0; i < aparts; i++) {
        listed[apart[i]] = true;
    }
    for (int32_t i = 0; i < count; i++) {
        wrong += flat[i] != right[i] || listed[i] != (right[i] < 0);
        aparts -= right[i] < 0;
    }
    check(found == sets_right && wrong == 0 && aparts == 0,
          "%s: %d labels, %" PRId64 " of %d sets, %" PRId64 " wrong, %" PRId64 " listed too many",
          name_of(rows), count, found, sets_right, wrong, aparts);
}

TEST("numbering the sets of a forest")
{
    uint64_t random = 4;
    int32_t parents[LABELS];
    for (int i = 0; i < FORESTS; i++) {
        int32_t count = i < 40 ? i : (int32_t)random_below(&random, LABELS + 1);
        int64_t marked = i % 3;
        make_forest(parents, count, 1 + random_below(&random, 20), marked, &random);
        for (int s = 0; s < set_count; s++) {
            check_flatten(sets[s], parents, count, marked > 0);
        }
    }
}

TEST("finding the row of a name, from any row")
{
    enum { ROWS = 37 };
    uint64_t random = 5;
    int32_t first[ROWS + 1] = {0};
    for (int y = 0; y < ROWS; y++) {
        first[y + 1] = first[y] + (int32_t)random_below(&random, 4);
    }
    const label_strip strip = {.first_label = first, .input = {.height = ROWS}};
    int64_t wrong = 0;
    for (int32_t name = 0, y = 0; name < first[ROWS]; name++) {
        while (first[y + 1] <= name) {
            y++;
        }
        for (int64_t near = 0; near < ROWS; near++) {
            wrong += label_strip_row_of_name(&strip, name, near) != y;
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

/* ---- which set is used --------------------------------------------------------------------- */

TEST("finding an instruction set")
{
    const halo_isa_variant *picked, *best = halo_isa_find(label_row_variants, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(best);
    CU_ASSERT_PTR_NULL(halo_isa_find(label_row_variants, ""));
    int found = 0;
    for (const halo_isa_variant *v = label_row_variants; v != NULL; v = halo_isa_next(v)) {
        const halo_isa_variant *same = halo_isa_find(label_row_variants, halo_isa_name(v->isa));
        CU_ASSERT_PTR_EQUAL(same, halo_isa_supported(v->isa) ? v : NULL);
        if (same != NULL && found++ == 0) {
            CU_ASSERT_PTR_EQUAL(best, same); /* the first one is the best */
        }
        CU_ASSERT_EQUAL(halo_isa_pick(&picked, label_row_variants, halo_isa_name(v->isa)),
                        same != NULL ? HALO_OK : HALO_ARGUMENT);
        CU_ASSERT_PTR_EQUAL(picked, same);
    }
    CU_ASSERT_PTR_EQUAL(halo_isa_find(label_row_variants, "plain")->ops, &label_row_ops_plain);
    FAILS(HALO_ARGUMENT, "\"abacus\"", halo_isa_pick(&picked, label_row_variants, "abacus"));
    CU_ASSERT_PTR_NOT_NULL(strstr(halo_last_message(), "plain"));
}

int main(void)
{
    find_sets();
    return unit_check_run();
}
