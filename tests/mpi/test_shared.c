#define _DEFAULT_SOURCE
#include "support/blocks.h"
#include "support/exchange_case.h"
#include "support/images.h"
#include "support/mpi_check.h"

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

/* Ranks that are threads read any memory, and map nothing. */
static bool maps_memory(void)
{
    return halo_exchange_shares_fields(mpi_check_world(), "shared");
}

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
static void write_in_place(const exchange_case *c)
{
    uint64_t random = own_random();
    halo_field *fields[EXCHANGE_FIELDS] = {NULL};
    halo_exchange *exchange;
    exchange_fields_create(c, fields);
    bool made = exchange_connect(&exchange, c, fields) == HALO_OK;
    exchange_fill(fields, 0);
    for (int64_t round = 0; made && round < ROUNDS; round++) {
        inject_slowdown(&random);
        expect_ok(halo_exchange_begin(exchange));
        inject_slowdown(&random);
        expect_ok(halo_exchange_end(exchange));
        exchange_fill(fields, round + 1);
        exchange_check(c, fields, round, false);
    }
    halo_exchange_destroy(&exchange);
    exchange_fields_destroy(fields);
}

/* Two copies, each with an exchange, read and written in turn. */
static void write_in_turn(const exchange_case *c)
{
    exchange_case both = *c;
    uint64_t random = own_random();
    halo_field *fields[COPIES][EXCHANGE_FIELDS] = {{NULL}};
    halo_exchange *exchanges[COPIES] = {NULL};
    bool made = true;
    both.options.double_buffered = true;
    for (int copy = 0; copy < COPIES; copy++) {
        exchange_fields_create(&both, fields[copy]);
        made = exchange_connect(&exchanges[copy], &both, fields[copy]) == HALO_OK && made;
    }
    exchange_fill(fields[0], 0);
    for (int64_t round = 0; made && round < ROUNDS; round++) {
        int now = (int)(round % COPIES);
        expect_ok(halo_exchange_begin(exchanges[now]));
        inject_slowdown(&random);
        expect_ok(halo_exchange_end(exchanges[now]));
        exchange_fill(fields[1 - now], round + 1);
        exchange_check(&both, fields[now], round, true);
        inject_slowdown(&random);
    }
    for (int copy = 0; copy < COPIES; copy++) {
        halo_exchange_destroy(&exchanges[copy]);
        exchange_fields_destroy(fields[copy]);
    }
}

static void run_cases(void (*run)(const exchange_case *c))
{
    static const char *const ways[] = {"direct", "phases"};
    for (int axes = 1; axes <= HALO_AXES; axes++) {
        uint64_t random = (uint64_t)axes;
        for (int i = 0; i < CASES; i++) {
            int parts[HALO_AXES];
            random_factors(&random, axes, all_ranks(), parts);
            exchange_case c = exchange_case_random(&random, axes, parts);
            c.options.mode = "shared";
            c.options.corner_way = ways[random_below(&random, 2)];
            run(&c);
            halo_partition_free(&c.partition);
        }
    }
    EXPECT_AGREED();
}

static void test_cells_written_right_after_the_end(void)
{
    run_cases(write_in_place);
}

static void test_two_copies_in_turn(void)
{
    run_cases(write_in_turn);
}

static exchange_case strips_case(int64_t rows, int64_t columns, int depth)
{
    exchange_case c = {.domain = {.axes = 2, .n = {rows, columns, 1}, .periodic = {true, false}},
                       .cell_bits = {64, 32},
                       .depth = {depth, depth},
                       .options = {.mode = "shared", .corners = true}};
    c.partition = even_strips(&c.domain);
    return c;
}

/* A rank that has all it needs leaves at once, and writes and frees its cells, which ranks that are
 * late have still to read. Between processes it is the caller who must not write them. */
static void leave_at_once(const exchange_case *c)
{
    exchange_case left = *c;
    halo_field *fields[EXCHANGE_FIELDS] = {NULL};
    halo_exchange *exchange;
    left.options.double_buffered = true;
    exchange_fields_create(&left, fields);
    if (exchange_connect(&exchange, &left, fields) == HALO_OK) {
        exchange_fill(fields, 1);
        expect_ok(halo_exchange_begin(exchange));
        if (my_rank() % 2 > 0) {
            nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
        }
        expect_ok(halo_exchange_end(exchange));
        exchange_check(&left, fields, 1, true);
    }
    halo_exchange_destroy(&exchange);
    exchange_fill(fields, 2);
    exchange_fields_destroy(fields);
}

