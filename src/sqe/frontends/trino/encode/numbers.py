"""Encode numbers. Trino's JDBC driver reads a double only from a JSON number with a point: 1.0, never 1."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from sqe.frontends.trino.encode.fragment import EMPTY, TEXT, Fragment, finished, join, quoted, text_scalar

_EXPONENT_FROM = 1e10  # Arrow writes whole numbers below this without a point or an exponent
_SMALLEST_NORMAL = {pa.float32(): 2.0**-126, pa.float64(): 2.0**-1022}  # numbers below have fewer digits
_PLAIN_SCALE = 6  # and decimals of at most this scale never with an exponent


def integers(array: pa.Array) -> Fragment:
    return finished(array.cast(TEXT))


def booleans(array: pa.Array) -> Fragment:
    return finished(array.cast(TEXT))


def floats(array: pa.Array) -> Fragment:
    """Encode floats; NaN and the infinities, which JSON lacks, become strings."""
    if pa.types.is_float16(array.type):
        array = array.cast(pa.float32())
    text = float_texts(array)
    finite = pc.is_finite(array)
    if pc.all(finite).as_py() is False:
        text = pc.if_else(finite, text, join(text_scalar('"'), text, text_scalar('"')))
    return finished(text)


def float_texts(array: pa.Array) -> pa.Array:
    """Format as Java does, except for the exponent's sign; nulls stay."""
    text = array.cast(TEXT)
    magnitude = pc.abs(array)
    subnormal = pc.and_(pc.less(magnitude, _SMALLEST_NORMAL[array.type]), pc.greater(magnitude, 0.0))
    if pc.any(subnormal).as_py():
        text = _with_two_digits(array, text, subnormal)
    whole = pc.and_(pc.equal(pc.trunc(array), array), pc.less(magnitude, _EXPONENT_FROM))
    if pc.any(whole).as_py():
        text = join(text, pc.if_else(whole, text_scalar(".0"), EMPTY))
    finite = pc.is_finite(array)
    if pc.all(finite).as_py() is False:
        infinite = pc.if_else(pc.greater(array, 0.0), text_scalar("Infinity"), text_scalar("-Infinity"))
        text = pc.if_else(finite, text, pc.if_else(pc.is_nan(array), text_scalar("NaN"), infinite))
    return text


def _with_two_digits(array: pa.Array, text: pa.Array, where: pa.Array) -> pa.Array:
    """Write the nearest two digits where Arrow writes one: Java's smallest real is 1.4E-45, not 1E-45."""
    nearest = [f"{number:.1e}" for number in pc.filter(array, where).to_pylist()]
    short = pc.match_substring_regex(text, r"^-?\de")
    two = pc.replace_with_mask(text, pc.fill_null(where, False), pa.array(nearest, text.type))
    return pc.if_else(short, two, text)


def decimals(array: pa.Array) -> Fragment:
    return quoted(decimal_texts(array))


def decimal_texts(array: pa.Array) -> pa.Array:
    """Format with all digits of the scale; nulls stay."""
    if not pa.types.is_decimal128(array.type):
        array = array.cast(pa.decimal128(min(array.type.precision, 38), array.type.scale))
    text = array.cast(TEXT)
    if array.type.scale <= _PLAIN_SCALE or not pc.any(pc.match_substring(text, "E")).as_py():
        return text
    return _without_exponent(array)


def _without_exponent(array: pa.Array) -> pa.Array:
    """Insert the point into the digits of the unscaled number, because Arrow writes 1E-7."""
    scale = array.type.scale
    digits = array.view(pa.decimal128(38, 0)).cast(TEXT)
    negative = pc.starts_with(digits, "-")
    digits = pc.utf8_lpad(pc.utf8_ltrim(digits, "-"), scale + 1, "0")
    return join(
        pc.if_else(negative, text_scalar("-"), EMPTY),
        pc.utf8_slice_codeunits(digits, 0, -scale),
        text_scalar("."),
        pc.utf8_slice_codeunits(digits, -scale),
    )
