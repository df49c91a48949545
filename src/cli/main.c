#define _POSIX_C_SOURCE 200809L
#include "cli/commands.h"

#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *name, *help;
    int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
#define COMMAND_ENTRY(function, name, help) {name, help, function##_command},
    COMMAND_LIST(COMMAND_ENTRY)
#undef COMMAND_ENTRY
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *to)
{
    fprintf(to, "Usage: halobeat COMMAND [OPTION...]\n"
                "Heartbeat computing on images and grids, on one machine or on many with MPI.\n\n"
                "Commands:\n");
    for (int i = 0; i < COMMANDS; i++) {
        fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].help);
    }
    fprintf(to, "\n`halobeat COMMAND --help` tells more. Several ranks: mpiexec -n 4 halobeat ...\n"
                "`halobeat --version` prints the version.\n");
}

static int call_command(int argc, char **argv, int rank)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    for (int i = 0; name != NULL && i < COMMANDS; i++) {
        if (strcmp(name, commands[i].name) == 0) {
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    bool wants_help = name != NULL && (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 ||
                                       strcmp(name, "help") == 0);
    bool wants_version = name != NULL && strcmp(name, "--version") == 0;
    if (rank != 0) {
        return wants_help || wants_version ? 0 : EXIT_USAGE;
    }
    if (wants_version) {
        printf("halobeat %s\n", HALOBEAT_VERSION);
    } else if (wants_help) {
        print_help(stdout);
    } else if (name == NULL) {
        print_help(stderr);
        return EXIT_USAGE;
    } else {
        fprintf(stderr, "halobeat: there is no command \"%s\"; `halobeat --help` lists them\n",
                name);
        return EXIT_USAGE;
    }
    return 0;
}

int main(int argc, char **argv)
{
    /* A file that may not grow is an error to be told, not a reason to be killed. */
    signal(SIGXFSZ, SIG_IGN);
    int rank = 0;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS || MPI_Comm_rank(MPI_COMM_WORLD, &rank) != 0) {
        fprintf(stderr, "halobeat: MPI could not be started\n");
        return EXIT_FAILED;
    }
    int status = call_command(argc, argv, rank);
    MPI_Finalize();
    return status;
}
