/* The memory that the ranks of a host need together is compared with what the user allows them and
 * with what the host has, and all ranks get the same answer. */

#define _DEFAULT_SOURCE /* setenv, mincore */

#include "base/memory.h"
#include "base/memory_pages.h"
#include "core/world/memory_ask.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MIB = 1 << 20 };

/* Collective. The user allows so much; NULL: says nothing. Threads have one environment. */
static void allow(const char *text)
{
    expect_ok(halo_agree(mpi_check_world(), HALO_OK)); /* nobody reads it now */
    if (!halo_world_is_process(mpi_check_world()) || my_rank() == 0) {
        expect((text != NULL ? setenv("HALOBEAT_MEMORY", text, 1) : unsetenv("HALOBEAT_MEMORY")) ==
                   0,
               "no environment");
    }
    expect_ok(halo_agree(mpi_check_world(), HALO_OK));
}

/* Rank r needs r + 2 MiB, and has `held` of them. */
static halo_status ask(int64_t allowed_mib, int64_t held_mib)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64 "M", allowed_mib);
    allow(text);
    const halo_memory_demand demand = {.more = (my_rank() + 2 - held_mib) * MIB,
                                       .held = held_mib * MIB,
                                       .what = "a test",
                                       .remedy = "a smaller one"};
    halo_status status = halo_memory_ask(mpi_check_world(), &demand);
    allow(NULL);
    return status;
}

static void test_limit(void)
{
    int64_t ranks = all_ranks(), all = ranks * (ranks + 3) / 2;
    char numbers[80];
    snprintf(numbers, sizeof numbers, "a test needs %" PRId64 ".0 MiB on host ", all);
    for (int64_t held = 0; held <= 1; held++) {
        expect_ok(ask(all, held));
        expect(ask(all - 1, held) == HALO_MEMORY, "%" PRId64 " MiB were enough", all - 1);
        expect(strstr(halo_last_message(), numbers) != NULL &&
                   strstr(halo_last_message(), "(HALOBEAT_MEMORY); use a smaller one") != NULL,
               "%s", halo_last_message());
    }
    EXPECT_AGREED();
}

/* More than any machine has, of the last rank only. */
static void test_machine(void)
{
    bool last = my_rank() == all_ranks() - 1;
    const halo_memory_demand demand = {.more = last ? INT64_MAX / 2 : 0, .what = "a test"};
    if (halo_memory_available() < INT64_MAX / 2) {
        expect(halo_memory_ask(mpi_check_world(), &demand) == HALO_MEMORY, "2^62 bytes are there");
        expect(strstr(halo_last_message(), "MiB to give; use more hosts") != NULL, "%s",
               halo_last_message());
    }
    EXPECT_AGREED();
}

static void test_bad_limit(void)
{
    allow(my_rank() == 0 ? "lots" : "1T");
    const halo_memory_demand demand = {.what = "a test"};
    expect(halo_memory_ask(mpi_check_world(), &demand) == HALO_ARGUMENT, "\"lots\" is a number");
    allow(NULL);
    EXPECT_AGREED();
}

/* Reserved blocks count with what is kept of them. */
static void test_held(void)
{
    void *small, *large, *reserved;
    int64_t before = halo_memory_held();
    expect_ok(halo_memory_create(&small, 1000, "a test"));
    expect_ok(halo_memory_create(&large, 5 * MIB, "a test"));
    expect_ok(halo_memory_reserve(&reserved, (size_t)100 * MIB, "a test"));
    expect(halo_memory_held() - before == 1000 + 5 * MIB, "%" PRId64 " bytes are held",
           halo_memory_held() - before);
    halo_memory_keep(reserved, (size_t)20 * MIB, (size_t)30 * MIB);
    expect(halo_memory_held() - before == 1000 + 15 * MIB, "%" PRId64 " bytes are held",
           halo_memory_held() - before);
    halo_memory_free(small);
    halo_memory_free(large);
    halo_memory_free(reserved);
    expect(halo_memory_held() == before, "%" PRId64 " bytes stay", halo_memory_held() - before);
    expect(halo_memory_held_most() - before >= 1000 + 15 * MIB, "%" PRId64 " bytes were held",
           halo_memory_held_most() - before);
    EXPECT_AGREED();
}

