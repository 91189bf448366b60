"""Check the expressions of row filters and masks, and render them in Spark's SQL for the guard.

sqlglot parses an expression in its own dialect, the rules for users' queries translate it, and Spark's SQL is generated
from the tree; the text itself never reaches Spark. Functions and syntax that `sqe.sql.policy.functions` does not list
are refused. The principal's identity becomes literals, and `sqe.sql.policy.masks` expands the mask functions.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp
from sqlglot.errors import ErrorLevel

from sqe.errors import (
    ColumnNotFoundError,
    FunctionNotFoundError,
    SemanticError,
    SqlSyntaxError,
    StatementTooComplexError,
    TypeMismatchError,
    UnsupportedError,
)
from sqe.model.decision import Column, Expression
from sqe.model.identity import Principal
from sqe.model.session import Dialect
from sqe.sql.column_type import ColumnType, column_type
from sqe.sql.dialects.policy_writer import PolicyWriter
from sqe.sql.policy.expression_reader import read_expression
from sqe.sql.policy.functions import (
    AGGREGATES,
    IDENTITY,
    MASKS,
    NODES,
    QUERY_NODES,
    SCALARS,
    UNIT_CALLS,
    UNITS,
)
from sqe.sql.policy.masks import Masked, expand
from sqe.sql.trino.rules.analyzer_functions import SCALARS as TRINO_SCALARS
from sqe.sql.trino.rules.registry import OF_OPERANDS, WITHOUT_OPERANDS
from sqe.sql.trino.rules.rule import Context, call, text_of
from sqe.sql.trino.scope import Scope

_WRITER = PolicyWriter()
_CHECK_PRINCIPAL = Principal(
    "check", provider="check", groups=frozenset({"group"}), roles=frozenset({"role"})
)
_TABLE_PARTS = 3

OTHER, PARTIAL, HASH, CONSTANT, NULL = range(1, 6)
"""The results of `strength`: a greater number hides more."""

_STRENGTHS = {
    "mask_null": NULL,
    "mask_constant": CONSTANT,
    "mask_hash": HASH,
    "mask_first": PARTIAL,
    "mask_last": PARTIAL,
    "mask_year": PARTIAL,
    "mask_fields": PARTIAL,
}


def check(expression: Expression, columns: Sequence[Column], *, column: Column | None = None) -> None:
    """Refuse an expression that is not a row filter over these columns, or not a mask for `column` if given.

    Raises:
        SqlSyntaxError: it is not an expression; with its position.
        ColumnNotFoundError, FunctionNotFoundError, TypeMismatchError, SemanticError: it cannot be used in a policy.
        UnsupportedError: Spark's SQL has no equivalent.
        StatementTooComplexError: it is nested too deeply.
    """
    if column is None:
        render(expression, _CHECK_PRINCIPAL, columns, keyed=True)
    else:
        render_mask(expression, _CHECK_PRINCIPAL, column, columns, keyed=True)


def check_form(expression: Expression) -> None:
    """Refuse an expression that is not valid for any table, where no columns are known. Raises as `check` does."""
    _ExpressionWriter(expression, _CHECK_PRINCIPAL, None, None, keyed=True).examined()


def render(expression: Expression, principal: Principal, columns: Sequence[Column], *, keyed: bool) -> str:
    """Return a row filter in Spark's SQL for one principal. Raises as `check` does."""
    return _ExpressionWriter(expression, principal, columns, None, keyed=keyed).text()


def render_mask(
    expression: Expression, principal: Principal, column: Column, columns: Sequence[Column], *, keyed: bool
) -> str:
    """Return a mask for a column in Spark's SQL for one principal. Raises as `check` does."""
    return _ExpressionWriter(expression, principal, columns, column, keyed=keyed).text()


def strength(expression: Expression) -> int:
    """Return how much a mask hides; of two masks for a column, the stronger one applies. Raises as `check` does."""
    root = read_expression(expression.text, expression.dialect)
    while isinstance(root, exp.Paren | exp.Cast):
        root = root.this
    if isinstance(root, exp.Null):
        return NULL
    if isinstance(root, exp.Literal | exp.Boolean):
        return CONSTANT
    return _STRENGTHS.get(root.name.lower(), OTHER) if isinstance(root, exp.Anonymous) else OTHER


def shares_key(expression: Expression) -> bool:
    """Return whether it hashes under a named key, which other tables may share. Raises as `check` does."""
    tree = read_expression(expression.text, expression.dialect)
    return any(
        node.name.lower() == "mask_hash" and len(node.expressions) > 1
        for node in tree.find_all(exp.Anonymous)
    )


def has_subquery(expression: Expression) -> bool:
    """Return whether it reads other tables. Raises as `check` does."""
    return read_expression(expression.text, expression.dialect).find(exp.Query, exp.Exists) is not None


