#include "app/outputs.h"
#include "cli/bench/decomposition.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A script for gnuplot: data first, then what is drawn of it. */

enum {
    WIDTH = 1400,
    HEIGHT = 1100,
    MAX_NUMBERED = 256,
    MAX_DRAWN = 16384,
    SHADES = 5,
    COLOURS_SIZE = 2048
};

/* The colours of the first lines: shades of one for strips, of another for blocks. */
static const char *const shades[2][SHADES] = {
    {"#08306b", "#2f86d6", "#00897b", "#7e57c2", "#90a4ae"},
    {"#b33c00", "#ff9d2e", "#c2185b", "#8d6e63", "#c0a000"}};

/* No two lines have the same: behind the first ones, hues a golden angle apart, at three
 * lightnesses; blocks' are the darker ones. */
static void write_colour(int blocks, int number, char *text, size_t size)
{
    const double golden = 0.61803398874989485;
    if (number < SHADES) {
        snprintf(text, size, "%s ", shades[blocks][number]);
        return;
    }
    double hue = fmod(number * golden, 1) * 6, light = (blocks ? 120 : 200) + 15 * (number % 3);
    unsigned channel[3];
    for (int c = 0; c < 3; c++) {
        double away = fabs(fmod(hue - 2 * c + 9, 6) - 3); /* from this channel's own hue */
        channel[c] = (unsigned)(light * fmin(fmax(2 - away, 0), 1));
    }
    snprintf(text, size, "#%02x%02x%02x ", channel[0], channel[1], channel[2]);
}

/* Logarithmic, seconds with a prefix, and as many numbers of each decade as make a few of them. */
static void write_time_axis(FILE *to, double min, double max)
{
    fprintf(to,
            "set ylabel 'time per beat'\nset logscale xy\nset yrange [%.9g:%.9g]\n"
            "set ytics ('' 1e-12)\ndo for [e=-9:3] { do for [m in '%s'] {\n"
            "set ytics add (gprintf('%%.0s %%cs', m * 10.**e) m * 10.**e) } }\n",
            min / 1.3, max * 1.3,
            max < 10 * min    ? "1 2 3 4 5 7"
            : max < 100 * min ? "1 2 5"
                              : "1");
}

/* Widens the range of times; one that is not known is left out. */
static void widen(double seconds, double *min, double *max)
{
    if (isfinite(seconds)) {
        *min = fmin(*min, seconds);
        *max = fmax(*max, seconds);
    }
}

/* ---- time against ranks ---------------------------------------------------------------------- */

/* Cuts that make one line: the same shape, depth and mode, of the first size. */
static bool same_line(const bench_cut *a, const bench_cut *b)
{
    return a->size_number == 0 && b->size_number == 0 && a->depth_number == b->depth_number &&
           strcmp(a->setting.mode, b->setting.mode) == 0 && strcmp(a->shape, b->shape) == 0;
}

/* Is this cut the first of its line? */
static bool begins_line(const bench_cuts *all, int index)
{
    for (int i = 0; i < index; i++) {
        if (same_line(&all->cuts[i], &all->cuts[index])) {
            return false;
        }
    }
    return all->cuts[index].size_number == 0;
}

/* Each line is a block of data under its title: ranks, median, quartiles, prediction. */
static void write_lines(FILE *to, const bench_cuts *all, double *min, double *max)
{
    int lines[2] = {0, 0};
    char colours[COLOURS_SIZE] = "";
    fputs("$lines << EOD\n", to);
    for (int first = 0; first < all->count; first++) {
        const bench_cut *line = &all->cuts[first];
        if (!begins_line(all, first)) {
            continue;
        }
        int blocks = strcmp(line->shape, "blocks") == 0;
        size_t used = strlen(colours);
        write_colour(blocks, lines[blocks]++, colours + used, sizeof colours - used);
        fprintf(to, "\"%s, depth %d, %s\"\n", line->shape, line->setting.depth, line->setting.mode);
        for (int i = first; i < all->count; i++) {
            const bench_cut *cut = &all->cuts[i];
            if (same_line(cut, line)) {
                const halo_sample_spread *spread = &cut->item->spread;
                fprintf(to, "%d %.9g %.9g %.9g %.9g\n", cut->item->ranks, spread->median,
                        spread->low, spread->high, cut->predicted.seconds);
                widen(spread->low, min, max);
                widen(spread->high, min, max);
                widen(cut->predicted.seconds, min, max);
            }
        }
        fputs("\n\n", to);
    }
    fprintf(to, "EOD\ncolours = '%s'\n", colours);
}

