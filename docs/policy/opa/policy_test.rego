package trino_test

import data.trino

orders := {"catalogName": "lake", "schemaName": "sales", "tableName": "orders"}

who(groups) := {"identity": {"user": "somebody", "groups": groups}}

reading(groups, columns) := {
	"context": who(groups),
	"action": {
		"operation": "SelectFromColumns",
		"resource": {"table": object.union(orders, {"columns": columns})},
	},
}

masking(groups) := {
	"context": who(groups),
	"action": {
		"operation": "GetColumnMask",
		"resource": {"column": object.union(orders, {"columnName": "card", "columnType": "varchar"})},
	},
}

filtering(groups) := {
	"context": who(groups),
	"action": {"operation": "GetRowFilters", "resource": {"table": orders}},
}

test_analysts_read if trino.allow with input as reading(["analysts"], ["id", "card"])

test_interns_read_what_they_may_see if trino.allow with input as reading(["interns"], ["id"])

test_interns_do_not_read_cards if not trino.allow with input as reading(["interns"], ["id", "card"])

test_others_do_not_read if not trino.allow with input as reading(["visitors"], ["id"])

test_analysts_see_the_eu if count(trino.rowFilters) == 1 with input as filtering(["analysts"])

test_admins_see_everything if {
	count(trino.rowFilters) == 0 with input as filtering(["admins"])
	not trino.columnMask with input as masking(["admins"])
}

test_cards_are_masked if trino.columnMask.expression == "'****' || substr(card, -4)" with input as masking(["analysts"])

test_columns_are_filtered_by_their_numbers if {
	trino.batch == {0} with input as {
		"context": who(["interns"]),
		"action": {
			"operation": "FilterColumns",
			"filterResources": [{"table": object.union(orders, {"columns": ["id", "card"]})}],
		},
	}
}

test_masks_by_number if {
	masks := trino.batchColumnMasks with input as {
		"context": who(["analysts"]),
		"action": {
			"operation": "GetColumnMask",
			"filterResources": [
				{"column": object.union(orders, {"columnName": "id", "columnType": "bigint"})},
				{"column": object.union(orders, {"columnName": "card", "columnType": "varchar"})},
			],
		},
	}
	masks == {{"index": 1, "viewExpression": {"expression": "'****' || substr(card, -4)"}}}
}
