#include "module.h"

#include "kernels/life/life_array.h"

/* Life: a grid that is kept between calls. */

static const char grid_name[] = "halobeat.life";

static void free_grid(PyObject *capsule)
{
    halo_life_array *life = PyCapsule_GetPointer(capsule, grid_name);
    halo_life_array_destroy(&life);
}

static halo_status run_create(call_state *call)
{
    halo_life_array *life = NULL;
    halo_status status =
        halo_life_array_create(&life, call->context, call->array[0], call->options);
    call->made = life;
    return status;
}

static PyObject *create_result(call_state *call)
{
    halo_life_array *life = call->made;
    PyObject *capsule = PyCapsule_New(life, grid_name, free_grid);
    if (capsule == NULL) {
        halo_life_array_destroy(&life);
    }
    return capsule;
}

/* The library writes a number for each generation, one beside the other. */
static halo_status check_populations(const halo_array *array, int64_t generations)
{
    const ptrdiff_t size = sizeof(int64_t);
    bool fits = array->type == HALO_SAMPLE_I64 && !array->swapped && array->axes == 1 &&
                array->n[0] >= generations && (array->n[0] <= 1 || array->stride[0] == size) &&
                (uintptr_t)array->data % sizeof(int64_t) == 0;
    return HALO_REQUIRE(fits, HALO_ARGUMENT,
                        "populations must be an aligned array of %lld int64 without gaps; make it "
                        "by numpy.zeros(generations, numpy.int64)",
                        (long long)generations);
}

static halo_status run_generations(call_state *call)
{
    int64_t *populations = NULL;
    if (call->array[2] != NULL) {
        HALO_TRY(check_populations(call->array[2], call->whole[1]));
        populations = call->array[2]->data;
    }
    return halo_life_array_run(call->object[0], call->context, call->whole[1], populations);
}

static halo_status run_get(call_state *call)
{
    return halo_life_array_get_cells(call->object[0], call->context, call->whole[1], call->whole[2],
                                     call->array[3]);
}

static halo_status run_state(call_state *call)
{
    (void)call; /* a function of what is known */
    return HALO_OK;
}

static PyObject *box_of(const halo_life_box *box)
{
    return Py_BuildValue("(LLLL)", (long long)box->lo[0], (long long)box->lo[1],
                         (long long)box->n[0], (long long)box->n[1]);
}

static PyObject *state_result(call_state *call)
{
    const halo_life_array_report report = halo_life_array_get_report(call->object[0]);
    return Py_BuildValue(
        "{sLsLsNsNsisOsOssss}", "generation", (long long)report.generation, "population",
        (long long)report.population, "live", box_of(&report.live), "box", box_of(&report.box),
        "states", report.states, "background", report.background ? Py_True : Py_False, "still",
        report.still ? Py_True : Py_False, "topology", report.topology, "rule", report.rule);
}

const call_table life_tables[] = {{.name = "life",
                                   CALL_OPTIONS(life_array),
                                   .run = run_create,
                                   .result = create_result,
                                   .arguments = {{"grid", CALL_INPUT}}},
                                  {.name = "life_run",
                                   .run = run_generations,
                                   .arguments = {{grid_name, CALL_OBJECT},
                                                 {"generations", CALL_WHOLE},
                                                 {"populations", CALL_OPTIONAL_OUTPUT}}},
                                  {.name = "life_get",
                                   .run = run_get,
                                   .arguments = {{grid_name, CALL_OBJECT},
                                                 {"row", CALL_WHOLE},
                                                 {"column", CALL_WHOLE},
                                                 {"cells", CALL_OUTPUT}}},
                                  {.name = "life_state",
                                   .run = run_state,
                                   .result = state_result,
                                   .arguments = {{grid_name, CALL_OBJECT}}},
                                  {0}};
