"""A LangGraph tool node that runs a tool call if the laws allow it, and tells the model why not."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, ToolCall, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.prebuilt import ToolNode
from langgraph.prebuilt.tool_node import ToolCallRequest

from ltlcrit import Run
from ltlcrit._conversation import Call, Result, refusal

_REFUSED = {"ltlcrit": "refused"}


def shielded_tools(
    tools: Sequence[BaseTool | Callable[..., Any]],
    run: Run,
    action: Callable[[ToolCall], str | None] = lambda call: call["name"],
    observe: Callable[[ToolMessage], Iterable[str]] = lambda result: (),
    start: Iterable[str] = (),
    messages_key: str = "messages",
    **options: Any,
) -> ToolNode:
    """Makes a ToolNode that judges each call by the messages of the graph's state; conversations may share it.

    `action` names the action of a call, or None if no law speaks of it. `observe` lists the observations that hold
    after a call, `start` those at the beginning. A call that a graph removes from its messages is forgotten.
    """
    start = tuple(start)

    def events(messages: list[AnyMessage]) -> Iterator[Call | Result]:
        for message in messages:
            if isinstance(message, AIMessage):
                yield from (Call(call["id"] or "", action(call)) for call in message.tool_calls)
            elif isinstance(message, ToolMessage):
                refused = message.additional_kwargs == _REFUSED
                yield Result(message.tool_call_id, None if refused else observe(message))

    def refused(request: ToolCallRequest) -> ToolMessage | None:
        state, call = request.state, request.tool_call
        messages = state if isinstance(state, list) else state[messages_key]
        reason = refusal(run, start, events(messages), Call(call["id"] or "", action(call)))
        if reason is None:
            return None
        return ToolMessage(
            reason, tool_call_id=call["id"], name=call["name"], status="error", additional_kwargs=_REFUSED
        )

    def wrap(request: ToolCallRequest, execute: Callable[[ToolCallRequest], Any]) -> Any:
        answer = refused(request)
        return execute(request) if answer is None else answer

    async def wrap_async(request: ToolCallRequest, execute: Callable[[ToolCallRequest], Awaitable[Any]]) -> Any:
        answer = refused(request)
        return await execute(request) if answer is None else answer

    return ToolNode(tools, messages_key=messages_key, wrap_tool_call=wrap, awrap_tool_call=wrap_async, **options)
