#include "app/stencil/options.h"

#include "app/lines.h"
#include "app/stencil/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_SIZE = 256,
    KEY_PERIODIC,
    KEY_OPTIONS,
    KEY_INPUT,
    KEY_BEATS,
    KEY_STOP_WHEN,
    KEY_FIELD,
    KEY_PLANE,
    KEY_MOVIE,
    KEY_EVERY,
    KEY_FPS,
    KEY_HALO_DEPTH
};

static const int64_t MOST_BEATS = INT64_MAX / 4;
enum { MOST_FRAMES_PER_SECOND = 60 };

static const struct argp_option options[] = {
    {0, 0, 0, 0, "What is computed:", 1},
    {"size", KEY_SIZE, "N|NxM|NxMxK", 0,
     "Cells: of a line, rows x columns, or planes x rows x columns (default: 1000000, 1000x1000 or "
     "100x100x100, as the kernel has 1, 2 or 3 axes)",
     0},
    {"periodic", KEY_PERIODIC, "none|all|y,x,...", 0,
     "Axes along which the last cell's next is the first: x along rows, y from row to row, z from "
     "plane to plane (default: none; beyond the edges all cells are 0)",
     0},
    {"options", KEY_OPTIONS, "TEXT", 0, "The kernel's own options, as its author says", 0},
    {"input", KEY_INPUT, "FILE.npy", 0,
     "Begin with the cells of a NumPy array, which also tells the size (default: as the kernel "
     "begins)",
     0},
    {0, 0, 0, 0, "How far:", 2},
    {"beats", KEY_BEATS, "N", 0,
     "Update all cells this many times, after those that a checkpoint has behind it (default: 100)",
     0},
    {"stop-when", KEY_STOP_WHEN, "still", 0,
     "Go on until nothing changes any more, however many beats that takes; with --beats, no "
     "further than that",
     0},
    {0, 0, 0, 0, "Results:", 3},
    {"output", 'o', "FILE.npy|.png", 0,
     "The cells in the end, as a NumPy array or a picture in greys", 0},
    {"field", KEY_FIELD, "N", 0, "Which of the kernel's fields to show (default: 0, the first)", 0},
    {"plane", KEY_PLANE, "Z", 0,
     "Which plane of three axes pictures show, from 0 (default: the one in the middle)", 0},
    {"movie", KEY_MOVIE, "FILE.gif|.mp4|.png", 0, "Pictures as a movie (needs ffmpeg)", 0},
    {"every", KEY_EVERY, "N", 0,
     "Take a picture every N beats (default: as often as makes at most 600)", 0},
    {"fps", KEY_FPS, "N", 0, "Pictures per second of a movie (default: 25)", 0},
    {0, 0, 0, 0, "Interruptions:", 4},
    {"checkpoint", SAVING_CHECKPOINT, "FILE", 0,
     "Save the state there at the end, when stopped by SIGINT (Ctrl-C) or SIGTERM, and", 0},
    {"checkpoint-every", SAVING_EVERY, "N", 0, "every N beats", 0},
    {"restore", SAVING_RESTORE, "FILE", 0,
     "Go on from a checkpoint, on any number of ranks; it has the size, the periodic axes and the "
     "kernel's options",
     0},
    {"decomposition", CUTTING_DECOMPOSITION, "strips|blocks|AxB[xC]|auto", 0,
     "Parts along each axis, one for each rank. strips: only the first axis is cut. blocks: with "
     "the least cells to exchange. auto: what is predicted to be fastest (default: strips)",
     ARGUMENTS_HOW},
    {"halo-depth", KEY_HALO_DEPTH, "auto|K", 0,
     "Beats between two exchanges with other ranks, done together while their cells are in the "
     "cache (default: auto, 8 or 4 where parts are wide enough)",
     ARGUMENTS_HOW},
    {"exchange", CUTTING_EXCHANGE, "p2p|persistent|neighbour|shared", 0,
     "How ranks bring each other cells (default: p2p)", ARGUMENTS_HOW},
    {"corners", CUTTING_CORNERS, "direct|phases", 0,
     "How cells get to diagonal neighbours of blocks (default: direct)", ARGUMENTS_HOW},
    {"packing", CUTTING_PACKING, "auto|copy|datatype", 0,
     "How columns of blocks get into messages (default: auto, by measuring)", ARGUMENTS_HOW},
    {0},
};

