#include "core/transport/mpi/mpi_internal.h"

/* Messages that only MPI has: in strided memory, and prepared ones. */

/* ---- datatypes ------------------------------------------------------------------------------- */

static halo_status create_type(const halo_subarray *subarray, halo_datatype *type)
{
    MPI_Datatype rows, planes;
    HALO_MPI_TRY(MPI_Type_create_hvector((int)subarray->n[1], (int)subarray->row_bytes,
                                         subarray->stride[1], MPI_BYTE, &rows));
    int code = MPI_Type_create_hvector((int)subarray->n[0], 1, subarray->stride[0], rows, &planes);
    MPI_Type_free(&rows);
    if (code == MPI_SUCCESS) {
        code = MPI_Type_commit(&planes);
    }
    if (code != MPI_SUCCESS) {
        return halo_mpi_status(code, "MPI_Type_create_hvector");
    }
    type->of = 0;
    memcpy(&type->of, &planes, sizeof planes);
    return HALO_OK;
}

static void destroy_type(halo_datatype *type)
{
    if (type->of != 0) {
        MPI_Datatype handle = halo_mpi_datatype(*type);
        MPI_Type_free(&handle);
        type->of = 0;
    }
}

static halo_status pack(const halo_subarray *subarray, halo_datatype type, void *out)
{
    int position = 0, bytes = (int)halo_subarray_bytes(subarray);
    HALO_MPI_TRY(MPI_Pack(subarray->start, 1, halo_mpi_datatype(type), out, bytes, &position,
                          MPI_COMM_SELF));
    return HALO_OK;
}

const halo_typed_messages halo_mpi_typed = {
    .create = create_type, .destroy = destroy_type, .pack = pack};

/* ---- persistent requests --------------------------------------------------------------------- */

static halo_status prepare(halo_endpoint *end, const halo_transport_message *m,
                           halo_request *request)
{
    MPI_Comm comm = ((mpi_end *)end)->comm;
    MPI_Datatype type = halo_mpi_datatype(m->type);
    MPI_Request handle = MPI_REQUEST_NULL;
    int count = m->type.of != 0 ? 1 : m->bytes;
    HALO_MPI_TRY(m->sending ? MPI_Send_init(m->data, count, type, m->peer, m->tag, comm, &handle)
                            : MPI_Recv_init(m->data, count, type, m->peer, m->tag, comm, &handle));
    *request = halo_mpi_request(handle);
    return HALO_OK;
}

/* The handles stay the same. */
static halo_status start(int count, halo_request *requests)
{
    for (int i = 0; i < count; i++) {
        MPI_Request handle = halo_mpi_handle(requests[i]);
        HALO_MPI_TRY(MPI_Start(&handle));
    }
    return HALO_OK;
}

static void destroy(halo_request *request)
{
    if (halo_request_is_set(*request)) {
        MPI_Request handle = halo_mpi_handle(*request);
        MPI_Request_free(&handle);
        *request = HALO_NO_REQUEST;
    }
}

const halo_persistent_messages halo_mpi_persistent = {
    .prepare = prepare, .start = start, .destroy = destroy};

/* ---- a ring, without anything of Halobeat ---------------------------------------------------- */

halo_status halo_mpi_bare_ring(halo_endpoint *end, const char *out, char *in, int bytes,
                               int64_t times)
{
    enum { SIDES = 2 };
    MPI_Comm comm = ((mpi_end *)end)->comm;
    const int partners[SIDES] = {(end->rank + end->ranks - 1) % end->ranks,
                                 (end->rank + 1) % end->ranks};
    for (int64_t t = 0; t < times; t++) {
        MPI_Request requests[2 * SIDES];
        MPI_Status statuses[2 * SIDES];
        for (int i = 0; i < SIDES; i++) {
            HALO_MPI_TRY(MPI_Irecv(in + (size_t)i * (size_t)bytes, bytes, MPI_BYTE, partners[i], 0,
                                   comm, &requests[2 * i]));
        }
        for (int i = 0; i < SIDES; i++) {
            HALO_MPI_TRY(MPI_Isend(out + (size_t)i * (size_t)bytes, bytes, MPI_BYTE, partners[i], 0,
                                   comm, &requests[2 * i + 1]));
        }
        HALO_MPI_TRY(MPI_Waitall(2 * SIDES, requests, statuses));
    }
    return HALO_OK;
}
