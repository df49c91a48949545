/* The table of formats that arrays are written in: each row holds what it says, refuses the rest
 * with names that can hold it, and is a line of docs/formats.md. */

#define _GNU_SOURCE /* memmem */
#include "io/array/format.h"
#include "io/array/picture.h"
#include "io/array/zarr_tree.h"
#include "io/image/image_reader.h"
#include "partition/cuts.h"
#include "support/mpi_check.h"
#include "support/mpi_folder.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLANES = 4, ROWS = 6, COLUMNS = 7, MAX_RANKS = 64, NAME = 64, TEXT = 512 };

static const char *const packings[] = {"none", "deflate", "lz4"};

/* ---- arrays ---------------------------------------------------------------------------------- */

static halo_npy_header make_array(halo_array_shape shape, halo_sample_type type)
{
    const halo_npy_header arrays[] = {
        [HALO_ARRAY_LINE] = {.width = 1, .height = ROWS, .axes = 1},
        [HALO_ARRAY_IMAGE] = {.width = COLUMNS, .height = ROWS, .axes = 2},
        [HALO_ARRAY_VOLUME] = {COLUMNS, PLANES * ROWS, .axes = 3, .planes = PLANES},
        [HALO_ARRAY_COLOURS] = {3 * COLUMNS, ROWS, .axes = 3, .pixel = 3},
        [HALO_ARRAY_PIXELS] = {2 * COLUMNS, ROWS, .axes = 3, .pixel = 2}};
    halo_npy_header header = arrays[shape];
    header.type = type;
    return header;
}

/* Numbers that all types have, whole ones of 64 bits such that no double has. */
static void put_sample(halo_sample_type type, int64_t row, int64_t x, unsigned char *out)
{
    static const int64_t LARGE = (int64_t)1 << 60;
    int64_t value = (row * 11 + x * 5) % 97;
    const float narrow = (float)value + .5F;
    const double wide = (double)value + .1;
    if (type == HALO_SAMPLE_F32) {
        memcpy(out, &narrow, sizeof narrow);
    } else if (type == HALO_SAMPLE_F64) {
        memcpy(out, &wide, sizeof wide);
    } else {
        size_t bytes = halo_sample_types[type].stored;
        value = type == HALO_SAMPLE_BIT ? value % 2 : bytes == 8 ? value + LARGE : value;
        for (size_t i = 0; i < bytes; i++) {
            bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
            out[big ? bytes - 1 - i : i] = (unsigned char)(value >> 8 * i);
        }
    }
}

static halo_status fill(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const halo_npy_header *header = context;
    size_t bytes = halo_npy_sample_bytes(header);
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t x = 0; x < header->width; x++) {
            put_sample(header->type, first + i, x,
                       (unsigned char *)out + (size_t)i * pitch + (size_t)x * bytes);
        }
    }
    return HALO_OK;
}

static halo_status write_array(const char *name, halo_npy_header *header,
                               const halo_array_about *about)
{
    int64_t cuts[MAX_RANKS + 1];
    const halo_rows rows = {.fill = fill, .context = header};
    halo_cuts_even(header->height, all_ranks(), cuts);
    return halo_array_write(mpi_check_world(), path_of(name), header, about, cuts, &rows);
}

static halo_status remove_file(void *context, const char *path, bool folder)
{
    (void)context;
    if (folder) {
        halo_zarr_tree_remove(AT_FDCWD, path);
        expect(access(path, F_OK) != 0, "%s cannot be removed", path);
    } else {
        expect(unlink(path) == 0, "%s is not there", path);
    }
    return HALO_OK;
}

/* ---- what is in the files -------------------------------------------------------------------- */

/* Local. Opens an array, or of each pixel the number `channel`, such as "1", if this build can read
 * it. */
static bool open_array(halo_image_reader **reader, const char *name, const char *channel)
{
    bool all = channel == NULL;
    const halo_image_options options = {.want = HALO_IMAGE_SAMPLES,
                                        .choices = {.of = {[HALO_IMAGE_CHANNEL] = channel}},
                                        .volumes = true,
                                        .narrow = all,
                                        .solid = all,
                                        .lines = true};
    char missing[HALO_IMAGE_LIST];
    halo_image_missing(missing);
    bool known = (strstr(missing, "HDF5") == NULL || strstr(name, ".h5") == NULL) &&
                 (strstr(missing, "TIFF") == NULL || strstr(name, ".tif") == NULL) &&
                 !halo_array_format_of(name)->unread;
    *reader = NULL;
    if (known) {
        expect_case_ok(name, halo_image_reader_open(reader, path_of(name), &options));
    }
    return *reader != NULL;
}

