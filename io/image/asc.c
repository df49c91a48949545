#define _POSIX_C_SOURCE 200809L
#include "io/image/text_samples.h"

#include "base/memory.h"
#include "base/scan.h"
#include "base/standard.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* ASCII grids of Esri: pairs of words and numbers, and behind them the samples row by row, from the
 * north to the south. (Esri, "Esri ASCII raster format", in the documentation of ArcGIS.) */

enum { MOST_PAIRS = 32 };

typedef enum {
    COLUMNS,
    ROWS,
    X_CORNER,
    Y_CORNER,
    X_CENTRE,
    Y_CENTRE,
    SIZE,
    SIZE_X,
    SIZE_Y,
    KEYS
} head_key;

static const char *const keys[KEYS] = {
    "ncols", "nrows", "xllcorner", "yllcorner", "xllcenter", "yllcenter", "cellsize", "dx", "dy"};

typedef struct {
    double value[KEYS];
    bool given[KEYS];
    char nodata[HALO_TEXT_WORD]; /* or "" */
    char word[HALO_TEXT_WORD];   /* the first sample; "": none was read yet */
} asc_head;

/* ---- the header ------------------------------------------------------------------------------ */

static int find_key(const char *word)
{
    for (int i = 0; i < KEYS; i++) {
        if (strcasecmp(word, keys[i]) == 0) {
            return i;
        }
    }
    return -1;
}

/* Samples are no words, but for nan and inf. */
static bool is_word(const char *text)
{
    return isalpha((unsigned char)text[0]) && strncasecmp(text, "nan", 3) != 0 &&
           strncasecmp(text, "inf", 3) != 0;
}

static halo_status fail_key(const halo_image_reader *reader, const char *name, const char *value)
{
    return halo_fail(HALO_FORMAT,
                     "%s: the header's %.30s is \"%.40s\"; NCOLS and NROWS are whole numbers from "
                     "1 to 2147483647, and the others are numbers",
                     reader->path, name, value);
}

static halo_status take_pair(const halo_image_reader *reader, asc_head *head, const char *name,
                             const char *value)
{
    int key = find_key(name);
    const char *end = value + (*value == '+');
    if (strcasecmp(name, "nodata_value") == 0 || strcasecmp(name, "nodata") == 0) {
        halo_number number;
        memcpy(head->nodata, value, sizeof head->nodata);
        return halo_image_scan_nodata(value, &number) ? HALO_OK : fail_key(reader, name, value);
    }
    if (key < 0) {
        return HALO_OK; /* words of other programs */
    }
    bool good = halo_scan_number(&end, -HUGE_VAL, HUGE_VAL, &head->value[key]) && *end == '\0';
    double is = head->value[key];
    bool counts = key != COLUMNS && key != ROWS;
    head->given[key] = true;
    return good && (counts || (is >= 1 && is <= INT32_MAX && floor(is) >= is))
               ? HALO_OK
               : fail_key(reader, name, value);
}

static halo_status read_head(halo_image_reader *reader, asc_head *head)
{
    char value[HALO_TEXT_WORD];
    int pairs = 0;
    while (halo_text_word(&reader->source, head->word) && is_word(head->word)) {
        if (++pairs > MOST_PAIRS || !halo_text_word(&reader->source, value)) {
            return halo_image_fail_ended(reader, 0);
        }
        HALO_TRY(take_pair(reader, head, head->word, value));
        head->word[0] = '\0';
    }
    HALO_TRY(reader->source.status);
    return head->given[COLUMNS] && head->given[ROWS]
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: the ASCII grid's header lacks NCOLS or NROWS; copy or "
                           "make it again",
                           reader->path);
}

/* ---- what the samples are -------------------------------------------------------------------- */

/* Whole numbers, unless one of them is none. */
static halo_sample_type narrowest(halo_source *source, const char *first)
{
    char word[HALO_TEXT_WORD];
    int64_t least = 0, most = 0;
    bool more = first[0] != '\0';
    memcpy(word, first, sizeof word);
    for (; more; more = halo_text_word(source, word)) {
        char *end;
        errno = 0;
        int64_t whole = strtoll(word, &end, 10);
        if (*end != '\0' || errno != 0) {
            return HALO_SAMPLE_F64;
        }
        least = whole < least ? whole : least;
        most = whole > most ? whole : most;
    }
    return least >= INT32_MIN && most <= INT32_MAX ? HALO_SAMPLE_I32 : HALO_SAMPLE_I64;
}

/* A file is scanned for reals to find the type; a pipe, which cannot be read twice, always has
 * reals. */
static halo_status find_type(const halo_image_reader *reader, halo_sample_type *type)
{
    struct stat about;
    const halo_source *is = &reader->source;
    bool memory = is->file == NULL;
    halo_image_reader again = {.path = reader->path};
    asc_head head = {.word = ""};
    *type = HALO_SAMPLE_F64;
    if (!memory && (halo_is_standard(reader->path) || stat(reader->path, &about) != 0 ||
                    !S_ISREG(about.st_mode))) {
        return HALO_OK;
    }
    halo_status status = halo_source_open(&again.source, reader->path, memory ? is->bytes : NULL,
                                          memory ? (size_t)(is->end - is->bytes) : 0, false);
    status = status == HALO_OK ? halo_source_begin_text(&again.source) : status;
    status = status == HALO_OK ? read_head(&again, &head) : status;
    if (status == HALO_OK) {
        *type = narrowest(&again.source, head.word);
        status = again.source.status;
    }
    halo_source_close(&again.source);
    return status;
}

