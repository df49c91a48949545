#include "base/names.h"
#include "io/cells/cells_internal.h"
#include "io/image/image_internal.h"
#include "io/image/other_formats.h"

#include <string.h>
#include <strings.h>

typedef struct {
    const char *bytes;
    size_t length;
    halo_cells_format format;
    const char *refused; /* what it is, if it cannot be read */
    const char *remedy;
} magic;

/* First words of texts, in any case. */
static const magic TEXTS[] = {
    {"#Life 1.05", 10, HALO_CELLS_LIFE105, NULL, NULL},
    {"#Life1.05", 9, HALO_CELLS_LIFE105, NULL, NULL},
    {"#Life 1.06", 10, HALO_CELLS_LIFE106, NULL, NULL},
    {"#Life1.06", 9, HALO_CELLS_LIFE106, NULL, NULL},
    {"[M2]", 4, HALO_CELLS_MACROCELL, NULL, NULL},
    {"#MCell", 6, HALO_CELLS_FORMATS, "an MCell file", "open it in Golly and save it as RLE"},
};

static const struct {
    const char *ending;
    halo_cells_format format;
} ENDINGS[] = {
    {".rle", HALO_CELLS_RLE},
    {".cells", HALO_CELLS_CELLS},
    {".lif", HALO_CELLS_LIFE105},
    {".life", HALO_CELLS_LIFE105},
};

halo_cells_format halo_cells_format_of(const char *path)
{
    static const char zipped[] = ".gz";
    size_t length = strlen(path) - (halo_name_ends(path, zipped) ? strlen(zipped) : 0);
    for (size_t i = 0; i < sizeof ENDINGS / sizeof ENDINGS[0]; i++) {
        const char *ending = ENDINGS[i].ending;
        if (halo_name_ends_by(path, length, ending, strlen(ending))) {
            return ENDINGS[i].format;
        }
    }
    return HALO_CELLS_FORMATS;
}

static bool begins(const unsigned char *bytes, size_t count, const magic *entry)
{
    return count >= entry->length &&
           strncasecmp((const char *)bytes, entry->bytes, entry->length) == 0;
}

static bool is_blank_line(const unsigned char *line, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (!halo_cells_is_blank(line[i])) {
            return false;
        }
    }
    return true;
}

/* The first line that is not empty and no comment of RLE's; NULL if there is none. */
static const unsigned char *first_line(const unsigned char *text, size_t bytes, size_t *length)
{
    while (bytes > 0) {
        const unsigned char *feed = memchr(text, '\n', bytes);
        *length = feed == NULL ? bytes : (size_t)(feed - text);
        if (text[0] != '#' && !is_blank_line(text, *length)) {
            return text;
        }
        size_t passed = feed == NULL ? bytes : *length + 1;
        text += passed;
        bytes -= passed;
    }
    return NULL;
}

static bool consists_of(const unsigned char *line, size_t length, const char *letters)
{
    for (size_t i = 0; i < length; i++) {
        if (line[i] == 0 || strchr(letters, line[i]) == NULL) {
            return false;
        }
    }
    return true;
}

/* A text without a format's name in it, by its first line; `format` is what the name's ending says
 * (HALO_CELLS_FORMATS for nothing) and stays if it may well be so. False if it looks like no cells
 * at all. */
static bool sniff_text(const unsigned char *text, size_t bytes, halo_cells_format *format)
{
    size_t length = 0;
    const unsigned char *line = first_line(text, bytes, &length);
    while (line != NULL && halo_cells_is_blank(*line)) { /* its line is not blank */
        line++;
        length--;
    }
    bool headed = line != NULL && (line[0] == 'x' || line[0] == 'X') && length > 1 &&
                  strchr(" \t=", line[1]) != NULL;
    if (headed) {
        *format = HALO_CELLS_RLE;
    } else if (bytes > 0 && text[0] == '!') {
        *format = *format == HALO_CELLS_RLE ? HALO_CELLS_RLE : HALO_CELLS_CELLS;
    }
    if (*format != HALO_CELLS_FORMATS) {
        return true;
    }
    if (line == NULL) {
        return false;
    }
    /* .cells and RLE share dots; the others are RLE's alone. */
    *format = consists_of(line, length, ".O* \t\r") ? HALO_CELLS_CELLS : HALO_CELLS_RLE;
    return *format == HALO_CELLS_CELLS ||
           consists_of(line, length, "0123456789.bo$! \t\rABCDEFGHIJKLMNOPQRSTUVWXpqrstuvwxy");
}

static halo_status refuse(const halo_source *source, const magic *entry)
{
    return halo_fail(HALO_FORMAT, "%s: is %s, which cannot be read; %s", source->name,
                     entry->refused, entry->remedy);
}

/* A text is read as one from here on. */
static halo_status sniff_as_text(halo_source *source, halo_cells_format *format)
{
    HALO_TRY(halo_source_begin_text(source));
    size_t bytes = (size_t)(source->end - source->at);
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        if (begins(source->at, bytes, &TEXTS[i])) {
            *format = TEXTS[i].format;
            return TEXTS[i].refused == NULL ? HALO_OK : refuse(source, &TEXTS[i]);
        }
    }
    if (sniff_text(source->at, bytes, format)) {
        return HALO_OK;
    }
    char images[HALO_IMAGE_LIST];
    halo_image_formats(images);
    return halo_fail(HALO_FORMAT,
                     "%s: holds no cells in a format that can be read: RLE, .cells, Life 1.05 "
                     "(\"#Life 1.05\"), Life 1.06 (\"#Life 1.06\"), macrocell (\"[M2]\"), %s",
                     source->name, images);
}

/* True if the first bytes are letters, blanks and the like, as those of patterns are. */
static bool begins_as_text(const unsigned char *bytes, size_t count)
{
    enum { FIRST = 4 };
    for (size_t i = 0; i < count && i < FIRST; i++) {
        if (!halo_cells_is_blank(bytes[i]) && bytes[i] != '\n' &&
            (bytes[i] < ' ' || bytes[i] > '~')) {
            return false;
        }
    }
    return true;
}

/* A pattern whose name says so may begin like an image or another file that is a text: "P4", "BM".
 * Two letters are enough for a file that is none. */
halo_status halo_cells_sniff(halo_source *source, halo_cells_format *format)
{
    size_t bytes = halo_source_peek(source);
    HALO_TRY(source->status);
    *format = halo_cells_format_of(source->name);
    bool text = begins_as_text(source->at, bytes);
    if (text && *format != HALO_CELLS_FORMATS) {
        return sniff_as_text(source, format);
    }
    if (halo_image_sniff(source->at, bytes) != NULL) {
        *format = HALO_CELLS_IMAGE;
        return HALO_OK;
    }
    const halo_other_format *other = halo_find_other_format(source->at, bytes);
    bool sure =
        other != NULL && (other->count > 2 || !text || memchr(source->at, 0, bytes) != NULL);
    return sure ? halo_fail(HALO_FORMAT, "%s: looks like %s, which cannot be read; %s",
                            source->name, other->name, other->remedy)
                : sniff_as_text(source, format);
}
