/* Loaded into the program before its libraries (LD_PRELOAD): a chosen call of MPI fails on a rank,
 * and is not carried out. Errors are raised as MPI raises them: by the error handler of the
 * communicator, or of MPI_COMM_WORLD for calls that have none.
 *
 * With FAIL_START=exit or FAIL_START=abort MPI ends the process when it is started, as MPICH and
 * UCX do.
 *
 * With FAIL_THREADS, the process is aborted by a call from any thread but its first.
 *
 * FAIL_POINT="RANK CALL NUMBER" in the environment says which: "1 Isend 3". FAIL_COUNTS names a
 * file, to which the rank of FAIL_POINT appends when it ends how often it has called what, a line
 * each, if it is given. */

#define _GNU_SOURCE /* gettid */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORD = 32, CALLS = 64 };

/* Functions that stand in for others have no arguments of their own. */
static struct {
    const char *name;
    long count;
} calls[CALLS];

static int is_chosen_rank(void)
{
    int started = 0, here = 0, rank = -1;
    const char *point = getenv("FAIL_POINT");
    PMPI_Initialized(&started);
    if (started) {
        PMPI_Comm_rank(MPI_COMM_WORLD, &here);
    } else { /* of MPICH's launcher, or of Open MPI's */
        const char *place = getenv("PMI_RANK");
        place = place != NULL ? place : getenv("OMPI_COMM_WORLD_RANK");
        here = place != NULL ? atoi(place) : 0;
    }
    return point != NULL && sscanf(point, "%d", &rank) == 1 && rank == here;
}

static int fails(const char *name, MPI_Comm comm)
{
    int rank, i = 0;
    long number;
    char wanted[WORD];
    const char *point = getenv("FAIL_POINT");
    if (getenv("FAIL_THREADS") != NULL && gettid() != getpid()) {
        fprintf(stderr, "MPI_%s is called by another thread\n", name);
        abort();
    }
    if (!is_chosen_rank()) {
        return 0;
    }
    while (i < CALLS - 1 && calls[i].name != NULL && strcmp(calls[i].name, name) != 0) {
        i++;
    }
    calls[i].name = name;
    calls[i].count++;
    if (sscanf(point, "%d %31s %ld", &rank, wanted, &number) != 3 || strcmp(wanted, name) != 0 ||
        calls[i].count != number) {
        return 0;
    }
    if (comm != MPI_COMM_NULL) {
        PMPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
    }
    return 1;
}

static void tell_counts(void)
{
    const char *path = getenv("FAIL_COUNTS");
    FILE *file = path != NULL && is_chosen_rank() ? fopen(path, "a") : NULL;
    for (int i = 0; file != NULL && i < CALLS && calls[i].name != NULL; i++) {
        fprintf(file, "%s %ld\n", calls[i].name, calls[i].count);
    }
    if (file != NULL) {
        fclose(file);
    }
}

int MPI_Init_thread(int *argc, char ***argv, int wanted, int *given)
{
    const char *how = getenv("FAIL_START");
    if (how != NULL && strcmp(how, "exit") == 0) {
        exit(MPI_ERR_OTHER);
    }
    if (how != NULL) {
        abort();
    }
    return fails("Init_thread", MPI_COMM_NULL) ? MPI_ERR_OTHER
                                               : PMPI_Init_thread(argc, argv, wanted, given);
}

int MPI_Finalize(void)
{
    int failed = fails("Finalize", MPI_COMM_NULL);
    tell_counts();
    return failed ? MPI_ERR_OTHER : PMPI_Finalize();
}

#define STAND_IN(name, comm, parameters, arguments)                        \
    int MPI_##name parameters                                              \
    {                                                                      \
        return fails(#name, comm) ? MPI_ERR_OTHER : PMPI_##name arguments; \
    }

STAND_IN(Comm_dup, comm, (MPI_Comm comm, MPI_Comm *own), (comm, own))
STAND_IN(Comm_idup, comm, (MPI_Comm comm, MPI_Comm *own, MPI_Request *request),
         (comm, own, request))
STAND_IN(Comm_split, comm, (MPI_Comm comm, int colour, int key, MPI_Comm *part),
         (comm, colour, key, part))
STAND_IN(Comm_split_type, comm, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *part),
         (comm, type, key, info, part))