/* Reverses the bytes of each of `count` samples. */
static void swap_bytes(unsigned char *samples, size_t count, size_t bytes)
{
    for (size_t i = 0; i < count * bytes; i += bytes) {
        for (size_t low = i, high = i + bytes - 1; low < high; low++, high--) {
            unsigned char byte = samples[low];
            samples[low] = samples[high];
            samples[high] = byte;
        }
    }
}

/* Local. Files that have no reader end with their samples. */
static void expect_tail(const char *name, halo_npy_header *header)
{
    bool swapped =
        halo_array_format_of(name)->big_endian && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    unsigned char row[3 * COLUMNS * sizeof(int64_t)];
    halo_buffer file = file_read(name);
    size_t bytes = halo_npy_row_bytes(header), all = bytes * (size_t)header->height;
    expect(file.size >= all, "%s has %zu bytes", name, file.size);
    for (int64_t i = 0; i < header->height && file.size >= all; i++) {
        expect_ok(fill(header, i, 1, row, bytes));
        if (swapped) {
            swap_bytes(row, (size_t)header->width, halo_npy_sample_bytes(header));
        }
        expect(memcmp(file.data + file.size - all + (size_t)i * bytes, row, bytes) == 0,
               "%s has another row %" PRId64, name, i);
    }
    halo_buffer_free(&file);
}

/* Local. The rows of an array, or of number `channel` of each pixel of one. */
static void expect_rows(halo_image_reader *reader, const char *name, halo_npy_header *header,
                        int64_t channel)
{
    const halo_image_info *info = halo_image_reader_info(reader);
    uint64_t is[3 * COLUMNS], should[3 * COLUMNS];
    size_t bytes = halo_npy_sample_bytes(header);
    int64_t columns = halo_array_columns(header), channels = halo_array_channels(header);
    bool bits = info->cell_bits == 1, boolean = header->type == HALO_SAMPLE_BIT;
    expect(info->type == header->type || (boolean && info->type == HALO_SAMPLE_U8),
           "%s has samples of %s", name, halo_sample_types[info->type].name);
    for (int64_t i = 0; i < header->height; i++) {
        unsigned char *sample = (unsigned char *)is;
        expect_case_ok(name, halo_image_reader_rows(reader, i, 1, is, sizeof is));
        expect_ok(fill(header, i, 1, should, halo_npy_row_bytes(header)));
        for (int64_t x = 0; x < columns; x++) {
            memmove((unsigned char *)should + (size_t)x * bytes,
                    (unsigned char *)should + (size_t)(x * channels + channel) * bytes, bytes);
        }
        const uint64_t word = is[0];
        for (int64_t x = 0; bits && x < columns; x++) {
            sample[x] = (unsigned char)(word >> x & 1);
        }
        expect(memcmp(is, should, (size_t)columns * bytes) == 0, "%s has another row %" PRId64,
               name, i);
    }
    expect_case_ok(name, halo_image_reader_finish(reader));
}

/* Local. The array as it is read, or each number of its pixels. */
static void expect_read(const char *name, halo_npy_header *header)
{
    for (int64_t channel = 0; channel < halo_array_channels(header); channel++) {
        const char text[] = {(char)('0' + channel), '\0'};
        halo_image_reader *reader;
        if (open_array(&reader, name, halo_array_has_pixels(header) ? text : NULL)) {
            expect_rows(reader, name, header, channel);
            halo_image_reader_close(&reader);
        }
    }
}

static void check_array(const char *name, halo_array_shape shape, halo_sample_type type,
                        int packing)
{
    halo_npy_header header = make_array(shape, type);
    const halo_array_about about = {.packing = (halo_array_packing)packing};
    expect_case_ok(name, write_array(name, &header, &about));
    if (my_rank() == 0) {
        expect(halo_array_is_there(path_of(name)), "%s is not there", name);
        if (halo_array_format_of(name)->unread) {
            expect_tail(name, &header);
        } else {
            expect_read(name, &header);
        }
        expect_ok(halo_array_files(path_of(name), remove_file, NULL));
    }
    expect_together();
}

