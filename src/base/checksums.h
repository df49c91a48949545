#ifndef HALOBEAT_BASE_CHECKSUMS_H
#define HALOBEAT_BASE_CHECKSUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Checksums of formats that zlib does not have. All functions are local. */

/* CRC-32C (Castagnoli), as RFC 3720 has it. */
uint32_t halo_crc32c(const void *data, size_t bytes);

/* True if the four bytes at `stored` are Fletcher's checksum of the data as HDF5 writes it. */
bool halo_fletcher32_fits(const void *data, size_t bytes, const unsigned char *stored);

#endif
