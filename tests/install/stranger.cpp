// What a program of C++ does with the library: a kernel of its own, a run on threads that it starts
// itself, and memory. cplusplus.sh builds it as a program and, with -DKERNEL_ONLY, as a kernel to load.
#include <halobeat/halobeat.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace
{

halo_status heat_step(halo_step *s)
{
    for (int64_t y = s->todo.lo[0]; y < s->todo.lo[0] + s->todo.n[0]; y++) {
        auto above = static_cast<const double *>(halo_row(s->in, y - 1));
        auto here = static_cast<const double *>(halo_row(s->in, y));
        auto below = static_cast<const double *>(halo_row(s->in, y + 1));
        auto next = static_cast<double *>(halo_row(s->out, y));
        for (int64_t x = s->todo.lo[1]; x < s->todo.lo[1] + s->todo.n[1]; x++) {
            next[x] = 0.25 * (above[x] + below[x] + here[x - 1] + here[x + 1]);
        }
    }
    return HALO_OK;
}

const halo_kernel heat = {.name = "heat",
                          .help = "heat on a plate",
                          .axes = 2,
                          .cell_bits = {64},
                          .cell_kind = {HALO_FLOAT},
                          .depth = 1,
                          .step = heat_step};

} // namespace

#ifdef KERNEL_ONLY

HALO_KERNEL_EXPORT(heat);

#else

namespace
{

// Each rank adds its number to those of all others.
halo_status add(halo_world *world, void *context)
{
    auto &sums = *static_cast<std::vector<int64_t> *>(context);
    auto rank = static_cast<size_t>(halo_world_rank(world));
    halo_request none = HALO_NO_REQUEST;
    int64_t *mine = nullptr;
    HALO_TRY(HALO_ALLOCATE(mine, 1, "a number of rank %zu", rank));
    *mine = static_cast<int64_t>(rank) + (halo_request_is_set(none) ? 100 : 1);
    halo_status status = halo_allreduce_sum(world, mine, 1);
    sums[rank] = *mine;
    free(mine);
    return status;
}

bool adds_up(int ranks)
{
    std::vector<int64_t> sums(static_cast<size_t>(ranks), 0);
    if (halo_run(ranks, nullptr, add, &sums) != HALO_OK) {
        std::fprintf(stderr, "%s\n", halo_last_message());
        return false;
    }
    for (int64_t sum : sums) {
        if (sum != int64_t{ranks} * (ranks + 1) / 2) {
            return false;
        }
    }
    return true;
}

// A reader is closed by a pointer that owns it.
bool reads(const char *path)
{
    halo_image_options options = {};
    halo_image_reader *opened = nullptr;
    if (halo_image_reader_open(&opened, path, &options) != HALO_OK) {
        return false;
    }
    auto close = [](halo_image_reader *reader) { halo_image_reader_close(&reader); };
    std::unique_ptr<halo_image_reader, decltype(close)> reader(opened, close);
    return halo_image_reader_info(reader.get())->width > 0;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc == 3 && argv[1] == std::string("--alone")) {
        bool good = adds_up(1) && adds_up(3) && reads(argv[2]) && !reads("/nonexistent");
        return good ? 0 : 1;
    }
    return halo_main(argc, argv, &heat);
}

#endif