static void write_measured(FILE *to, const bench_cuts *all)
{
    const bench_numbers *ranks = &all->arguments->ranks;
    double min = INFINITY, max = 0, min_ranks = INFINITY, max_ranks = 0;
    write_lines(to, all, &min, &max);
    write_time_axis(to, min, max);
    for (int r = 0; r < ranks->count; r++) {
        fprintf(to, "set xtics %s (%d)\n", r > 0 ? "add" : "", ranks->numbers[r]);
        widen(ranks->numbers[r], &min_ranks, &max_ranks);
    }
    /* Points of one number of ranks stand beside each other. */
    fprintf(to,
            "set title '%s, %s cells: measured (median, quartiles), and predicted (x)'\n"
            "set xrange [%g:%g]\n"
            "beside(i) = 1.03**(i - 1)\n"
            "plot for [i=1:words(colours)] $lines index i-1 using ($1*beside(i)):2:3:4"
            " with yerrorbars pt 3+i ps 1.4 lw 2 lc rgb word(colours, i) title columnheader(1),"
            " for [i=1:words(colours)] $lines index i-1 using ($1*beside(i)):5"
            " with linespoints pt 2 ps 0.8 lw 1.5 dt i lc rgb word(colours, i) notitle\n",
            all->cuts[0].kernel, all->cuts[0].size, .85 * min_ranks, 1.3 * max_ranks);
}

/* ---- many ranks ------------------------------------------------------------------------------ */

static void write_outlook(FILE *to, const bench_outlook *outlook)
{
    if (!outlook->known) {
        fputs("set title 'no prediction: it takes measurements of 2 ranks'\n"
              "unset logscale\nunset key\nset xrange [0:1]\nset yrange [0:1]\nplot NaN\n",
              to);
        return;
    }
    double min = INFINITY, max = 0;
    fputs("$outlook << EOD\n", to);
    for (int e = 0; e <= BENCH_MAX_EXPONENT; e++) {
        const bench_forecast *at = &outlook->at[e];
        fprintf(to, "%d %.9g %.9g\n", at->ranks, at->strips_seconds, at->blocks_seconds);
        widen(at->strips_seconds, &min, &max);
        widen(at->blocks_seconds, &min, &max);
    }
    fputs("EOD\n", to);
    write_time_axis(to, min, max);
    if (outlook->crossing > 0) {
        fprintf(to,
                "set arrow 1 from %" PRId64 ", graph 0 to %" PRId64 ", graph 1 nohead dt 2 lw 1.5\n"
                "set label 1 ' blocks win from %" PRId64 " ranks on' at %" PRId64 ", graph 0.95\n",
                outlook->crossing, outlook->crossing, outlook->crossing, outlook->crossing);
    }
    fprintf(
        to,
        "set title 'predicted with the figures measured here, depth %d'\n"
        "set xrange [1:2**%d]\nset xtics ('1' 1, '16' 16, '256' 256, '4 Ki' 4096, '64 Ki' 65536,"
        " '1 Mi' 2**20)\n"
        "plot $outlook using 1:2 with linespoints pt 5 ps 0.6 lw 2 lc rgb '%s' title 'strips',"
        " $outlook using 1:3 with linespoints pt 7 ps 0.6 lw 2 lc rgb '%s' title 'blocks'\n"
        "unset arrow 1\nunset label 1\n",
        outlook->depth, BENCH_MAX_EXPONENT, shades[0][0], shades[1][0]);
}

