#define _DEFAULT_SOURCE
#include "support/blocks.h"
#include "support/images.h"
#include "support/mpi_check.h"
#include "support/shared_case.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Mode "shared" under what only it has to fear: owners that write cells while others still read
 * them, readers that read before cells are written, and maps and files that pile up. Ranks are
 * slowed down at random, so that each is ahead of the others sometimes. */

enum { COPIES = 2, ROUNDS = 10, CASES = 25 };

/* Up to a fifth of a millisecond, often not at all. */
static void inject_slowdown(uint64_t *random)
{
    if (random_below(random, 3) == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 1 + random_below(random, 200000)}, NULL);
    }
}

static uint64_t own_random(void)
{
    return 77 + (uint64_t)my_rank();
}

/* Every cell is written anew right after the end: neighbours must have read the old ones. */
static void write_in_place(const shared_case *c, halo_exchange *exchange, halo_field **fields)
{
    uint64_t random = own_random();
    shared_fill(c, fields, 0);
    for (int64_t round = 0; round < ROUNDS; round++) {
        inject_slowdown(&random);
        expect_ok(halo_exchange_begin(exchange));
        inject_slowdown(&random);
        expect_ok(halo_exchange_end(exchange));
        shared_fill(c, fields, round + 1);
        shared_check(c, fields, round);
    }
}

/* Two copies, each with an exchange, read and written in turn. */
static void write_in_turn(const shared_case *c, halo_exchange **exchanges,
                          halo_field *fields[COPIES][SHARED_FIELDS])
{
    uint64_t random = own_random();
    shared_fill(c, fields[0], 0);
    for (int64_t round = 0; round < ROUNDS; round++) {
        int now = (int)(round % COPIES);
        expect_ok(halo_exchange_begin(exchanges[now]));
        inject_slowdown(&random);
        expect_ok(halo_exchange_end(exchanges[now]));
        shared_fill(c, fields[1 - now], round + 1);
        shared_check(c, fields[now], round);
        inject_slowdown(&random);
    }
}

static void run_in_place(const shared_case *c)
{
    halo_field *fields[SHARED_FIELDS] = {NULL};
    shared_fields_create(c, fields);
    halo_exchange *exchange;
    if (shared_connect(&exchange, c, fields, false) == HALO_OK) {
        write_in_place(c, exchange, fields);
    }
    halo_exchange_destroy(&exchange);
    shared_fields_destroy(fields);
}

static void run_in_turn(const shared_case *c)
{
    halo_field *fields[COPIES][SHARED_FIELDS] = {{NULL}};
    halo_exchange *exchanges[COPIES] = {NULL};
    halo_status status = HALO_OK;
    for (int copy = 0; copy < COPIES; copy++) {
        shared_fields_create(c, fields[copy]);
        halo_status connected = shared_connect(&exchanges[copy], c, fields[copy], true);
        status = status == HALO_OK ? connected : status;
    }
    if (status == HALO_OK) {
        write_in_turn(c, exchanges, fields);
    }
    for (int copy = 0; copy < COPIES; copy++) {
        halo_exchange_destroy(&exchanges[copy]);
        shared_fields_destroy(fields[copy]);
    }
}

/* Parts along `axes` axes that make `ranks` in all, at random. */
static void random_parts(uint64_t *random, int axes, int ranks, int parts[HALO_AXES])
{
    parts[0] = parts[1] = parts[2] = 1;
    for (int factor = 2; ranks > 1; factor++) {
        while (ranks % factor == 0) {
            parts[random_below(random, axes)] *= factor;
            ranks /= factor;
        }
    }
}

static void cut_at_random(shared_case *c, uint64_t *random, const int parts[HALO_AXES], int depth)
{
    c->partition = even_blocks(&c->domain, parts);
    for (int axis = 0; axis < HALO_AXES; axis++) {
        random_cuts(random, c->domain.n[axis], parts[axis], depth, c->partition.cuts[axis]);
    }
}

static shared_case random_case(uint64_t *random, int axes)
{
    static const int bits[] = {8, 16, 24, 32, 64, 1};
    int ranks = all_ranks();
    shared_case c = {.domain = {.axes = axes, .n = {1, 1, 1}}};
    int parts[HALO_AXES], deepest = 0;
    random_parts(random, axes, ranks, parts);
    for (int i = 0; i < SHARED_FIELDS; i++) {
        c.cell_bits[i] = bits[random_below(random, axes > 1 && parts[axes - 1] == 1 ? 6 : 5)];
        c.depth[i] = (int)random_below(random, 4);
        deepest = c.depth[i] > deepest ? c.depth[i] : deepest;
    }
    for (int axis = 0; axis < axes; axis++) {
        c.domain.periodic[axis] = random_below(random, 2);
        c.domain.n[axis] = 1 + random_below(random, axes == 3 ? 20 : 70);
    }
    c.corner_way = random_below(random, 2) == 0 ? "direct" : "phases";
    cut_at_random(&c, random, parts, deepest);
    return c;
}

