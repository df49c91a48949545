/* The flood of a part, for keys of type KEY; NAME(name) is the name of a function. No include guard
 * on purpose. */

/* Lowers the neighbours of a cell. Those that are not the strip's own have the largest sample. */
static inline halo_status NAME(lower_around)(watershed_flood *flood, int64_t base, int64_t cell,
                                             const int64_t *step, int count)
{
    const KEY *image = flood->w->image;
    KEY *level = flood->w->level, here = level[cell];
    for (int k = 0; k < count; k++) {
        int64_t other = cell + step[k];
        KEY lowered = image[other] > here ? image[other] : here;
        if (lowered < level[other]) {
            level[other] = lowered;
            uint64_t place = (uint64_t)(other - base);
            HALO_TRY(place < PART ? push(flood, (uint32_t)place, lowered)
                                  : watershed_flood_add(flood, other));
        }
    }
    return HALO_OK;
}

/* A level that was lowered again has another entry, which comes first. */
static halo_status NAME(flood_part)(watershed_flood *flood, int64_t base)
{
    const halo_watershed *w = flood->w;
    const KEY *level = w->level;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
        while (flood->head[bucket] != 0) {
            int64_t cell = base + pop(flood, bucket);
            if (bucket_of(flood, level[cell]) == bucket) {
                HALO_TRY(NAME(lower_around)(flood, base, cell, w->step, w->neighbours));
            }
        }
    }
    return HALO_OK;
}
