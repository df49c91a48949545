#include "io/canvas/terminal.h"
#include "support/images.h"
#include "support/unit_check.h"

enum { SIDE = 24 }; /* pixels, at most */

/* A terminal's screen: the colours of the upper and the lower half of each character. */
typedef struct {
    int colours[2]; /* being used, as numbers or 0xRRGGBB; -1: the terminal's own */
    int shown[SIDE][SIDE];
    int columns[SIDE / 2]; /* of each line */
    int lines;
} terminal;

/* An escape code. Returns what follows it, or NULL for one that is not known. */
static const char *obey(terminal *seen, const char *code)
{
    int target, number, colour[3], length = 0;
    if (strncmp(code, "\033[0m", 4) == 0) {
        seen->colours[0] = seen->colours[1] = -1;
        return code + 4;
    }
    if (sscanf(code, "\033[%d;5;%dm%n", &target, &number, &length) == 2 && length > 0) {
        seen->colours[target == 48] = number;
    } else if (sscanf(code, "\033[%d;2;%d;%d;%dm%n", &target, &colour[0], &colour[1], &colour[2],
                      &length) == 4 &&
               length > 0) {
        seen->colours[target == 48] = colour[0] << 16 | colour[1] << 8 | colour[2];
    }
    return length > 0 && (target == 38 || target == 48) ? code + length : NULL;
}

/* One character in colours. Returns what follows it, or NULL for one that should not be there. */
static const char *show(terminal *seen, const char *text)
{
    if (seen->lines >= SIDE / 2 || seen->columns[seen->lines] >= SIDE) {
        return NULL;
    }
    int upper = 1;
    size_t length = 1;
    if (strncmp(text, "▀", strlen("▀")) == 0) {
        upper = 0;
        length = strlen("▀");
    } else if (text[0] != ' ') {
        return NULL;
    }
    int column = seen->columns[seen->lines]++;
    seen->shown[(size_t)2 * (size_t)seen->lines][column] = seen->colours[upper];
    seen->shown[(size_t)2 * (size_t)seen->lines + 1][column] = seen->colours[1];
    return text + length;
}

static bool watch(terminal *seen, const char *text)
{
    memset(seen, 0, sizeof *seen);
    seen->colours[0] = seen->colours[1] = -1;
    while (text != NULL && *text != '\0') {
        if (*text == '\n') {
            /* The rest of the screen keeps its own colours. */
            if (seen->colours[0] != -1 || seen->colours[1] != -1) {
                return false;
            }
            seen->lines++;
            text++;
        } else {
            text = *text == '\033' ? obey(seen, text) : show(seen, text);
        }
    }
    return text != NULL;
}

static char *text_of(halo_buffer *out, const halo_overview *overview)
{
    out->size = 0;
    SUCCEEDS(halo_overview_draw(out, overview));
    SUCCEEDS(halo_buffer_append(out, "", 1));
    return (char *)out->data;
}

static int distance(const unsigned char *a, int red, int green, int blue)
{
    return (a[0] - red) * (a[0] - red) + (a[1] - green) * (a[1] - green) +
           (a[2] - blue) * (a[2] - blue);
}

/* How far one of xterm's colours 16 to 255 is from another colour. */
static int distance_to_256(const unsigned char *colour, int number)
{
    static const int steps[6] = {0, 95, 135, 175, 215, 255};
    if (number >= 232) {
        int grey = 8 + 10 * (number - 232);
        return distance(colour, grey, grey, grey);
    }
    number -= 16;
    return distance(colour, steps[number / 36], steps[number / 6 % 6], steps[number % 6]);
}

static bool right_colour(const halo_overview *overview, int level, int shown)
{
    const unsigned char *colour = overview->palette + (size_t)3 * (size_t)level;
    if (overview->colours == HALO_OVERVIEW_COLOURS_TRUE) {
        return shown == (colour[0] << 16 | colour[1] << 8 | colour[2]);
    }
    if (shown < 16 || shown > 255) {
        return false;
    }
    for (int number = 16; number < 256; number++) {
        if (distance_to_256(colour, number) < distance_to_256(colour, shown)) {
            return false;
        }
    }
    return true;
}

static void check_colours(halo_buffer *out, const halo_overview *overview)
{
    terminal seen;
    const char *text = text_of(out, overview);
    if (!check(watch(&seen, text), "not understood: %.300s", text)) {
        return;
    }
    CU_ASSERT_EQUAL(seen.lines, (overview->rows + 1) / 2);
    for (int row = 0; row < 2 * seen.lines; row++) {
        CU_ASSERT_EQUAL(seen.columns[row / 2], overview->columns);
        for (int column = 0; column < overview->columns; column++) {
            int level =
                row < overview->rows ? overview->levels[row * overview->columns + column] : 0;
            check(right_colour(overview, level, seen.shown[row][column]),
                  "row %d column %d: level %d, shown as %x", row, column, level,
                  (unsigned)seen.shown[row][column]);
        }
    }
}

