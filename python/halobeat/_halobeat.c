#include "module.h"

#include "base/version.h"

/* The module _halobeat, which the package halobeat is made of. */

static bool fill_module(PyObject *module)
{
    return errors_add(module) && calls_add(module, binding_tables) &&
           PyModule_AddStringConstant(module, "version", halo_version()) == 0;
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
