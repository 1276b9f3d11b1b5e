"""The tool node in a graph of LangGraph."""

import asyncio

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import StructuredTool
from langgraph.graph import END, MessagesState, StateGraph
from ltlcrit import Run, Vocabulary
from ltlcrit.langgraph import shielded_tools


class Agent:
    """A graph whose scripted model makes these calls, a list a message."""

    def __init__(self, model_calls, laws, **options):
        self.ran = []
        vocabulary = Vocabulary(["green"], ["push", "test", "write"])
        options.setdefault("observe", lambda result: ["green"] if "test" in result.text else [])
        tools = [self.tool(name) for name in ["push", "test", "write", "dance"]]
        script = [
            AIMessage("", tool_calls=[{"name": name, "args": {}, "id": f"{at}-{name}"} for name in calls])
            for at, calls in enumerate(model_calls)
        ]

        def model(state):
            said = sum(isinstance(message, AIMessage) for message in state["messages"])
            return {"messages": script[said] if said < len(script) else AIMessage("Done.")}

        graph = StateGraph(MessagesState)
        graph.add_node("model", model)
        graph.add_node("tools", shielded_tools(tools, Run(laws, vocabulary), **options))
        graph.set_entry_point("model")
        graph.add_conditional_edges("model", lambda state: "tools" if state["messages"][-1].tool_calls else END)
        graph.add_edge("tools", "model")
        self.graph = graph.compile()

    def tool(self, name):
        def execute() -> str:
            self.ran.append(name)
            return f"{name} done"

        async def execute_async() -> str:
            return execute()

        return StructuredTool.from_function(execute, execute_async, name=name, description="Does one thing.")

    def run(self, asynchronous=False):
        start = {"messages": [HumanMessage("Work.")]}
        end = asyncio.run(self.graph.ainvoke(start)) if asynchronous else self.graph.invoke(start)
        return [message for message in end["messages"] if message.type == "tool"]


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_call_runs_when_the_laws_allow_it(asynchronous):
    agent = Agent([["push"], ["test"], ["push"]], ["G(!green -> X !push)"])
    seen = agent.run(asynchronous)
    assert agent.ran == ["test", "push"]
    assert seen[0].status == "error" and "Law law-1: G(!green -> X !push)." in seen[0].content
    assert [message.content for message in seen[1:]] == ["test done", "push done"]


def test_conversations_do_not_see_each_other():
    agent = Agent([["test"], ["push"]], ["G(test -> X G !test)"])
    agent.run(), agent.run()
    assert agent.ran == ["test", "push"] * 2


def test_calls_of_one_message_run_one_at_a_time():
    agent = Agent([["test", "push"], ["push"]], ["G(!green -> X !push)"])
    seen = agent.run()
    assert agent.ran == ["test", "push"]
    assert seen[1].content == "An earlier call has no result yet. Make one call at a time."


def test_an_unknown_tool_is_refused_unless_no_law_speaks_of_it():
    agent = Agent([["dance"]], ["G(!green -> X !push)"])
    assert "`dance` is not in the vocabulary" in agent.run()[0].content and agent.ran == []
    names = {"push": "push", "dance": None}
    agent = Agent([["dance"], ["push"]], ["G(!green -> X !push)"], action=lambda call: names[call["name"]])
    agent.run()
    assert agent.ran == ["dance"]


def test_a_duty_forbids_to_stop():
    action = lambda call: {"dance": "action_stop"}.get(call["name"], call["name"])
    agent = Agent([["write"], ["dance"], ["test"], ["dance"]], ["G(write -> F test)"], action=action)
    seen = agent.run()
    assert agent.ran == ["write", "test", "dance"] and "Law law-1" in seen[1].content