TEST("colours as a terminal shows them")
{
    uint64_t state = 4;
    halo_buffer out = {0};
    unsigned char levels[SIDE * SIDE], palette[768];
    for (int i = 0; i < 300; i++) {
        for (size_t j = 0; j < sizeof palette; j++) {
            palette[j] = (unsigned char)random_below(&state, 256);
        }
        int64_t different = 1 + random_below(&state, 255);
        for (size_t j = 0; j < sizeof levels; j++) {
            levels[j] = (unsigned char)random_below(&state, different);
        }
        const halo_overview overview = {
            (int)random_below(&state, SIDE + 1), (int)random_below(&state, SIDE + 1), levels,
            i % 2 == 0 ? HALO_OVERVIEW_COLOURS_256 : HALO_OVERVIEW_COLOURS_TRUE, palette};
        check_colours(&out, &overview);
    }
    halo_buffer_free(&out);
}

/* Cells of one pixel each are told exactly, without colours too. */
TEST("cells without colours")
{
    static const unsigned char levels[] = {
        0,   255, 0,   255, 0, /* */
        0,   0,   255, 255, 0, /* */
        255, 255, 255, 0,   0, /* */
    };
    halo_buffer out = {0};
    const halo_overview overview = {5, 3, levels, HALO_OVERVIEW_COLOURS_NONE, NULL};
    CU_ASSERT_STRING_EQUAL(text_of(&out, &overview), " ▀▄█ \n▀▀▀  \n");
    halo_buffer_free(&out);
}

TEST("shades")
{
    static const char *const shades[] = {"░", "▒", "▓", "█"};
    halo_buffer out = {0};
    int last = 0;
    for (int level = 0; level < 256; level++) {
        const unsigned char pair[2] = {(unsigned char)level, (unsigned char)level};
        const halo_overview both = {1, 2, pair, HALO_OVERVIEW_COLOURS_NONE, NULL};
        const char *text = text_of(&out, &both);
        int shade = 0;
        while (shade < 4 && strncmp(text, shades[shade], strlen(shades[shade])) != 0) {
            shade++;
        }
        /* Darkness is a space, anything else a shade, and brighter is no lighter. */
        check(level == 0 ? strcmp(text, " \n") == 0 : shade < 4 && shade >= last, "level %d: %s",
              level, text);
        last = level == 0 ? 0 : shade;
    }
    CU_ASSERT_EQUAL(last, 3);
    for (int level = 1; level < 256; level++) {
        const unsigned char pairs[4] = {(unsigned char)level, 0, 0, (unsigned char)level};
        const halo_overview one = {2, 2, pairs, HALO_OVERVIEW_COLOURS_NONE, NULL};
        const char *text = text_of(&out, &one);
        check(strchr(text, ' ') == NULL, "level %d beside nothing: %s", level, text);
    }
    halo_buffer_free(&out);
}

/* Escape codes only where a colour changes. */
TEST("no escape code in vain")
{
    static const unsigned char levels[8] = {0, 0, 1, 0, 0, 0, 0, 0};
    static const unsigned char palette[6] = {1, 2, 3, 4, 5, 6};
    halo_buffer out = {0};
    const halo_overview overview = {4, 2, levels, HALO_OVERVIEW_COLOURS_TRUE, palette};
    CU_ASSERT_STRING_EQUAL(text_of(&out, &overview),
                           "\033[48;2;1;2;3m  \033[38;2;4;5;6m▀ \033[0m\n");
    halo_buffer_free(&out);
}

TEST("what terminals can do")
{
    static const struct {
        const char *colorterm, *term, *no_color;
        halo_overview_colours colours;
    } cases[] = {
        {NULL, NULL, NULL, HALO_OVERVIEW_COLOURS_NONE},
        {"truecolor", NULL, NULL, HALO_OVERVIEW_COLOURS_NONE},
        {"truecolor", "dumb", NULL, HALO_OVERVIEW_COLOURS_NONE},
        {NULL, "vt100", NULL, HALO_OVERVIEW_COLOURS_NONE},
        {"", "linux", "", HALO_OVERVIEW_COLOURS_NONE},
        {NULL, "xterm-256color", NULL, HALO_OVERVIEW_COLOURS_256},
        {"yes", "screen-256color", "", HALO_OVERVIEW_COLOURS_256},
        {"truecolor", "xterm-256color", NULL, HALO_OVERVIEW_COLOURS_TRUE},
        {"24bit", "xterm", "", HALO_OVERVIEW_COLOURS_TRUE},
        {NULL, "xterm-direct", NULL, HALO_OVERVIEW_COLOURS_TRUE},
        {"truecolor", "xterm-256color", "1", HALO_OVERVIEW_COLOURS_NONE},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        check(halo_overview_colours_of(cases[i].colorterm, cases[i].term, cases[i].no_color) ==
                  cases[i].colours,
              "terminal %zu", i);
    }
}
