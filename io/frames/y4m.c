#include "io/frames/frames_internal.h"

#include "base/scan.h"

#include <inttypes.h>
#include <string.h>

/* The first line of YUV4MPEG2: words behind blanks, each a letter and its value. */

/* Colours: how many pixels of luma there are to one of colour. */
typedef struct {
    const char *name;
    int planes, across, down;
    const char *sites; /* words behind the name that say where pixels of colour lie: "|a|b|" */
} colours;

static const colours table[] = {{"420", 3, 2, 2, "||jpeg|mpeg2|paldv|"},
                                {"422", 3, 2, 1, "||"},
                                {"444", 3, 1, 1, "||"},
                                {"411", 3, 4, 1, "||"},
                                {"mono", 1, 1, 1, "||"}};

enum { KINDS = sizeof table / sizeof table[0], NAME = 32, LEAST_BITS = 9, MOST_BITS = 16 };

static bool is_site(const colours *kind, const char *text)
{
    char word[NAME];
    size_t length = strlen(text);
    if (length + 3 > sizeof word) {
        return false;
    }
    word[0] = '|';
    memcpy(word + 1, text, length);
    memcpy(word + 1 + length, "|", 2);
    return strstr(kind->sites, word) != NULL;
}

/* Bits behind the name: p10 behind 420, 10 behind mono. 0: the text is something else. */
static int64_t bits_of(const colours *kind, const char *text)
{
    int64_t bits = 0;
    if (is_site(kind, text)) {
        return 8;
    }
    if (kind->planes > 1 && *text++ != 'p') {
        return 0;
    }
    bool good = halo_scan_integer(&text, LEAST_BITS, MOST_BITS, &bits) && *text == '\0';
    return good ? bits : 0;
}

static halo_status find_colours(const char *text, const colours **kind, int64_t *bits)
{
    *bits = 0;
    for (int i = 0; i < KINDS && *bits == 0; i++) {
        size_t length = strlen(table[i].name);
        *kind = &table[i];
        *bits = strncmp(text, table[i].name, length) == 0 ? bits_of(&table[i], text + length) : 0;
    }
    return HALO_REQUIRE(*bits > 0, HALO_FORMAT,
                        "standard input: its colours are C%.40s, and 420, 422, 444, 411 and mono, "
                        "of 8 to 16 bits, can be read; choose one of them (ffmpeg -pix_fmt "
                        "yuv420p)",
                        text);
}

static void lay(const colours *kind, int64_t bits, const int64_t size[2], halo_frame_layout *layout)
{
    halo_frame_layout sizes = {.planes = kind->planes, .maximum = (INT64_C(1) << bits) - 1};
    for (int i = 0; i < kind->planes; i++) {
        int across = i > 0 ? kind->across : 1, down = i > 0 ? kind->down : 1;
        sizes.plane[i].width = (size[0] + across - 1) / across;
        sizes.plane[i].height = (size[1] + down - 1) / down;
    }
    *layout =
        halo_frame_layout_of(HALO_FRAMES_Y4M, bits > 8 ? HALO_SAMPLE_U16 : HALO_SAMPLE_U8, &sizes);
}

halo_status frames_parse_y4m(const char *header, halo_frame_layout *layout)
{
    int64_t size[2] = {0, 0}, bits;
    char colour[HALO_FRAME_LINE] = "420";
    const colours *kind;
    for (const char *at = strchr(header, ' '); at != NULL; at = strchr(at, ' ')) {
        at += strspn(at, " ");
        size_t length = strcspn(at, " ");
        const char *value = at + 1;
        if (*at == 'W' || *at == 'H') {
            (void)halo_scan_integer(&value, 1, FRAMES_LONGEST_SIDE, &size[*at == 'H']);
        } else if (*at == 'C') {
            memcpy(colour, value, length - 1);
            colour[length - 1] = '\0';
        }
    }
    HALO_FAIL_IF(size[0] < 1 || size[1] < 1, HALO_FORMAT,
                 "standard input: the header of YUV4MPEG2 has no width W and height H above 0: "
                 "\"%.100s\"",
                 header);
    HALO_TRY(find_colours(colour, &kind, &bits));
    lay(kind, bits, size, layout);
    return HALO_OK;
}
