"""The rules of rules.yaml for the essential cases, as grants of the administrator."""

from __future__ import annotations

_PEOPLE = (
    "CREATE POLICY people_{name} COLUMN MASK ON TABLE lake.hr.people ({name}) TO USER ann USING ({mask})"
)

FIRST = tuple(
    f"GRANT ALL ON CATALOG {catalog} TO USER {user}"
    for catalog in ("lake", "spare")
    for user in ("adm", "bob")
)
"""Ahead of the tables."""

GRANTS = (
    *(
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON TABLE lake.hr.{table} TO USER ann"
        for table in ("people", "staff", "parts")
    ),
    "CREATE POLICY people_rows ROW FILTER ON TABLE lake.hr.people TO USER ann USING (dept = 'eng')",
    _PEOPLE.format(name="salary", mask="mask_null()"),
    _PEOPLE.format(name="ssn", mask="mask_last(ssn, 4)"),
    _PEOPLE.format(name="phone", mask="mask_constant('hidden')"),
    "CREATE POLICY people_columns RESTRICT COLUMNS ON TABLE lake.hr.people (note, kin) TO USER ann",
    "CREATE POLICY staff_rows ROW FILTER ON TABLE lake.hr.staff TO USER ann USING (dept RLIKE '^e')",
    (
        "CREATE POLICY parts_region COLUMN MASK ON TABLE lake.hr.parts (region) TO USER ann "
        "USING (mask_constant('zz'))"
    ),
    "GRANT SELECT ON TABLE lake.hr.ledger TO USER ann",
    *(
        f"GRANT SELECT ON VIEW lake.hr.{view} TO USER ann"
        for view in ("v_people", "v_nested", "v_vault", "v_note", "v_scalar", "v_old")
    ),
    "GRANT ALL ON TABLE lake.hr.open TO USER ann",
)