/* The refusal has the format's name, and each name that it proposes holds such an array. */
static void check_refused(const char *name, const halo_array_format *format, halo_array_shape shape,
                          halo_sample_type type)
{
    const halo_npy_header header = make_array(shape, type);
    char others[TEXT];
    expect_fails(halo_array_check(name, &header), HALO_ARGUMENT, format->name);
    const char *list = strstr(halo_last_message(), "ending in ");
    snprintf(others, sizeof others, "%s", list != NULL ? list + strlen("ending in ") : "");
    expect(list != NULL, "%s: no other name is proposed", name);
    for (char *rest = others, *ending; (ending = strtok_r(rest, ", ", &rest)) != NULL;) {
        char other[NAME];
        snprintf(other, sizeof other, "x%s", ending);
        expect(strcmp(ending, "or") == 0 || halo_array_check(other, &header) == HALO_OK,
               "%s: %s is proposed and refused", name, ending);
    }
}

/* Formats write types in the same way for all arrays, so that a third of them is enough for pixels
 * of several numbers; another third for each format. */
static bool is_left_out(size_t format, halo_array_shape shape, halo_sample_type type)
{
    bool several = shape == HALO_ARRAY_COLOURS || shape == HALO_ARRAY_PIXELS;
    return several && (format + (size_t)shape + (size_t)type) % 3 != 0;
}

static void test_samples(void)
{
    for (size_t i = 0; i < HALO_ARRAY_FORMATS; i++) {
        const halo_array_format_entry *entry = &halo_array_formats[i];
        char name[NAME];
        snprintf(name, sizeof name, "x%.*s", (int)strcspn(entry->endings, "|"), entry->endings);
        for (int k = 0; k < HALO_ARRAY_SHAPES * HALO_SAMPLE_TYPES; k++) {
            halo_array_shape shape = (halo_array_shape)(k / HALO_SAMPLE_TYPES);
            halo_sample_type type = (halo_sample_type)(k % HALO_SAMPLE_TYPES);
            bool holds = (entry->format->types[shape] >> type & 1) != 0;
            if (!holds) {
                check_refused(name, entry->format, shape, type);
            }
            holds = holds && !is_left_out(i, shape, type);
            for (int packing = 0; holds && packing < HALO_ARRAY_PACKINGS; packing++) {
                if (entry->format->write[packing] != NULL &&
                    halo_array_check_packing(name, (halo_array_packing)packing) == HALO_OK) {
                    check_array(name, shape, type, packing);
                }
            }
        }
    }
    EXPECT_AGREED();
}

static void test_packings(void)
{
    for (size_t i = 0; i < HALO_ARRAY_FORMATS; i++) {
        const halo_array_format_entry *entry = &halo_array_formats[i];
        char name[NAME];
        snprintf(name, sizeof name, "x%.*s", (int)strcspn(entry->endings, "|"), entry->endings);
        for (int packing = 0; packing < HALO_ARRAY_PACKINGS; packing++) {
            const halo_array_about about = {.packing = (halo_array_packing)packing};
            halo_npy_header header = make_array(HALO_ARRAY_IMAGE, HALO_SAMPLE_U8);
            if (entry->format->write[packing] == NULL) {
                expect_fails(halo_array_check_packing(name, about.packing), HALO_ARGUMENT,
                             packings[packing]);
                if (entry->format->types[HALO_ARRAY_IMAGE] != 0) {
                    expect_fails(write_array(name, &header, &about), HALO_ARGUMENT,
                                 packings[packing]);
                }
            }
        }
    }
    expect_nothing_left();
    EXPECT_AGREED();
}

static void test_unknown(void)
{
    halo_npy_header header = make_array(HALO_ARRAY_IMAGE, HALO_SAMPLE_U8);
    expect_fails(write_array("x.csv", &header, NULL), HALO_ARGUMENT, "no format of arrays");
    expect_nothing_left();
    EXPECT_AGREED();
}

/* ---- what is stored besides ------------------------------------------------------------------ */

