# Who may do what in the schema `sales` of the catalog `lake`. The questions and answers are those of Trino's plugin for OPA, so the same
# file serves Trino. admins do everything; analysts read the orders of the EU, with the number of the card masked; interns read the same
# orders, and for them the card does not exist; clerks read and add orders of the EU.
package trino

default allow := false

user_groups := input.context.identity.groups

operation := input.action.operation

is_admin if "admins" in user_groups

is_clerk if "clerks" in user_groups

reads_sales if {
	some group in {"analysts", "interns", "clerks"}
	group in user_groups
}

allow if is_admin

# Without these two nobody gets anywhere.
allow if operation == "ExecuteQuery"

allow if {
	operation in {"AccessCatalog", "FilterCatalogs"}
	input.action.resource.catalog.name == "lake"
	reads_sales
}

allow if {
	operation == "FilterSchemas"
	is_sales(input.action.resource.schema)
	reads_sales
}

allow if {
	operation in {"FilterTables", "ShowColumns"}
	is_sales(input.action.resource.table)
	reads_sales
}

# FilterColumns has one column, SelectFromColumns all that are read.
allow if {
	operation in {"FilterColumns", "SelectFromColumns"}
	is_sales(input.action.resource.table)
	reads_sales
	every column in input.action.resource.table.columns {
		not is_hidden(input.action.resource.table.tableName, column)
	}
}

allow if {
	operation == "InsertIntoTable"
	is_sales(input.action.resource.table)
	is_clerk
}

is_sales(named) if {
	named.catalogName == "lake"
	named.schemaName == "sales"
}

is_hidden("orders", "card") if {
	"interns" in user_groups
	not is_admin
}

# Rows: each expression is one more condition, in Trino's SQL.
rowFilters contains {"expression": "region = 'eu'"} if {
	input.action.resource.table.tableName == "orders"
	is_sales(input.action.resource.table)
	not is_admin
}

# Columns: undefined means that there is no mask.
columnMask := {"expression": "'****' || substr(card, -4)"} if {
	input.action.resource.column.columnName == "card"
	input.action.resource.column.tableName == "orders"
	is_sales(input.action.resource.column)
	not is_admin
	not is_clerk # who writes an order must know its card: nobody inserts into a table that is masked for them
}
