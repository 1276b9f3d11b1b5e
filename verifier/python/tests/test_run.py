"""Vocabularies, laws and runs."""

import random
import re
import warnings
from itertools import chain, combinations

import pytest
from ltlcrit import FormulaError, Law, LtlcritError, Run, UnknownNameError, Vocabulary

HOUSE = Vocabulary(observations=["dark"], actions=["open", "close", "wait"])
WORK = Vocabulary(observations=["green"], actions=["write", "test", "push"])


def test_a_vocabulary_lists_its_names():
    vocabulary = Vocabulary(["hot", "warm"], ["grab"])
    assert (vocabulary.observations, vocabulary.actions) == (["hot", "warm"], ["grab", "action_stop"])
    assert Vocabulary({"a": 1}, (name for name in ["b"])).actions == ["b", "action_stop"]


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: Vocabulary(["a", "a"], ["b"]), LtlcritError, "lists `a` twice"),
        (lambda: Vocabulary([str(n) for n in range(300)], ["b"]), LtlcritError, "a letter holds at most 256"),
        (lambda: Vocabulary(["a"], ["b"], axioms=["a -> "]), FormulaError, "axiom `a -> `: line 1, column 3"),
        (lambda: Vocabulary(["a"], ["b"], axioms=["F a"]), LtlcritError, "it has a temporal operator"),
        (lambda: Vocabulary("dark", ["b"]), TypeError, "expected several names, such as ['dark']"),
        (lambda: Vocabulary([1], ["b"]), TypeError, "str"),
        (lambda: Run(["G !open"]), TypeError, "write Run(book), or Run(formulas, vocabulary)"),
        (lambda: Run("G !open", HOUSE), TypeError, "laws"),
        (lambda: Run([3], HOUSE), TypeError, "laws"),
        (lambda: Run([Law("a", "G !open"), Law("a", "G !close")], HOUSE), LtlcritError, "two laws are called `a`"),
        (lambda: Run([], Vocabulary(["a"], [])), LtlcritError, "has no actions"),
        (lambda: Run([], HOUSE, observations=["open"]), LtlcritError, "open"),
        (lambda: Run(["(" * 100_000], HOUSE), FormulaError, "the formula has 100000 bytes, at most 65536 are read"),
        (lambda: Run([], HOUSE).step("open", "dark"), TypeError, "expected several names, such as ['dark']"),
    ],
)
def test_what_makes_no_run_says_why(make, error, text):
    with pytest.raises(error, match=re.escape(text)):
        make()


def test_a_bad_formula_has_its_place():
    with pytest.raises(FormulaError) as raised:
        Run(["G !open", "G(dark -> X !opne)"], HOUSE)
    assert (raised.value.line, raised.value.column) == (1, 14)
    assert str(raised.value).splitlines() == [
        "law-2: line 1, column 14: `opne` is not a proposition of the vocabulary `vocabulary`",
        "  G(dark -> X !opne)",
        "               ^^^^",
        "  did you mean `open`?",
    ]
    with pytest.raises(FormulaError, match="light: line 2, column 4"):
        Run([Law("light", "G(dark ->\n X )", "No.")], HOUSE)


def test_an_unknown_action_or_observation_has_a_suggestion():
    run = Run(["G(dark -> X !open)"], HOUSE)
    for ask in [run.judge, run.explain, lambda action: run.step(action, [])]:
        with pytest.raises(UnknownNameError, match="did you mean `open`?") as raised:
            ask("opne")
        assert (raised.value.name, raised.value.suggestion) == ("opne", "open")
    with pytest.raises(UnknownNameError, match="did you mean `dark`?"):
        run.step("open", ["drak"])
    with pytest.raises(UnknownNameError) as raised:
        run.judge("teleport")
    assert raised.value.suggestion is None
    with pytest.raises(LtlcritError, match="`dark` is an observation, not an action"):
        run.judge("dark")


def test_a_law_forbids_an_action_and_says_why():
    run = Run([Law("light", "G(dark -> X !open)", "Do not open in the dark.")], HOUSE, observations={"dark"})
    verdict = run.judge("open")
    assert (verdict.allowed, bool(verdict), verdict.undecided, verdict.laws) == (False, False, False, ["light"])
    assert verdict.reason == "Law light: Do not open in the dark. It applies because now: dark."
    assert repr(verdict) == f'Verdict(allowed=False, undecided=False, laws=["light"], reason="{verdict.reason}")'
    assert run.explain("open").splitlines()[:2] == [
        "open is blocked by this law",
        "  light (hard): Do not open in the dark.",
    ]
    assert run.allowed() == ["close", "wait", "action_stop"]
    assert run.vocabulary.actions == HOUSE.actions
    wait = run.judge("wait")
    assert wait and (wait.laws, wait.reason) == ([], "wait is allowed.")


def test_what_happened_is_read_and_violations_are_listed():
    run = Run([Law("light", "G(dark -> X !open)")], HOUSE, observations=["dark"])
    assert run.step("open", ["dark"]) == ["light"]
    assert run.violated == ["light"]
    assert not run.judge("open")
    assert run.start() == []
    assert run.violated == [] and run.judge("open")
    assert Run(["!dark"], HOUSE, observations=["dark"]).violated == ["law-1"]


def test_a_duty_is_owed_until_it_is_done():
    run = Run(["G(write -> F test)"], WORK)
    assert run.owed == [] and run.judge("action_stop")
    run.step("write", [])
    assert run.owed == ["law-1"]
    verdict = run.judge("action_stop")
    assert not verdict and verdict.laws == ["law-1"]
    assert run.allowed() == ["write", "test", "push"]
    run.step("push", [])
    assert run.owed == ["law-1"]
    run.step("test", ["green"])
    assert run.owed == [] and run.judge("action_stop")


