#ifndef HALOBEAT_CORE_BEAT_KERNEL_EXPORT_H
#define HALOBEAT_CORE_BEAT_KERNEL_EXPORT_H

#include "core/beat/kernel.h"

/* A kernel as a shared object that `halobeat run ./mykernel.so` loads. Its source needs one line,
 *
 *     HALO_KERNEL_EXPORT(my_kernel);
 *
 * after the table `static const halo_kernel my_kernel`, and is compiled by
 *
 *     cc -shared -fPIC -O3 mykernel.c -o mykernel.so $(pkg-config --cflags halobeat)
 *
 * It does not link with the library: the program provides the functions it calls. */

/* Raised when objects built for the version before can no longer be loaded. */
enum { HALO_KERNEL_ABI = 6 };

/* The table that a kernel's shared object exports. The first three members keep their places in
 * all versions. */
typedef struct {
    char mark[8];  /* HALO_KERNEL_MARK */
    int32_t abi;   /* HALO_KERNEL_ABI at the time it was built */
    int32_t sizes; /* HALO_KERNEL_SIZES at the time it was built: the sum of the sizes of the
                    * structures passed */
    const halo_kernel *kernel;
} halo_kernel_export;

#define HALO_KERNEL_MARK "halobeat"

enum {
    HALO_KERNEL_SIZES = sizeof(halo_kernel) + sizeof(halo_step) + sizeof(halo_advance) +
                        sizeof(halo_view) + sizeof(halo_option)
};

/* Exports `table`, a halo_kernel of static storage duration. */
#define HALO_KERNEL_EXPORT(table)                                                                \
    extern __attribute__((visibility("default"))) const halo_kernel_export halo_exported_kernel; \
    const halo_kernel_export halo_exported_kernel = {                                            \
        {'h', 'a', 'l', 'o', 'b', 'e', 'a', 't'}, HALO_KERNEL_ABI, HALO_KERNEL_SIZES, &(table)}

#endif
