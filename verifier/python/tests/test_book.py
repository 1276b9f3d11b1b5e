"""Books: reading, proof, and diagnostics with their places."""

import pytest
from ltlcrit import Book, BookError, Run, Vocabulary

KITCHEN = """name = "kitchen"
revision = 1

[vocabulary]
name = "kitchen"
observations = { hot = "the pot is hot" }
actions = { grab = "grab the pot", wait = "wait" }
"""


def law(id, formula, strength="hard", status="adopted"):
    return f"""
[[law]]
id = "{id}"
formula = "{formula}"
strength = "{strength}"
explanation = "Because."
status = "{status}"
provenance = {{ origin = "hand" }}
"""


def test_a_book_is_loaded_and_enforced(tmp_path):
    path = tmp_path / "kitchen.toml"
    path.write_text(KITCHEN + law("burns", "G(hot -> X !grab)") + law("old", "G !wait", "soft", "proposed"))
    for book in [Book.load(path), Book.load(str(path)), Book.parse(path.read_text())]:
        assert (book.name, book.vocabulary.observations) == ("kitchen", ["hot"])
        (burns,) = book.laws
        assert (burns.id, burns.formula, burns.soft) == ("burns", "G(hot -> X !grab)", False)
        assert burns.explanation == "Because."
        run = Run(book, observations=["hot"])
        assert run.judge("grab").laws == ["burns"]
        assert Run(book.laws, book.vocabulary, observations=["hot"]).judge("grab").laws == ["burns"]
    with pytest.raises(TypeError, match="write Run"):
        Run(book, book.vocabulary)


def test_a_consistent_book_is_proved():
    assert Book.parse(KITCHEN + law("burns", "G(hot -> X !grab)")).check() == []
    book = Book.parse(KITCHEN + law("burns", "G(hot -> X !grab)") + law("again", "G(hot -> X !grab)", "soft"))
    (warning,) = book.check()
    assert (warning.severity, warning.code, warning.law, warning.laws) == ("warning", "implied", "again", ["burns"])
    assert (warning.line, warning.column) == (19, 12)


def test_laws_that_leave_no_action_are_named_with_a_state():
    book = Book.parse(KITCHEN + law("burns", "G(hot -> X !grab)") + law("hurry", "G(hot -> X !wait)", "soft"))
    with pytest.raises(BookError, match="leave no action besides stopping in some state") as raised:
        book.check()
    (conflict,) = raised.value.diagnostics
    assert (conflict.severity, conflict.code, conflict.laws) == ("error", "over-constrained", ["burns", "hurry"])
    assert "where exactly this holds: hot" in str(conflict)
    assert conflict.help == "relax or retire a soft one; where only these clash, the shield suspends `hurry`"


def test_duties_that_cannot_be_met_are_no_proof():
    book = Book.parse(KITCHEN + law("duty", "G(hot -> F grab)") + law("never", "G !grab"))
    with pytest.raises(BookError) as raised:
        book.check()
    assert {name for one in raised.value.diagnostics for name in one.laws} == {"duty", "never"}


def test_every_problem_has_its_place():
    text = KITCHEN.replace("revision = 1", "revison = 1") + law("burns", "G(hto -> X !grab)")
    with pytest.raises(BookError, match="--> mine:11:14") as raised:
        Book.parse(text, name="mine")
    found = {(one.code, one.line, one.column, one.law) for one in raised.value.diagnostics}
    assert ("unknown-proposition", 11, 14, "burns") in found and ("book", 2, 1, None) in found


def test_a_file_that_is_missing_or_no_text_is_an_error(tmp_path):
    with pytest.raises(BookError, match="missing.toml"):
        Book.load(tmp_path / "missing.toml")
    (tmp_path / "noise").write_bytes(b"\xff\xfe")
    with pytest.raises(BookError, match="noise"):
        Book.load(tmp_path / "noise")


def test_a_named_vocabulary_must_be_given():
    text = 'name = "b"\nrevision = 1\nvocabulary = "kitchen"\n' + law("burns", "G(hot -> X !grab)")
    with pytest.raises(BookError, match="`kitchen` is not known here"):
        Book.parse(text)
    kitchen = Vocabulary(["hot"], ["grab", "wait"], name="kitchen")
    assert Book.parse(text, vocabulary=kitchen).check() == []
    with pytest.raises(BookError, match="there is no vocabulary `kitchen`"):
        Book.parse(text, vocabulary=Vocabulary(["hot"], ["grab"], name="garage"))
