#include "core/world/slowdown.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/scan.h"
#include "base/text.h"
#include "core/world/clock.h"
#include "core/world/simulated_compute.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From `since` on, a beat or a second, `rank` is `value` times as slow or has that load. */
typedef struct {
    int rank;
    double since;
    double value;
    long line; /* of its trace */
} spell;

/* In the order of ranks, then of time; no two of the same rank and time. */
typedef struct {
    spell *spells;
    size_t count, capacity;
} spell_table;

struct halo_slowdown {
    spell_table slow;  /* since beats */
    spell_table loads; /* since seconds */
};

/* A beat must be exact in a double. */
static const int64_t MAX_BEAT = (int64_t)1 << 53;

enum { SHOWN = 60 }; /* bytes of a bad line */

static const double MAX_FACTOR = 1e6, MAX_SECONDS = 1e12;

halo_status halo_slowdown_create(halo_slowdown **out)
{
    return HALO_ALLOCATE(*out, 1, "a list of slow ranks");
}

void halo_slowdown_destroy(halo_slowdown **slowdown)
{
    if (*slowdown != NULL) {
        free((*slowdown)->slow.spells);
        free((*slowdown)->loads.spells);
        free(*slowdown);
        *slowdown = NULL;
    }
}

/* Return the number of spells of the table that begin at that time of that rank, or before it. */
static size_t count_until(const spell_table *table, int rank, double time)
{
    size_t lo = 0, hi = table->count;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        const spell *s = &table->spells[middle];
        if (s->rank < rank || (s->rank == rank && s->since <= time)) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo;
}

/* The spell that a rank is in at that time, or NULL. */
static spell *find_spell(const spell_table *table, int rank, double time)
{
    size_t until = count_until(table, rank, time);
    return until > 0 && table->spells[until - 1].rank == rank ? &table->spells[until - 1] : NULL;
}

static halo_status reserve(spell_table *table, size_t more)
{
    if (table->capacity - table->count >= more) {
        return HALO_OK;
    }
    size_t capacity = 2 * table->capacity + more;
    spell *larger = realloc(table->spells, capacity * sizeof *larger);
    if (larger == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: %zu slow ranks and loads", capacity);
    }
    table->spells = larger;
    table->capacity = capacity;
    return HALO_OK;
}

static halo_status insert_spell(spell_table *table, spell new)
{
    spell *same = find_spell(table, new.rank, new.since);
    if (same != NULL && same->since >= new.since) {
        same->value = new.value;
        return HALO_OK;
    }
    HALO_TRY(reserve(table, 1));
    size_t place = count_until(table, new.rank, new.since);
    memmove(&table->spells[place + 1], &table->spells[place],
            (table->count - place) * sizeof *table->spells);
    table->spells[place] = new;
    table->count++;
    return HALO_OK;
}

halo_status halo_slowdown_add(halo_slowdown *slowdown, const char *text)
{
    int64_t rank = 0, beat = 0;
    double factor = 1;
    const char *at = text;
    bool good = halo_scan_integer(&at, 0, INT_MAX, &rank) && *at++ == ':' &&
                halo_scan_number(&at, 1, MAX_FACTOR, &factor);
    if (good && *at == '@') {
        at++;
        good = halo_scan_integer(&at, 0, MAX_BEAT, &beat);
    }
    if (!good || *at != '\0') {
        return halo_fail(
            HALO_ARGUMENT,
            "\"%.100s\" names no slow rank; give RANK:FACTOR or RANK:FACTOR@BEAT, such "
            "as 1:3 or 1:2.5@100, with a factor from 1 to %.0f",
            text, MAX_FACTOR);
    }
    return insert_spell(&slowdown->slow,
                        (spell){.rank = (int)rank, .since = (double)beat, .value = factor});
}

/* One file being read. */
typedef struct {
    const char *path;
    long line;
    spell_table found; /* in the order of lines */
} trace_reader;

static void pass_blanks(const char **text)
{
    *text += strspn(*text, " \t\r\n\v\f");
}

/* Numbers are parted by blanks; a comment may follow at once. */
static bool ends_number(char c)
{
    return c == '\0' || c == '#' || isspace((unsigned char)c);
}

static halo_status read_line(trace_reader *reader, const char *line, size_t length)
{
    const char *at = line;
    pass_blanks(&at);
    if (strlen(line) == length && (*at == '\0' || *at == '#')) {
        return HALO_OK;
    }
    spell new = {.line = reader->line};
    int64_t rank = 0;
    bool good = halo_scan_number(&at, 0, MAX_SECONDS, &new.since) && ends_number(*at);
    pass_blanks(&at);
    good = good && halo_scan_integer(&at, 0, INT_MAX, &rank) && ends_number(*at);
    pass_blanks(&at);
    good = good && halo_scan_number(&at, 0, MAX_FACTOR - 1, &new.value) && ends_number(*at);
    pass_blanks(&at);
    if (!good || (*at != '\0' && *at != '#') || strlen(line) != length) {
        return halo_fail(HALO_FORMAT,
                         "%s, line %ld: \"%.*s\" is no load; write SECONDS RANK LOAD, such as "
                         "2.5 0 1, with numbers from 0 on and a load below %.0f",
                         reader->path, reader->line, (int)halo_min((int64_t)strlen(line), SHOWN),
                         line, MAX_FACTOR);
    }
    new.rank = (int)rank;
    HALO_TRY(reserve(&reader->found, 1));
    reader->found.spells[reader->found.count++] = new;
    return HALO_OK;
}

