#include "base/checksums.h"

uint32_t halo_crc32c(const void *data, size_t bytes)
{
    enum { BITS = 8, TABLE = 256 };
    const unsigned char *at = data;
    uint32_t table[TABLE], crc = UINT32_MAX;
    for (uint32_t i = 0; i < TABLE; i++) {
        table[i] = i;
        for (int bit = 0; bit < BITS; bit++) {
            table[i] = table[i] >> 1 ^ (table[i] % 2 != 0 ? UINT32_C(0x82F63B78) : 0);
        }
    }
    for (size_t i = 0; i < bytes; i++) {
        crc = crc >> BITS ^ table[(crc ^ at[i]) % TABLE];
    }
    return ~crc;
}

/* Sums, modulo 65535, of words of two bytes, the first one high, and of these sums; an odd byte at
 * the end is the high one of a word. */
static uint32_t fletcher(const unsigned char *data, size_t bytes)
{
    enum { MODULUS = 65535, OFTEN = 256 };
    uint64_t sum = 0, sums = 0;
    for (size_t i = 0; i < bytes; i += 2) {
        sum += (uint64_t)data[i] << 8 | (i + 1 < bytes ? data[i + 1] : 0);
        sums += sum;
        if (i % (2 * OFTEN) == 0) {
            sum %= MODULUS;
            sums %= MODULUS;
        }
    }
    /* As those who keep sums of 16 bits by adding what overflows: 65535 is not 0 there, unless all
     * is 0; both are accepted. */
    return (uint32_t)(sums % MODULUS) << 16 | (uint32_t)(sum % MODULUS);
}

static uint32_t reduced(uint32_t checksum)
{
    enum { MODULUS = 65535 };
    return (checksum >> 16) % MODULUS << 16 | (checksum & UINT16_MAX) % MODULUS;
}

/* Files of HDF5 before 1.6.3 have the bytes of each half in the other order. */
bool halo_fletcher32_fits(const void *data, size_t bytes, const unsigned char *stored)
{
    uint32_t now = (uint32_t)stored[3] << 24 | (uint32_t)stored[2] << 16 |
                   (uint32_t)stored[1] << 8 | stored[0];
    uint32_t old = (uint32_t)stored[2] << 24 | (uint32_t)stored[3] << 16 |
                   (uint32_t)stored[0] << 8 | stored[1];
    uint32_t sum = fletcher(data, bytes);
    return sum == reduced(now) || sum == reduced(old);
}
