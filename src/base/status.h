#ifndef HALOBEAT_BASE_STATUS_H
#define HALOBEAT_BASE_STATUS_H

/* Status codes, and the message of the last failure of the calling thread. */

#define HALO_STATUS_LIST(X)                                             \
    X(OK, "success")                                                    \
    X(ARGUMENT, "an argument is out of its range")                      \
    X(MEMORY, "out of memory")                                          \
    X(FILE, "a file could not be read or written")                      \
    X(FORMAT, "a file is not what its format asks for")                 \
    X(RANKS, "too many ranks for this domain and halo")                 \
    X(TRANSPORT, "communication between ranks failed")                  \
    X(ELSEWHERE, "another rank failed; its message has been passed on") \
    X(CANCELLED, "the caller has cancelled the call")

typedef enum {
#define HALO_STATUS_ENUM(code, text) HALO_##code,
    HALO_STATUS_LIST(HALO_STATUS_ENUM)
#undef HALO_STATUS_ENUM
} halo_status;

enum { HALO_MESSAGE_SIZE = 512 };

/* Local. The description of a code; never NULL. A constant string. */
const char *halo_status_text(halo_status status);

/* Local. The message of the calling thread's last failure: what happened, the value, the limit and
 * the remedy. Empty before the first failure. Owned by the library. */
const char *halo_last_message(void);

/* Local. Stores a message (formatted as by printf, cut at HALO_MESSAGE_SIZE, control characters
 * replaced) and returns `status`, so that a failing function can end with
 * `return halo_fail(...)`. */
halo_status halo_fail(halo_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Local. The first failure of two steps in order: `so_far` if it is a failure, otherwise `next`. */
static inline halo_status halo_status_first(halo_status so_far, halo_status next)
{
    return so_far != HALO_OK ? so_far : next;
}

/* An expression: HALO_OK if `met` is true, otherwise the failure that halo_fail makes of the other
 * arguments, which are evaluated only then. */
#define HALO_REQUIRE(met, status, ...) ((met) ? HALO_OK : halo_fail((status), __VA_ARGS__))

/* Returns a failure from the enclosing function if `condition` is true: `status` with a message, as
 * of halo_fail, whose arguments are evaluated only then. */
#define HALO_FAIL_IF(condition, status, ...)         \
    do {                                             \
        if (condition) {                             \
            return halo_fail((status), __VA_ARGS__); \
        }                                            \
    } while (0)

/* Returns a failure of `call` from the enclosing function. Functions with a clean-up use
 * HALO_TRY_OR. */
#define HALO_TRY(call)                        \
    do {                                      \
        halo_status halo_try_status = (call); \
        if (halo_try_status != HALO_OK) {     \
            return halo_try_status;           \
        }                                     \
    } while (0)

/* Stores what `call` returns in `status`, unless that is a failure already: there is no call then.
 */
#define HALO_IF_OK(status, call)   \
    do {                           \
        if ((status) == HALO_OK) { \
            (status) = (call);     \
        }                          \
    } while (0)

/* On a failure of `call`, stores it in the variable `status` and jumps to `label`. */
#define HALO_TRY_OR(label, call) \
    do {                         \
        status = (call);         \
        if (status != HALO_OK) { \
            goto label;          \
        }                        \
    } while (0)

#endif