static void run_cases(void (*run)(const shared_case *c))
{
    for (int axes = 1; axes <= HALO_AXES; axes++) {
        uint64_t random = (uint64_t)axes;
        for (int i = 0; i < CASES; i++) {
            shared_case c = random_case(&random, axes);
            run(&c);
            halo_partition_free(&c.partition);
        }
    }
    EXPECT_AGREED();
}

static void test_cells_written_right_after_the_end(void)
{
    run_cases(run_in_place);
}

static void test_two_copies_in_turn(void)
{
    run_cases(run_in_turn);
}

/* Fields so large that only their ends are shared. */
static void test_large_strips(void)
{
    int ranks = all_ranks();
    for (int depth = 1; depth <= 3; depth += 2) {
        shared_case c = {.domain = {.axes = 2, .n = {20 * ranks + 1, 40000, 1}, .periodic = {true}},
                         .cell_bits = {64, 32},
                         .depth = {depth, depth}};
        c.partition = even_strips(&c.domain);
        halo_field *fields[SHARED_FIELDS] = {NULL};
        shared_fields_create(&c, fields);
        halo_exchange *exchange;
        if (shared_connect(&exchange, &c, fields, false) == HALO_OK) {
            for (int64_t round = 0; round < 2; round++) {
                shared_fill(&c, fields, round);
                expect_ok(halo_exchange_begin(exchange));
                expect_ok(halo_exchange_end(exchange));
                shared_check(&c, fields, round);
            }
        }
        halo_exchange_destroy(&exchange);
        shared_fields_destroy(fields);
        halo_partition_free(&c.partition);
    }
    EXPECT_AGREED();
}

/* Strips that move in place and are connected anew. */
static void test_strips_that_move(void)
{
    int ranks = all_ranks();
    uint64_t random = 5;
    shared_case c = {.domain = {.axes = 2, .n = {300, 70, 1}, .periodic = {true, true}},
                     .cell_bits = {1, 64},
                     .depth = {2, 2},
                     .movable = true};
    c.partition = even_strips(&c.domain);
    halo_field *fields[SHARED_FIELDS] = {NULL};
    shared_fields_create(&c, fields);
    for (int move = 0; move < 10; move++) {
        random_cuts(&random, c.domain.n[0], ranks, 2, c.partition.cuts[0]);
        halo_box owned = halo_partition_box(&c.partition, my_rank());
        for (int i = 0; i < SHARED_FIELDS; i++) {
            expect(halo_field_is_movable(fields[i]), "cannot move");
            halo_field_move(fields[i], &owned);
        }
        halo_exchange *exchange;
        if (shared_connect(&exchange, &c, fields, false) == HALO_OK) {
            write_in_place(&c, exchange, fields);
        }
        halo_exchange_destroy(&exchange);
    }
    shared_fields_destroy(fields);
    halo_partition_free(&c.partition);
    EXPECT_AGREED();
}

/* Several exchanges begun together, over the same and over other fields. */
static void test_exchanges_alive_together(void)
{
    int ranks = all_ranks();
    uint64_t random = own_random();
    shared_case c = {.domain = {.axes = 2, .n = {8 * ranks, 40, 1}, .periodic = {true, false}},
                     .cell_bits = {32, 8},
                     .depth = {1, 3}};
    c.partition = even_strips(&c.domain);
    halo_field *fields[COPIES][SHARED_FIELDS] = {{NULL}};
    halo_exchange *exchanges[COPIES] = {NULL};
    for (int copy = 0; copy < COPIES; copy++) {
        shared_fields_create(&c, fields[copy]);
        shared_connect(&exchanges[copy], &c, fields[copy], false);
        shared_fill(&c, fields[copy], 100 * copy);
    }
    for (int64_t round = 0; round < 3 * ROUNDS; round++) {
        for (int copy = 0; copy < COPIES; copy++) {
            expect_ok(halo_exchange_begin(exchanges[copy]));
            inject_slowdown(&random);
        }
        for (int copy = COPIES - 1; copy >= 0; copy--) {
            expect_ok(halo_exchange_end(exchanges[copy]));
            shared_fill(&c, fields[copy], 100 * copy + round + 1);
            shared_check(&c, fields[copy], 100 * copy + round);
        }
    }
    for (int copy = 0; copy < COPIES; copy++) {
        halo_exchange_destroy(&exchanges[copy]);
        shared_fields_destroy(fields[copy]);
    }
    halo_partition_free(&c.partition);
    EXPECT_AGREED();
}

static int count_files(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder != NULL && readdir(folder) != NULL) {
        count++;
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return count;
}

/* Mappings of shared fields, this rank's or others'. */
static int count_maps(void)
{
    int count = 0;
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        count += strstr(line, "memfd:halobeat") != NULL;
    }
    if (maps != NULL) {
        fclose(maps);
    }
    return count;
}

