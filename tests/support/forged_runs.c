#define _DEFAULT_SOURCE /* strdup */
#include "support/forged_runs.h"

#include "app/frame.h"
#include "core/world/collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 256, SECONDS = 60 /* of a run that hangs */ };

static const char picture[] = "picture.png", frames[] = "frame%d.png", output[] = "output.npy";

const forged_kind forged_kinds[FORGED_KINDS] = {
    {"life",
     &life_command,
     NULL,
     {"soup:40x30:30%", "--topology", "plane", "-n", "5", "--frames", "pictures"},
     {"-n", "2", "-o", output}},
    {"life",
     &life_command,
     NULL,
     {"soup:40x30:30%", "--rule", "B2/S345/C4", "-n", "5"},
     {"-n", "2", "-o", output}},
    {"run",
     &run_command,
     &stencil_state,
     {"heat", "--size", "12x10", "-n", "4"},
     {"heat", "-n", "2", "-o", output}},
    {"cluster",
     &cluster_command,
     NULL,
     {picture, "-k", "5", "-n", "3"},
     {picture, "-n", "2", "-o", output}},
    {"chan-vese",
     &chan_vese_command,
     NULL,
     {picture, "-n", "3"},
     {picture, "-n", "2", "-o", output}},
    {"snake",
     &snake_command,
     NULL,
     {picture, "--init", "circle:20,15,9", "-n", "2", "--until", "steady"},
     {picture, "-n", "2", "-o", "output.csv"}},
    {"motion",
     &motion_command,
     NULL,
     {frames, "--frames", "3", "-k", "6", "--radius", "5"},
     {frames, "-o", "flow-%d.flo"}},
};

int forged_run(halo_world *world, const forged_kind *of, const char *const *first,
               const char *const *then)
{
    char program[TEXT], *argv[2 * FORGED_ARGUMENTS], *all[2 * FORGED_ARGUMENTS];
    int argc = 0, status;
    int64_t range[2];
    snprintf(program, sizeof program, "halobeat %s", of->name);
    argv[argc++] = strdup(of->name);
    for (int pass = 0; pass < 2; pass++) {
        const char *const *from = pass == 0 ? first : then;
        for (int i = 0; i < FORGED_ARGUMENTS && from[i] != NULL; i++) {
            argv[argc++] = strdup(from[i]);
        }
    }
    argv[argc++] = strdup("--quiet");
    argv[argc] = NULL;
    memcpy(all, argv, sizeof all); /* parsing puts them into another order */
    alarm(SECONDS);
    status = app_main(world, of->command, program, NULL, argc, argv);
    alarm(0);
    range[0] = status;
    range[1] = -status;
    halo_allreduce_max(world, range, 2);
    for (int i = 0; i < argc; i++) {
        free(all[i]);
    }
    return range[0] == -range[1] ? status : -1;
}

bool forged_make_pictures(halo_world *world)
{
    static const forged_kind heat = {.name = "run", .command = &run_command};
    const char *none[] = {NULL};
    for (int i = -1; i < 5; i++) {
        char name[TEXT], beats[TEXT];
        snprintf(name, sizeof name, frames, i);
        snprintf(beats, sizeof beats, "%d", 30 + 9 * i);
        const char *make[FORGED_ARGUMENTS] = {
            "heat", "--size", "40x30", "-n", beats, "-o", i < 0 ? picture : name};
        if (forged_run(world, &heat, make, none) != 0) {
            return false;
        }
    }
    return true;
}
