"""What a rule is, and what rules are made of.

A rule looks at one node of a statement's tree and gives the node that takes its place, or None to leave it. The
nodes come from the leaves to the root, so that a rule finds what is below its node already in Spark's form. What
it makes is not looked at again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.virtual.reference import VirtualReference

VIEW_PREFIX = "sqe_virtual_"
"""How the names of the temporary views begin that stand for virtual tables."""


@dataclass(slots=True)
class Context:
    """What rules may know of the statement beside its tree, and what they have found in it."""

    text: str
    scope: Scope
    names_columns: bool = (
        False  # the root is what the client gets: its columns need the names that Trino gives
    )
    virtual: list[VirtualReference] = field(default_factory=list)

    def view_name(self) -> str:
        """A name for the next virtual table; the same for the same statement."""
        digest = hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return f"{VIEW_PREFIX}{len(self.virtual)}_{digest}"


Rewrite = Callable[[exp.Expr, Context], exp.Expr | None]
CallRewrite = Callable[[exp.Anonymous], exp.Expr | None]
"""What takes the place of a call; None when it stays, or has been replaced together with what is around it."""


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
    """A call of Spark's function `name`; strings and numbers become literals."""
    return exp.Anonymous(this=name, expressions=[_expression(argument) for argument in arguments])


def _expression(argument: exp.Expr | str | int) -> exp.Expr:
    if isinstance(argument, str):
        return exp.Literal.string(argument)
    return exp.Literal.number(argument) if isinstance(argument, int) else argument


def renamed(name: str) -> CallRewrite:
    """The same arguments for a function of another name."""
    return lambda node: call(name, *node.expressions)


def wrapped(node: exp.Expr) -> exp.Expr:
    """In parentheses, if it is an operator's expression that could be torn apart."""
    return exp.Paren(this=node) if isinstance(node, exp.Binary | exp.Unary | exp.Between | exp.In) else node


def is_call(node: exp.Expr | None, *names: str) -> bool:
    return isinstance(node, exp.Anonymous) and node.name.lower() in names


def needs(node: exp.Anonymous, least: int, most: int | None = None) -> None:
    """Refuse a call with another number of arguments, so that no rewrite makes a wrong one of it."""
    count = len(node.expressions)
    if not least <= count <= (least if most is None else most):
        raise UnsupportedError(f"The function {node.name.lower()} with {count} arguments is not supported.")


def twice(*nodes: exp.Expr) -> None:
    """Refuse to write a parameter twice: its place is its name."""
    if any(node.find(exp.Placeholder) for node in nodes):
        raise UnsupportedError(
            "A parameter cannot stand here, because Spark's SQL needs its value in two places.",
            hint="Give it a type and a name in a subquery first: SELECT ... FROM (SELECT CAST(? AS bigint) AS x).",
        )


def text_of(node: exp.Expr) -> str | None:
    """The value of a string literal; None for everything else."""
    return node.name if isinstance(node, exp.Literal) and node.is_string else None


def aggregate_root(node: exp.Expr) -> exp.Expr:
    """The whole of an aggregate: with its FILTER and its OVER."""
    while isinstance(
        node.parent, exp.Filter | exp.Window | exp.IgnoreNulls | exp.RespectNulls | exp.WithinGroup
    ):
        if node.arg_key != "this":
            break
        node = node.parent
    return node


def surround(inner: exp.Expr, around: Callable[[exp.Expr], exp.Expr]) -> None:
    """Put what `around` makes of a node in that node's place."""
    hole = exp.Null()
    outer = around(hole)
    inner.replace(outer)
    hole.replace(inner)


def table_of(parts: Sequence[str], like: exp.Table, alias: exp.Expr | None) -> exp.Table:
    """A table of any number of parts, with the time travel and the like of another one."""
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
