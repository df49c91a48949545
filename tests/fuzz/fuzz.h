#ifndef HALOBEAT_TESTS_FUZZ_FUZZ_H
#define HALOBEAT_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Common part of all targets of libFuzzer. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void demand(bool holds)
{
    if (!holds) {
        abort();
    }
}

#endif