/* ---- who owns what --------------------------------------------------------------------------- */

/* A part's face on the first two axes: its box, its colour and its number. Going down a part adds 2
 * to the colour's number and going right 1, so that no neighbours, diagonal ones included, have the
 * same. */
static void write_part(FILE *to, const halo_partition *partition, int part, bool numbered)
{
    static const char *const colours[] = {"0x8dd3c7", "0xffffb3", "0xbebada",
                                          "0xfb8072", "0x80b1d3", "0xfdb462"};
    halo_box box = halo_partition_box(partition, part);
    int place[HALO_AXES];
    halo_partition_place(partition, part, place);
    if (box.lo[2] == 0 && halo_box_cells(&box) > 0) {
        fprintf(to, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %s ", box.lo[1],
                box.lo[1] + box.n[1], box.lo[0], box.lo[0] + box.n[0],
                colours[(place[0] * 2 + place[1]) % 6]);
        fprintf(to, numbered ? "%d\n" : "''\n", part);
    }
}

/* The first of most ranks, of this shape. */
static halo_status write_map(FILE *to, const bench_cuts *all, const char *shape)
{
    const bench_cut *found = NULL;
    for (int i = 0; i < all->count; i++) {
        const bench_cut *cut = &all->cuts[i];
        if (cut->size_number == 0 && strcmp(cut->shape, shape) == 0 &&
            (found == NULL || cut->item->ranks > found->item->ranks)) {
            found = cut;
        }
    }
    if (found == NULL) {
        fprintf(to, "set title 'no %s were measured'\nplot [0:1] [0:1] NaN\n", shape);
        return HALO_OK;
    }
    const bench_setting *setting = &found->setting;
    halo_partition partition;
    HALO_TRY(halo_partition_blocks(&partition, &setting->domain, setting->parts));
    int parts = halo_partition_parts(&partition);
    fprintf(to, "$%s << EOD\n", shape);
    for (int part = 0; part < parts && part < MAX_DRAWN; part++) {
        write_part(to, &partition, part, parts <= MAX_NUMBERED);
    }
    halo_partition_free(&partition);
    fprintf(to,
            "EOD\nset title 'who owns what: %d ranks, %s %s%s'\n"
            "plot [0:%" PRId64 "] [%" PRId64 ":0]"
            " $%s using (($1+$2)/2):(($3+$4)/2):1:2:3:4:5 with boxxyerror lc rgb variable,"
            " $%s using (($1+$2)/2):(($3+$4)/2):1:2:3:4 with boxxyerror fs empty lc rgb '#404040',"
            " $%s using (($1+$2)/2):(($3+$4)/2):6 with labels\n",
            found->item->ranks, shape, found->parts,
            setting->parts[2] > 1 ? " (the foremost of the third axis)" : "", setting->domain.n[1],
            setting->domain.n[0], shape, shape, shape);
    return HALO_OK;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static halo_status write_script(FILE *to, const void *context)
{
    const bench_cuts *all = context;
    fputs("set encoding utf8\nset multiplot layout 2,2\nset grid\nset xlabel 'ranks'\n"
          "set key tmargin center horizontal\n",
          to);
    write_measured(to, all);
    write_outlook(to, &all->outlook[0]);
    fputs("unset logscale\nunset key\nunset grid\nset format '%g'\nset tics autofreq\n"
          "set style fill solid\nset size ratio -1\nset xlabel 'cells along the second axis'\n"
          "set ylabel 'cells along the first axis'\n",
          to);
    HALO_TRY(write_map(to, all, "strips"));
    HALO_TRY(write_map(to, all, "blocks"));
    fputs("unset multiplot\n", to);
    return HALO_OK;
}

halo_status bench_cuts_draw(const bench_cuts *all)
{
    return app_write_plot(all->arguments->run, all->arguments->plot, WIDTH, HEIGHT, write_script,
                          all);
}