/* A sample is a digit and a blank at least. */
static halo_status check_claim(const halo_image_reader *reader, const asc_head *head)
{
    double samples = head->value[COLUMNS] * head->value[ROWS];
    bool known = reader->info.file_bytes >= 0 && !halo_source_packed(&reader->source);
    return !known || 2 * samples <= (double)reader->info.file_bytes
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: the header claims %.0f samples, which the %" PRId64 " bytes of the "
                           "file cannot hold; copy or make it again",
                           reader->path, samples, reader->info.file_bytes);
}

/* The first row is the northernmost one. Nothing says in which unit. */
static void set_geometry(halo_image_info *info, const asc_head *head)
{
    halo_image_geometry *g = &info->geometry;
    const double *value = head->value;
    double x = value[head->given[SIZE_X] ? SIZE_X : SIZE];
    double y = value[head->given[SIZE_Y] ? SIZE_Y : SIZE];
    bool corner = head->given[X_CORNER] && head->given[Y_CORNER];
    bool centre = head->given[X_CENTRE] && head->given[Y_CENTRE];
    if (!(x > 0) || !(y > 0)) {
        return;
    }
    halo_geometry_set_identity(g);
    g->spacing[0] = x;
    g->spacing[1] = y;
    g->direction[1][1] = -1;
    g->origin[0] = centre ? value[X_CENTRE] : value[X_CORNER] + x / 2;
    g->origin[1] =
        (centre ? value[Y_CENTRE] : value[Y_CORNER] + y / 2) + (double)(info->height - 1) * y;
    g->placed = corner || centre;
}

/* ---- the format ------------------------------------------------------------------------------ */

static bool sniff(const unsigned char *bytes, size_t count)
{
    static const char mark[] = "\xef\xbb\xbf";
    size_t at =
        count > sizeof mark && memcmp(bytes, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0;
    char word[HALO_TEXT_WORD] = "";
    size_t length = 0;
    while (at < count && isspace(bytes[at])) {
        at++;
    }
    for (; at < count && length < sizeof word - 1 && (isalpha(bytes[at]) || bytes[at] == '_');
         at++) {
        word[length++] = (char)bytes[at];
    }
    return at < count && isblank(bytes[at]) &&
           (find_key(word) >= 0 || strcasecmp(word, "nodata_value") == 0);
}

static halo_status open_asc(halo_image_reader *reader)
{
    static const char standard[] = "-9999"; /* by Esri's definition */
    asc_head *head;
    halo_sample_type type;
    HALO_TRY(HALO_ALLOCATE(head, 1, "a reader of ASCII grids"));
    reader->state = head;
    HALO_TRY(find_type(reader, &type));
    HALO_TRY(halo_source_begin_text(&reader->source));
    HALO_TRY(read_head(reader, head));
    HALO_TRY(check_claim(reader, head));
    halo_image_set_samples(reader, type, 1);
    HALO_TRY(
        halo_image_set_size(reader, 0, (int64_t)head->value[ROWS], (int64_t)head->value[COLUMNS]));
    set_geometry(&reader->info, head);
    bool given = head->nodata[0] != '\0';
    halo_image_say_nodata_text(reader, given ? "NODATA_value" : "default of ASCII grids",
                               given ? head->nodata : standard);
    strcpy(reader->info.decoder, "text");
    return HALO_OK;
}

static halo_status next_sample(halo_image_reader *reader, int64_t row, unsigned char *out)
{
    asc_head *head = reader->state;
    bool there = head->word[0] != '\0' || halo_text_word(&reader->source, head->word);
    if (!there) {
        return halo_image_fail_ended(reader, row);
    }
    HALO_TRY(halo_text_sample(reader, head->word, row, out));
    head->word[0] = '\0';
    return HALO_OK;
}

static halo_status asc_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                            size_t pitch)
{
    size_t bytes = halo_sample_types[reader->samples.type].bytes;
    for (int64_t i = 0; i < rows; i++) {
        unsigned char *row = (unsigned char *)out + (size_t)i * pitch;
        for (int64_t x = 0; x < reader->info.width; x++) {
            HALO_TRY(next_sample(reader, first + i, row + (size_t)x * bytes));
        }
    }
    return HALO_OK;
}

/* More samples than the header tells of are those of another header, or have commas in them. */
static halo_status finish_asc(halo_image_reader *reader)
{
    char word[HALO_TEXT_WORD];
    bool more = halo_text_word(&reader->source, word);
    HALO_TRY(reader->source.status);
    return !more ? HALO_OK
                 : halo_fail(HALO_FORMAT,
                             "%s: \"%.40s\" follows the last of %" PRId64 " x %" PRId64
                             " samples; correct NCOLS and NROWS, and write numbers with a point",
                             reader->path, word, reader->info.width, reader->info.height);
}

static void close_asc(halo_image_reader *reader)
{
    free(reader->state);
}

const halo_image_format halo_image_asc = {.name = "ASCII grid",
                                          .listed = "ASCII grids",
                                          .sniff = sniff,
                                          .open = open_asc,
                                          .rows = asc_rows,
                                          .finish = finish_asc,
                                          .close = close_asc};