static bool near(double a, double b)
{
    return a - b < 1e-6 && b - a < 1e-6;
}

/* Local. The bits of what a reader finds that was written. */
static unsigned find_told(const halo_image_info *info, const halo_image_geometry *g)
{
    const halo_image_geometry is = halo_geometry_in(&info->geometry, HALO_LENGTH_MILLIMETRE);
    bool spaced = true, placed = is.placed, turned = is.placed;
    for (int axis = 0; axis < 3; axis++) {
        spaced = spaced && near(is.spacing[axis], g->spacing[axis]);
        placed = placed && near(is.origin[axis], g->origin[axis]);
        for (int i = 0; i < 3; i++) {
            turned = turned && near(is.direction[axis][i], g->direction[axis][i]);
        }
    }
    return (spaced ? HALO_ARRAY_TELLS_SPACING : 0U) | (placed ? HALO_ARRAY_TELLS_ORIGIN : 0U) |
           (turned ? HALO_ARRAY_TELLS_DIRECTION : 0U) |
           (is.unit == HALO_LENGTH_MILLIMETRE && !is.assumed ? HALO_ARRAY_TELLS_UNIT : 0U) |
           (info->labels ? HALO_ARRAY_TELLS_LABELS : 0U);
}

/* Local. */
static void expect_told(const char *name, const halo_array_format *format,
                        const halo_image_geometry *g, unsigned requested)
{
    halo_image_reader *reader;
    if (open_array(&reader, name, NULL)) {
        unsigned told = find_told(halo_image_reader_info(reader), g) & requested;
        expect(told == (format->tells & requested), "%s tells %#x of %#x, and the table says %#x",
               name, told, requested, format->tells & requested);
        halo_image_reader_close(&reader);
    }
    expect_ok(halo_array_files(path_of(name), remove_file, NULL));
}

/* An image that is turned has directions; where a format has none, the origin of one that is not
 * turned is told. */
static void check_told(const char *name, const halo_array_format *format, bool turned)
{
    halo_array_about about = {.labels = true,
                              .geometry = {.spacing = {.5, 2, 3},
                                           .origin = {10, -20, 30},
                                           .unit = HALO_LENGTH_MILLIMETRE,
                                           .placed = true}};
    halo_image_geometry *g = &about.geometry;
    for (int axis = 0; axis < 3; axis++) {
        g->direction[axis][turned ? (axis + 1) % 3 : axis] = 1;
    }
    halo_npy_header header = make_array(HALO_ARRAY_VOLUME, HALO_SAMPLE_U16);
    expect_case_ok(name, write_array(name, &header, &about));
    if (my_rank() == 0) {
        expect_told(name, format, g,
                    turned ? HALO_ARRAY_TELLS_DIRECTION
                           : HALO_ARRAY_TELLS_SPACING | HALO_ARRAY_TELLS_ORIGIN |
                                 HALO_ARRAY_TELLS_UNIT | HALO_ARRAY_TELLS_LABELS);
    }
    expect_together();
}

static void test_told(void)
{
    for (size_t i = 0; i < HALO_ARRAY_FORMATS; i++) {
        const halo_array_format_entry *entry = &halo_array_formats[i];
        char name[NAME];
        snprintf(name, sizeof name, "x%.*s", (int)strcspn(entry->endings, "|"), entry->endings);
        if (entry->format->types[HALO_ARRAY_VOLUME] != 0) {
            check_told(name, entry->format, false);
            check_told(name, entry->format, true);
        }
    }
    EXPECT_AGREED();
}

/* ---- endings, and the documentation ---------------------------------------------------------- */

