/* Loaded into the program before its libraries (LD_PRELOAD): a rank stops at a chosen call of those
 * that write a file, so that a test can kill it at that point and no other. It stops for good, or
 * for HOLD_SECONDS.
 *
 * HOLD_POINT="RANK FILE CALL NUMBER MOMENT" in the environment says where: in the FILE-th file that
 * this rank opens through MPI, at the NUMBER-th open, write, sync, close or rename, before or after
 * it, or when half of a write is done, as in "0 2 write 1 half".
 *
 * HOLD_TOLD is a named pipe, to which a line goes when the rank has got there. */

#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CALLS = 5, WORD = 16 };

static const char *const names[CALLS] = {"open", "write", "sync", "close", "rename"};
enum { OPEN, WRITE, SYNC, CLOSE, RENAME };

/* Functions that stand in for others have no arguments of their own. */
static int files, counts[CALLS]; /* calls in the file that is open */

static void stop_here(void)
{
    const char *pipe = getenv("HOLD_TOLD");
    int told = pipe != NULL ? open(pipe, O_WRONLY) : -1;
    if (told < 0 || write(told, "here\n", 5) != 5) {
        perror("HOLD_TOLD");
        _exit(9);
    }
    for (;;) {
        sleep(1);
    }
}

static int is_point(int call, const char *moment)
{
    int rank, file, number, here;
    char name[WORD], when[WORD];
    const char *point = getenv("HOLD_POINT");
    if (point == NULL ||
        sscanf(point, "%d %d %15s %d %15s", &rank, &file, name, &number, when) != 5) {
        return 0;
    }
    PMPI_Comm_rank(MPI_COMM_WORLD, &here);
    return here == rank && files == file && counts[call] == number &&
           strcmp(name, names[call]) == 0 && strcmp(when, moment) == 0;
}

static void pass(int call, const char *moment)
{
    if (is_point(call, moment)) {
        stop_here();
    }
}

static void begin(int call)
{
    counts[call]++;
    pass(call, "before");
}

int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file)
{
    files++;
    memset(counts, 0, sizeof counts);
    begin(OPEN);
    int code = PMPI_File_open(comm, name, mode, info, file);
    pass(OPEN, "after");
    return code;
}

int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void *data, int count,
                      MPI_Datatype type, MPI_Status *status)
{
    begin(WRITE);
    if (is_point(WRITE, "half")) {
        PMPI_File_write_at(file, offset, data, count / 2, type, status);
        stop_here();
    }
    int code = PMPI_File_write_at(file, offset, data, count, type, status);
    pass(WRITE, "after");
    return code;
}

int MPI_File_sync(MPI_File file)
{
    begin(SYNC);
    int code = PMPI_File_sync(file);
    pass(SYNC, "after");
    return code;
}

int MPI_File_close(MPI_File *file)
{
    begin(CLOSE);
    int code = PMPI_File_close(file);
    pass(CLOSE, "after");
    return code;
}

int rename(const char *from, const char *to)
{
    begin(RENAME);
    int (*next)(const char *, const char *) = NULL;
    *(void **)&next = dlsym(RTLD_NEXT, "rename"); /* as POSIX says it is done */
    int code = next(from, to);
    pass(RENAME, "after");
    return code;
}
