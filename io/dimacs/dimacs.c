#include "io/dimacs/dimacs.h"

#include "base/memory.h"
#include "base/names.h"
#include "base/printable.h"
#include "base/scan.h"
#include "io/source/source.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct halo_dimacs {
    halo_source source;
    halo_buffer cut; /* a line of which the source had only the beginning */
    int64_t line;
    int64_t vertices, declared; /* of line p: vertices, arcs; -1 arcs before it */
    int64_t count;              /* arcs that have been read */
    halo_dimacs_arc *arcs;
};

typedef halo_dimacs reader;

/* ---- lines ----------------------------------------------------------------------------------- */

/* The next line, up to its line feed, which is always there: that of a line in two pieces, and of
 * the last one, may be added. NULL at the end, or after a failure in *status. */
static const char *next_line(reader *r, const char **end, halo_status *status)
{
    halo_source *source = &r->source;
    const unsigned char *bytes;
    r->cut.size = 0;
    while (halo_source_next(source) >= 0) {
        size_t there = (size_t)(source->end - source->at);
        const unsigned char *feed = memchr(source->at, '\n', there);
        size_t length = feed != NULL ? (size_t)(feed - source->at) + 1 : there;
        halo_source_take(source, length, &bytes);
        if (feed != NULL && r->cut.size == 0) {
            *end = (const char *)feed;
            return (const char *)bytes;
        }
        *status = halo_buffer_append(&r->cut, bytes, length);
        if (*status != HALO_OK || feed != NULL) {
            break;
        }
    }
    *status = halo_status_first(*status, source->status);
    if (*status != HALO_OK || r->cut.size == 0) {
        return NULL;
    }
    if (r->cut.data[r->cut.size - 1] != '\n') {
        *status = halo_buffer_append(&r->cut, "\n", 1);
    }
    *end = (const char *)r->cut.data + r->cut.size - 1;
    return *status == HALO_OK ? (const char *)r->cut.data : NULL;
}