/* Lists of endings for options are constants: pictures can have what they promise. */
static void test_endings(void)
{
    static const struct {
        const char *endings;
        halo_array_shape shape;
    } lists[] = {{HALO_GREY_ENDINGS, HALO_ARRAY_IMAGE},
                 {HALO_COLOUR_ENDINGS, HALO_ARRAY_COLOURS},
                 {HALO_PICTURE_ENDINGS, HALO_ARRAY_IMAGE},
                 {HALO_PICTURE_ENDINGS, HALO_ARRAY_COLOURS}};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const halo_npy_header header = make_array(lists[i].shape, HALO_SAMPLE_U8);
        char text[TEXT], name[NAME];
        snprintf(text, sizeof text, "%s", lists[i].endings);
        for (char *rest = text, *ending; (ending = strtok_r(rest, "|", &rest)) != NULL;) {
            snprintf(name, sizeof name, "x%s", ending);
            expect(halo_picture_is_one(name), "%s is no picture", name);
            expect(strcmp(ending, ".png") == 0 || halo_array_check(name, &header) == HALO_OK,
                   "%s holds no such picture", name);
        }
    }
    expect(!halo_picture_is_one("x.npy"), "an array is a picture");
    EXPECT_AGREED();
}

static void add(char text[TEXT], const char *word, const char *between)
{
    size_t used = strlen(text);
    snprintf(text + used, TEXT - used, "%s%s", text[0] != '\0' ? between : "", word);
}

/* Print a set of types: "all", "uint8, uint16" or "none". */
static void add_types(char line[TEXT], unsigned types)
{
    char text[TEXT] = "";
    for (int type = 0; type < HALO_SAMPLE_TYPES && types != HALO_ARRAY_ALL_TYPES; type++) {
        if ((types >> type & 1) != 0) {
            add(text, halo_array_type_name((halo_sample_type)type), ", ");
        }
    }
    add(line, types == 0 ? "none" : types == HALO_ARRAY_ALL_TYPES ? "all" : text, " | ");
}

/* The line that docs/formats.md has of a format. */
static void print_line(const halo_array_format_entry *entry, char line[TEXT])
{
    static const char *const words[] = {
#define TELLS_WORD(code, word) word,
        HALO_ARRAY_TELLS_LIST(TELLS_WORD)};
    const halo_array_format *format = entry->format;
    char endings[TEXT] = "", told[TEXT] = "", packed[TEXT] = "", copy[NAME];
    snprintf(copy, sizeof copy, "%s", entry->endings);
    for (char *rest = copy, *ending; (ending = strtok_r(rest, "|", &rest)) != NULL;) {
        char quoted[NAME + 2];
        snprintf(quoted, sizeof quoted, "`%s`", ending);
        add(endings, quoted, ", ");
    }
    for (size_t bit = 0; bit < sizeof words / sizeof words[0]; bit++) {
        if ((format->tells >> bit & 1) != 0) {
            add(told, words[bit], ", ");
        }
    }
    bool always = format->write[HALO_ARRAY_PACKING_NONE] == halo_array_stream_write;
    for (int packing = 1; packing < HALO_ARRAY_PACKINGS; packing++) {
        if (format->write[packing] != NULL) {
            add(packed, packings[packing], ", ");
        }
    }
    line[0] = '\0';
    add(line, endings, "");
    add(line, format->name, " | ");
    for (int shape = 0; shape < HALO_ARRAY_SHAPES; shape++) {
        add_types(line, format->types[shape]);
    }
    add(line, told[0] != '\0' ? told : "nothing", " | ");
    add(line, packed[0] == '\0' ? "none" : packed, " | ");
    add(line, always ? "always" : "", " ");
}

static void test_documentation(void)
{
    FILE *page = my_rank() == 0 ? fopen(HALOBEAT_FORMATS_PAGE, "r") : NULL;
    char line[TEXT], *text = calloc(1, 1 << 20);
    size_t bytes = page != NULL && text != NULL ? fread(text, 1, (1 << 20) - 1, page) : 0;
    for (size_t i = 0; my_rank() == 0 && i < HALO_ARRAY_FORMATS; i++) {
        print_line(&halo_array_formats[i], line);
        size_t length = strlen(line);
        while (length > 0 && line[length - 1] == ' ') {
            line[--length] = '\0';
        }
        expect(bytes > 0 && memmem(text, bytes, line, length) != NULL,
               "docs/formats.md lacks the line | %s |", line);
    }
    if (page != NULL) {
        fclose(page);
    }
    free(text);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN_HOOKED("formats of arrays", folder_make, folder_remove,
                      {"samples of all types", test_samples},
                      {"compression is the row's", test_packings},
                      {"a name of no format", test_unknown},
                      {"what is stored besides samples", test_told},
                      {"endings of pictures", test_endings},
                      {"the documentation has every row", test_documentation})
