#include "support/png_make.h"

#include <png.h>
#include <stdio.h>

/* make_png_read_corpus FOLDER: small PNGs of every kind for the fuzzer to start from. */

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
    for (size_t format = 0; format < PNG_FORMATS; format++) {
        png_recipe recipe = png_recipe_of(format, 19, 18);
        recipe.entries = recipe.entries > 20 ? 20 : recipe.entries;
        if (count != 2 || !write_variants(arguments[1], &number, recipe)) {
            fprintf(stderr, "usage: make_png_read_corpus FOLDER (which must be writable)\n");
            return 1;
        }
    }
    return 0;
}