/* Pages of `bytes` bytes at `from` that take memory; -1: they are not mapped. */
static int pages_taken(const void *from, size_t bytes)
{
    enum { PAGE = 4096 };
    static _Thread_local unsigned char taken[8 * MIB / PAGE];
    int count = 0;
    if (mincore((void *)(uintptr_t)from, bytes, taken) != 0) {
        return -1;
    }
    for (size_t i = 0; i < bytes / PAGE; i++) {
        count += taken[i] & 1;
    }
    return count;
}

/* Writing one byte of a part of a block takes one page: the rank's own, in a mapping of its own. */
static void expect_a_page(char *block, size_t from, size_t bytes, const char *what)
{
    block[from] = 1;
    int taken = pages_taken(block + from, bytes);
    expect(taken == 1, "%s: a byte takes %d pages", what, taken);
}

/* Huge pages that a block does not fill, and room that is not used, are not taken. */
static void test_pages(void)
{
    void *uneven, *middle;
    expect_ok(halo_memory_create(&uneven, 3 * MIB, "a test"));
    expect_a_page(uneven, 2 * MIB, MIB, "the end of 3 MiB");
    expect_ok(halo_memory_create(&middle, MIB, "a test"));
    expect_a_page(middle, 0, MIB, "1 MiB");
    for (size_t bytes = MIB / 4; bytes <= 6 * MIB; bytes += 23 * MIB / 4) {
        char *room = halo_memory_room(bytes, 1, "a test");
        expect_a_page(room, 0, bytes, "room");
        halo_memory_free(room);
    }
    char *room = halo_memory_room(8 * MIB, 1, "a test");
    size_t used = halo_memory_room_fill(room, 0, 3 * MIB);
    expect(used == 2 * MIB, "%zu bytes of a room may be used at first", used);
    used = halo_memory_room_fill(room, used, 3 * MIB);
    expect(used == SIZE_MAX, "%zu bytes of a room of 3 MiB may be used", used);
    expect_a_page(room, 2 * MIB, 6 * MIB, "a huge page that room would not fill");
    halo_memory_free(room);
    room = halo_memory_room(8 * MIB, 1, "a test");
    used = halo_memory_room_fill(room, halo_memory_room_fill(room, 0, SIZE_MAX), 7 * MIB);
    expect(used == 4 * MIB, "%zu bytes of a room of 7 MiB may be used", used);
    halo_memory_free(room);
    /* No rank takes memory between these agreements: a thread would get the place of another's. */
    expect_ok(halo_agree(mpi_check_world(), HALO_OK));
    halo_memory_free(middle);
    bool gone = pages_taken(middle, MIB) == -1;
    expect_ok(halo_agree(mpi_check_world(), HALO_OK));
    expect(gone, "1 MiB that is freed stays");
    halo_memory_free(uneven);
    EXPECT_AGREED();
}

static void expect_held(size_t bytes, int64_t held)
{
    void *block;
    int64_t before = halo_memory_held();
    expect_ok(halo_memory_create(&block, bytes, "a test"));
    memset(block, 1, bytes);
    expect(halo_memory_held() - before == held, "a block of %zu bytes holds %" PRId64, bytes,
           halo_memory_held() - before);
    halo_memory_free(block);
    expect(halo_memory_held() == before, "%" PRId64 " bytes stay", halo_memory_held() - before);
}

/* Ends of blocks that fill half of a huge page have one only for a thread that prefers it. */
static void test_preferred(void)
{
    expect(!halo_memory_prefer_huge(true), "a thread prefers huge pages by itself");
    expect_held(3 * MIB, 4 * MIB);
    expect_held(3 * MIB - 4096, 3 * MIB - 4096);
    expect_held(MIB, 2 * MIB);
    expect_held(MIB - 1, MIB - 1);
    char *room = halo_memory_room(7 * MIB, 1, "a test");
    expect_a_page(room, 6 * MIB, MIB, "the end of a room");
    expect(halo_memory_prefer_huge(false), "a thread forgets that it prefers huge pages");
    halo_memory_free(room);
    expect_held(3 * MIB, 3 * MIB);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("asking for memory", {"what the user allows", test_limit},
               {"what the machine has", test_machine}, {"an unusable limit", test_bad_limit},
               {"what is held", test_held}, {"which pages are taken", test_pages},
               {"huge pages that are preferred", test_preferred})
