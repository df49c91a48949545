#include "base/scan.h"
#include "io/cells/cells_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { COMMENT_BYTES = 4096 }; /* how much of a comment is looked at */

static const char *skip_blanks(const char *text)
{
    while (halo_cells_is_blank((unsigned char)*text)) {
        text++;
    }
    return text;
}

/* A whole number with or without a sign; *text is then behind it. */
static bool scan(const char **text, int64_t min, int64_t max, int64_t *number)
{
    *text += **text == '+' && (*text)[1] != '-';
    return halo_scan_integer(text, min, max, number);
}

/* "1,2" or "1 2" with blanks anywhere. */
static bool scan_place(halo_cells_info *info, const char *text)
{
    const int64_t far = HALO_CELLS_PLACE_LIMIT;
    int64_t x = 0, y = 0;
    text = skip_blanks(text);
    if (!scan(&text, -far, far, &x)) {
        return false;
    }
    text = skip_blanks(text);
    text += *text == ',';
    text = skip_blanks(text);
    if (!scan(&text, -far, far, &y)) {
        return false;
    }
    info->x = x;
    info->y = y;
    info->placed = true;
    return true;
}

/* Golly's line about the pattern: "#CXRLE Pos=-12,7 Gen=100", either or both. */
static halo_status read_extended(halo_cells_reader *reader, const char *line)
{
    const char *place = strstr(line, "Pos=");
    if (place != NULL && !scan_place(&reader->info, place + 4)) {
        return halo_cells_fail_at(&reader->source,
                                  "\"Pos=\" is not followed by two numbers with a comma between "
                                  "them, from -2^61 to 2^61");
    }
    const char *generation = strstr(line, "Gen=");
    if (generation != NULL) {
        generation += 4;
        if (!halo_cells_scan_generation(&generation, &reader->info)) {
            return halo_cells_fail_at(&reader->source,
                                      "\"Gen=\" is not followed by a number of 1 to %d digits",
                                      HALO_CELLS_GENERATION);
        }
    }
    return HALO_OK;
}

/* A line that begins with #. Other programs' lines tell the place (#P, #R) and the rule (#r) in
 * ways that are also used for remarks: what does not look like it is passed over. */
static halo_status read_comment(halo_cells_reader *reader)
{
    char line[COMMENT_BYTES];
    size_t length = halo_cells_take_line(&reader->source, line, sizeof line);
    if (strncmp(line, "#CXRLE", 6) == 0) {
        HALO_TRY(read_extended(reader, line));
    } else if (strncmp(line, "#P", 2) == 0 || strncmp(line, "#R", 2) == 0) {
        scan_place(&reader->info, line + 2);
    } else if (strncmp(line, "#r", 2) == 0) {
        HALO_TRY(halo_cells_set_rule(reader, line + 2, length - 2));
    }
    halo_cells_skip_line(&reader->source);
    return reader->source.status;
}

/* `text`, and the blanks around it; a letter in either case. */
static halo_status expect(halo_source *source, const char *text, const char *allowed)
{
    halo_cells_skip_blanks(source);
    for (; *text != 0; text++) {
        int byte = halo_source_next(source);
        if (byte != *text && byte != *text - 'a' + 'A') {
            return halo_cells_fail_here(source, allowed);
        }
        source->at++;
    }
    halo_cells_skip_blanks(source);
    return HALO_OK;
}

static halo_status read_size(halo_source *source, const char *name, const char *what,
                             const char *allowed, int64_t *size)
{
    HALO_TRY(expect(source, name, allowed));
    HALO_TRY(expect(source, "=", "="));
    HALO_TRY(halo_cells_take_number(source, what, false, HALO_CELLS_AXIS_LIMIT, size));
    halo_cells_skip_blanks(source);
    return HALO_OK;
}

/* Without what other programs write behind it, as in "rule = B3/S23, author = someone". */
static size_t rule_length(const char *rule, size_t length)
{
    const char *at = memchr(rule, '=', length);
    size_t before = at != NULL ? (size_t)(at - rule) : 0;
    while (before > 0 && halo_cells_is_blank((unsigned char)rule[before - 1])) {
        before--;
    }
    while (before > 0 && isalpha((unsigned char)rule[before - 1])) {
        before--;
    }
    while (before > 0 && halo_cells_is_blank((unsigned char)rule[before - 1])) {
        before--;
    }
    return before > 0 && rule[before - 1] == ',' ? before - 1 : length;
}

static halo_status read_rule(halo_cells_reader *reader)
{
    halo_source *source = &reader->source;
    char rule[HALO_CELLS_RULE_BYTES + 1];
    HALO_TRY(expect(source, "rule", "\"rule = \" or the end of the line"));
    HALO_TRY(expect(source, "=", "="));
    size_t length = halo_cells_take_line(source, rule, sizeof rule);
    return halo_cells_set_rule(reader, rule, rule_length(rule, length));
}

/* A comma, as a rule; some write a semicolon, or only a blank. */
static void skip_separator(halo_source *source)
{
    halo_cells_skip_blanks(source);
    int byte = halo_source_next(source);
    if (byte == ',' || byte == ';') {
        source->at++;
        halo_cells_skip_blanks(source);
    }
}

/* "x = WIDTH, y = HEIGHT, rule = RULE": the rule is all the rest, since some have commas. */
static halo_status read_header(halo_cells_reader *reader, halo_cells_rle_state *rle)
{
    halo_source *source = &reader->source;
    HALO_TRY(read_size(source, "x", "the width", "x", &rle->declared_width));
    skip_separator(source);
    HALO_TRY(read_size(source, "y", "the height", "\"y = HEIGHT\"", &rle->declared_height));
    skip_separator(source);
    int byte = halo_source_next(source);
    if (byte >= 0 && byte != '\n') {
        HALO_TRY(read_rule(reader));
    }
    return halo_cells_end_line(source, "\"rule = RULE\", or the end of the line,");
}

/* An x may also begin a state: xA to xX, the letter right behind it. */
static bool is_header(const halo_source *source)
{
    const unsigned char *next = source->at + 1;
    return (*source->at == 'x' || *source->at == 'X') &&
           (next == source->end || halo_cells_is_blank(*next) || *next == '=');
}

halo_status halo_cells_rle_head(halo_cells_reader *reader, halo_cells_rle_state *rle)
{
    halo_source *source = &reader->source;
    for (;;) {
        halo_cells_skip_blanks(source);
        int byte = halo_source_next(source);
        if (byte == '#') {
            HALO_TRY(read_comment(reader));
        } else if (byte == '\n') {
            halo_source_end_line(source);
        } else if (byte >= 0 && is_header(source)) {
            return read_header(reader, rle);
        } else {
            return source->status;
        }
    }
}
