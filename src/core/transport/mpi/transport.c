#include "base/host.h"
#include "core/transport/mpi/failure.h"
#include "core/transport/mpi/mpi_internal.h"
#include "core/world/simulated_compute.h"

#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

/* The transport of MPI: each function is a call of MPI, or a few. */

static MPI_Comm comm_of(const halo_endpoint *end)
{
    return ((const mpi_end *)end)->comm;
}

/* The beginning of what the library says of itself, and a hash of it all. */
static void describe(char *text, size_t size)
{
    enum { DIGITS = 8 };
    char all[MPI_MAX_LIBRARY_VERSION_STRING] = "", name[HALO_MPI_LIBRARY_NAME];
    int length = 0;
    MPI_Get_library_version(all, &length);
    halo_mpi_library(name, sizeof name);
    unsigned hash = (unsigned)XXH3_64bits(all, strlen(all));
    snprintf(text, size, "%s (%0*x)", name, DIGITS, hash);
}

static bool allows_threads(void)
{
    int level;
    return !HALO_SIMULATED && MPI_Query_thread(&level) == MPI_SUCCESS &&
           level >= MPI_THREAD_FUNNELED;
}

halo_request halo_mpi_request(MPI_Request handle)
{
    halo_request request = HALO_NO_REQUEST;
    if (handle != MPI_REQUEST_NULL) {
        memcpy(&request.of, &handle, sizeof handle);
    }
    return request;
}

/* Set *request to that of a call that was begun; to none if the call has failed. */
static halo_status begun(int code, const char *call, MPI_Request handle, halo_request *request)
{
    *request = code == MPI_SUCCESS ? halo_mpi_request(handle) : HALO_NO_REQUEST;
    return code == MPI_SUCCESS ? HALO_OK : halo_mpi_status(code, call);
}

/* ---- messages -------------------------------------------------------------------------------- */

static halo_status isend(halo_endpoint *end, const void *data, int bytes, int to, int tag,
                         bool matched, halo_request *request)
{
    MPI_Request handle = MPI_REQUEST_NULL;
    int code = matched ? MPI_Issend(data, bytes, MPI_BYTE, to, tag, comm_of(end), &handle)
                       : MPI_Isend(data, bytes, MPI_BYTE, to, tag, comm_of(end), &handle);
    return begun(code, matched ? "MPI_Issend" : "MPI_Isend", handle, request);
}

static halo_status irecv(halo_endpoint *end, void *data, int room, int from, int tag,
                         halo_request *request)
{
    MPI_Request handle = MPI_REQUEST_NULL;
    from = from == HALO_ANY_SOURCE ? MPI_ANY_SOURCE : from;
    int code = MPI_Irecv(data, room, MPI_BYTE, from, tag, comm_of(end), &handle);
    return begun(code, "MPI_Irecv", handle, request);
}

static halo_status start(halo_endpoint *end, const halo_transport_message *m, halo_request *request)
{
    MPI_Request handle = MPI_REQUEST_NULL;
    MPI_Datatype type = halo_mpi_datatype(m->type);
    int count = m->type.of != 0 ? 1 : m->bytes;
    int code = m->sending ? MPI_Isend(m->data, count, type, m->peer, m->tag, comm_of(end), &handle)
                          : MPI_Irecv(m->data, count, type, m->peer, m->tag, comm_of(end), &handle);
    return begun(code, m->sending ? "MPI_Isend" : "MPI_Irecv", handle, request);
}

static halo_status test(halo_endpoint *end, halo_request *request, bool *complete, int *bytes)
{
    (void)end;
    int flag = 0;
    MPI_Status result;
    MPI_Request handle = halo_mpi_handle(*request);
    HALO_MPI_TRY(MPI_Test(&handle, &flag, bytes != NULL ? &result : MPI_STATUS_IGNORE));
    *request = halo_mpi_request(handle);
    *complete = flag != 0;
    if (*complete && bytes != NULL) {
        HALO_MPI_TRY(MPI_Get_count(&result, MPI_BYTE, bytes));
    }
    return HALO_OK;
}

static void take_handles(int count, const halo_request *requests, MPI_Request *handles)
{
    for (int i = 0; i < count; i++) {
        handles[i] = halo_mpi_handle(requests[i]);
    }
}

static halo_status test_any(halo_endpoint *end, int count, halo_request *requests, int *index,
                            int *bytes)
{
    (void)end;
    int flag = 0, found = MPI_UNDEFINED;
    MPI_Status result;
    MPI_Request handles[HALO_TEST_AT_ONCE];
    take_handles(count, requests, handles);
    HALO_MPI_TRY(MPI_Testany(count, handles, &found, &flag, &result));
    *index = flag && found != MPI_UNDEFINED ? found : -1;
    if (*index >= 0) {
        requests[found] = halo_mpi_request(handles[found]);
    }
    if (*index >= 0 && bytes != NULL) {
        HALO_MPI_TRY(MPI_Get_count(&result, MPI_BYTE, bytes));
    }
    return HALO_OK;
}