class _ExpressionWriter:
    """Renders one expression in Spark's SQL for one principal."""

    def __init__(
        self,
        expression: Expression,
        principal: Principal,
        columns: Sequence[Column] | None,
        column: Column | None,
        *,
        keyed: bool,
    ) -> None:
        self._expression = expression
        self._any_column = columns is None
        self._columns = {each.name.lower(): each for each in columns or ()}
        self._masked = column
        self._keyed = keyed
        stand_in = expression.acts_as
        self._user = principal.user if stand_in is None else stand_in
        self._groups = sorted(principal.groups) if stand_in is None else []
        self._roles = sorted(principal.roles) if stand_in is None else []

    def text(self) -> str:
        try:
            tree = self.examined()
            if self._masked is None:
                self._check_boolean(tree)
            tree = self._with_masks(self._with_operands(tree))
            return _WRITER.generate(
                tree,
                identify=True,
                comments=False,
                normalize_functions=False,
                unsupported_level=ErrorLevel.IGNORE,
            )
        except RecursionError:
            raise StatementTooComplexError("The expression is nested too deeply.") from None

    def examined(self) -> exp.Expr:
        """Return the checked tree in Spark's form, with mask functions not yet expanded."""
        tree = read_expression(self._expression.text, self._expression.dialect).copy()
        tree = self._with_identity(tree)
        if self._expression.dialect is Dialect.SPARK:
            _read_units(tree)
        else:
            context = self._context()
            tree = WITHOUT_OPERANDS.apply(tree, context)
            if context.virtual:
                raise UnsupportedError("A policy cannot read information_schema or system tables.")
        for node in tree.walk():
            self._check(node)
        return tree

    def _context(self) -> Context:
        return Context(self._expression.text, Scope(None, None, self._user, None))

    def _with_operands(self, tree: exp.Expr) -> exp.Expr:
        """Give the operators and casts of Trino's SQL its meaning; the arguments of masks stay as they are written."""
        if self._expression.dialect is Dialect.SPARK:
            return tree
        calls = [node for node in tree.find_all(exp.Anonymous) if node.name.lower() in MASKS]
        kept = {id(node): [argument.copy() for argument in node.expressions] for node in calls}
        tree = OF_OPERANDS.apply(tree, self._context())
        for node in calls:
            node.set("expressions", kept[id(node)])
        return tree

    def _with_identity(self, tree: exp.Expr) -> exp.Expr:
        """Replace the identity functions by literals."""
        for node in list(tree.find_all(exp.Anonymous, exp.CurrentUser, exp.SessionUser, exp.Column)):
            new = self._identity(node)
            if new is not None:
                tree = _put(node, new, tree)
        return tree

    def _identity(self, node: exp.Expr) -> exp.Expr | None:
        if isinstance(node, exp.CurrentUser | exp.SessionUser):
            return exp.Literal.string(self._user)
        if isinstance(node, exp.Column):
            # Trino's grammar does not have `session_user`, so that sqlglot parses it as a name.
            is_word = len(node.parts) == 1 and isinstance(node.this, exp.Identifier) and not node.this.quoted
            known = node.name.lower() in self._columns
            is_user = is_word and node.name.lower() == "session_user" and not known and not _in_query(node)
            return exp.Literal.string(self._user) if is_user else None
        name = node.name.lower()
        if name not in IDENTITY:
            return None
        arguments = node.expressions
        if len(arguments) != (name == "is_member"):
            raise SemanticError(f"{name} takes {'one argument' if name == 'is_member' else 'no argument'}.")
        if name in ("current_user", "session_user", "user"):
            return exp.Literal.string(self._user)
        if name == "current_groups":
            return _texts(self._groups)
        if name == "current_roles":
            return _texts(self._roles)
        members = sorted({*self._groups, *self._roles})
        wanted = text_of(arguments[0])
        if wanted is not None:
            return exp.Boolean(this=wanted in members)
        return call("array_contains", _texts(members), arguments[0])

    def _check(self, node: exp.Expr) -> None:
        kind = type(node)
        inside = _in_query(node)
        if kind in QUERY_NODES:
            if kind is exp.Star and not inside:
                raise SemanticError("A policy's expression cannot have a star outside of a subquery.")
        elif kind not in NODES:
            raise SemanticError(f"A policy's expression cannot have {kind.__name__}.")
        if isinstance(node, exp.Column):
            self._check_moved(node)
        if isinstance(node, exp.Anonymous):
            _check_call(node, inside=inside)
        elif isinstance(node, exp.Dot):
            if not isinstance(node.expression, exp.Identifier):
                raise FunctionNotFoundError("A policy can call built-in functions only.")
        elif isinstance(node, exp.Table):
            _check_table(node)
        elif isinstance(node, exp.Column) and not inside and not self._any_column:
            self._check_column(node)
        elif isinstance(node, exp.DataType) and self._expression.dialect is Dialect.SPARK:
            if node.this is exp.DType.DECIMAL and not node.expressions:  # Trino's has more digits
                node.set("expressions", [exp.Literal.number(10), exp.Literal.number(0)])
        elif isinstance(node, exp.Tuple) and not node.expressions:
            raise SqlSyntaxError("An empty pair of parentheses is not an expression.")
        elif isinstance(node, exp.Alias) and not isinstance(node.parent, exp.Anonymous | exp.Select):
            raise SemanticError("A policy's expression cannot have an alias.")

    def _check_moved(self, node: exp.Column) -> None:
        """Refuse to look into a column whose fields have other names today; a hash of all of it is the same."""
        named = [self._columns.get(part.name.lower()) for part in node.parts]
        whole = isinstance(node.parent, exp.Anonymous) and node.parent.name.lower() == "mask_hash"
        if any(found is not None and found.moved for found in named) and (len(named) > 1 or not whole):
            raise SemanticError("The fields of a column had other names then.")

    def _check_column(self, node: exp.Column) -> None:
        """Refuse unknown columns, and spell the name as the table does."""
        first, *fields = node.parts
        found = self._columns.get(first.name.lower())
        if found is None:
            raise ColumnNotFoundError(f"There is no column '{first.name}'.")
        first.set("this", found.name)
        if fields:
            _nested(column_type(found.type), [field.name for field in fields])

    def _check_boolean(self, tree: exp.Expr) -> None:
        """Refuse what is certainly not a condition; Spark's analyzer finds the rest."""
        while isinstance(tree, exp.Paren):
            tree = tree.this
        kind = self._type(tree)
        number = isinstance(tree, exp.Literal | exp.Add | exp.Sub | exp.Mul | exp.Div | exp.Neg | exp.DPipe)
        if number or (kind is not None and kind.name != "boolean"):
            raise TypeMismatchError("A row filter has to be a condition.")

    def _with_masks(self, tree: exp.Expr) -> exp.Expr:
        calls = [node for node in tree.find_all(exp.Anonymous) if node.name.lower() in MASKS]
        if not calls:
            return tree
        target = column_type(self._masked.type) if self._masked is not None else None
        masked = Masked(target, self._type, self._keyed)
        for node in sorted(calls, key=lambda found: found.depth, reverse=True):
            tree = _put(node, expand(node, masked), tree)
        return tree

    def _type(self, node: exp.Expr) -> ColumnType | None:
        """Return the type of a column, or of a field of one."""
        if not isinstance(node, exp.Column) or _in_query(node):
            return None
        first, *fields = node.parts
        found = self._columns.get(first.name.lower())
        return None if found is None else _nested(column_type(found.type), [field.name for field in fields])


