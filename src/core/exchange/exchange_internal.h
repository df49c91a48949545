#ifndef HALOBEAT_CORE_EXCHANGE_EXCHANGE_INTERNAL_H
#define HALOBEAT_CORE_EXCHANGE_EXCHANGE_INTERNAL_H

#include "core/exchange/exchange.h"
#include "core/field/subarray.h"
#include "core/world/world_internal.h"

/* Internals of the exchange. A plan is a list of transfers in phases: plan.c. The buffers
 * of transfers and their packing: pack.c. How they travel: a table of modes,
 * exchange_modes.c. Begin and end: exchange.c. */

enum { HALO_EXCHANGE_OUT, HALO_EXCHANGE_IN, HALO_EXCHANGE_WAYS };

/* The bytes of one transfer, in one direction. */
typedef struct {
    halo_subarray subarray; /* of the field; unused for side halos */
    char *data;             /* the bytes, in the field or in a buffer; with a datatype, its start */
    size_t bytes;
    bool packed; /* `data` is a buffer, to be filled before sending or emptied after receiving */
    halo_datatype type; /* of the subarray; none: `data` are plain bytes */
} halo_transfer_buffer;

/* A transfer of one field between this rank and a neighbour, in both directions: the same number
 * of bytes each way. */
typedef struct {
    int field;
    int peer;                           /* never this rank itself */
    int tags[HALO_EXCHANGE_WAYS];       /* by field and by the direction as the sender sees it:
                                         * distinguishes transfers between the same two ranks */
    int step[HALO_AXES];                /* direction of the neighbour: -1, 0, 1 */
    halo_box boxes[HALO_EXCHANGE_WAYS]; /* cells, in this rank's local indices */
    halo_transfer_buffer buffers[HALO_EXCHANGE_WAYS];
    bool side_halo; /* the bytes are those of halo_side_halo, for the rows of
                     * boxes[HALO_EXCHANGE_OUT] */
} halo_transfer;

/* Transfers that are sent at once; those of the next phase need what these bring. All ranks have
 * the same phases, some of them without transfers. */
typedef struct {
    int first_transfer, transfers;
    int first_message, messages; /* the first `receives` messages are receives */
    int receives;
} halo_exchange_phase;

typedef struct halo_exchange_mode halo_exchange_mode;

struct halo_exchange {
    halo_world *world;
    const halo_exchange_mode *mode;
    void *mode_state; /* data of the mode, released by it */
    halo_exchange_options options;
    halo_field **fields;
    int field_count;
    halo_domain domain;
    halo_box owned;
    bool cut[HALO_AXES]; /* more than one part owns cells along the axis; the same on all ranks */
    halo_transfer *transfers;
    int transfer_count;
    halo_exchange_phase phases[HALO_AXES];
    int phase_count;
    halo_transport_message *messages; /* by phase, receives first; both in the order of tags */
    halo_request *requests;           /* one per message; none or inactive between exchanges */
    int message_count;
    void *buffer; /* memory of all packed buffers */
    bool begun;
    halo_exchange_counts each; /* counts of one exchange */
    halo_exchange_counts counts;
};

/* A mode of exchange. */
struct halo_exchange_mode {
    const char *name;
    bool shared_fields; /* fields of processes must be in memory that others can map */
    /* Local. True if the transport supports the mode; NULL: all do. */
    bool (*is_there)(const halo_transport *transport);
    /* Collective, after all ranks have planned and laid out their buffers. May be NULL. */
    halo_status (*prepare)(halo_exchange *exchange);
    /* Local. The buffers to send in this phase are filled. */
    halo_status (*start)(halo_exchange *exchange, int phase);
    /* Waits until all buffers of the phase have arrived, and those sent may be filled again. */
    halo_status (*finish)(halo_exchange *exchange, int phase);
    /* Local, called even after a failure of `prepare`. May be NULL. */
    void (*release)(halo_exchange *exchange);
};

/* A mode in another file; not on simulated machines. */
extern const halo_exchange_mode halo_exchange_mode_shared;

/* Local. Finds a mode by name; NULL if there is none. */
const halo_exchange_mode *halo_exchange_find_mode(const char *name);

/* Local. The mode in which these ranks exchange if that of this name (NULL: the default) is asked
 * for, of those that there are. */
const halo_exchange_mode *halo_exchange_choose_mode(const halo_world *world, const char *name);

/* Local. Makes the plan: fills in transfers, phases and cut. HALO_MEMORY. */
halo_status halo_exchange_plan(halo_exchange *exchange, const halo_partition *partition);

/* Local. Chooses the buffers of transfers and how they are packed. HALO_MEMORY, HALO_TRANSPORT. */
halo_status halo_exchange_lay_out(halo_exchange *exchange);
void halo_exchange_free_buffers(halo_exchange *exchange);

/* Local. Fill the packed buffers of a phase before it starts, and empty them after it has
 * finished. */
void halo_exchange_pack(halo_exchange *exchange, int phase);
void halo_exchange_unpack(halo_exchange *exchange, int phase);

/* Local. Makes the messages of all transfers, split into sizes that a transport can represent.
 * HALO_MEMORY. */
halo_status halo_exchange_make_messages(halo_exchange *exchange);

/* Local. Starts sending or receiving message `i`. HALO_TRANSPORT. */
halo_status halo_exchange_start_message(halo_exchange *exchange, int i);

#endif
