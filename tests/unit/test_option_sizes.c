/* Structures of options as callers have them that were built for an older or a newer version. */

#include "base/option.h"
#include "core/master/repeated_work.h"
#include "core/transport/threads/run.h"
#include "io/png/png_read.h"
#include "partition/schedule/schedule.h"
#include "support/png_make.h"
#include "support/unit_check.h"

typedef struct {
    int64_t kept, seed;
    const char *way;
} plate_options;

typedef struct {
    plate_options known;
    int64_t later, latest;
} newer_options;

static halo_status take(plate_options *own, const void *given, size_t bytes)
{
    memset(own, 0x55, sizeof *own);
    return halo_options_take(own, sizeof *own, given, bytes, "plate_options");
}

TEST("an older structure: members behind its end are defaults, whatever lies there")
{
    const plate_options given = {.kept = 3, .seed = 4, .way = "far"};
    plate_options own;
    for (size_t bytes = 0; bytes <= sizeof given; bytes += sizeof(int64_t)) {
        SUCCEEDS(take(&own, &given, bytes));
        check(own.kept == (bytes > 0 ? 3 : 0) && own.seed == (bytes > 8 ? 4 : 0) &&
                  own.way == (bytes > 16 ? given.way : NULL),
              "%zu bytes", bytes);
    }
}

TEST("no structure: all defaults")
{
    plate_options own;
    SUCCEEDS(take(&own, NULL, sizeof own));
    CU_ASSERT_TRUE(own.kept == 0 && own.seed == 0 && own.way == NULL);
    SUCCEEDS(take(&own, NULL, sizeof(newer_options)));
    CU_ASSERT_TRUE(own.kept == 0 && own.seed == 0 && own.way == NULL);
}

TEST("a newer structure: what it adds must not be set")
{
    newer_options given;
    memset(&given, 0, sizeof given);
    given.known = (plate_options){.kept = 3, .way = "far"};
    plate_options own;
    SUCCEEDS(take(&own, &given, sizeof given));
    CU_ASSERT_TRUE(own.kept == 3 && own.seed == 0 && own.way == given.known.way);
    given.latest = 1;
    FAILS(HALO_ARGUMENT, "plate_options sets an option that Halobeat ",
          take(&own, &given, sizeof given));
    CU_ASSERT_TRUE(own.kept == 0 && own.way == NULL);
    given.latest = 0;
    given.later = INT64_MIN;
    FAILS(HALO_ARGUMENT, "does not know: the program was built for a newer version; install that",
          take(&own, &given, sizeof given));
}

typedef struct {
    bool loud, far, late;
} small_options;

TEST("a newer structure behind a small one: padding between them is no member")
{
    struct {
        small_options known;
        int64_t later;
    } given;
    small_options own;
    memset(&given, 0x55, sizeof given);
    given.known = (small_options){.far = true};
    given.later = 0;
    SUCCEEDS(halo_options_take(&own, sizeof own, &given, sizeof given, "small_options"));
    CU_ASSERT_TRUE(!own.loud && own.far && !own.late);
    given.later = 1;
    FAILS(HALO_ARGUMENT, "small_options sets an option",
          halo_options_take(&own, sizeof own, &given, sizeof given, "small_options"));
}

/* ---- the reverse: structures that are filled in ---------------------------------------------- */

TEST("an older report: nothing behind its end is written")
{
    const plate_options own = {.kept = 3, .seed = 4, .way = "far"};
    plate_options given, untouched;
    memset(&untouched, 0x55, sizeof untouched);
    for (size_t bytes = 0; bytes <= sizeof given; bytes += sizeof(int64_t)) {
        given = untouched;
        halo_report_give(&given, bytes, &own, sizeof own);
        check(given.kept == (bytes > 0 ? 3 : untouched.kept) &&
                  given.seed == (bytes > 8 ? 4 : untouched.seed) &&
                  given.way == (bytes > 16 ? own.way : untouched.way),
              "%zu bytes", bytes);
    }
    halo_report_give(NULL, sizeof given, &own, sizeof own);
}

TEST("a newer report: what the library does not know is 0, as all of it after a failure")
{
    const plate_options own = {.kept = 3, .seed = 4, .way = "far"};
    newer_options given;
    memset(&given, 0x55, sizeof given);
    halo_report_give(&given, sizeof given, &own, sizeof own);
    CU_ASSERT_TRUE(given.known.kept == 3 && given.known.way == own.way);
    CU_ASSERT_TRUE(given.later == 0 && given.latest == 0);
    memset(&given, 0x55, sizeof given);
    halo_report_give(&given, sizeof given, NULL, sizeof own);
    CU_ASSERT_TRUE(given.known.kept == 0 && given.known.way == NULL && given.latest == 0);
}

