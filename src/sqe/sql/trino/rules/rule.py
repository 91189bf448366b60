"""The type of a rule, and helpers for writing rules.

A rule gets one node of a statement's tree and returns the node that replaces it, or None to keep it. Rules are applied
from the leaves to the root, so that everything below a node is already in Spark's form. Rules are not applied to the
replacement.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.output_columns import Outline
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.virtual.reference import VirtualReference

VIEW_PREFIX = "sqe_virtual_"
"""The prefix of the temporary views for virtual tables."""

ANALYZER_PREFIX = "trino_"
"""The prefix of the functions that the Java part registers for Trino's SQL."""


@dataclass(slots=True)
class Context:
    """The statement's text and scope, for the rules, and the virtual tables that they find in it."""

    text: str
    scope: Scope
    names_columns: bool = False  # the client gets the root's columns, which need Trino's names
    stored: bool = False  # the statement is kept as a view, and read by other users
    virtual: list[VirtualReference] = field(default_factory=list)
    outline: Outline | None = None  # of a query whose columns the client gets

    def view_name(self) -> str:
        """Return a name for the next virtual table; the same for the same statement."""
        digest = hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return f"{VIEW_PREFIX}{len(self.virtual)}_{digest}"


Rewrite = Callable[[exp.Expr, Context], exp.Expr | None]
CallRewrite = Callable[[exp.Anonymous], exp.Expr | None]
"""Returns the replacement of a call; None: the call stays, or has been replaced together with its parent."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rewrite of some kinds of nodes, or of calls of some functions."""

    name: str  # of its module
    about: str  # its module's docstring
    rewrite: Rewrite | None = None
    nodes: tuple[type[exp.Expr], ...] = ()
    functions: Mapping[str, CallRewrite] = field(default_factory=dict)  # by their names in lower case


def node_rule(module: str, about: str | None, rewrite: Rewrite, *nodes: type[exp.Expr]) -> Rule:
    return Rule(module.rpartition(".")[2], about or "", rewrite, nodes)


def function_rule(module: str, about: str | None, functions: Mapping[str, CallRewrite]) -> Rule:
    return Rule(module.rpartition(".")[2], about or "", functions=functions)


def call(name: str, *arguments: exp.Expr | str | int) -> exp.Anonymous:
    """Build a call of Spark's function `name`; strings and numbers become literals."""
    return exp.Anonymous(this=name, expressions=[_expression(argument) for argument in arguments])


def analyzed(name: str, *arguments: exp.Expr | str | int) -> exp.Anonymous:
    """Build a call of a function of ours, which Spark's analyzer resolves when it knows the types of the arguments."""
    return call(f"{ANALYZER_PREFIX}{name}", *arguments)


def _expression(argument: exp.Expr | str | int) -> exp.Expr:
    if isinstance(argument, str):
        return exp.Literal.string(argument)
    return exp.Literal.number(argument) if isinstance(argument, int) else argument


def renamed(name: str) -> CallRewrite:
    """Return a rewrite to a function of another name with the same arguments."""
    return lambda node: call(name, *node.expressions)


def wrapped(node: exp.Expr) -> exp.Expr:
    """Put an operator's expression in parentheses, so that precedence does not change it."""
    return exp.Paren(this=node) if isinstance(node, exp.Binary | exp.Unary | exp.Between | exp.In) else node


def nodes_of(tree: exp.Expr) -> list[exp.Expr]:
    """Return the nodes of a tree in the order of `tree.walk(bfs=False)`, in half the time."""
    found: list[exp.Expr] = []
    stack = [tree]
    while stack:
        node = stack.pop()
        found.append(node)
        for value in reversed(node.args.values()):
            if isinstance(value, exp.Expr):
                stack.append(value)
            elif type(value) is list:
                stack += [item for item in reversed(value) if isinstance(item, exp.Expr)]
    return found


def is_call(node: exp.Expr | None, *names: str) -> bool:
    return isinstance(node, exp.Anonymous) and node.name.lower() in names


def needs(node: exp.Anonymous, least: int, most: int | None = None) -> None:
    """Refuse a call with another number of arguments, which a rewrite would translate wrongly."""
    count = len(node.expressions)
    if not least <= count <= (least if most is None else most):
        raise UnsupportedError(f"The function {node.name.lower()} with {count} arguments is not supported.")


def twice(*nodes: exp.Expr) -> None:
    """Refuse parameters in nodes that a rewrite repeats: a parameter is identified by its position."""
    if any(node.find(exp.Placeholder) for node in nodes):
        raise UnsupportedError(
            "A parameter is not supported here, because Spark's SQL needs its value twice.",
            hint="Give it a type and a name in a subquery first: SELECT ... FROM (SELECT CAST(? AS bigint) AS x).",
        )


def text_of(node: exp.Expr) -> str | None:
    """Return the value of a string literal; None for everything else."""
    return node.name if isinstance(node, exp.Literal) and node.is_string else None


def aggregate_root(node: exp.Expr) -> exp.Expr:
    """Return the root of an aggregate, which includes its FILTER and OVER."""
    while isinstance(
        node.parent, exp.Filter | exp.Window | exp.IgnoreNulls | exp.RespectNulls | exp.WithinGroup
    ):
        if node.arg_key != "this":
            break
        node = node.parent
    return node


def surround(inner: exp.Expr, around: Callable[[exp.Expr], exp.Expr]) -> None:
    """Replace a node by the result of `around` for that node."""
    hole = exp.Null()
    outer = around(hole)
    inner.replace(outer)
    hole.replace(inner)


def table_of(parts: Sequence[str], like: exp.Table, alias: exp.Expr | None) -> exp.Table:
    """Build a table of any number of parts, with the time travel and other clauses of the table `like`."""
    names = [exp.to_identifier(part, quoted=True) for part in parts]
    rest = {key: value for key, value in like.args.items() if key not in ("this", "db", "catalog", "alias")}
    qualifiers = names[:-1] if len(names) <= 3 else names[:2]
    return exp.Table(
        this=names[-1] if len(names) <= 3 else exp.Dot.build(names[2:]),
        db=qualifiers[-1] if qualifiers else None,
        catalog=qualifiers[-2] if len(qualifiers) > 1 else None,
        alias=alias,
        **rest,
    )


def unique(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.lower() for name in names)
