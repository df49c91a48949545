#include "fuzz/fuzz.h"
#include "support/png_compare.h"
#include "support/png_make.h"

#include <stdlib.h>

/* libFuzzer's target: the two PNG decoders have to agree on every input, and colour and stored
 * samples have to be read as far as grey is. */

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (png_decoders_differ(data, size) != NULL) {
        abort();
    }
    png_outcome grey, colour, samples;
    png_read_all(&grey, data, size, false, 3);
    png_read_with(&colour, data, size, &(halo_png_read_options){.colour = true}, 3);
    png_read_with(&samples, data, size, &(halo_png_read_options){.samples = true}, 3);
    if (grey.rows != colour.rows || grey.finished != colour.finished || grey.rows != samples.rows ||
        grey.finished != samples.finished) {
        abort();
    }
    png_outcome_free(&grey);
    png_outcome_free(&colour);
    png_outcome_free(&samples);
    return 0;
}

/* With a wrong CRC most damage would be found out by that alone; so mostly put it right. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    size_t mutated = LLVMFuzzerMutate(data, size, most);
    if (seed % 8 != 0) {
        png_fix_checksums(data, mutated);
    }
    return mutated;
}
