/* Boxes of patterns, and cells put into rows and cut out of them. */

#include "kernels/life/life_rows.h"
#include "kernels/life/life_topology.h"
#include "support/images.h"
#include "support/unit_check.h"

/* ---- where ----------------------------------------------------------------------------------- */

TEST("topologies")
{
    static const struct {
        const char *text;
        halo_life_edge rows, columns;
        int64_t height, width;
    } good[] = {{"plane", HALO_LIFE_GROW, HALO_LIFE_GROW, 0, 0},
                {"Dead", HALO_LIFE_DEAD, HALO_LIFE_DEAD, 0, 0},
                {"TORUS", HALO_LIFE_WRAP, HALO_LIFE_WRAP, 0, 0},
                {"cylinder", HALO_LIFE_DEAD, HALO_LIFE_WRAP, 0, 0},
                {"T100,80", HALO_LIFE_WRAP, HALO_LIFE_WRAP, 80, 100},
                {"t7", HALO_LIFE_WRAP, HALO_LIFE_WRAP, 7, 7},
                {"P0,80", HALO_LIFE_DEAD, HALO_LIFE_GROW, 80, 0},
                {"T100,0", HALO_LIFE_GROW, HALO_LIFE_WRAP, 0, 100},
                {"P0", HALO_LIFE_GROW, HALO_LIFE_GROW, 0, 0}};
    static const char *const wrong[] = {"",       "T",      "torus ", "T1,2,3",   "T+1,2", "T1,-2",
                                        "K20,30", "C20,30", "S20",    "T20+1,30", "T 1",   "X1,2"};
    halo_life_topology topology;
    for (size_t i = 0; i < COUNT(good); i++) {
        SUCCEEDS(halo_life_topology_parse(good[i].text, &topology));
        check(topology.edges[HALO_LIFE_ROWS] == good[i].rows &&
                  topology.edges[HALO_LIFE_COLUMNS] == good[i].columns &&
                  topology.n[HALO_LIFE_ROWS] == good[i].height &&
                  topology.n[HALO_LIFE_COLUMNS] == good[i].width,
              "%s: other edges or another size", good[i].text);
    }
    for (size_t i = 0; i < COUNT(wrong); i++) {
        check(halo_life_topology_parse(wrong[i], &topology) == HALO_ARGUMENT, "%s was understood",
              wrong[i]);
    }
}

TEST("their texts")
{
    static const char *const texts[] = {"T100,80", "P100,80", "T100,0", "P0,80", "plane"};
    halo_life_box box = {.n = {80, 100}};
    char text[HALO_LIFE_TOPOLOGY_TEXT];
    for (int i = 0; i < 5; i++) {
        halo_life_topology topology;
        halo_life_topology_parse(texts[i], &topology);
        check(halo_life_topology_print(topology.edges, &box, text) == HALO_OK, "%s", texts[i]);
        check(i == 4 ? text[0] == '\0' : text[0] == ':' && strcmp(text + 1, texts[i]) == 0,
              "%s became %s", texts[i], text);
    }
    halo_life_topology cylinder;
    halo_life_topology_parse("cylinder", &cylinder);
    check(halo_life_topology_print(cylinder.edges, &box, text) == HALO_ARGUMENT, "a cylinder: %s",
          text);
}

/* Columns only; rows are like them. */
static void check_place(const char *topology_text, int64_t wanted, halo_life_placing placing,
                        int64_t lo, int64_t n, int64_t pattern_lo)
{
    halo_life_topology topology;
    halo_life_topology_parse(topology_text, &topology);
    const int64_t sizes[HALO_LIFE_AXES] = {wanted, wanted};
    halo_life_box grid;
    int64_t at[HALO_LIFE_AXES];
    halo_status status = halo_life_place(&topology, sizes, &placing, &grid, at);
    if (n == 0) {
        check(status == HALO_ARGUMENT, "%s: fits", topology_text);
        return;
    }
    check(status == HALO_OK && grid.lo[1] == lo && grid.n[1] == n && at[1] == pattern_lo,
          "%s: grid from %lld, %lld cells, pattern at %lld", topology_text, (long long)grid.lo[1],
          (long long)grid.n[1], (long long)at[1]);
}

TEST("places")
{
    const halo_life_placing small = {.n = {1, 5}}, none = {.n = {0, 0}};
    halo_life_placing placed = {.n = {1, 5}, .placed = true, .lo = {0, -7}};
    halo_life_placing golly = placed, at = {.n = {1, 5}, .at = true, .to = {0, 3}};
    golly.golly = true;
    check_place("torus", 0, small, -2, 5, -2);
    check_place("torus", 10, small, -5, 10, -2);
    check_place("T10", 0, small, -5, 10, -2);
    check_place("T10", 0, golly, -5, 0, 0);
    check_place("T14", 0, golly, -7, 14, -7);
    check_place("T9,20", 0, small, -4, 9, -2);
    check_place("torus", 14, placed, -7, 14, -2);
    check_place("dead", 10, at, -5, 10, -2);
    check_place("dead", 7, at, 0, 0, 0);
    check_place("dead", 4, small, 0, 0, 0);
    check_place("plane", 0, small, 0, 5, 0);
    check_place("plane", 0, placed, -7, 5, -7);
    check_place("plane", 0, at, 3, 5, 3);
    check_place("plane", 0, none, 0, 1, 0);
    check_place("torus", 0, none, 0, 1, 0);
}