/* Any call that looks for messages moves those that are under way. */
static halo_status progress(halo_endpoint *end)
{
    int there;
    MPI_Status result;
    HALO_MPI_TRY(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_of(end), &there, &result));
    return HALO_OK;
}

static void cancel(halo_endpoint *end, halo_request *request)
{
    (void)end;
    if (halo_request_is_set(*request)) {
        MPI_Request handle = halo_mpi_handle(*request);
        MPI_Cancel(&handle);
        MPI_Request_free(&handle);
        *request = HALO_NO_REQUEST;
    }
}

static void fail(halo_endpoint *end, halo_status status, const char *message)
{
    (void)end;
    (void)status;
    halo_mpi_failure(message);
}

#ifdef HALOBEAT_SIMGRID
/* Blocking costs a simulated machine nothing, and ends at the very moment; each test that fails
 * would cost a tenth of a virtual millisecond. */
static halo_status wait_all(halo_endpoint *end, int count, halo_request *requests)
{
    MPI_Request handles[HALO_TEST_AT_ONCE];
    (void)end;
    for (int done = 0; done < count; done += HALO_TEST_AT_ONCE) {
        int some = count - done < HALO_TEST_AT_ONCE ? count - done : HALO_TEST_AT_ONCE;
        take_handles(some, requests + done, handles);
        HALO_MPI_TRY(MPI_Waitall(some, handles, MPI_STATUSES_IGNORE));
        for (int i = 0; i < some; i++) {
            requests[done + i] = halo_mpi_request(handles[i]);
        }
    }
    return HALO_OK;
}

static halo_status wait_any(halo_endpoint *end, int count, halo_request *requests, int *index,
                            int *bytes)
{
    (void)end;
    MPI_Status result;
    MPI_Request *handles = malloc((size_t)count * sizeof *handles);
    if (handles == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: %d messages to wait for", count);
    }
    take_handles(count, requests, handles);
    int code = MPI_Waitany(count, handles, index, &result);
    if (code == MPI_SUCCESS) {
        requests[*index] = halo_mpi_request(handles[*index]);
        code = MPI_Get_count(&result, MPI_BYTE, bytes);
    }
    free(handles);
    return code == MPI_SUCCESS ? HALO_OK : halo_mpi_status(code, "MPI_Waitany");
}
#endif

/* ---- collective operations ------------------------------------------------------------------- */

static halo_status iallreduce(halo_endpoint *end, const int64_t *mine, int64_t *all, int count,
                              halo_reduction reduction, halo_request *request)
{
    const MPI_Op ops[] = {[HALO_REDUCE_SUM] = MPI_SUM,
                          [HALO_REDUCE_MAX] = MPI_MAX,
                          [HALO_REDUCE_MIN] = MPI_MIN,
                          [HALO_REDUCE_OR] = MPI_BOR};
    MPI_Request handle = MPI_REQUEST_NULL;
    int code = MPI_Iallreduce(mine == all ? MPI_IN_PLACE : mine, all, count, MPI_INT64_T,
                              ops[reduction], comm_of(end), &handle);
    return begun(code, "MPI_Iallreduce", handle, request);
}

static halo_status iexscan(halo_endpoint *end, int64_t *values, int count, halo_request *request)
{
    MPI_Request handle = MPI_REQUEST_NULL;
    int code =
        MPI_Iexscan(MPI_IN_PLACE, values, count, MPI_INT64_T, MPI_SUM, comm_of(end), &handle);
    return begun(code, "MPI_Iexscan", handle, request);
}

static halo_status ibcast(halo_endpoint *end, void *data, int bytes, int root,
                          halo_request *request)
{
    MPI_Request handle = MPI_REQUEST_NULL;
    int code = MPI_Ibcast(data, bytes, MPI_BYTE, root, comm_of(end), &handle);
    return begun(code, "MPI_Ibcast", handle, request);
}

static halo_status igather(halo_endpoint *end, const void *mine, int bytes, void *all,
                           halo_request *request)
{
    MPI_Request handle = MPI_REQUEST_NULL;
    int code = MPI_Igather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, 0, comm_of(end), &handle);
    return begun(code, "MPI_Igather", handle, request);
}