STAND_IN(Dist_graph_create_adjacent, comm,
         (MPI_Comm comm, int ins, const int from[], const int in_weights[], int outs,
          const int to[], const int out_weights[], MPI_Info info, int reorder, MPI_Comm *graph),
         (comm, ins, from, in_weights, outs, to, out_weights, info, reorder, graph))
STAND_IN(Allreduce, comm,
         (const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
         (mine, all, count, type, op, comm))
STAND_IN(Bcast, comm, (void *data, int count, MPI_Datatype type, int root, MPI_Comm comm),
         (data, count, type, root, comm))
STAND_IN(Iallreduce, comm,
         (const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
          MPI_Request *request),
         (mine, all, count, type, op, comm, request))
STAND_IN(Iexscan, comm,
         (const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
          MPI_Request *request),
         (mine, all, count, type, op, comm, request))
STAND_IN(Ibcast, comm,
         (void *data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request),
         (data, count, type, root, comm, request))
STAND_IN(Igather, comm,
         (const void *mine, int count, MPI_Datatype type, void *all, int each,
          MPI_Datatype all_type, int root, MPI_Comm comm, MPI_Request *request),
         (mine, count, type, all, each, all_type, root, comm, request))
STAND_IN(Iallgather, comm,
         (const void *mine, int count, MPI_Datatype type, void *all, int each,
          MPI_Datatype all_type, MPI_Comm comm, MPI_Request *request),
         (mine, count, type, all, each, all_type, comm, request))
STAND_IN(Ialltoall, comm,
         (const void *mine, int count, MPI_Datatype type, void *all, int each,
          MPI_Datatype all_type, MPI_Comm comm, MPI_Request *request),
         (mine, count, type, all, each, all_type, comm, request))
STAND_IN(Ineighbor_alltoallw, comm,
         (const void *out, const int out_counts[], const MPI_Aint out_places[],
          const MPI_Datatype out_types[], void *in, const int in_counts[],
          const MPI_Aint in_places[], const MPI_Datatype in_types[], MPI_Comm comm,
          MPI_Request *request),
         (out, out_counts, out_places, out_types, in, in_counts, in_places, in_types, comm,
          request))
STAND_IN(Isend, comm,
         (const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
          MPI_Request *request),
         (data, count, type, to, tag, comm, request))
STAND_IN(Irecv, comm,
         (void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
          MPI_Request *request),
         (data, count, type, from, tag, comm, request))
STAND_IN(Send_init, comm,
         (const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
          MPI_Request *request),
         (data, count, type, to, tag, comm, request))
STAND_IN(Recv_init, comm,
         (void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
          MPI_Request *request),
         (data, count, type, from, tag, comm, request))
STAND_IN(Iprobe, comm, (int from, int tag, MPI_Comm comm, int *there, MPI_Status *status),
         (from, tag, comm, there, status))
STAND_IN(Startall, MPI_COMM_WORLD, (int count, MPI_Request requests[]), (count, requests))
STAND_IN(Testall, MPI_COMM_WORLD,
         (int count, MPI_Request requests[], int *complete, MPI_Status statuses[]),
         (count, requests, complete, statuses))
STAND_IN(Testany, MPI_COMM_WORLD,
         (int count, MPI_Request requests[], int *index, int *complete, MPI_Status *status),
         (count, requests, index, complete, status))
STAND_IN(Waitall, MPI_COMM_WORLD, (int count, MPI_Request requests[], MPI_Status statuses[]),
         (count, requests, statuses))
STAND_IN(Type_create_hvector, MPI_COMM_WORLD,
         (int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype *made),
         (count, length, stride, old, made))
STAND_IN(Type_commit, MPI_COMM_WORLD, (MPI_Datatype * type), (type))
STAND_IN(Pack, comm,
         (const void *data, int count, MPI_Datatype type, void *out, int bytes, int *position,
          MPI_Comm comm),
         (data, count, type, out, bytes, position, comm))
