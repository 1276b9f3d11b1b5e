"""An Inspect approver: approves a tool call if the laws allow it, and tells the model why not."""

from collections.abc import Callable, Iterable, Iterator

from inspect_ai.approval import Approval, ApprovalDecision, Approver, approver
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool
from inspect_ai.tool import ToolCall, ToolCallView

from ltlcrit import Run
from ltlcrit._conversation import Call, Result, refusal


@approver(name="ltlcrit")
def shield(
    run: Run,
    action: Callable[[ToolCall], str | None] = lambda call: call.function,
    observe: Callable[[ChatMessageTool], Iterable[str]] = lambda result: (),
    start: Iterable[str] = (),
    allowed: ApprovalDecision = "approve",
) -> Approver:
    """Judges each tool call by the conversation so far; samples may share one approver.

    `action` names the action of a call, or None if no law speaks of it. `observe` lists the observations that hold
    after a call, `start` those at the beginning. `allowed` is the decision on an allowed call: "escalate" leaves it to
    the next approver. A call that an agent removes from its messages is forgotten.
    """
    start = tuple(start)

    def events(history: list[ChatMessage]) -> Iterator[Call | Result]:
        for message in history:
            if isinstance(message, ChatMessageAssistant):
                yield from (Call(call.id, action(call)) for call in message.tool_calls or ())
            elif isinstance(message, ChatMessageTool):
                refused = message.error is not None and message.error.type == "approval"
                yield Result(message.tool_call_id or "", None if refused else observe(message))

    async def approve(message: str, call: ToolCall, view: ToolCallView, history: list[ChatMessage]) -> Approval:
        refused = refusal(run, start, events(history), Call(call.id, action(call)))
        return Approval(decision="reject" if refused else allowed, explanation=refused)

    return approve