static halo_status iallgather(halo_endpoint *end, const void *mine, int bytes, void *all,
                              halo_request *request)
{
    MPI_Request handle = MPI_REQUEST_NULL;
    int code = MPI_Iallgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, comm_of(end), &handle);
    return begun(code, "MPI_Iallgather", handle, request);
}

static halo_status ialltoall(halo_endpoint *end, const void *mine, int bytes, void *theirs,
                             halo_request *request)
{
    MPI_Request handle = MPI_REQUEST_NULL;
    int code = MPI_Ialltoall(mine, bytes, MPI_BYTE, theirs, bytes, MPI_BYTE, comm_of(end), &handle);
    return begun(code, "MPI_Ialltoall", handle, request);
}

/* ---- ends ------------------------------------------------------------------------------------ */

void halo_mpi_fill_end(mpi_end *end, MPI_Comm comm, bool borrowed)
{
    end->base.transport = &halo_transport_mpi;
    end->comm = comm;
    end->borrowed = borrowed;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &end->base.rank);
    MPI_Comm_size(comm, &end->base.ranks);
    MPI_Comm_group(comm, &end->group);
}

static halo_status duplicate(halo_endpoint *end, halo_endpoint *out)
{
    MPI_Comm comm;
    HALO_TRY(halo_mpi_dup(&comm, comm_of(end)));
    halo_mpi_fill_end((mpi_end *)out, comm, false);
    return HALO_OK;
}

static halo_status split(halo_endpoint *end, int colour, halo_endpoint *out)
{
    MPI_Comm comm;
    HALO_MPI_TRY(
        MPI_Comm_split(comm_of(end), colour < 0 ? MPI_UNDEFINED : colour, end->rank, &comm));
    if (comm != MPI_COMM_NULL) {
        halo_mpi_fill_end((mpi_end *)out, comm, false);
    }
    return HALO_OK;
}

/* A split waits inside MPI, where five ranks on two cores take turns for a fifth of a second: it is
 * left out where all ranks are on one host. */
static halo_status near(halo_endpoint *end, halo_endpoint *out)
{
    MPI_Comm comm;
#ifndef HALOBEAT_SIMGRID /* whose hosts are threads of one process */
    uint64_t host = halo_host_id(), pair[] = {host, ~host};
    HALO_TRY(halo_mpi_min(pair, 2, comm_of(end)));
    if (host != 0 && pair[0] == ~pair[1]) { /* the least is the greatest */
        halo_mpi_fill_end((mpi_end *)out, comm_of(end), true);
        return HALO_OK;
    }
#endif
    HALO_MPI_TRY(
        MPI_Comm_split_type(comm_of(end), MPI_COMM_TYPE_SHARED, end->rank, MPI_INFO_NULL, &comm));
    halo_mpi_fill_end((mpi_end *)out, comm, false);
    return HALO_OK;
}

static int rank_in(const halo_endpoint *end, int rank, const halo_endpoint *other)
{
    int place = MPI_UNDEFINED;
    MPI_Group_translate_ranks(((const mpi_end *)end)->group, 1, &rank,
                              ((const mpi_end *)other)->group, &place);
    return place != MPI_UNDEFINED ? place : -1;
}

static void close_end(halo_endpoint *end)
{
    mpi_end *mine = (mpi_end *)end;
    if (end->ranks > 0) {
        MPI_Group_free(&mine->group);
        if (!mine->borrowed) {
            MPI_Comm_free(&mine->comm);
        }
        end->ranks = 0;
    }
}

const halo_transport halo_transport_mpi = {.name = "mpi",
                                           .describe = describe,
                                           .allows_threads = allows_threads,
                                           .isend = isend,
                                           .irecv = irecv,
                                           .start = start,
                                           .test = test,
                                           .test_any = test_any,
                                           .progress = progress,
                                           .cancel = cancel,
                                           .fail = fail,
#ifdef HALOBEAT_SIMGRID
                                           .wait_all = wait_all,
                                           .wait_any = wait_any,
                                           .waited = halo_simulated_waited,
#else
                                           .neighbour = &halo_mpi_neighbour,
                                           .files = &halo_mpi_files,
#endif
                                           .iallreduce = iallreduce,
                                           .iexscan = iexscan,
                                           .ibcast = ibcast,
                                           .igather = igather,
                                           .iallgather = iallgather,
                                           .ialltoall = ialltoall,
                                           .end_size = sizeof(mpi_end),
                                           .duplicate = duplicate,
                                           .split = split,
                                           .near = near,
                                           .rank_in = rank_in,
                                           .close = close_end,
                                           .typed = &halo_mpi_typed,
                                           .persistent = &halo_mpi_persistent,
                                           .bare_ring = halo_mpi_bare_ring};