TEST("parts")
{
    static const struct {
        const char *text;
        halo_life_edge edges[HALO_LIFE_AXES];
        int64_t n[HALO_LIFE_AXES];
        int ranks, parts[HALO_LIFE_AXES];
    } rows[] = {{NULL, {HALO_LIFE_WRAP, HALO_LIFE_WRAP}, {500, 500}, 6, {6, 1}},
                {"3x2", {HALO_LIFE_DEAD, HALO_LIFE_WRAP}, {20, 20}, 6, {3, 2}},
                {"blocks", {HALO_LIFE_WRAP, HALO_LIFE_WRAP}, {500, 500}, 9, {3, 3}},
                {"blocks", {HALO_LIFE_WRAP, HALO_LIFE_WRAP}, {500, 127}, 9, {9, 1}},
                {"blocks", {HALO_LIFE_GROW, HALO_LIFE_GROW}, {9, 36}, 9, {3, 3}}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int parts[HALO_LIFE_AXES];
        halo_life_box box = {.n = {rows[i].n[0], rows[i].n[1]}};
        halo_status status =
            halo_life_parts_parse(rows[i].text, rows[i].edges, &box, rows[i].ranks, parts);
        check(status == HALO_OK && memcmp(parts, rows[i].parts, sizeof parts) == 0,
              "row %zu: %d x %d parts", i, parts[0], parts[1]);
    }
}

/* The grid has 20 rows and 40 columns, and its first cell is 5, 7. */
TEST("views")
{
    static const struct {
        halo_life_edge edges[HALO_LIFE_AXES];
        halo_life_box live, view, close_up;
    } rows[] = {
        {{HALO_LIFE_DEAD, HALO_LIFE_WRAP},
         {{6, 8}, {2, 3}},
         {{5, 7}, {20, 40}},
         {{5, 7}, {20, 40}}},
        {{HALO_LIFE_GROW, HALO_LIFE_GROW},
         {{0, 0}, {0, 0}},
         {{5, 7}, {20, 40}},
         {{5, 7}, {20, 40}}},
        {{HALO_LIFE_GROW, HALO_LIFE_WRAP}, {{6, 8}, {2, 3}}, {{3, 7}, {8, 40}}, {{3, 7}, {8, 40}}},
        {{HALO_LIFE_GROW, HALO_LIFE_GROW},
         {{-500, 10}, {1000, 994}},
         {{-503, 7}, {1006, 1000}},
         {{-75, 7}, {180, 320}}},
        {{HALO_LIFE_GROW, HALO_LIFE_GROW},
         {{-997, -993}, {1000, 1000}},
         {{-1000, -996}, {1006, 1006}},
         {{-174, -310}, {180, 320}}}};
    const halo_life_box begun = {{5, 7}, {20, 40}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        halo_life_box view = halo_life_view(rows[i].edges, &begun, &rows[i].live);
        halo_life_box part = halo_life_close_up(rows[i].edges, &begun, &view);
        check(memcmp(&view, &rows[i].view, sizeof view) == 0, "view %zu", i);
        check(memcmp(&part, &rows[i].close_up, sizeof part) == 0, "close-up %zu", i);
    }
}

/* ---- cells ----------------------------------------------------------------------------------- */

enum { MAX = 300, WORDS = MAX / 64 + 2 };

static int bit_of(const uint64_t *words, int64_t x)
{
    return (int)(words[x / 64] >> x % 64 & 1);
}

static void check_bits(uint64_t *seed, int64_t width, int64_t at, int64_t count)
{
    uint64_t row[WORDS] = {0}, cut[WORDS], back[WORDS] = {0};
    unsigned char bytes[MAX + 8] = {0};
    for (int64_t x = 0; x < width; x++) {
        row[x / 64] |= (random_next(seed) & 1) << x % 64;
    }
    memset(cut, 0xFF, sizeof cut);
    halo_life_row_crop(row, 1, width, at, count, cut);
    halo_life_row_place(cut, 1, count, back, 1, at);
    halo_life_row_place(cut, 1, count, bytes, 8, at);
    bool good = true;
    for (int64_t x = 0; x < (int64_t)WORDS * 64; x++) {
        bool within = x >= at && x < at + count;
        good = good && bit_of(back, x) == (within && bit_of(row, x));
        good = good && (x >= MAX || bytes[x] == bit_of(back, x));
        good = good && (x >= count || bit_of(cut, x) == bit_of(row, at + x));
        good = good && (x < count || x >= (count + 63) / 64 * 64 || bit_of(cut, x) == 0);
    }
    check(good, "cells %lld to %lld of %lld", (long long)at, (long long)(at + count - 1),
          (long long)width);
}

TEST("cells put into rows and cut out")
{
    uint64_t seed = 7;
    static const int64_t widths[] = {1, 2, 63, 64, 65, 127, 128, 129, 200};
    for (size_t w = 0; w < COUNT(widths); w++) {
        for (int64_t at = 0; at < widths[w]; at++) {
            int64_t rest = widths[w] - at;
            check_bits(&seed, widths[w], at, rest);
            check_bits(&seed, widths[w], at, 1);
            check_bits(&seed, widths[w], at, rest / 2 + 1);
        }
    }
    const unsigned char states[] = {0, 1, 2, 3, 4};
    unsigned char cut[4] = {9, 9, 9, 9}, row[6] = {0};
    halo_life_row_crop(states, 8, 5, 2, 3, cut);
    halo_life_row_place(cut, 8, 3, row, 8, 1);
    check(memcmp(cut, "\2\3\4\11", 4) == 0 && memcmp(row, "\0\2\3\4\0", 6) == 0, "states");
}
