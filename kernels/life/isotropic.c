#include "kernels/life/isotropic.h"

#include <string.h>

enum { AROUND = 8, MOST_LETTERS = 13, CELL = 4 };

/* An example of each letter: the neighbours from above on clockwise, one that lives as a '1'. A
 * count above 4 has the letter that its dead cells would have if they lived. */
typedef struct {
    char letter;
    char cells[AROUND + 1];
} example;

static const example examples[][MOST_LETTERS] = {
    {{0, ""}},
    {{'c', "01000000"}, {'e', "10000000"}},
    {{'a', "11000000"},
     {'c', "01010000"},
     {'e', "10100000"},
     {'i', "10001000"},
     {'k', "10010000"},
     {'n', "01000100"}},
    {{'a', "11100000"},
     {'c', "01010100"},
     {'e', "10101000"},
     {'i', "01110000"},
     {'j', "10110000"},
     {'k', "10100100"},
     {'n', "11010000"},
     {'q', "11000100"},
     {'r', "11001000"},
     {'y', "10010100"}},
    {{'a', "11110000"},
     {'c', "01010101"},
     {'e', "10101010"},
     {'i', "11011000"},
     {'j', "10101100"},
     {'k', "10110100"},
     {'n', "01110100"},
     {'q', "11100100"},
     {'r', "11101000"},
     {'t', "10011100"},
     {'w', "01101100"},
     {'y', "11010100"},
     {'z', "11001100"}},
};

static const char *const letters[] = {"", "ce", "aceikn", "aceijknqry", "aceijknqrtwyz"};

const int life_ring[AROUND] = {7, 6, 3, 0, 1, 2, 5, 8};

static int fewer(int count)
{
    return count > AROUND / 2 ? AROUND - count : count;
}

const char *life_letters(int count)
{
    return letters[fewer(count)];
}

uint16_t life_letters_all(int count)
{
    size_t n = strlen(life_letters(count));
    return (uint16_t)((1U << (n > 0 ? n : 1)) - 1);
}

/* Do the cells equal the example rotated by `turn` eighths of a turn, and reflected if
 * `reflected`? */
static bool looks_like(const bool cells[AROUND], const char *as, int turn, bool reflected)
{
    for (int i = 0; i < AROUND; i++) {
        int from = ((reflected ? -i : i) + turn + AROUND) % AROUND;
        if (cells[from] != (as[i] == '1')) {
            return false;
        }
    }
    return true;
}

/* Which letter an arrangement has, and its number of live cells. */
static int letter_of(int index, int *count)
{
    bool cells[AROUND];
    *count = 0;
    for (int i = 0; i < AROUND; i++) {
        cells[i] = (index >> life_ring[i] & 1) != 0;
        *count += cells[i];
    }
    if (*count > AROUND / 2) {
        for (int i = 0; i < AROUND; i++) {
            cells[i] = !cells[i];
        }
    }
    int n = (int)strlen(life_letters(*count));
    for (int letter = 0; letter < n; letter++) {
        const char *as = examples[fewer(*count)][letter].cells;
        for (int turn = 0; turn < AROUND; turn += 2) {
            if (looks_like(cells, as, turn, false) || looks_like(cells, as, turn, true)) {
                return letter;
            }
        }
    }
    return 0;
}

void life_arrangements_map(const life_arrangements *from, uint64_t map[HALO_LIFE_MAP_WORDS])
{
    memset(map, 0, HALO_LIFE_MAP_WORDS * sizeof *map);
    for (int index = 0; index < HALO_LIFE_MAP_CELLS; index++) {
        int count, letter = letter_of(index, &count);
        uint64_t alive = from->of[index >> CELL & 1][count] >> letter & 1;
        map[index / 64] |= alive << index % 64;
    }
}

bool life_arrangements_of(const uint64_t map[HALO_LIFE_MAP_WORDS], life_arrangements *into)
{
    uint64_t again[HALO_LIFE_MAP_WORDS];
    memset(into, 0, sizeof *into);
    for (int index = 0; index < HALO_LIFE_MAP_CELLS; index++) {
        int count, letter = letter_of(index, &count);
        uint16_t *of = &into->of[index >> CELL & 1][count];
        *of = (uint16_t)(*of | life_map_at(map, index) << letter);
    }
    life_arrangements_map(into, again);
    return memcmp(map, again, sizeof again) == 0;
}
