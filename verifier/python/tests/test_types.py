"""Compares the stubs and docstrings with the extension module."""

import inspect

import ltlcrit
from mypy import stubtest


def test_the_stubs_describe_the_extension_module():
    assert stubtest.test_stubs(stubtest.parse_options(["ltlcrit._ltlcrit"])) == 0


def test_everything_has_a_docstring():
    for name in ltlcrit.__all__:
        one = getattr(ltlcrit, name)
        assert one.__doc__, name
        if issubclass(one, Exception):
            continue
        for member, value in vars(one).items():
            if not member.startswith("_") and (callable(value) or inspect.isgetsetdescriptor(value)):
                assert value.__doc__ or one in (ltlcrit.Law, ltlcrit.Verdict, ltlcrit.Diagnostic), f"{name}.{member}"