static void test_owners_that_leave(void)
{
    if (!maps_memory()) {
        run_cases(leave_at_once);
    }
}

/* Fields so large that only their ends are shared. */
static void test_large_strips(void)
{
    for (int depth = 1; depth <= 3; depth += 2) {
        exchange_case c = strips_case(20 * all_ranks() + 1, 40000, depth);
        halo_exchange_counts counts;
        exchange_case_run(&c, &counts);
        halo_partition_free(&c.partition);
    }
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
    int files = 0, min = 0;
    exchange_case c = strips_case(30, 20, 1);
    expect(count_maps() == 0, "%d shared mappings at the start", count_maps());
    for (int time = 0; time < 60; time++) {
        halo_field *fields[EXCHANGE_FIELDS] = {NULL};
        halo_exchange *exchange;
        exchange_fields_create(&c, fields);
        exchange_connect(&exchange, &c, fields);
        min = count_maps();
        halo_exchange_destroy(&exchange);
        exchange_fields_destroy(fields);
        files = time == 10 ? count_files() : files;
    }
    expect(min > EXCHANGE_FIELDS || all_ranks() == 1 || !maps_memory(),
           "only %d shared mappings in use", min);
    expect(count_maps() == 0, "%d shared mappings are left", count_maps());
    expect(count_files() <= files || !maps_memory(), /* threads open others as they count */
           "%d files are open, not %d", count_files(), files);
    halo_partition_free(&c.partition);
    EXPECT_AGREED();
}

/* One rank has fields that others cannot read: all are told. */
static void test_fields_that_are_not_shared_are_refused(void)
{
    exchange_case c = strips_case(4 * all_ranks(), 5, 1), lacks = c;
    halo_field *fields[EXCHANGE_FIELDS] = {NULL};
    halo_exchange *exchange;
    lacks.options.mode = my_rank() == all_ranks() - 1 ? NULL : "shared";
    exchange_fields_create(&lacks, fields);
    halo_status status = halo_exchange_create(&exchange, mpi_check_world(), &c.partition, fields,
                                              EXCHANGE_FIELDS, &c.options);
    if (all_ranks() == 1 || !maps_memory()) { /* nobody reads it; everybody may */
        expect_ok(status);
    } else {
        expect_fails(status, HALO_ARGUMENT, "p2p");
        expect(exchange == NULL, "accepted");
    }
    halo_exchange_destroy(&exchange);
    exchange_fields_destroy(fields);
    halo_partition_free(&c.partition);
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
    int ranks = all_ranks();
    bool lacks = my_rank() == ranks - 1;
    halo_field *fields[EXCHANGE_FIELDS] = {NULL}, *lacking = NULL;
    halo_exchange *exchange;
    struct rlimit before;
    if (!maps_memory()) { /* and the limits of one process are those of all its ranks */
        return;
    }
    exchange_case c = strips_case(4 * ranks, 5, 1);
    exchange_fields_create(&c, fields);
    if (lacks) {
        halo_box owned = halo_partition_box(&c.partition, my_rank());
        before = forbid_files();
        expect_fails(halo_field_create_with(&lacking, &c.domain, &owned, 8, 1,
                                            &(halo_field_options){.shared = true}),
                     HALO_MEMORY, "p2p");
    }
    halo_status status = halo_exchange_create(&exchange, mpi_check_world(), &c.partition, fields,
                                              EXCHANGE_FIELDS, &c.options);
    expect(status == (ranks == 1 ? HALO_OK : HALO_MEMORY), "%s", halo_last_message());
    halo_exchange_destroy(&exchange);
    exchange_fields_destroy(fields);
    if (lacks) {
        setrlimit(RLIMIT_NOFILE, &before);
    }
    write_in_place(&c);
    halo_partition_free(&c.partition);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("shared", {"nothing piles up", test_nothing_piles_up},
               {"cells written right after the end", test_cells_written_right_after_the_end},
               {"two copies in turn", test_two_copies_in_turn},
               {"owners that leave", test_owners_that_leave},
               {"strips shared at their ends", test_large_strips},
               {"fields that are not shared are refused",
                test_fields_that_are_not_shared_are_refused},
               {"lack of shared memory", test_lack_of_shared_memory})
