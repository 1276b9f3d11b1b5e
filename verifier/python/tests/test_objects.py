"""Laws about objects that are not declared."""

import pytest
from ltlcrit import FormulaError, Law, LtlcritError, ObjectRun

ACTIONS = {"write": ["file"], "test": [], "freeze": [], "push": []}
LAWS = [
    Law("tested", "G(write(?f) -> F(test & green))", "Test what you write."),
    Law("frozen", "G(freeze -> G !test)", "Nothing is tested any more."),
    "!push W write(_)",
]


def test_laws_hold_for_each_object_and_are_decided_together():
    run = ObjectRun(LAWS, ACTIONS, {"green": ["test"]})
    assert run.judge("push").laws == ["law-3"]
    for file in (f"{number}.rs" for number in range(500)):
        assert run.judge("write", [file])
        run.step("write", [file])
    assert run.owed[0].startswith("tested(")
    frozen = run.judge("freeze")
    assert not frozen.allowed and not frozen.undecided
    assert "frozen" in frozen.laws and "Test what you write." in frozen.reason
    assert [call for call, _ in frozen.lifted_by][0].startswith("test")
    run.step("test")
    assert run.owed
    run.step("test", facts=["green"])
    assert run.owed == [] and run.judge("freeze") and run.judge("push")


def test_what_makes_no_run_says_why():
    with pytest.raises(LtlcritError, match="did you mean `write`"):
        ObjectRun(["G !wrote(?f)"], ACTIONS)
    with pytest.raises(FormulaError, match="law-1: line 1"):
        ObjectRun(["G("], ACTIONS)
    run = ObjectRun(LAWS, ACTIONS, {"green": ["test"]})
    with pytest.raises(LtlcritError, match="is not an event of the catalogue"):
        run.step("write")