static void test_nothing_piles_up(void)
{
    int ranks = all_ranks();
    uint64_t random = 9;
    shared_case c = {.domain = {.axes = 2, .n = {30, 20, 1}, .periodic = {true, true}},
                     .cell_bits = {8, 64},
                     .depth = {1, 1}};
    int parts[HALO_AXES], files = 0, least = 0;
    random_parts(&random, 2, ranks, parts);
    cut_at_random(&c, &random, parts, 1);
    expect(count_maps() == 0, "%d shared mappings at the start", count_maps());
    for (int time = 0; time < 60; time++) {
        halo_field *fields[SHARED_FIELDS] = {NULL};
        shared_fields_create(&c, fields);
        halo_exchange *exchange;
        shared_connect(&exchange, &c, fields, false);
        least = count_maps();
        halo_exchange_destroy(&exchange);
        shared_fields_destroy(fields);
        files = time == 10 ? count_files() : files;
    }
    expect(least > SHARED_FIELDS || ranks == 1, "only %d shared mappings in use", least);
    expect(count_maps() == 0, "%d shared mappings are left", count_maps());
    expect(count_files() <= files, "%d files are open, not %d", count_files(), files);
    halo_partition_free(&c.partition);
    EXPECT_AGREED();
}

/* One rank has a field that others cannot read: all are told. */
static void test_fields_that_are_not_shared_are_refused(void)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world);
    halo_domain domain = {.axes = 2, .n = {4 * ranks, 5, 1}};
    halo_partition partition = even_strips(&domain);
    halo_box owned = halo_partition_box(&partition, halo_world_rank(world));
    halo_field *field;
    halo_field_options field_options = {.shared = halo_world_rank(world) != ranks - 1};
    expect_ok(halo_field_create_with(&field, &domain, &owned, 32, 1, &field_options));
    halo_exchange *exchange;
    halo_status status = halo_exchange_create(&exchange, world, &partition, &field, 1,
                                              &(halo_exchange_options){.mode = "shared"});
    if (ranks == 1) { /* nobody reads it */
        expect_ok(status);
    } else {
        expect(status == HALO_ARGUMENT && exchange == NULL, "accepted");
        expect(strstr(halo_last_message(), "p2p") != NULL, "%s", halo_last_message());
    }
    halo_exchange_destroy(&exchange);
    halo_field_destroy(&field);
    halo_partition_free(&partition);
    EXPECT_AGREED();
}

/* Lets this process open no more files, until it is given back what is returned. */
static struct rlimit forbid_files(void)
{
    struct rlimit before, none;
    getrlimit(RLIMIT_NOFILE, &before);
    none = before;
    int next = dup(STDIN_FILENO);
    none.rlim_cur = next >= 0 ? (rlim_t)next : 0;
    close(next);
    setrlimit(RLIMIT_NOFILE, &none);
    return before;
}

/* One rank cannot get shared memory: all are told, and go on. */
static void test_lack_of_shared_memory(void)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world);
    bool lacks = halo_world_rank(world) == ranks - 1;
    shared_case c = {
        .domain = {.axes = 2, .n = {4 * ranks, 5, 1}}, .cell_bits = {32, 8}, .depth = {1, 1}};
    c.partition = even_strips(&c.domain);
    halo_field *fields[SHARED_FIELDS] = {NULL};
    shared_fields_create(&c, fields);
    halo_box owned = halo_partition_box(&c.partition, halo_world_rank(world));
    halo_field *lacking = NULL;
    halo_exchange *exchange;
    struct rlimit before;
    if (lacks) {
        before = forbid_files();
        expect(halo_field_create_with(&lacking, &c.domain, &owned, 8, 1,
                                      &(halo_field_options){.shared = true}) == HALO_MEMORY,
               "a field without a file");
        expect(strstr(halo_last_message(), "p2p") != NULL, "%s", halo_last_message());
    }
    halo_status status = halo_exchange_create(&exchange, world, &c.partition, fields, SHARED_FIELDS,
                                              &(halo_exchange_options){.mode = "shared"});
    expect(status == (ranks == 1 ? HALO_OK : HALO_MEMORY), "%s", halo_last_message());
    halo_exchange_destroy(&exchange);
    if (lacks) {
        setrlimit(RLIMIT_NOFILE, &before);
    }
    if (shared_connect(&exchange, &c, fields, false) == HALO_OK) {
        write_in_place(&c, exchange, fields);
    }
    halo_exchange_destroy(&exchange);
    shared_fields_destroy(fields);
    halo_partition_free(&c.partition);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("shared", {"nothing piles up", test_nothing_piles_up},
               {"cells written right after the end", test_cells_written_right_after_the_end},
               {"two copies in turn", test_two_copies_in_turn},
               {"strips shared at their ends", test_large_strips},
               {"strips that move", test_strips_that_move},
               {"exchanges alive together", test_exchanges_alive_together},
               {"fields that are not shared are refused",
                test_fields_that_are_not_shared_are_refused},
               {"lack of shared memory", test_lack_of_shared_memory})