_Static_assert(offsetof(halo_repeated_work_options, workers) % sizeof(int64_t) == 0,
               "options of workers, which may grow, move");

/* ---- functions that take them ---------------------------------------------------------------- */

static halo_status name_policy(halo_world *world, void *context)
{
    if (halo_world_rank(world) == 0) {
        snprintf(context, 16, "%s", halo_world_wait_policy(world));
    }
    return HALO_OK;
}

TEST("worlds by options of other versions")
{
    /* As the structure was before it had the slowdown; what lies behind it is no pointer. */
    const struct {
        const char *wait;
        uint64_t behind;
    } older = {"sleep", 0x5555555555555555};
    struct {
        halo_world_options known;
        uint64_t later;
    } newer = {{.wait = "yield"}, 0};
    const halo_world_options *given = (const halo_world_options *)&older;
    char policy[16] = "";
    SUCCEEDS(halo_run_sized(2, given, name_policy, policy, sizeof older.wait));
    CU_ASSERT_STRING_EQUAL(policy, "sleep");
    SUCCEEDS(halo_run_sized(2, &newer.known, name_policy, policy, sizeof newer));
    CU_ASSERT_STRING_EQUAL(policy, "yield");
    newer.later = 1;
    policy[0] = '\0';
    FAILS(HALO_ARGUMENT, "halo_world_options sets an option",
          halo_run_sized(2, &newer.known, name_policy, policy, sizeof newer));
    check(policy[0] == '\0', "a rank ran");
}

/* Bits of a pixel of the rows of a picture in colours; 0 if it cannot be opened. */
static int pixel_bits(const png_made *made, const void *given, size_t bytes)
{
    halo_png_reader *reader;
    if (halo_png_reader_open_memory_sized(&reader, made->bytes, made->size, "plate.png", given,
                                          bytes) != HALO_OK) {
        return reader == NULL ? 0 : -1;
    }
    int bits = halo_png_reader_info(reader)->pixel_bits;
    halo_png_reader_close(&reader);
    return bits;
}

TEST("readers of PNG by options of other versions")
{
    const png_recipe recipe = {
        .width = 5, .height = 4, .bits = 8, .colour_type = 2, .level = 1, .seed = 7};
    png_made made;
    png_make(&made, &recipe);
    struct {
        halo_png_read_options known;
        uint64_t later;
    } newer = {{.colour = true}, 0};
    CU_ASSERT_EQUAL(pixel_bits(&made, &newer, offsetof(halo_png_read_options, colour)), 8);
    CU_ASSERT_EQUAL(pixel_bits(&made, &newer, offsetof(halo_png_read_options, samples)), 24);
    CU_ASSERT_EQUAL(pixel_bits(&made, &newer, sizeof newer.known), 24);
    CU_ASSERT_EQUAL(pixel_bits(&made, &newer, sizeof newer), 24);
    newer.later = 1;
    CU_ASSERT_EQUAL(pixel_bits(&made, &newer, sizeof newer), 0);
    png_made_free(&made);
}

/* ---- copies: the caller's structure may be gone after the call ------------------------------- */

TEST("a reader keeps no pointer to its options")
{
    const png_recipe recipe = {
        .width = 5, .height = 4, .bits = 8, .colour_type = 2, .level = 1, .seed = 7};
    png_made made;
    halo_png_reader *reader;
    unsigned char kept[2][3 * 5 * 4];
    png_make(&made, &recipe);
    for (int i = 0; i < 2; i++) {
        halo_png_read_options options = {.colour = true};
        SUCCEEDS(
            halo_png_reader_open_memory(&reader, made.bytes, made.size, "plate.png", &options));
        memset(&options, i == 0 ? 0 : 0xff, sizeof options);
        SUCCEEDS(halo_png_reader_rows(reader, 4, kept[i], 3 * 5));
        halo_png_reader_close(&reader);
    }
    CU_ASSERT_EQUAL(memcmp(kept[0], kept[1], sizeof kept[0]), 0);
    png_made_free(&made);
}

/* Sizes of the first blocks of 100 tasks for two workers. */
static int64_t first_blocks(bool overwrites)
{
    halo_schedule_options options = {.tasks = 100, .workers = 2};
    halo_schedule *schedule;
    SUCCEEDS(halo_schedule_create(&schedule, "fixed:7", &options));
    if (overwrites) {
        memset(&options, 0xff, sizeof options);
    }
    int64_t sum = 0;
    for (int i = 0; i < 4; i++) {
        sum = 100 * sum + halo_schedule_next(schedule, i % 2, 100);
    }
    halo_schedule_destroy(&schedule);
    return sum;
}

TEST("a schedule keeps no pointer to its options")
{
    CU_ASSERT_EQUAL(first_blocks(false), 7070707);
    CU_ASSERT_EQUAL(first_blocks(true), 7070707);
}
