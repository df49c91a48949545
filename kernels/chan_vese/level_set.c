#include "kernels/chan_vese/level_set.h"

#include "base/scan.h"

#include <math.h>
#include <string.h>

enum { WORD = 64 };

static int64_t words_of(const halo_view *cells)
{
    return (cells->owned.n[1] + WORD - 1) / WORD;
}

static void clear_row(const halo_view *cells, int64_t y)
{
    memset(halo_row(cells, y), 0, (size_t)words_of(cells) * sizeof(uint64_t));
}

/* Pixels first to last of a row are inside. */
static void fill(uint64_t *row, int64_t first, int64_t last)
{
    for (int64_t word = first / WORD; first <= last && word <= last / WORD; word++) {
        int64_t lo = first - word * WORD, hi = last - word * WORD;
        uint64_t from = lo > 0 ? ~UINT64_C(0) << lo : ~UINT64_C(0);
        uint64_t to = hi < WORD - 1 ? (UINT64_C(2) << hi) - 1 : ~UINT64_C(0);
        row[word] |= from & to;
    }
}

void halo_chan_vese_checkerboard(const halo_view *cells, int64_t square)
{
    const halo_box *owned = &cells->owned;
    int64_t width = owned->n[1];
    for (int64_t y = 0; y < owned->n[0]; y++) {
        clear_row(cells, y);
        int64_t odd = (owned->lo[0] + y) / square % 2;
        for (int64_t first = odd != 0 ? 0 : square; first < width; first += 2 * square) {
            int64_t end = width - first < square ? width : first + square;
            fill(halo_row(cells, y), first, end - 1);
        }
    }
}

static bool is_in_disk(double dy, double column, int64_t x, double radius)
{
    double dx = (double)x - column;
    return radius - sqrt(dy * dy + dx * dx) > 0;
}

/* The first of `count` pixels, going `step` by step from `from`, that is not in the disk: distances
 * grow along the way. */
static int64_t leave_disk(double dy, double column, int64_t from, int64_t step, int64_t count,
                          double radius)
{
    int64_t in = 0, out = count; /* is in; is not, or is beyond the row */
    while (out - in > 1) {
        int64_t middle = in + (out - in) / 2;
        if (is_in_disk(dy, column, from + step * middle, radius)) {
            in = middle;
        } else {
            out = middle;
        }
    }
    return from + step * out;
}

void halo_chan_vese_disk(const halo_view *cells, double row, double column, double radius)
{
    const halo_box *owned = &cells->owned;
    int64_t width = owned->n[1];
    double nearest = fmin(fmax(rint(column), 0), (double)(width - 1));
    int64_t centre = (int64_t)nearest;
    for (int64_t y = 0; y < owned->n[0]; y++) {
        double dy = (double)(owned->lo[0] + y) - row;
        clear_row(cells, y);
        if (is_in_disk(dy, column, centre, radius)) {
            int64_t first = leave_disk(dy, column, centre, -1, centre + 1, radius) + 1;
            int64_t last = leave_disk(dy, column, centre, 1, width - centre, radius) - 1;
            fill(halo_row(cells, y), first, last);
        }
    }
}

void halo_chan_vese_binary(const halo_view *cells, int64_t row, const double *samples)
{
    uint64_t *bits = halo_row(cells, row);
    clear_row(cells, row);
    for (int64_t x = 0; x < cells->owned.n[1]; x++) {
        bool inside = samples[x] < 0 || samples[x] > 0;
        bits[x / WORD] |= (uint64_t)inside << x % WORD;
    }
}

/* ---- the first level set of a run ------------------------------------------------------------ */

static const double FARTHEST = 1e9; /* pixels, of a disk's centre and edge */

/* Returns what follows NAME or NAME:, or NULL if the text does not begin so. */
static const char *find_behind(const char *text, const char *name)
{
    size_t length = strlen(name);
    if (strncmp(text, name, length) != 0 || (text[length] != '\0' && text[length] != ':')) {
        return NULL;
    }
    return text + length + (text[length] == ':');
}

/* "X,Y,R" */
static bool scan_disk(const char *text, halo_chan_vese_start *into)
{
    into->placed = true;
    return halo_scan_number(&text, -FARTHEST, FARTHEST, &into->column) && *text++ == ',' &&
           halo_scan_number(&text, -FARTHEST, FARTHEST, &into->row) && *text++ == ',' &&
           halo_scan_number(&text, 0, FARTHEST, &into->radius) && *text == '\0' && into->radius > 0;
}

halo_status halo_chan_vese_parse_start(const char *text, void *into)
{
    halo_chan_vese_start *start = into;
    const char *square = find_behind(text, "checkerboard"), *disk = find_behind(text, "disk");
    bool sized = strchr(text, ':') != NULL;
    *start = (halo_chan_vese_start){.shape = disk != NULL ? HALO_CHAN_VESE_DISK
                                                          : HALO_CHAN_VESE_CHECKERBOARD};
    bool good = square != NULL
                    ? !sized || (halo_scan_integer(&square, 1, INT32_MAX, &start->square) &&
                                 *square == '\0')
                    : disk != NULL && (!sized || scan_disk(disk, start));
    return good ? HALO_OK : HALO_ARGUMENT;
}

halo_chan_vese_start halo_chan_vese_complete(const halo_chan_vese_start *start, const int64_t *n)
{
    enum { SQUARE = 5 };
    halo_chan_vese_start complete = *start;
    complete.square = start->square > 0 ? start->square : SQUARE;
    if (!start->placed) {
        const int64_t middle[] = {n[0] / 2, n[1] / 2}; /* whole numbers, as in scikit-image */
        complete.row = (double)middle[0];
        complete.column = (double)middle[1];
        complete.radius = (double)(n[0] < n[1] ? n[0] : n[1]) * 3.0 / 8.0;
    }
    return complete;
}

void halo_chan_vese_fill(const halo_view *cells, const halo_chan_vese_start *start,
                         const int64_t *n)
{
    const halo_chan_vese_start full = halo_chan_vese_complete(start, n);
    if (full.shape == HALO_CHAN_VESE_DISK) {
        halo_chan_vese_disk(cells, full.row, full.column, full.radius);
    } else {
        halo_chan_vese_checkerboard(cells, full.square);
    }
}