static error_t parse_path(const arguments_parse *parse, int key, const char *path)
{
    run_arguments *into = parse->into;
    switch (key) {
    case 'o':
        return run_parse_output(parse, path);
    case KEY_INPUT:
        into->input = path;
        return 0;
    case KEY_MOVIE:
        into->movie = path;
        return 0; /* its ending is checked with everything else about it */
    case KEY_OPTIONS:
        into->options = path;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_number(const arguments_parse *parse, int key, const char *text)
{
    run_arguments *into = parse->into;
    static const char *const from_one = "a number of beats from 1 on";
    switch (key) {
    case KEY_BEATS:
        return arguments_integer(parse, "beats", from_one, text, 1, MOST_BEATS, &into->beats);
    case KEY_EVERY:
        return arguments_integer(parse, "every", from_one, text, 1, MOST_BEATS, &into->every);
    case KEY_HALO_DEPTH:
        return cutting_parse_depth(parse, "beats", text, &into->cutting.halo_depth);
    case KEY_FPS:
        return arguments_integer(parse, "fps", "1 to 60 pictures per second", text, 1,
                                 MOST_FRAMES_PER_SECOND, &into->frames_per_second);
    case KEY_FIELD:
        return arguments_integer(parse, "field", "the number of a field, 0 to 3", text, 0,
                                 HALO_KERNEL_FIELDS - 1, &into->field);
    case KEY_PLANE:
        return arguments_integer(parse, "plane", "the number of a plane from 0 on", text, 0,
                                 INT64_MAX, &into->plane);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_value(const arguments_parse *parse, int key, const char *text)
{
    run_arguments *into = parse->into;
    switch (key) {
    case KEY_SIZE:
        return run_parse_size(parse, text);
    case KEY_PERIODIC:
        return run_parse_periodic(parse, text);
    case KEY_STOP_WHEN:
        into->until_still = true;
        return arguments_choose(parse, "stop-when", text, (const char *const[]){"still", NULL}) < 0
                   ? EINVAL
                   : 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_shared(const arguments_parse *parse, int key, const char *text)
{
    run_arguments *into = parse->into;
    error_t found = saving_parse(parse, key, text, &into->saving);
    return found == ARGP_ERR_UNKNOWN ? cutting_parse(parse, key, text, &into->cutting) : found;
}

/* An option that says nothing without another one, or contradicts it. */
typedef struct {
    bool wrong;
    const char *complaint;
} contradiction;

static error_t check_together(const arguments_parse *parse)
{
    const run_arguments *into = parse->into;
    bool pictures =
        into->movie != NULL || (into->output != NULL && into->output_kind == RUN_OUTPUT_PNG);
    const contradiction all[] = {
        {into->program->kernel == NULL && into->kernel == NULL,
         "which kernel? Give a built-in's name or a shared object's, such as ./mykernel.so"},
        {into->movie != NULL && into->every == 0 && into->until_still && into->beats == 0,
         "how often is a picture to be taken? Nobody knows when it will be still: give --every N"},
        {into->every != 0 && into->movie == NULL, "--every is about --movie; name one"},
        {into->frames_per_second != 0 && into->movie == NULL, "--fps is about --movie; name one"},
        {into->saving.restore != NULL && into->input != NULL,
         "a checkpoint has its own cells: --restore goes without --input"},
        {into->plane >= 0 && !pictures, "--plane is about pictures; name a movie or -o FILE.png"},
        {into->field > 0 && into->output == NULL && into->movie == NULL,
         "--field is about -o and --movie; name one of them"}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].wrong) {
            return arguments_complain(parse, "%s", all[i].complaint);
        }
    }
    return saving_check(parse, &into->saving);
}

static error_t parse_argument(const arguments_parse *parse, const char *text)
{
    run_arguments *into = parse->into;
    if (into->program->kernel != NULL) {
        return arguments_complain(parse, "\"%s\" is one argument too many; all are options", text);
    }
    if (into->kernel != NULL) {
        return arguments_complain(parse, "one kernel at a time: \"%s\" or \"%s\"", into->kernel,
                                  text);
    }
    into->kernel = text;
    return 0;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    const arguments_parse *parse = state->input;
    static error_t (*const parsers[])(const arguments_parse *, int, const char *) = {
        parse_path, parse_number, parse_value, parse_shared};
    if (key == ARGP_KEY_ARG) {
        return parse_argument(parse, text);
    }
    if (key == ARGP_KEY_END) {
        return parse->helped ? 0 : check_together(parse);
    }
    error_t found = ARGP_ERR_UNKNOWN;
    for (int i = 0; text != NULL && i < 4 && found == ARGP_ERR_UNKNOWN; i++) {
        found = parsers[i](parse, key, text);
    }
    return found;
}

enum { DOCUMENTATION = 4096 };

/* What the kernel's author says about --options. */
static void document_options(char *text, const halo_kernel *kernel)
{
    if (kernel->options_help != NULL) {
        lines_append(text, DOCUMENTATION, "Its own options: ", 0, kernel->options_help);
        lines_append(text, DOCUMENTATION, "", 0, "");
    }
}

static void document_program(char *text, const run_program *program)
{
    static const char *const sizes[] = {"2000x3000", "1000000", "2000x3000", "200x200x200"};
    const halo_kernel *kernel = program->kernel;
    const char *size = sizes[kernel->axes >= 0 && kernel->axes <= HALO_AXES ? kernel->axes : 0];
    snprintf(text, DOCUMENTATION,
             "%s: %s.\n\n"
             "A grid of cells is updated again and again, in beats, by any number of ranks "
             "(processes, started by mpiexec) that each own a part of it and bring each other the "
             "cells beside their own. What comes of it does not depend on how many there are, nor "
             "on how the grid is cut.\v",
             kernel->name, kernel->help);
    document_options(text, kernel);
    size_t used = strlen(text);
    snprintf(text + used, DOCUMENTATION - used,
             "Examples:\n"
             "  mpiexec -n 4 %s --size %s --beats 500 -o out.npy\n"
             "  mpiexec -n 4 %s --decomposition blocks --balance chain\n"
             "  mpiexec -n 4 %s --beats 100000 --checkpoint state.halo\n"
             "  %s --restore state.halo --beats 100 --movie out.gif\n\n",
             program->name, size, program->name, program->name, program->name);
}

static void document_command(char *text, const run_program *program)
{
    snprintf(text, DOCUMENTATION,
             "Beat with any kernel: update all cells of a grid again and again.\n\n"
             "KERNEL is a shared object that exports one (HALO_KERNEL_EXPORT), its name with a "
             "slash such as ./mykernel.so, or the name of a built-in. `halobeat run KERNEL "
             "--help` tells of its options.\n%s\v"
             "Examples:\n"
             "  halobeat run heat --size 2000x3000 --beats 500 -o out.png\n"
             "  mpicc -shared -fPIC -O3 mykernel.c -o mykernel.so\n"
             "  mpiexec -n 4 halobeat run ./mykernel.so --size 4096x4096 -o out.npy\n"
             "  mpiexec -n 6 halobeat run heat3d --decomposition blocks --balance chain\n"
             "  mpiexec -n 4 halobeat run heat --beats 99999 --checkpoint c.halo\n"
             "  halobeat run heat --restore c.halo --beats 100 --movie out.gif\n\n",
             program->kernels);
}

static void document(char *text, const run_program *program)
{
    if (program->kernel != NULL) {
        document_program(text, program);
    } else {
        document_command(text, program);
    }
    size_t used = strlen(text);
    snprintf(text + used, DOCUMENTATION - used,
             "Exit status: 0 done, 1 failed or stopped by a signal (of which mpiexec may\n"
             "make 0), 2 unusable arguments.");
}

arguments_verdict run_arguments_parse(int argc, char **argv, const run_program *program,
                                      bool speaks, run_arguments *arguments)
{
    char documentation[DOCUMENTATION];
    document(documentation, program);
    *arguments = (run_arguments){.program = program, .plane = -1};
    const struct argp argp = {.options = options,
                              .parser = parse_option,
                              .args_doc = program->kernel == NULL ? "KERNEL" : NULL,
                              .doc = documentation};
    arguments_parse parse = {.program = program->name,
                             .beat = "one update of all cells",
                             .own_instructions = true,
                             .speaks = speaks,
                             .common = &arguments->common,
                             .into = arguments};
    return arguments_run(argc, argv, &argp, &parse);
}
