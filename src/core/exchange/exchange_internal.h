#ifndef HALOBEAT_CORE_EXCHANGE_EXCHANGE_INTERNAL_H
#define HALOBEAT_CORE_EXCHANGE_EXCHANGE_INTERNAL_H

#include "core/exchange/exchange.h"
#include "core/field/subarray.h"

/* What the files of the exchange share; nobody else includes it.
 *
 * A plan is a list of transfers in phases: exchange_plan.c. Where their bytes lie and how they are
 * packed: exchange_pack.c. How they travel: a table of modes, exchange_modes.c. Beginning and
 * ending: exchange.c. */

enum { HALO_EXCHANGE_OUT, HALO_EXCHANGE_IN, HALO_EXCHANGE_WAYS };

/* Where the bytes of one transfer lie, on the way out or in. */
typedef struct {
    halo_subarray subarray; /* of the field; not used where rows have sides of their own */
    char *data; /* the bytes, in the field or in a buffer; with a type, where it starts */
    size_t bytes;
    bool packed; /* `data` is a buffer, to be filled before sending, emptied after receiving */
    MPI_Datatype type; /* of the subarray; MPI_DATATYPE_NULL: `data` are plain bytes */
} halo_parcel;

/* What this rank sends to one neighbour from one field, and what it receives from there in return:
 * as many bytes. */
typedef struct {
    int field;
    int peer;                           /* never this rank itself */
    int tags[HALO_EXCHANGE_WAYS];       /* which field, and the direction its sender sees:
                                         * tells apart transfers between the same two ranks */
    int step[HALO_AXES];                /* where the neighbour lies: -1, 0, 1 */
    halo_box boxes[HALO_EXCHANGE_WAYS]; /* cells, in this rank's local indices */
    halo_parcel parcels[HALO_EXCHANGE_WAYS];
    bool side_halo; /* bytes are taken and given by functions (halo_side_halo)
                     * for the rows of boxes[HALO_EXCHANGE_OUT] */
} halo_transfer;

/* A part of a transfer that MPI can count. */
typedef struct {
    void *data;
    int count;
    MPI_Datatype type; /* of the parcel, or MPI_BYTE */
    int peer;
    int tag;
    bool sending;
} halo_exchange_message;

/* Transfers that go at once; those of the next phase need what they bring. All ranks have the same
 * phases, some of them without transfers. */
typedef struct {
    int first_transfer, transfers;
    int first_message, messages; /* of which the first `receives` are received */
    int receives;
} halo_exchange_phase;

typedef struct halo_exchange_mode halo_exchange_mode;

struct halo_exchange {
    halo_world *world;
    const halo_exchange_mode *mode;
    void *mode_state; /* the mode's own; released by it */
    halo_exchange_options options;
    halo_field **fields;
    int field_count;
    halo_domain domain;
    halo_box owned;
    bool cut[HALO_AXES]; /* more than one part owns cells along it; the same on all ranks */
    halo_transfer *transfers;
    int transfer_count;
    halo_exchange_phase phases[HALO_AXES];
    int phase_count;
    halo_exchange_message *messages; /* phase by phase, receives first; both in the order of tags */
    MPI_Request *requests;           /* one for each message; null between exchanges, or inactive */
    int message_count;
    void *buffer; /* of all parcels that are packed */
    bool begun;
    halo_exchange_counts each; /* what one exchange adds */
    halo_exchange_counts counts;
};

/* How transfers travel. */
struct halo_exchange_mode {
    const char *name;
    bool shared_fields; /* fields must lie in memory that ranks of the machine can map */
    /* Collective, on all ranks after all have planned and laid out their parcels. May be NULL. */
    halo_status (*prepare)(halo_exchange *exchange);
    /* Local. Parcels to send of phase `phase` are filled in. */
    halo_status (*start)(halo_exchange *exchange, int phase);
    /* Waits until all parcels of the phase have come, and those sent may be filled anew. */
    halo_status (*finish)(halo_exchange *exchange, int phase);
    /* Local, also after a failure of prepare. May be NULL. */
    void (*release)(halo_exchange *exchange);
};

/* Modes with files of their own; simulated machines have neither. */
extern const halo_exchange_mode halo_exchange_mode_neighbour, halo_exchange_mode_shared;

/* Local. The mode of that name (NULL: the default), or NULL. */
const halo_exchange_mode *halo_exchange_find_mode(const char *name);

/* Local. Who sends what where: fills in transfers, phases and cut. HALO_MEMORY. */
halo_status halo_exchange_plan(halo_exchange *exchange, const halo_partition *partition);

/* Local. Where parcels lie and how they are packed. HALO_MEMORY, HALO_MPI. */
halo_status halo_exchange_lay_out(halo_exchange *exchange);
void halo_exchange_free_parcels(halo_exchange *exchange);

/* Local. Fill the packed parcels of a phase before it starts; empty them after it has finished. */
void halo_exchange_pack(halo_exchange *exchange, int phase);
void halo_exchange_unpack(halo_exchange *exchange, int phase);

/* Local. Messages of all transfers, in pieces that MPI can count. HALO_MEMORY. */
halo_status halo_exchange_make_messages(halo_exchange *exchange);

/* Local. Begin to send or receive message `i`. HALO_MPI. */
halo_status halo_exchange_start_message(halo_exchange *exchange, int i);

#endif
