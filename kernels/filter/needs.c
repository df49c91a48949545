#include "base/minmax.h"
#include "kernels/filter/run.h"

/* The memory of a run, before there is one. */

static int64_t field_bytes(const filter_chain *chain, halo_sample_type type, int64_t layers,
                           int64_t depth)
{
    const halo_domain domain = halo_filter_run_domain(chain);
    int64_t rows = domain.axes == HALO_AXES ? domain.n[1] : 1;
    return layers > 0 ? (layers + 2 * depth) * rows *
                            (int64_t)filter_row_bytes(type, halo_filter_run_width(chain))
                      : 0;
}

/* The halo of the field that a segment reads, of a strip that is not the whole image. */
static int64_t halo_of(const filter_chain *chain, int s, int64_t lo, int64_t hi)
{
    bool whole = hi - lo == halo_filter_run_domain(chain).n[0];
    return whole || s >= chain->segments ? 0 : halo_filter_chain_depth(chain, s);
}

/* A segment that needs the whole image: *in are the bytes of the field that it reads, or 0. */
static int64_t whole_bytes(const filter_chain *chain, int s, int64_t lo, int64_t hi, int64_t *in)
{
    const filter_part *part = chain->part[chain->segment[s].first];
    int64_t read = *in > 0 ? *in : field_bytes(chain, part->in, hi - lo, halo_of(chain, s, lo, hi));
    *in = part->in_place ? read
                         : field_bytes(chain, part->out, hi - lo, halo_of(chain, s + 1, lo, hi));
    return part->in_place ? read : read + *in;
}

filter_run_bytes halo_filter_run_needs(const filter_chain *chain, int64_t lo, int64_t hi, bool held)
{
    filter_run_bytes bytes = {0};
    halo_sample_type type = chain->part[0]->in;
    int64_t in = held ? field_bytes(chain, type, hi - lo, halo_of(chain, 0, lo, hi)) : 0;
    bytes.image = bytes.computing = in;
    for (int s = 0; s < chain->segments; s++) {
        const filter_segment *segment = &chain->segment[s];
        if (segment->field) {
            bytes.computing = halo_max(bytes.computing, whole_bytes(chain, s, lo, hi, &in));
            bytes.making = in;
            continue;
        }
        int64_t rings = halo_filter_pipeline_bytes(chain, segment, lo, hi);
        halo_sample_type out = chain->part[segment->first + segment->count - 1]->out;
        int64_t made = field_bytes(chain, out, hi - lo, halo_of(chain, s + 1, lo, hi));
        if (s + 1 < chain->segments) {
            bytes.computing = halo_max(bytes.computing, in + rings + made);
            in = made;
        } else {
            bytes.making = in + rings;
        }
    }
    return bytes;
}
