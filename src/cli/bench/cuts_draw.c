#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cli/bench/cuts.h"
#include "io/plot/plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1400, HEIGHT = 1050, MOST_NUMBERED = 256, MOST_DRAWN = 16384 };

/* Points of one number of ranks stand beside each other, this share of it apart. */
static const double BESIDE = .025;

static const char *const STRIPS_COLOUR = "#0060ad", *const BLOCKS_COLOUR = "#dd7700";

/* ---- time against ranks ---------------------------------------------------------------------- */

/* Cuts that make one line: the same shape, depth and mode, of the first size. */
static bool same_line(const bench_cut *a, const bench_cut *b)
{
    return a->size == 0 && b->size == 0 && a->setting.depth == b->setting.depth &&
           strcmp(a->setting.mode, b->setting.mode) == 0 &&
           strcmp(bench_cuts_shape(a->setting.parts), bench_cuts_shape(b->setting.parts)) == 0;
}

/* Is this cut the first of its line? */
static bool begins_line(const bench_cuts *all, int index)
{
    for (int i = 0; i < index; i++) {
        if (same_line(all->cuts[i], all->cuts[index])) {
            return false;
        }
    }
    return all->cuts[index]->size == 0;
}

/* Columns: ranks, median, quartiles, prediction; in microseconds. */
static void write_line_data(FILE *to, const bench_cuts *all, int first)
{
    fprintf(to, "$line%d << EOD\n", first);
    for (int i = first; i < all->count; i++) {
        const bench_cut *cut = all->cuts[i];
        if (same_line(cut, all->cuts[first])) {
            const halo_sample_spread *spread = &all->list.items[cut->item].spread;
            fprintf(to, "%d %.9g %.9g %.9g ", cut->ranks, 1e6 * spread->median, 1e6 * spread->low,
                    1e6 * spread->high);
            fprintf(to, cut->modelled ? "%.9g\n" : "NaN\n", 1e6 * cut->predicted.seconds);
        }
    }
    fputs("EOD\n", to);
}

static void write_measured(FILE *to, const bench_cuts *all)
{
    char size[BENCH_PARTS_SIZE];
    bench_cuts_size(&all->cuts[0]->setting.domain, size);
    for (int i = 0; i < all->count; i++) {
        if (begins_line(all, i)) {
            write_line_data(to, all, i);
        }
    }
    fprintf(to,
            "set title '%s, %s cells: measured (median, quartiles), and predicted (x)'\n"
            "set xlabel 'ranks'\nset ylabel 'microseconds a beat'\nset logscale xy 2\n"
            "set logscale y 10\nset grid\nset key outside bottom horizontal\n"
            "set offsets graph 0.05, graph 0.05, 0, 0\nplot ",
            all->arguments->subject->name, size);
    int lines = 0;
    for (int i = 0; i < all->count; i++) {
        const bench_cut *cut = all->cuts[i];
        if (!begins_line(all, i)) {
            continue;
        }
        const char *shape = bench_cuts_shape(cut->setting.parts);
        const char *colour = strcmp(shape, "strips") == 0 ? STRIPS_COLOUR : BLOCKS_COLOUR;
        fprintf(
            to,
            "%s$line%d using ($1*%g):2:3:4 with yerrorbars pt %d ps 1.4 lw 2 lc rgb '%s' "
            "title '%s, depth %d, %s', $line%d using ($1*%g):5 with linespoints pt 2 ps 0.8 lw 1.5 "
            "dt %d lc rgb '%s' notitle",
            lines > 0 ? ", \\\n  " : "", i, 1 + BESIDE * lines, 4 + lines, colour, shape,
            cut->setting.depth, cut->setting.mode, i, 1 + BESIDE * lines, 1 + lines / 2 % 5,
            colour);
        lines++;
    }
    fputs("\nunset logscale\nset offsets\n", to);
}

/* ---- many ranks ------------------------------------------------------------------------------ */

static void write_outlook(FILE *to, const bench_outlook *outlook)
{
    if (!outlook->known) {
        fputs("set title 'no prediction: it takes measurements of 2 ranks'\n"
              "unset key\nset xrange [0:1]\nset yrange [0:1]\nplot NaN notitle\nreset\n",
              to);
        return;
    }
    fputs("$outlook << EOD\n", to);
    for (int e = 0; e <= BENCH_MOST_EXPONENT; e++) {
        const double seconds[] = {outlook->at[e].strips_seconds, outlook->at[e].blocks_seconds};
        fprintf(to, "%d", 1 << e);
        for (int i = 0; i < 2; i++) {
            fprintf(to, isfinite(seconds[i]) ? " %.9g" : " NaN", 1e6 * seconds[i]);
        }
        fputs("\n", to);
    }
    fprintf(to,
            "EOD\nset title 'predicted with the figures measured here, depth %d'\n"
            "set xlabel 'ranks'\nset ylabel 'microseconds a beat'\nset logscale x 2\n"
            "set logscale y 10\nset format x '2^%%L'\nset grid\n"
            "set key outside bottom horizontal\n",
            outlook->depth);
    if (outlook->crossing > 0) {
        fprintf(to,
                "set arrow 1 from first %" PRId64 ", graph 0 to first %" PRId64
                ", graph 1 nohead dt 2 lw 1.5\n"
                "set label 1 ' blocks win from %" PRId64 " ranks on' at first %" PRId64
                ", graph 0.95\n",
                outlook->crossing, outlook->crossing, outlook->crossing, outlook->crossing);
    }
    fprintf(to,
            "plot $outlook using 1:2 with linespoints pt 5 ps 0.6 lw 2 lc rgb '%s' title 'strips', "
            "$outlook using 1:3 with linespoints pt 7 ps 0.6 lw 2 lc rgb '%s' title 'blocks'\n"
            "unset arrow 1\nunset label 1\nunset logscale\nset format x\n",
            STRIPS_COLOUR, BLOCKS_COLOUR);
}

