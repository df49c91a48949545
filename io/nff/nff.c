#include "io/nff/nff.h"

#include "base/memory.h"
#include "base/scan.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *name, *at, *end;
    int64_t line;
    const char *line_start;
    const char *word;             /* where what is being read begins, */
    const char *word_start;       /* and its line, */
    int64_t word_line;            /* for messages */
    halo_buffer corners, normals; /* of a polygon */
    const halo_nff_sink *sink;
} reader;

static halo_status fail(const reader *r, const char *why)
{
    return halo_fail(HALO_FORMAT, "\"%.200s\", line %" PRId64 ", column %td: %s", r->name,
                     r->word_line, r->word - r->word_start + 1, why);
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* Pass over blanks and comments, up to the end of the line or, with `lines`, any number of ends. */
static void pass_blanks(reader *r, bool lines)
{
    while (r->at < r->end) {
        if (*r->at == '#') {
            while (r->at < r->end && *r->at != '\n') {
                r->at++;
            }
        } else if (*r->at == '\n' && lines) {
            r->line_start = ++r->at;
            r->line++;
        } else if (is_blank(*r->at)) {
            r->at++;
        } else {
            break;
        }
    }
    r->word = r->at;
    r->word_start = r->line_start;
    r->word_line = r->line;
}

static size_t word_length(const reader *r)
{
    const char *end = r->at;
    while (end < r->end && !is_blank(*end) && *end != '\n' && *end != '#') {
        end++;
    }
    return (size_t)(end - r->at);
}

static halo_status fail_word(const reader *r, const char *expected)
{
    enum { SHOWN = 40, WHY = 160 };
    char why[WHY], word[SHOWN + 1];
    size_t length = word_length(r);
    if (length == 0) {
        snprintf(why, sizeof why, "%s is expected, and there is nothing more", expected);
        return fail(r, why);
    }
    length = length < SHOWN ? length : SHOWN;
    memcpy(word, r->at, length);
    word[length] = '\0';
    snprintf(why, sizeof why, "%s is expected, not \"%s\"", expected, word);
    return fail(r, why);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits, a point and more digits: the number that they are without the point, and how many are
 * behind it. At most 15 digits are exact as a double, and so are powers of ten to 22; a quotient of
 * both is rounded as it must be (Clinger, "How to read floating point numbers accurately"). */
static bool scan_short(const char **text, double *out)
{
    enum { EXACT = 15 };
    static const double tens[EXACT + 1] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                           1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const char *at = *text;
    bool minus = *at == '-';
    at += minus;
    int64_t whole = 0;
    int digits = 0, behind = 0;
    for (; is_digit(*at) && digits < EXACT; at++, digits++) {
        whole = 10 * whole + (*at - '0');
    }
    if (*at == '.' && digits > 0) {
        for (at++; is_digit(*at) && digits < EXACT; at++, digits++, behind++) {
            whole = 10 * whole + (*at - '0');
        }
    }
    if (digits == 0 || is_digit(*at) || *at == '.' || *at == 'e' || *at == 'E' || *at == 'x' ||
        *at == 'X') {
        return false;
    }
    double value = (double)whole / tens[behind];
    *out = minus ? -value : value;
    *text = at;
    return true;
}

static halo_status read_number(reader *r, double *out)
{
    pass_blanks(r, true);
    const char *at = r->at;
    bool found = scan_short(&at, out) || halo_scan_number(&at, -HUGE_VAL, HUGE_VAL, out);
    if (!found || !isfinite(*out) || (size_t)(at - r->at) != word_length(r)) {
        return fail_word(r, "a number");
    }
    r->at = at;
    return HALO_OK;
}

static halo_status read_count(reader *r, int64_t min, const char *what, int64_t *out)
{
    pass_blanks(r, true);
    const char *at = r->at;
    if (!halo_scan_integer(&at, min, INT32_MAX, out) || (size_t)(at - r->at) != word_length(r)) {
        return fail_word(r, what);
    }
    r->at = at;
    return HALO_OK;
}

static halo_status read_vector(reader *r, halo_nff_vector *out)
{
    HALO_TRY(read_number(r, &out->x));
    HALO_TRY(read_number(r, &out->y));
    return read_number(r, &out->z);
}

/* ---- entities -------------------------------------------------------------------------------- */

/* A word that stands before numbers of the view. */
static halo_status read_name(reader *r, const char *name)
{
    enum { QUOTED = 32 };
    size_t length = strlen(name);
    pass_blanks(r, true);
    if (word_length(r) != length || strncmp(r->at, name, length) != 0) {
        char expected[QUOTED];
        snprintf(expected, sizeof expected, "\"%s\"", name);
        return fail_word(r, expected);
    }
    r->at += length;
    return HALO_OK;
}

static halo_status read_view(reader *r)
{
    halo_nff_view view;
    HALO_TRY(read_name(r, "from"));
    HALO_TRY(read_vector(r, &view.from));
    HALO_TRY(read_name(r, "at"));
    HALO_TRY(read_vector(r, &view.at));
    HALO_TRY(read_name(r, "up"));
    HALO_TRY(read_vector(r, &view.up));
    HALO_TRY(read_name(r, "angle"));
    HALO_TRY(read_number(r, &view.angle));
    HALO_TRY(read_name(r, "hither"));
    HALO_TRY(read_number(r, &view.hither));
    HALO_TRY(read_name(r, "resolution"));
    HALO_TRY(read_count(r, 1, "a number of pixels", &view.width));
    HALO_TRY(read_count(r, 1, "a number of pixels", &view.height));
    return r->sink->view(r->sink->context, &view);
}

static halo_status read_background(reader *r)
{
    halo_nff_vector colour;
    HALO_TRY(read_vector(r, &colour));
    return r->sink->background(r->sink->context, colour);
}

static halo_status read_light(reader *r)
{
    halo_nff_vector place, colour;
    HALO_TRY(read_vector(r, &place));
    pass_blanks(r, false);
    bool coloured = r->at < r->end && *r->at != '\n';
    HALO_TRY(coloured ? read_vector(r, &colour) : HALO_OK);
    return r->sink->light(r->sink->context, place, coloured ? &colour : NULL);
}

static halo_status read_surface(reader *r)
{
    halo_nff_surface s;
    double *const numbers[] = {&s.diffuse, &s.specular, &s.shine, &s.transmittance, &s.index};
    HALO_TRY(read_vector(r, &s.colour));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        HALO_TRY(read_number(r, numbers[i]));
    }
    return r->sink->surface(r->sink->context, &s);
}

static halo_status read_sphere(reader *r)
{
    halo_nff_vector centre;
    double radius;
    HALO_TRY(read_vector(r, &centre));
    HALO_TRY(read_number(r, &radius));
    return r->sink->sphere(r->sink->context, centre, radius);
}

static halo_status read_cone(reader *r)
{
    halo_nff_vector base, apex;
    double base_radius, apex_radius;
    HALO_TRY(read_vector(r, &base));
    HALO_TRY(read_number(r, &base_radius));
    HALO_TRY(read_vector(r, &apex));
    HALO_TRY(read_number(r, &apex_radius));
    return r->sink->cone(r->sink->context, base, base_radius, apex, apex_radius);
}

static halo_status read_corners(reader *r, bool has_normals)
{
    int64_t count;
    HALO_TRY(read_count(r, 1, "a number of corners", &count));
    r->corners.size = r->normals.size = 0;
    for (int64_t i = 0; i < count; i++) {
        halo_nff_vector v;
        HALO_TRY(read_vector(r, &v));
        HALO_TRY(halo_buffer_append(&r->corners, &v, sizeof v));
        if (has_normals) {
            HALO_TRY(read_vector(r, &v));
            HALO_TRY(halo_buffer_append(&r->normals, &v, sizeof v));
        }
    }
    return r->sink->polygon(r->sink->context, (const halo_nff_vector *)(void *)r->corners.data,
                            has_normals ? (const halo_nff_vector *)(void *)r->normals.data : NULL,
                            count);
}

static halo_status read_polygon(reader *r)
{
    return read_corners(r, false);
}

static halo_status read_patch(reader *r)
{
    return read_corners(r, true);
}

static const struct {
    const char *name;
    halo_status (*read)(reader *r);
} entities[] = {{"v", read_view},    {"b", read_background}, {"l", read_light},
                {"f", read_surface}, {"s", read_sphere},     {"c", read_cone},
                {"p", read_polygon}, {"pp", read_patch}};

enum { ENTITIES = sizeof entities / sizeof *entities };

/* ---- files ----------------------------------------------------------------------------------- */

static halo_status read_entity(reader *r)
{
    size_t length = word_length(r);
    int i = 0;
    while (i < ENTITIES &&
           (length != strlen(entities[i].name) || strncmp(r->at, entities[i].name, length) != 0)) {
        i++;
    }
    if (i == ENTITIES) {
        return fail_word(r, "v, b, l, f, s, c, p, pp or a comment");
    }
    reader begun = *r;
    if (r->sink->line != NULL) {
        *r->sink->line = r->word_line;
    }
    r->at += length;
    halo_status status = entities[i].read(r);
    if (status == HALO_ARGUMENT) { /* what the sink says is about all of it */
        char why[HALO_MESSAGE_SIZE];
        snprintf(why, sizeof why, "%s", halo_last_message());
        (void)fail(&begun, why);
        status = HALO_FORMAT;
    }
    return status;
}

halo_status halo_nff_parse(const char *name, const char *text, size_t bytes,
                           const halo_nff_sink *sink)
{
    reader r = {
        .name = name, .at = text, .end = text + bytes, .line = 1, .line_start = text, .sink = sink};
    halo_status status = HALO_OK;
    for (pass_blanks(&r, true); status == HALO_OK && r.at < r.end; pass_blanks(&r, true)) {
        status = read_entity(&r);
    }
    halo_buffer_free(&r.corners);
    halo_buffer_free(&r.normals);
    return status;
}
