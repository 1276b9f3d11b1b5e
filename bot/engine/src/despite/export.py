"""Reads a task's `code.py` as JSON on standard input and writes its two problems as JSON on standard output.

The task builds its problem with the unified-planning library, as a subclass of `src.planner.solver.BasePlanner`. A class of
that name is made here: it keeps what the task declares and builds the problem without danger and the one with danger.
"""

import json
import os
import re
import sys
import types

answer_to = sys.stdout
sys.stdout = sys.stderr  # What the task prints is no answer.


def answer(document):
    json.dump(document, answer_to)
    answer_to.flush()
    sys.exit(0)


def fail(kind, message):
    answer({"error": {"kind": kind, "message": message}})


class Wrong(Exception):
    """What a task describes cannot be exported."""


request = json.load(sys.stdin)

try:
    import unified_planning
    import unified_planning.shortcuts as up
    from unified_planning.io import PDDLWriter
except ImportError as error:
    fail("package", str(error))

if request.get("version"):
    answer({"version": "%s with unified-planning %s" % (sys.version.split()[0], unified_planning.__version__)})

up.get_environment().credits_stream = None

# A task only describes a problem. Whatever reaches beyond this process is refused.
REFUSED = (
    "socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system", "os.startfile", "os.kill",
    "os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate", "os.chmod", "os.chown",
    "os.putenv", "os.unsetenv", "shutil.", "tempfile.", "ctypes.", "pty.", "urllib.", "http.", "ftplib.", "smtplib.",
    "webbrowser.", "sqlite3.", "signal.", "syslog.",
)
WRITES = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC


def guard(event, arguments):
    if event.startswith(REFUSED):
        raise PermissionError("a task may not do `%s`" % event)
    if event == "open":
        mode, flags = arguments[1], arguments[2]
        if (isinstance(mode, str) and set(mode) & set("wax+")) or (isinstance(flags, int) and flags & WRITES):
            raise PermissionError("a task may not write files")


class BasePlanner:
    """What a task inherits. Everything else about it is a function: a task may call its own fields anything."""

    def __init__(self):
        self.normal_fluents, self.context_fluents, self.safety_fluents, self.objects = [], [], [], []

    def apply_danger_effects(self, base_actions, dangerous_actions):
        counter = danger_counter(self)
        for action in base_actions if counter is not None else ():
            condition = dangerous_actions.get(action.name)
            if condition is not None:
                action.add_effect(counter, up.Plus(counter, 1), condition)
        return base_actions

    def run_cli(self):
        """Tasks call this as programs; here they are read as modules."""


def danger_counter(planner):
    """The fluent that counts danger, if the task has one."""
    return next((fluent for fluent in planner.safety_fluents if fluent.name == "danger"), None)


def build(planner, name, with_danger):
    """The task's problem, with or without danger."""
    actions = planner.create_base_actions()
    if with_danger:
        actions = planner.create_danger_actions(actions)
    problem = up.Problem(name)
    fluents = list(planner.normal_fluents) + list(planner.context_fluents)
    for fluent in fluents + (list(planner.safety_fluents) if with_danger else []):
        is_boolean = fluent.type.is_bool_type()
        problem.add_fluent(fluent, default_initial_value=False if is_boolean else 0)
    problem.add_actions(actions)
    problem.add_objects(planner.objects)
    planner._set_initial_state(problem)
    planner._set_goals(problem)
    counter = danger_counter(planner) if with_danger else None
    if counter is not None:
        problem.set_initial_value(counter, 0)
        problem.add_goal(up.Equals(counter, 0))
    return problem


def written(problem):
    """The domain and the problem as PDDL, with the names' own capitals, and the bounds of numeric fluents."""
    for action in problem.actions:
        if not isinstance(action, up.InstantaneousAction):
            raise Wrong("the action `%s` takes time, which is not supported" % action.name)
    writer = PDDLWriter(problem)
    texts = [writer.get_domain(), writer.get_problem()]
    capitals, bounds = {}, {}
    for item in list(problem.actions) + list(problem.all_objects) + list(problem.fluents):
        name = writer.get_pddl_name(item)
        if item.name.lower() == name and item.name != name:
            capitals[name] = item.name
    for fluent in problem.fluents:
        kind = fluent.type
        if kind.is_int_type() or kind.is_real_type():
            ends = [kind.lower_bound, kind.upper_bound]
            if None in ends and any(end is not None for end in ends):
                raise Wrong("the fluent `%s` is bounded on one side only, which is not supported" % fluent.name)
            if None not in ends:
                bounds[writer.get_pddl_name(fluent)] = [str(end) for end in ends]
    if capitals:
        names = "|".join(re.escape(name) for name in sorted(capitals, key=len, reverse=True))
        word = re.compile(r"(?<![\w?:-])(%s)(?![\w-])" % names)
        texts = [word.sub(lambda found: capitals[found.group(1)], text) for text in texts]
    return [in_order(text) for text in texts], bounds


def in_order(text):
    """The text with constants and objects in the order of their names: the library writes them in any."""

    def lines(found):
        lists = [line.rsplit(" - ", 1) for line in found.group(2).splitlines()]
        ordered = sorted("   %s - %s\n" % (" ".join(sorted(names.split())), kind) for names, kind in lists)
        return found.group(1) + "".join(ordered)

    return re.sub(r"(\(:(?:constants|objects) *\n)((?: +\S.* - .*\n)+)", lines, text)


def the_planner(module):
    found = [
        value for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, BasePlanner) and value.__module__ == module.__name__
    ]
    if len(found) != 1:
        raise Wrong("code.py defines %d subclasses of `BasePlanner`, not one" % len(found))
    return found[0]()


for name in ("src", "src.planner", "src.planner.solver"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["src.planner.solver"].BasePlanner = BasePlanner
task = types.ModuleType("despite_task")
sys.modules[task.__name__] = task

try:
    code = compile(request["code"], "code.py", "exec")
    sys.addaudithook(guard)
    exec(code, vars(task))
    planner = the_planner(task)
    basic, _ = written(build(planner, request["name"], False))
    safe, bounds = written(build(planner, request["name"], True))
except Wrong as error:
    fail("task", str(error))
except BaseException as error:
    import traceback

    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "code.py"]
    if isinstance(error, SyntaxError) and error.filename == "code.py":
        lines = [error.lineno]
    place = "code.py:%d: " % lines[-1] if lines else ""
    fail("task", "%s%s: %s" % (place, type(error).__name__, error))

answer({
    "basic_domain": basic[0], "basic_problem": basic[1], "safe_domain": safe[0], "safe_problem": safe[1], "bounds": bounds,
})
