#ifndef HALOBEAT_TESTS_NEED_H
#define HALOBEAT_TESTS_NEED_H

#include <stdio.h>
#include <stdlib.h>

/* Memory for what tests compare with. Without it a test says nothing, so these end the program. */

static inline void *need(void *memory)
{
    if (memory == NULL) {
        fprintf(stderr, "out of memory: a test\n");
        exit(1);
    }
    return memory;
}

/* [count] elements of `size` bytes, all 0; `count` may be 0. */
static inline void *need_zeroed(size_t count, size_t size)
{
    return need(calloc(count > 0 ? count : 1, size));
}

#endif
