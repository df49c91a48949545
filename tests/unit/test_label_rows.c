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
             image_shape_name(shape), input->height, input->width, input->diagonal ? 8 : 4,
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

/* The strips are kept from image to image, as their users do. */
static void check_image(label_strip *strips, image_shape shape, int64_t width, int64_t height,
                        uint64_t seed)
{
    char name[160];
    image made = image_make(shape, width, height, seed);
    label_input input = label_input_make(&made, 0, height);
    for (int variant = 0; variant < 4; variant++) {
        input.diagonal = variant & 1;
        input.periodic = variant & 2;
        const bool periodic[2] = {false, input.periodic};
        oracle truth = oracle_make(&made, input.diagonal ? 8 : 4, periodic);
        for (int s = 0; s < set_count; s++) {
            bool good = label_strip_run(&strips[s], &input) == HALO_OK &&
                        same_as_oracle(&strips[s], &truth);
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

/* ---- from grey to bits --------------------------------------------------------------------- */

/* A row of samples without slack, so that reading past it shows under a sanitizer. */
static void check_pack(const label_row_ops *rows, int bytes, int64_t width, uint32_t threshold,
                       uint64_t *random)
{
    enum { WORDS = WIDEST / 64 + 2 };
    uint64_t bits[WORDS];
    unsigned char *grey = malloc((size_t)(width * bytes));
    uint16_t *grey16 = (uint16_t *)(void *)grey;
    memset(bits, 0xa5, sizeof bits);
    uint64_t beyond = bits[0];
    for (int64_t x = 0; x < width; x++) {
        /* Half of the samples close to the threshold. */
        int64_t near = (int64_t)threshold - 1 + random_below(random, 3);
        int64_t any = random_below(random, bytes == 1 ? 256 : 65536);
        int64_t limit = bytes == 1 ? 255 : 65535, value = random_below(random, 2) ? near : any;
        value = value < 0 ? 0 : value > limit ? limit : value;
        if (bytes == 1) {
            grey[x] = (unsigned char)value;
        } else {
            grey16[x] = (uint16_t)value;
        }
    }
    if (bytes == 1) {
        rows->pack8(grey, width, threshold, bits);
    } else {
        rows->pack16(grey16, width, threshold, bits);
    }
    int64_t words = (width + 63) / 64, wrong = 0;
    for (int64_t x = 0; x < 64 * words; x++) {
        bool foreground = x < width && (bytes == 1 ? grey[x] : grey16[x]) >= threshold;
        wrong += bit_at(bits, x) != foreground;
    }
    check(wrong == 0 && bits[words] == beyond,
          "%s, pack%d at %" PRIu32 ", %" PRId64 " pixels: %" PRId64 " bits are wrong%s",
          name_of(rows), 8 * bytes, threshold, width, wrong,
          bits[words] == beyond ? "" : ", and the word behind");
    free(grey);
}

TEST("grey samples to bits")
{
    static const uint32_t thresholds8[] = {0, 1, 2, 127, 128, 129, 254, 255, 256};
    static const uint32_t thresholds16[] = {0,     1,     255,   256,   257,  32767,
                                            32768, 32769, 65534, 65535, 65536};
    uint64_t random = 2;
    for (int s = 0; s < set_count; s++) {
        for (int i = 0; i < WIDTHS; i++) {
            for (size_t t = 0; t < COUNT(thresholds8); t++) {
                check_pack(sets[s], 1, width_at(i), thresholds8[t], &random);
            }
            for (size_t t = 0; t < COUNT(thresholds16); t++) {
                check_pack(sets[s], 2, width_at(i), thresholds16[t], &random);
            }
        }
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

CHECK_PAINT(8, uint8_t, rows->paint8(bits, width, values + 1, row))
CHECK_PAINT(16, uint16_t, rows->paint16(bits, width, values + 1, row))
CHECK_PAINT(32, int32_t, rows->paint32(bits, width, values + 1, row, random_below(random, 2) == 1))
CHECK_PAINT(64, int64_t, rows->paint64(bits, width, values + 1, row))

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

/* ---- links between two rows ---------------------------------------------------------------- */

typedef struct {
    int32_t begin[WIDEST], end[WIDEST];
    int32_t count;
} run_list;

static void find_runs(run_list *runs, const uint64_t *bits, int64_t width)
{
    runs->count = 0;
    for (int64_t x = 0; x < width; x++) {
        if (bit_at(bits, x) && (x == 0 || !bit_at(bits, x - 1))) {
            runs->begin[runs->count++] = (int32_t)x;
        }
        if (bit_at(bits, x)) {
            runs->end[runs->count - 1] = (int32_t)x + 1;
        }
    }
}

enum { LINK_ROOM = 2 * WIDEST };
typedef struct {
    int32_t first_upper[LINK_ROOM], first_lower[LINK_ROOM];
    int32_t other_upper[LINK_ROOM], other_lower[LINK_ROOM];
} link_lists;

static label_links links_in(link_lists *lists)
{
    memset(lists, 0, sizeof *lists);
    return (label_links){.first_upper = lists->first_upper,
                         .first_lower = lists->first_lower,
                         .other_upper = lists->other_upper,
                         .other_lower = lists->other_lower};
}

/* Every pair of runs, asked in turn. */
static label_links links_by_hand(link_lists *lists, const label_row_pair *pair, int64_t width)
{
    static run_list upper, lower;
    find_runs(&upper, pair->upper, width);
    find_runs(&lower, pair->lower, width);
    label_links links = links_in(lists);
    int32_t reach = pair->diagonal;
    for (int32_t d = 0; d < lower.count; d++) {
        int64_t of_this = 0;
        for (int32_t u = 0; u < upper.count; u++) {
            if (upper.begin[u] >= lower.end[d] + reach || lower.begin[d] >= upper.end[u] + reach) {
                continue;
            }
            int32_t *uppers = of_this == 0 ? links.first_upper : links.other_upper;
            int32_t *lowers = of_this == 0 ? links.first_lower : links.other_lower;
            int64_t *count = of_this++ == 0 ? &links.firsts : &links.others;
            uppers[*count] = pair->upper_first + u;
            lowers[(*count)++] = pair->lower_first + d;
        }
    }
    return links;
}

static bool same_links(const label_links *one, const label_links *other)
{
    size_t firsts = (size_t)one->firsts * sizeof(int32_t);
    size_t others = (size_t)one->others * sizeof(int32_t);
    return one->firsts == other->firsts && one->others == other->others &&
           memcmp(one->first_upper, other->first_upper, firsts) == 0 &&
           memcmp(one->first_lower, other->first_lower, firsts) == 0 &&
           memcmp(one->other_upper, other->other_upper, others) == 0 &&
           memcmp(one->other_lower, other->other_lower, others) == 0;
}

/* copy, found and look_up on the links of a pair of rows, against plain loops. */
static void check_labels(const label_row_ops *rows, const label_links *links, int64_t runs,
                         uint64_t *random)
{
    static int32_t labels[2 * WIDEST + SLACK], wanted[2 * WIDEST + SLACK];
    static int32_t parents[2 * WIDEST + SLACK], table[4 * WIDEST], values[2 * WIDEST + SLACK];
    for (int64_t i = 0; i < runs; i++) {
        labels[i] = wanted[i] = random_below(random, 3) == 0 ? -1 : (int32_t)(i / 2);
        parents[i] = -7;
    }
    rows->copy(labels, links->first_lower, links->first_upper, links->firsts);
    for (int64_t i = 0; i < links->firsts; i++) {
        wanted[links->first_lower[i]] = wanted[links->first_upper[i]];
    }
    int32_t next = (int32_t)random_below(random, 9), fresh = next;
    int32_t after = rows->found(labels, runs, parents, next);
    bool good = true;
    for (int64_t i = 0; i < runs; i++) {
        if (wanted[i] < 0) {
            good = good && parents[fresh] == fresh;
            wanted[i] = fresh++;
        }
    }
    good = good && after == fresh && memcmp(labels, wanted, (size_t)runs * sizeof *labels) == 0;
    for (size_t i = 0; i < COUNT(table); i++) {
        table[i] = (int32_t)random_below(random, 1 << 30);
    }
    int32_t add = (int32_t)random_below(random, 2);
    rows->look_up(labels, runs, table, add, values);
    for (int64_t i = 0; i < runs; i++) {
        good = good && values[i] == table[wanted[i]] + add;
    }
    check(good, "%s: labels of %" PRId64 " runs", name_of(rows), runs);
}

static void check_pair(const label_row_pair *pair, int64_t width, uint64_t *random)
{
    static link_lists by_hand, by_set;
    label_links wanted = links_by_hand(&by_hand, pair, width);
    for (int s = 0; s < set_count; s++) {
        const label_row_ops *rows = sets[s];
        label_links found = links_in(&by_set);
        rows->link(pair, &found);
        check(same_links(&found, &wanted),
              "%s: links of two rows of %" PRId64 " pixels, diagonal %d: %" PRId64 " and %" PRId64
              " of %" PRId64 " and %" PRId64,
              name_of(rows), width, pair->diagonal, found.firsts, found.others, wanted.firsts,
              wanted.others);
        int64_t upper_runs = pair->lower_first - pair->upper_first;
        check(rows->count_runs(pair->upper, pair->words) == upper_runs, "%s: runs of a row",
              name_of(rows));
        if (pair->upper_first == 0) {
            int64_t runs = upper_runs + rows->count_runs(pair->lower, pair->words);
            check_labels(rows, &found, runs, random);
        }
    }
}

TEST("links between rows, and labels along them")
{
    static run_list upper;
    uint64_t random = 4;
    for (int shape = 0; shape < IMAGE_SHAPES; shape++) {
        for (int i = 0; i < WIDTHS; i++) {
            image made = image_make((image_shape)shape, width_at(i), 5, random);
            label_input input = label_input_make(&made, 0, made.height);
            for (int64_t y = 1; y < made.height; y++) {
                label_row_pair pair = {.upper = label_input_row(&input, y - 1),
                                       .lower = label_input_row(&input, y),
                                       .words = label_input_words(&input),
                                       .diagonal = random_below(&random, 2) == 1,
                                       .upper_first = y % 2 == 1 ? 1000 : 0};
                find_runs(&upper, pair.upper, made.width);
                pair.lower_first = pair.upper_first + upper.count;
                check_pair(&pair, made.width, &random);
            }
            free((void *)(uintptr_t)input.bits);
            image_free(&made);
        }
    }
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
