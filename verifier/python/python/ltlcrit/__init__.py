"""A shield of temporal-logic laws for agents: which actions may run now, and why not.

`Run` is the shield along one run, over a `Book` of laws or over formulas and a `Vocabulary`; `ObjectRun` is one over laws
about objects, such as files. `ltlcrit.inspect_ai` and
`ltlcrit.langgraph` put it in front of the tools of those frameworks.
"""

from ltlcrit._ltlcrit import Book, BookError, Diagnostic, FormulaError, Law, LtlcritError, ObjectRun, Run
from ltlcrit._ltlcrit import UnknownNameError, Verdict, Vocabulary

__all__ = ["Book", "BookError", "Diagnostic", "FormulaError", "Law", "LtlcritError", "ObjectRun", "Run"]
__all__ += ["UnknownNameError", "Verdict", "Vocabulary"]