def _check_call(node: exp.Anonymous, *, inside: bool) -> None:
    name = node.name.lower()
    if name in MASKS:
        if inside:
            raise SemanticError(f"{name} cannot be used in a subquery.")
    elif name in AGGREGATES and name not in SCALARS and not inside:
        raise SemanticError(f"A policy's expression is over one row, and cannot have the aggregate {name}.")
    elif not any(name in allowed for allowed in (SCALARS, TRINO_SCALARS, AGGREGATES, UNIT_CALLS)):
        raise FunctionNotFoundError(
            f"The function {name} cannot be used in a policy.",
            hint="Use a built-in function of Spark whose result depends on the row alone.",
        )


def _read_units(tree: exp.Expr) -> None:
    """Convert the first of three arguments of `timestampdiff(DAY, a, b)` and similar functions to a unit."""
    for node in tree.find_all(exp.Anonymous):
        unit = node.expressions[0] if len(node.expressions) == 3 else None
        if node.name.lower() in UNIT_CALLS and isinstance(unit, exp.Column) and unit.name.upper() in UNITS:
            unit.replace(exp.var(unit.name.upper()))


def _check_table(node: exp.Table) -> None:
    parts = node.parts
    if len(parts) < _TABLE_PARTS or not all(isinstance(part, exp.Identifier) for part in parts):
        raise SemanticError(
            "A table in a policy's subquery needs its full name: catalog, schema and table.",
            hint="Write catalog.schema.table: the current schema of a session must not change what a policy reads.",
        )
    extra = [
        key for key, value in node.args.items() if value and key not in ("this", "db", "catalog", "alias")
    ]
    if extra:
        raise UnsupportedError("A table in a policy's subquery can only have an alias.")


def _nested(kind: ColumnType, names: Sequence[str]) -> ColumnType:
    """Return the type of a field: of a struct, of the structs in an array, or of a map's values."""
    for name in names:
        if kind.name == "map":
            kind = kind.items[1]
            continue
        inner = kind.items[0] if kind.name == "array" else kind
        found = inner.field(name)
        if found is None:
            raise ColumnNotFoundError(f"There is no field '{name}'.")
        kind = ColumnType("array", items=(found[1],)) if kind.name == "array" else found[1]
    return kind


def _in_query(node: exp.Expr) -> bool:
    return node.find_ancestor(exp.Query) is not None


def _texts(values: Sequence[str]) -> exp.Expr:
    made = call("array", *values)
    text_array = exp.DataType(
        this=exp.DType.ARRAY, expressions=[exp.DataType(this=exp.DType.TEXT)], nested=True
    )
    return made if values else exp.Cast(this=made, to=text_array)  # an empty array has no type


def _put(old: exp.Expr, new: exp.Expr, tree: exp.Expr) -> exp.Expr:
    if old is tree:
        new.parent = None
        return new
    old.replace(new)
    return tree
