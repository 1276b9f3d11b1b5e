"""The approver in an evaluation by Inspect, with a scripted model."""

import pytest
from inspect_ai import Task, eval
from inspect_ai.approval import ApprovalPolicy, auto_approver
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import ToolCall, tool
from ltlcrit import Run, Vocabulary
from ltlcrit.inspect_ai import shield


def made(name, ran):
    @tool(name=name)
    def factory():
        async def execute() -> str:
            """Does one thing."""
            ran.append(name)
            return f"{name} done"

        return execute

    return factory()


def results(model_calls, tmp_path, laws, samples=1, **options):
    """Runs a model that makes these calls, a list a message; gives what ran and the results that the model saw."""
    ran, vocabulary = [], Vocabulary(["green"], ["push", "test", "write"])

    def said(input, *_):
        at = sum(message.role == "assistant" for message in input)
        output = ModelOutput.from_content("mockllm/model", "Done.")
        if at < len(model_calls):
            made = [ToolCall(id=f"{at}-{name}", function=name, arguments={}) for name in model_calls[at]]
            output.choices[0].message.tool_calls = made
        # Otherwise the tokens would be counted, by a tokenizer from the network.
        output.usage = ModelUsage()
        return output

    options.setdefault("observe", lambda result: ["green"] if "test" in result.text else [])
    policies = [ApprovalPolicy(shield(Run(laws, vocabulary), **options), "*"), ApprovalPolicy(auto_approver(), "*")]
    task = Task(
        dataset=[Sample(input="Work.") for _ in range(samples)],
        solver=[use_tools([made(name, ran) for name in ["push", "test", "write", "dance"]]), generate()],
        approval=policies,
    )
    model = get_model("mockllm/model", custom_outputs=said)
    (log,) = eval(task, model=model, log_dir=str(tmp_path), display="none")
    assert log.status == "success", log.error
    seen = [message for sample in log.samples for message in sample.messages if message.role == "tool"]
    return ran, [message.error.message if message.error else message.text for message in seen]


def test_a_call_runs_when_the_laws_allow_it(tmp_path):
    ran, seen = results([["push"], ["test"], ["push"]], tmp_path, ["G(!green -> X !push)"])
    assert ran == ["test", "push"]
    assert "Law law-1: G(!green -> X !push)." in seen[0]
    assert seen[1:] == ["test done", "push done"]


def test_samples_do_not_see_each_other(tmp_path):
    ran, _ = results([["test"], ["push"]], tmp_path, ["G(test -> X G !test)"], samples=3)
    assert sorted(ran) == ["push"] * 3 + ["test"] * 3


def test_calls_of_one_message_run_one_at_a_time(tmp_path):
    ran, seen = results([["test", "push"], ["push"]], tmp_path, ["G(!green -> X !push)"])
    assert ran == ["test", "push"]
    assert "Make one call at a time." in seen[1]


def test_an_unknown_tool_is_refused_unless_no_law_speaks_of_it(tmp_path):
    ran, seen = results([["dance"]], tmp_path, ["G(!green -> X !push)"])
    assert ran == [] and "`dance` is not in the vocabulary" in seen[0]
    names = {"push": "push", "test": "test", "dance": None}
    ran, _ = results([["dance"], ["push"]], tmp_path, ["G(!green -> X !push)"], action=lambda call: names[call.function])
    assert ran == ["dance"]


def test_a_duty_forbids_to_stop(tmp_path):
    action = lambda call: {"dance": "action_stop"}.get(call.function, call.function)
    laws = ["G(write -> F test)"]
    ran, seen = results([["write"], ["dance"], ["test"], ["dance"]], tmp_path, laws, action=action)
    assert ran == ["write", "test", "dance"] and "Law law-1" in seen[1]


@pytest.mark.parametrize(("allowed", "expected"), [("approve", ["test"]), ("escalate", ["test"]), ("reject", [])])
def test_another_approver_may_decide_on_allowed_calls(tmp_path, allowed, expected):
    ran, _ = results([["test"]], tmp_path, ["G(!green -> X !push)"], allowed=allowed)
    assert ran == expected
