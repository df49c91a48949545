#ifndef HALOBEAT_CLI_TASKS_GATE_H
#define HALOBEAT_CLI_TASKS_GATE_H

#include "base/status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Conditions that a rank waits for before it starts a job. All functions are local, from any
 * thread. */
typedef struct {
    double load;    /* fewer threads than so many run on this machine; 0: any number */
    int64_t memory; /* at least so many bytes can be allocated */
    const char *program;
    atomic_bool said; /* has it been said that jobs wait? */
} start_gate;

/* Waits for `seconds`, and then until the gate is open, or until *stop is true. */
void start_gate_wait(start_gate *gate, double seconds, const atomic_bool *stop);

#endif
