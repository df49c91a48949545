#include "module.h"

#include "base/version.h"

/* The module _halobeat, which the package halobeat is made of. */

/* check_array(array, name): raises the exception of a call that is given the array by this name. */
static PyObject *check_array(PyObject *self, PyObject *given)
{
    (void)self;
    PyObject *object;
    const char *name;
    Py_buffer view;
    halo_array array;
    if (!PyArg_ParseTuple(given, "Os", &object, &name) ||
        !array_take(object, name, false, &view, &array)) {
        return NULL;
    }
    PyBuffer_Release(&view);
    return Py_NewRef(Py_None);
}

static bool fill_module(PyObject *module)
{
    PyObject *described = PyDict_New();
    bool filled =
        described != NULL && errors_add(module) && callbacks_add(module) && filters_add(module) &&
        PyModule_AddObjectRef(module, "options", described) == 0 &&
        calls_add(module, binding_tables, described) &&
        calls_add(module, filter_tables, described) && calls_add(module, life_tables, described) &&
        calls_add(module, stencil_tables, described) && calls_add(module, walk_tables, described) &&
        calls_add(module, image_tables, described) &&
        PyModule_AddStringConstant(module, "version", halo_version()) == 0;
    Py_XDECREF(described);
    return filled;
}

PyMODINIT_FUNC PyInit__halobeat(void)
{
    static PyMethodDef methods[] = {{"check_array", check_array, METH_VARARGS,
                                     "Refuse an array whose elements are no numbers."},
                                    {0}};
    static PyModuleDef definition = {
        PyModuleDef_HEAD_INIT, .m_name = "halobeat._halobeat", .m_methods = methods,
        .m_doc = "Functions of the library Halobeat on arrays.", .m_size = -1};
    PyObject *module = PyModule_Create(&definition);
    if (module != NULL && !fill_module(module)) {
        Py_CLEAR(module);
    }
    return module;
}