def test_a_run_ends_with_stop():
    run = Run(["G(write -> F test)"], WORK)
    run.step("write", [])
    assert run.step("action_stop", []) == ["law-1"]
    verdict = run.judge("test")
    assert not verdict and "the run has ended" in verdict.reason
    assert run.allowed() == []
    with pytest.raises(LtlcritError, match="action_stop"):
        run.step("test", [])


def test_two_laws_forbid_together_what_neither_forbids():
    first, second = Law("tested", "G(write -> F test)"), Law("broken", "G !test")
    for law in [first, second]:
        assert Run([law], WORK).judge("write")
    run = Run([first, second], WORK)
    verdict = run.judge("write")
    assert not verdict and verdict.laws == ["tested", "broken"]
    assert verdict.reason.startswith("These laws together leave no way on. Law tested:")
    assert run.judge("push")


def test_a_soft_law_gives_way_and_a_hard_one_does_not():
    hard = [Law("never-write", "G !write"), Law("never-push", "G !push")]
    assert Run([*hard, Law("never-test", "G !test", soft=True)], WORK).allowed() == ["test", "action_stop"]
    run = Run([*hard, Law("never-test", "G !test")], WORK)
    assert not any(run.judge(action) for action in ["write", "test", "push"])


def test_what_is_undecided_is_not_allowed():
    run = Run(["G(write -> F test)", "G(test -> X F push)", "G(push -> F green)"], WORK, budget=0)
    verdict = run.judge("write")
    assert (verdict.allowed, verdict.undecided, verdict.laws) == (False, True, [])
    assert "the search for a continuation exceeded its bounds" in verdict.reason
    assert "write" not in run.allowed()


def test_observations_that_break_an_axiom_are_refused():
    vocabulary = Vocabulary(["hot", "warm"], ["grab"], axioms=["hot -> warm"])
    run = Run(["G(warm -> X !grab)"], vocabulary)
    with pytest.raises(LtlcritError, match="the observations break the axiom `hot -> warm`"):
        run.step("grab", ["hot"])
    assert run.judge("grab"), "nothing was read"


def test_a_law_that_judges_too_late_is_warned_of():
    with pytest.warns(UserWarning, match="law law-1 judges open by what is observed after it.*write `"):
        Run(["G(open -> !dark)"], HOUSE)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Run(["G(dark -> X !open)"], HOUSE)


# Safety laws, each with a predicate that says whether a trace of (action, observations) keeps it.
WALKED = Vocabulary(["dirty", "secret"], ["push", "mail", "review", "deploy", "build", "test"])


def never_after(cause, action):
    return lambda trace: not any(cause(one) and b == action for i, one in enumerate(trace) for b, _ in trace[i + 1 :])


def needs_review(trace):
    actions = [action for action, _ in trace]
    return "deploy" not in actions or "review" in actions[: actions.index("deploy")]


def push_needs_test(trace):
    pushed = False
    for action, _ in trace:
        if action == "push" and pushed:
            return False
        pushed = action == "push" or (pushed and action != "test")
    return True


LAWS = {
    "G(dirty -> X !push)": lambda trace: not any("dirty" in a[1] and b[0] == "push" for a, b in zip(trace, trace[1:])),
    "G(secret -> X G !mail)": never_after(lambda letter: "secret" in letter[1], "mail"),
    "!deploy W review": needs_review,
    "G(build -> X G !build)": never_after(lambda letter: letter[0] == "build", "build"),
    "G(push -> X(!push W test))": push_needs_test,
}


def subsets(names):
    return list(chain.from_iterable(combinations(names, size) for size in range(len(names) + 1)))


def allowed_by_brute_force(trace):
    """The actions after which some observations keep all laws; stopping leaves the observations as they are."""

    def outcomes(action):
        return [trace[-1][1]] if action == "action_stop" else subsets(WALKED.observations)

    def keeps(action):
        return any(all(law([*trace, (action, seen)]) for law in LAWS.values()) for seen in outcomes(action))

    return [action for action in WALKED.actions if keeps(action)]


def test_random_walks_agree_with_brute_force():
    rng, run, blocked = random.Random(7), Run(list(LAWS), WALKED), 0
    for _ in range(1000):
        seen = rng.choice(subsets(WALKED.observations))
        trace = [(None, seen)]
        run.start(seen)
        for _ in range(rng.randrange(12)):
            expected = allowed_by_brute_force(trace)
            assert run.allowed() == expected, trace
            action = rng.choice(WALKED.actions)
            assert bool(run.judge(action)) == (action in expected), (trace, action)
            blocked += action not in expected
            action, seen = rng.choice([a for a in expected if a != "action_stop"]), rng.choice(subsets(WALKED.observations))
            assert run.step(action, seen) == []
            trace.append((action, seen))
    assert blocked > 500


def test_a_verdict_says_what_lifts_it():
    vocabulary = Vocabulary(["green"], ["write", "test", "push", "open"])
    run = Run(["!push W (test & green)", "G(write -> F test)", "G !open"], vocabulary)
    assert run.judge("push").lifted_by == [("test", ["green"])]
    assert run.judge("write").lifted_by == []
    assert run.judge("open").lifted_by is None
    run.step("write", [])
    ((action, seen),) = run.judge("action_stop").lifted_by
    assert action == "test"
    run.step(action, seen)
    assert run.judge("action_stop").allowed
