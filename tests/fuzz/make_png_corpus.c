#include "support/png_make.h"

#include <png.h>
#include <stdio.h>

/* make_png_corpus FOLDER: small PNGs of every kind for the fuzzer to start from. */

static bool write_seed(const char *folder, int number, const png_recipe *recipe)
{
    char path[500];
    snprintf(path, sizeof path, "%s/seed-%03d.png", folder, number);
    png_made made;
    png_make(&made, recipe);
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fwrite(made.bytes, 1, made.size, file) == made.size;
    good = file != NULL && fclose(file) == 0 && good;
    png_made_free(&made);
    return good;
}

/* Stored (0) as well as packed streams, split into chunks or whole. */
static bool write_variants(const char *folder, int *number, png_recipe recipe)
{
    static const int filters[] = {PNG_FILTER_NONE, PNG_FILTER_AVG, PNG_ALL_FILTERS};
    for (int variant = 0; variant < 8; variant++) {
        recipe.level = (variant & 1) != 0 ? 9 : 0;
        recipe.transparent = (variant & 2) != 0 && (recipe.colour_type & 4) == 0;
        recipe.idat = (variant & 4) != 0 ? 40 : 0;
        recipe.filters = filters[variant % 3];
        recipe.interlaced = variant == 5;
        recipe.height = variant % 4 == 3 ? 70 : 18; /* filters are undone by 64 or 16 rows */
        recipe.smooth = variant >= 4;
        if (!write_seed(folder, (*number)++, &recipe)) {
            return false;
        }
    }
    return true;
}

int main(int count, char **arguments)
{
    int number = 0;
    for (int type = 0; type <= 6; type++) {
        for (int bits = 1; bits <= 16; bits *= 2) {
            bool small_depths = type == PNG_COLOR_TYPE_GRAY || type == PNG_COLOR_TYPE_PALETTE;
            bool exists = type != 1 && type != 5 && (bits >= 8 || small_depths) &&
                          (bits <= 8 || type != PNG_COLOR_TYPE_PALETTE);
            png_recipe recipe = {.width = 19, .height = 18, .bits = bits, .colour_type = type};
            recipe.entries = type == PNG_COLOR_TYPE_PALETTE ? (bits < 8 ? 1 << bits : 20) : 0;
            recipe.seed = (uint64_t)number;
            if (exists && (count != 2 || !write_variants(arguments[1], &number, recipe))) {
                fprintf(stderr, "usage: make_png_corpus FOLDER (which must be writable)\n");
                return 1;
            }
        }
    }
    return 0;
}