static halo_status refuse(const reader *r, const char *line, const char *end, const char *why)
{
    enum { SHOWN = 60 };
    char shown[SHOWN + 1];
    size_t length = (size_t)(end - line);
    length = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
    length = length < SHOWN ? length : SHOWN;
    memcpy(shown, line, length);
    shown[length] = '\0';
    for (size_t i = 0; i < length; i++) {
        shown[i] = shown[i] == '\0' ? '?' : shown[i];
    }
    halo_make_printable(shown);
    return halo_fail(HALO_FORMAT, "\"%.200s\", line %" PRId64 ", \"%s\": %s", r->source.name,
                     r->line, shown, why);
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void pass_blanks(const char **at)
{
    while (is_blank(**at)) {
        (*at)++;
    }
}

static bool ends_line(const char **at)
{
    pass_blanks(at);
    *at += **at == '\r';
    return **at == '\n';
}

/* A whole number of at most 18 digits, and what stands behind it left where it is. */
static inline bool take_integer(const char **at, int64_t *out)
{
    enum { MOST_DIGITS = 18, DECIMAL = 10 };
    pass_blanks(at);
    const char *from = *at;
    int64_t number = 0;
    while (**at >= '0' && **at <= '9' && *at - from < MOST_DIGITS) {
        number = number * DECIMAL + (**at - '0');
        (*at)++;
    }
    *out = number;
    return *at > from && !(**at >= '0' && **at <= '9');
}

static bool at_word_end(const char *at)
{
    return is_blank(*at) || *at == '\r' || *at == '\n';
}

/* Nearly all weights are whole numbers. */
static bool take_weight(const char **at, double *out)
{
    static const int64_t exact = INT64_C(1) << 53;
    const char *begin = *at;
    int64_t whole;
    if (take_integer(at, &whole) && at_word_end(*at) && whole <= exact) {
        *out = (double)whole;
        return true;
    }
    *at = begin;
    pass_blanks(at);
    return halo_scan_number(at, -DBL_MAX, DBL_MAX, out) && at_word_end(*at);
}

/* ---- what lines say -------------------------------------------------------------------------- */

/* A file of this size cannot have more arcs: no memory is asked for then. */
static int64_t most_arcs(const reader *r)
{
    enum { SHORTEST = 7 /* "a 1 1 1" */, PACKED = 1100 /* gzip makes no more of a byte */ };
    int64_t times = halo_source_packed(&r->source) ? PACKED : 1;
    return (r->source.size < INT64_MAX / PACKED ? r->source.size * times : r->source.size) /
           SHORTEST;
}

static halo_status take_problem(reader *r, const char *line, const char *end)
{
    const char *at = line + 1;
    pass_blanks(&at);
    if (r->declared >= 0) {
        return refuse(r, line, end, "there is a second line p; leave out one");
    }
    if (at[0] != 's' || at[1] != 'p' || !is_blank(at[2])) {
        return refuse(r, line, end, "a graph for shortest paths begins with p sp VERTICES ARCS");
    }
    at += 2;
    if (!take_integer(&at, &r->vertices) || !take_integer(&at, &r->declared) || !ends_line(&at)) {
        return refuse(r, line, end, "the line is to say p sp VERTICES ARCS, two whole numbers");
    }
    if (r->vertices > INT32_MAX) {
        return refuse(r, line, end, "a graph can have 2147483647 vertices");
    }
    if (r->declared > most_arcs(r)) {
        return refuse(r, line, end,
                      "the file is too short for that many arcs; it is cut off, or "
                      "the number is wrong");
    }
    return HALO_OK;
}

/* Why is this no arc? */
static halo_status refuse_arc(const reader *r, const char *line, const char *end)
{
    enum { WHY = 200 };
    char why[WHY];
    int64_t ends[2];
    double weight;
    const char *at = line + 1;
    if (!take_integer(&at, &ends[0]) || !take_integer(&at, &ends[1]) ||
        !take_weight(&at, &weight) || !ends_line(&at)) {
        return refuse(r, line, end, "an arc is a TAIL HEAD WEIGHT, two vertices and a number");
    }
    if (weight < 0) {
        return refuse(r, line, end,
                      "the weight is negative; shortest paths are found for weights of 0 or more");
    }
    snprintf(why, sizeof why,
             "there is no vertex %" PRId64 "; line p says that they are 1 to %" PRId64,
             ends[0] < 1 || ends[0] > r->vertices ? ends[0] : ends[1], r->vertices);
    return refuse(r, line, end, why);
}

static halo_status take_arc(reader *r, const char *line, const char *end)
{
    int64_t ends[2];
    double weight;
    const char *at = line + 1;
    if (r->declared < 0) {
        return refuse(r, line, end, "an arc stands before the line p sp VERTICES ARCS");
    }
    bool good = is_blank(*at) && take_integer(&at, &ends[0]) && is_blank(*at) &&
                take_integer(&at, &ends[1]) && is_blank(*at) && take_weight(&at, &weight) &&
                ends_line(&at);
    if (!good || ends[0] < 1 || ends[0] > r->vertices || ends[1] < 1 || ends[1] > r->vertices ||
        weight < 0) {
        return refuse_arc(r, line, end);
    }
    if (r->count == r->declared) {
        char why[100];
        snprintf(why, sizeof why, "there are more arcs than the %" PRId64 " of line p; correct it",
                 r->declared);
        return refuse(r, line, end, why);
    }
    r->arcs[r->count++] = (halo_dimacs_arc){(int32_t)(ends[0] - 1), (int32_t)(ends[1] - 1), weight};
    return HALO_OK;
}

static halo_status take_line(reader *r, const char *line, const char *end)
{
    const char *at = line;
    switch (*line) {
    case 'a':
        return take_arc(r, line, end);
    case 'c':
        return HALO_OK;
    case 'p':
        return take_problem(r, line, end);
    default:
        return ends_line(&at)
                   ? HALO_OK
                   : refuse(r, line, end,
                            "a line begins with c (a comment), p (the size) or a (an arc)");
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

static halo_status check_end(const reader *r)
{
    return r->count == r->declared
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "\"%.200s\" has %" PRId64 " arcs, and its line p says %" PRId64
                           "; it is cut off, or the line is wrong",
                           r->source.name, r->count, r->declared);
}

/* Up to line p, or, behind it, to the end of the file. */
static halo_status read_lines(reader *r, bool head)
{
    halo_status status = HALO_OK;
    const char *end, *line;
    while (status == HALO_OK && !(head && r->declared >= 0) &&
           (line = next_line(r, &end, &status)) != NULL) {
        r->line++;
        status = take_line(r, line, end);
    }
    return status;
}

static halo_status open_head(reader *r)
{
    HALO_TRY(read_lines(r, true));
    return r->declared >= 0
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "\"%.200s\" has no line p sp VERTICES ARCS; it is no graph in the "
                           "DIMACS format, or is cut off",
                           r->source.name);
}

bool halo_dimacs_is_one(const char *path)
{
    return halo_name_ends(path, ".gr") || halo_name_ends(path, ".gr.gz");
}

halo_status halo_dimacs_open(halo_dimacs **out, const char *path, const char *text, size_t bytes)
{
    *out = NULL;
    reader *r;
    HALO_TRY(HALO_ALLOCATE(r, 1, "a reader of graphs"));
    r->declared = -1;
    halo_status status = halo_source_open(&r->source, path, text, bytes, false);
    if (status == HALO_OK) {
        status = halo_source_begin_text(&r->source);
    }
    if (status == HALO_OK) {
        status = open_head(r);
    }
    if (status != HALO_OK) {
        halo_dimacs_close(&r);
    }
    *out = r;
    return status;
}

void halo_dimacs_close(halo_dimacs **file)
{
    if (*file != NULL) {
        halo_source_close(&(*file)->source);
        halo_buffer_free(&(*file)->cut);
        halo_memory_free((*file)->arcs);
        free(*file);
        *file = NULL;
    }
}

int64_t halo_dimacs_vertices(const halo_dimacs *file)
{
    return file->vertices;
}

int64_t halo_dimacs_arcs(const halo_dimacs *file)
{
    return file->declared;
}

halo_status halo_dimacs_read(halo_dimacs *file, halo_dimacs_graph *graph)
{
    *graph = (halo_dimacs_graph){.vertices = file->vertices};
    HALO_TRY(HALO_ALLOCATE_LARGE(file->arcs, file->declared, "%" PRId64 " arcs of \"%.200s\"",
                                 file->declared, file->source.name));
    HALO_TRY(read_lines(file, false));
    HALO_TRY(check_end(file));
    graph->count = file->count;
    graph->arcs = file->arcs;
    file->arcs = NULL;
    return HALO_OK;
}
