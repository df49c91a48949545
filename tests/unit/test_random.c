#include "base/random.h"
#include "support/unit_check.h"

/* The known answers that come with the generator's authors' own implementation, Random123. */
TEST("known answers")
{
    static const struct {
        uint32_t counter[4], key[2], words[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
         {UINT32_MAX, UINT32_MAX},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < COUNT(known); i++) {
        uint32_t words[4];
        halo_philox(known[i].counter, known[i].key, words);
        check(memcmp(words, known[i].words, sizeof words) == 0, "known answer %zu", i);
    }
}

/* A stretch is what its numbers are one by one, wherever it begins and ends. */
TEST("stretches")
{
    enum { MAX = 40 };
    uint32_t numbers[MAX + 1];
    static const int64_t firsts[] = {0, 1, 2, 3, 4, 1000003, (INT64_C(1) << 34) - 5};
    for (size_t f = 0; f < COUNT(firsts); f++) {
        for (int64_t count = 0; count <= MAX; count++) {
            numbers[count] = 12345;
            halo_random_fill(77, UINT64_C(1) << 33, firsts[f], count, numbers);
            for (int64_t i = 0; i < count; i++) {
                check(numbers[i] == halo_random_at(77, UINT64_C(1) << 33, firsts[f] + i),
                      "number %lld of %lld from %lld", (long long)i, (long long)count,
                      (long long)firsts[f]);
            }
            check(numbers[count] == 12345, "one more than %lld is written", (long long)count);
        }
    }
}

/* Seed, stream and number are all there in the counter and the key: changing any bit of any of
 * them changes the number. */
TEST("every bit counts")
{
    uint32_t number = halo_random_at(1, 2, 12);
    for (int bit = 0; bit < 64; bit++) {
        uint64_t flip = UINT64_C(1) << bit;
        check(halo_random_at(1 ^ flip, 2, 12) != number, "bit %d of the seed", bit);
        check(halo_random_at(1, 2 ^ flip, 12) != number, "bit %d of the stream", bit);
        if (bit < 63) {
            check(halo_random_at(1, 2, (int64_t)(12 ^ flip)) != number, "bit %d of the number",
                  bit);
        }
    }
}

TEST("chances")
{
    static const struct {
        double density;
        uint64_t chance;
    } cases[] = {{0, 0},
                 {-1, 0},
                 {.35, 1503238554},
                 {.5, UINT64_C(1) << 31},
                 {1, UINT64_C(1) << 32},
                 {2, UINT64_C(1) << 32},
                 {0x1p-32, 1},
                 {0x1.8p-32, 2},
                 {0x1.4p-32, 1},
                 {1 - 0x1p-32, 0xFFFFFFFF}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        CU_ASSERT_EQUAL(halo_random_chance(cases[i].density), cases[i].chance);
    }
    int below = 0;
    for (int64_t i = 0; i < 100000; i++) {
        below += halo_random_at(3, 0, i) < halo_random_chance(.3);
    }
    check(abs(below - 30000) < 5 * 145, "%d of 100000 numbers with a chance of .3", below);
}