static halo_status read_lines(trace_reader *reader, FILE *file)
{
    halo_text_lines lines = {.file = file, .name = reader->path};
    bool more = true;
    halo_status status;
    while ((status = halo_text_next_line(&lines, &more)) == HALO_OK && more) {
        reader->line = (long)lines.number;
        status = read_line(reader, lines.line, lines.length);
        if (status != HALO_OK) {
            break;
        }
    }
    halo_text_free(&lines);
    return status;
}

static int order_spells(const void *a, const void *b)
{
    const spell *x = a, *y = b;
    if (x->rank != y->rank) {
        return x->rank < y->rank ? -1 : 1;
    }
    return (x->line > y->line) - (x->line < y->line);
}

/* Do the loads, in the order of ranks and lines, go with each other and with the earlier ones? */
static halo_status check_order(const trace_reader *reader, const spell_table *earlier)
{
    for (size_t i = 0; i < reader->found.count; i++) {
        const spell *new = &reader->found.spells[i];
        if (find_spell(earlier, new->rank, MAX_SECONDS) != NULL) {
            return halo_fail(HALO_FORMAT,
                             "%s, line %ld: rank %d has loads from another trace; bring the two "
                             "together in one",
                             reader->path, new->line, new->rank);
        }
        if (i > 0 && new[-1].rank == new->rank &&new[-1].since >= new->since) {
            return halo_fail(HALO_FORMAT,
                             "%s, line %ld: second %g of rank %d comes after second %g in line "
                             "%ld; sort each rank's lines by ascending seconds",
                             reader->path, new->line, new->since, new->rank, new[-1].since,
                             new[-1].line);
        }
    }
    return HALO_OK;
}

static halo_status take_loads(trace_reader *reader, spell_table *loads)
{
    spell_table *found = &reader->found;
    if (found->count == 0) {
        return halo_fail(HALO_FORMAT,
                         "%s has no loads; a line of a trace is SECONDS RANK LOAD, such as 2.5 0 1",
                         reader->path);
    }
    qsort(found->spells, found->count, sizeof *found->spells, order_spells);
    HALO_TRY(check_order(reader, loads));
    HALO_TRY(reserve(loads, found->count));
    memcpy(loads->spells + loads->count, found->spells, found->count * sizeof *found->spells);
    loads->count += found->count;
    qsort(loads->spells, loads->count, sizeof *loads->spells, order_spells);
    return HALO_OK;
}

halo_status halo_slowdown_read_trace(halo_slowdown *slowdown, const char *path)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return halo_fail(HALO_FILE, "cannot read %s: %s", path, strerror(errno));
    }
    trace_reader reader = {.path = path};
    halo_status status = read_lines(&reader, file);
    fclose(file);
    if (status == HALO_OK) {
        status = take_loads(&reader, &slowdown->loads);
    }
    free(reader.found.spells);
    return status;
}

static int last_rank(const spell_table *table)
{
    return table->count > 0 ? table->spells[table->count - 1].rank : -1;
}

int halo_slowdown_last_rank(const halo_slowdown *slowdown)
{
    int slow = last_rank(&slowdown->slow), loaded = last_rank(&slowdown->loads);
    return slow > loaded ? slow : loaded;
}

double halo_slowdown_factor(const halo_slowdown *slowdown, int rank, int64_t beat, double seconds)
{
    if (slowdown == NULL) {
        return 1;
    }
    const spell *slow = find_spell(&slowdown->slow, rank, (double)beat);
    const spell *load = find_spell(&slowdown->loads, rank, seconds);
    return (slow != NULL ? slow->value : 1) * (1 + (load != NULL ? load->value : 0));
}

#ifdef HALOBEAT_SIMGRID

/* No virtual time passes while a program computes: a loop until it has would never end. */
void halo_slowdown_inject(double seconds)
{
    halo_simulated_compute_seconds(seconds);
}

#else

enum { ROUNDS_BETWEEN_LOOKS = 200 }; /* at the clock: some tenths of a microsecond */

void halo_slowdown_inject(double seconds)
{
    double begun = seconds > 0 ? halo_seconds() : 0;
    volatile uint64_t kept = 1; /* or the compiler would see that it is to no purpose */
    while (seconds > 0 && halo_seconds() - begun < seconds) {
        uint64_t value = kept;
        for (int i = 0; i < ROUNDS_BETWEEN_LOOKS; i++) {
            value = value * 6364136223846793005U + 1442695040888963407U;
        }
        kept = value;
    }
}

#endif
