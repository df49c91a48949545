#include "module.h"

#include "base/version.h"

/* The module _halobeat, which the package halobeat is made of. */

static bool fill_module(PyObject *module)
{
    PyObject *described = PyDict_New();
    bool filled =
        described != NULL && errors_add(module) &&
        PyModule_AddObjectRef(module, "options", described) == 0 &&
        calls_add(module, binding_tables, described) && calls_add(module, life_tables, described) &&
        calls_add(module, stencil_tables, described) && calls_add(module, walk_tables, described) &&
        calls_add(module, image_tables, described) &&
        PyModule_AddStringConstant(module, "version", halo_version()) == 0;
    Py_XDECREF(described);
    return filled;
}

PyMODINIT_FUNC PyInit__halobeat(void)
{
    static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "halobeat._halobeat",
                                     .m_doc = "Functions of the library Halobeat on arrays.",
                                     .m_size = -1};
    PyObject *module = PyModule_Create(&definition);
    if (module != NULL && !fill_module(module)) {
        Py_CLEAR(module);
    }
    return module;
}
