"""Docstrings, signatures and the exported names agree with each other and with the library's tables."""

import doctest
import importlib
import inspect
import pkgutil
import unittest

import halobeat as hb
from halobeat import _halobeat


class Texts(unittest.TestCase):
    def test_examples(self):
        examples = 0
        for module in pkgutil.iter_modules(hb.__path__, "halobeat."):
            result = doctest.testmod(importlib.import_module(module.name))
            self.assertEqual(result.failed, 0, module.name)
            examples += result.attempted
        self.assertGreater(examples, 4)

    def test_names(self):
        self.assertEqual(sorted(hb.__all__), hb.__all__)
        for name in hb.__all__:
            self.assertTrue(getattr(hb, name).__doc__, name)
        self.assertRegex(hb.__version__, r"^\d+\.\d+\.\d+$")

    def test_options_are_keywords(self):
        for table, rows in _halobeat.options.items():
            function = getattr(hb, table)
            parameters = inspect.signature(function).parameters
            for row in rows:
                self.assertIn(row["name"], parameters, table)
                self.assertIn(f"    {row['name']} : ", function.__doc__, table)

    def test_every_parameter_is_described(self):
        for name in hb.__all__:
            function = getattr(hb, name)
            if not inspect.isfunction(function):
                continue
            for parameter in inspect.signature(function).parameters:
                self.assertRegex(function.__doc__, rf"\n    {parameter} : \S", f"{name}: {parameter}")
            self.assertNotIn("{options}", function.__doc__)


if __name__ == "__main__":
    unittest.main()