/* ---- who owns what --------------------------------------------------------------------------- */

/* The first of most ranks, of this shape; -1 if there is none. */
static int find_map(const bench_cuts *all, const char *shape)
{
    int found = -1;
    for (int i = 0; i < all->count; i++) {
        const bench_cut *cut = all->cuts[i];
        if (cut->size == 0 && strcmp(bench_cuts_shape(cut->setting.parts), shape) == 0 &&
            (found < 0 || cut->ranks > all->cuts[found]->ranks)) {
            found = i;
        }
    }
    return found;
}

/* A part's face on the first two axes, neighbours in different colours. */
static void write_part(FILE *to, const halo_partition *partition, int part, bool numbered)
{
    static const char *const colours[] = {"#8dd3c7", "#ffffb3", "#bebada",
                                          "#fb8072", "#80b1d3", "#fdb462"};
    halo_box box = halo_partition_box(partition, part);
    int place[HALO_AXES];
    halo_partition_place(partition, part, place);
    if (box.lo[2] != 0 || halo_box_cells(&box) == 0) {
        return;
    }
    fprintf(to,
            "set object %d rectangle from %" PRId64 ",%" PRId64 " to %" PRId64 ",%" PRId64
            " fillcolor rgb '%s' fillstyle solid border rgb '#404040'\n",
            part + 1, box.lo[1], box.lo[0], box.lo[1] + box.n[1], box.lo[0] + box.n[0],
            colours[(place[0] * 2 + place[1]) % 6]);
    if (numbered) {
        fprintf(to, "set label %d '%d' at %.9g,%.9g center front\n", part + 1, part,
                (double)box.lo[1] + (double)box.n[1] / 2, (double)box.lo[0] + (double)box.n[0] / 2);
    }
}

static halo_status write_map(FILE *to, const bench_cuts *all, const char *shape)
{
    int index = find_map(all, shape);
    fputs("unset key\nunset grid\nset xlabel 'cells along the second axis'\n"
          "set ylabel 'cells along the first axis'\n",
          to);
    if (index < 0) {
        fprintf(to,
                "set title 'no %s were measured'\nset xrange [0:1]\nset yrange [0:1]\n"
                "plot NaN notitle\n",
                shape);
        return HALO_OK;
    }
    const bench_cut *cut = all->cuts[index];
    halo_partition partition;
    HALO_TRY(halo_partition_blocks(&partition, &cut->setting.domain, cut->setting.parts));
    int parts = halo_partition_parts(&partition);
    for (int part = 0; part < parts && part < MOST_DRAWN; part++) {
        write_part(to, &partition, part, parts <= MOST_NUMBERED);
    }
    char text[BENCH_PARTS_SIZE];
    bench_cuts_parts(cut->setting.parts, cut->setting.domain.axes, text);
    fprintf(to,
            "set title 'who owns what: %d ranks, %s %s%s'\nset xrange [0:%" PRId64
            "]\nset yrange [%" PRId64 ":0]\nset size ratio -1\nplot NaN notitle\n"
            "set size noratio\nset autoscale\nunset object\nunset label\n",
            cut->ranks, shape, text,
            cut->setting.parts[2] > 1 ? " (the foremost of the third axis)" : "",
            cut->setting.domain.n[1], cut->setting.domain.n[0]);
    halo_partition_free(&partition);
    return HALO_OK;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static halo_status write_script(FILE *to, const bench_cuts *all)
{
    fputs("set multiplot layout 2,2\n", to);
    write_measured(to, all);
    write_outlook(to, &all->outlook[0]);
    HALO_TRY(write_map(to, all, "strips"));
    HALO_TRY(write_map(to, all, "blocks"));
    fputs("unset multiplot\n", to);
    return HALO_OK;
}

halo_status bench_cuts_draw(const bench_cuts *all)
{
    char *script = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&script, &length);
    halo_status status = to != NULL ? write_script(to, all) : HALO_OK;
    bool whole = to != NULL && ferror(to) == 0;
    whole = to != NULL && fclose(to) == 0 && whole;
    if (status == HALO_OK) {
        status = whole ? halo_plot_draw(all->arguments->plot, WIDTH, HEIGHT, script, length)
                       : halo_fail(HALO_MEMORY, "out of memory: what gnuplot is to draw");
    }
    free(script);
    return status;
}
