# A policy for the schema `sales` of the catalog `lake`. The requests and responses are those of Trino's plugin for OPA, so that the same
# file works with Trino. admins do everything; analysts read the orders of the EU, with the number of the card masked; interns read the same
# orders without the card; clerks read and insert orders of the EU.
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

# Every statement needs these two.
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

# FilterColumns has one column, SelectFromColumns all columns of the query.
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

# Row filters: each expression is one more condition, in Trino's SQL.
rowFilters contains {"expression": "region = 'eu'"} if {
	input.action.resource.table.tableName == "orders"
	is_sales(input.action.resource.table)
	not is_admin
}

# Column masks: undefined means that there is no mask.
columnMask := {"expression": "'****' || substr(card, -4)"} if {
	input.action.resource.column.columnName == "card"
	input.action.resource.column.tableName == "orders"
	is_sales(input.action.resource.column)
	not is_admin
	not is_clerk # a user cannot insert into a table with a mask for this user
}
