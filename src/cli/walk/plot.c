#include "io/plot/plot.h"
#include "cli/walk/job.h"

#include <inttypes.h>
#include <stdio.h>

/* Spread and its growth against steps, along all axes. */

enum { WIDTH = 1400, HEIGHT = 1100 };

static void write_data(FILE *to, const app_run *run)
{
    const walk_job *job = run->job;
    const halo_walk_samples samples = walk_samples(run);
    int64_t records = halo_walk_records(samples.steps, samples.every);
    for (int axis = 0; axis < samples.axes; axis++) {
        bool drifts = axis == 0 && walk_drifts(run);
        fprintf(to, "$%s << EOD\n", walk_axis_names[axis]);
        for (int64_t r = 0; r < records; r++) {
            const halo_walk_motion m = halo_walk_estimate(&samples, r, axis, drifts);
            double spread = drifts ? m.variance.value : m.square.value;
            double error = m.slope.error > 0 ? m.slope.error : 0, free = job->facts.free_slope;
            fprintf(to, "%" PRId64 " %.9g %.9g %.9g %.9g\n", m.steps, spread, m.slope.value / free,
                    (m.slope.value - error) / free, (m.slope.value + error) / free);
        }
        fputs("EOD\n", to);
    }
}

static void write_spread(FILE *to, const app_run *run)
{
    const walk_job *job = run->job;
    fprintf(to,
            "set ylabel 'cells^2'\nset xlabel ''\n"
            "plot %.9g*x lc rgb '#999999' dt 2 title 'in the fluid alone'",
            job->facts.free_slope);
    for (int axis = 0; axis < job->options.axes; axis++) {
        const char *name = walk_axis_names[axis];
        fprintf(to,
                ", $%s using 1:2 with linespoints pt 7 ps .6 lc rgb word(colours, %d) title "
                "'%s along %s'",
                name, axis + 1, axis == 0 && walk_drifts(run) ? "variance" : "mean square", name);
    }
    fputs("\n", to);
}

static void write_growth(FILE *to, const app_run *run)
{
    const walk_job *job = run->job;
    fputs("set ylabel 'diffusivity, 1 in the fluid alone'\nset xlabel 'steps'\n"
          "set key bottom right\nset yrange [0:*]\nplot ",
          to);
    for (int axis = 0; axis < job->options.axes; axis++) {
        const char *name = walk_axis_names[axis];
        fprintf(to,
                "$%s using 1:4:5 with filledcurves fs transparent solid .25 lc rgb "
                "word(colours, %d) title '%s, 95 %%', $%s using 1:3 with lines lw 2 lc rgb "
                "word(colours, %d) title '%s'%s",
                name, axis + 1, name, name, axis + 1, name,
                axis + 1 < job->options.axes ? ", " : "\nunset multiplot\n");
    }
}

static halo_status write_script(FILE *to, const void *context)
{
    const app_run *run = context;
    const walk_job *job = run->job;
    const walk_options *asked = run->options;
    write_data(to, run);
    fprintf(to,
            "set multiplot layout 2,1 title '%" PRId64 " walkers in a medium of porosity %.4f'\n"
            "set key top left\nset grid\nset xrange [0:%" PRId64 "]\nset lmargin 12\n"
            "colours = '#2f86d6 #ff9d2e #00897b'\n",
            asked->walkers, (double)job->facts.fluid / (double)job->facts.cells, asked->steps);
    write_spread(to, run);
    write_growth(to, run);
    return HALO_OK;
}

halo_status walk_write_plot(app_run *run, const char *path)
{
    bool draws = halo_world_rank(run->world) == 0;
    return halo_agree(run->world,
                      draws ? halo_plot_draw_written(path, WIDTH, HEIGHT, write_script, run)
                            : HALO_OK);
}
