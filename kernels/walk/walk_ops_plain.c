#include "kernels/walk/walk_ops.h"

#include <string.h>

/* Without vectors: some walkers in turn, so that one need not wait for its own last step. */
enum { LANES = 1, TOGETHER = 4 };

typedef uint32_t lanes;
typedef const uint32_t *sixteen;
typedef uint32_t mask; /* all bits or none */

#define SET(x)              ((uint32_t)(x))
#define LOAD(from)          load(from)
#define STORE(to, v)        store(to, v)
#define HIGH(a, b)          ((uint32_t)((uint64_t)(a) * (b) >> 32))
#define TABLE(from)         (from)
#define LOOK_UP(t, i, bits) ((t)[(i) & ((1U << (bits)) - 1)])
#define TURN(v, by)         (((v) >> (by)) | ((v) << (-(by)&31)))
#define SIGN(v)             (0U - ((v) >> 31))
#define BELOW(a, b)         (0U - (uint32_t)((a) < (b)))
#define PICK(m, a, b)       ((b) ^ (((a) ^ (b)) & (m)))
#define GATHER(from, i)     ((from)[i])
#define GATHER16(from, i)   ((uint32_t)(from)[i])
#define ROUND(v, by)        nearest((int32_t)(v), by)

static inline uint32_t load(const void *from)
{
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline void store(void *to, uint32_t value)
{
    memcpy(to, &value, sizeof value);
}

static inline uint32_t nearest(int32_t value, float by)
{
    float product = (float)value * by;
    return (uint32_t)(int32_t)(product + (value < 0 ? -.5F : .5F));
}

#include "kernels/walk/walk_ops_body.h"

const walk_ops walk_ops_plain = {hop, stride, choose};
