#ifndef HALOBEAT_IO_PNG_DEFLATE_BLOCK_H
#define HALOBEAT_IO_PNG_DEFLATE_BLOCK_H

#include <isa-l/igzip_lib.h>
#include <stdint.h>
#include <string.h>

/* Writing deflate blocks with ISA-L's Huffman codes, on little-endian machines. Not installed. */

/* Deflate's symbol for a match of this number of bytes. */
static inline int length_symbol(int bytes)
{
    static const int first[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    int i = (int)(sizeof first / sizeof first[0]) - 1;
    while (first[i] > bytes) {
        i--;
    }
    return 257 + i;
}

typedef struct {
    uint64_t bits;
    unsigned count; /* number of bits, below 8 between calls */
    unsigned char *out;
} bit_writer;

static inline void put_bits(bit_writer *writer, uint64_t bits, unsigned count)
{
    writer->bits |= bits << writer->count;
    writer->count += count;
    memcpy(writer->out, &writer->bits, sizeof writer->bits);
    writer->out += writer->count / 8;
    writer->bits >>= writer->count / 8 * 8;
    writer->count %= 8;
}

/* The block's header; ISA-L makes it for a last block, which this is not. */
static inline void put_header(const struct isal_hufftables *codes, bit_writer *writer)
{
    memcpy(writer->out, codes->deflate_hdr, codes->deflate_hdr_count + 1);
    writer->out[0] = (unsigned char)(writer->out[0] & ~1u);
    writer->out += codes->deflate_hdr_count;
    writer->count = codes->deflate_hdr_extra_bits;
    writer->bits = *writer->out & ((1u << writer->count) - 1);
}

/* An empty stored block, which starts at the next byte: a flush in zlib's terms. */
static inline void put_flush(bit_writer *writer)
{
    static const unsigned char empty_block[4] = {0x00, 0x00, 0xff, 0xff};
    put_bits(writer, 0, 3);
    writer->out += writer->count > 0;
    memcpy(writer->out, empty_block, sizeof empty_block);
    writer->out += sizeof empty_block;
}

#endif
