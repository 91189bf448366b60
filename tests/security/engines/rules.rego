# What rules.yaml says of the tables of the essential cases, for OPA.
package trino

default allow := false

user := input.context.identity.user

operation := input.action.operation

table := input.action.resource.table

reading := {"SelectFromColumns", "FilterColumns", "FilterTables", "ShowColumns", "ShowCreateTable"}

writing := {"InsertIntoTable", "UpdateTableColumns", "DeleteFromTable", "TruncateTable"}

read := {"people", "staff", "parts", "ledger", "v_people", "v_nested", "v_vault", "v_note", "v_scalar", "v_old", "open"}

written := {"people", "staff", "parts", "open"}

hidden := {"note", "kin"}

allow if user in {"adm", "bob"}

allow if operation == "ExecuteQuery"

allow if {
	user == "ann"
	operation in {"AccessCatalog", "FilterCatalogs"}
	input.action.resource.catalog.name == "lake"
}

allow if {
	user == "ann"
	operation in {"FilterSchemas", "ShowTables"}
	input.action.resource.schema.catalogName == "lake"
	input.action.resource.schema.schemaName in {"hr", "hist"}
}

allow if {
	is_hr
	operation in reading
	table.tableName in read
	not shows_hidden
}

allow if {
	is_hr
	operation in writing
	table.tableName in written
}

allow if {
	is_hr
	table.tableName == "open"
}

allow if {
	is_hist
	operation in reading | writing
}

is_hist if {
	user == "ann"
	table.catalogName == "lake"
	table.schemaName == "hist"
}

is_hr if {
	user == "ann"
	table.catalogName == "lake"
	table.schemaName == "hr"
}

shows_hidden if {
	table.tableName == "people"
	some column in table.columns
	column in hidden
}

rowFilters contains {"expression": "dept = 'eng'"} if {
	is_hr
	table.tableName == "people"
}

rowFilters contains {"expression": "regexp_like(dept, '^e')"} if {
	is_hr
	table.tableName == "staff"
}

masks := {
	"people": {
		"salary": "CAST(NULL AS integer)",
		"ssn": "'xxxxxxx' || substr(ssn, -4)",
		"phone": "'hidden'",
	},
	"parts": {"region": "'zz'"},
}

columnMask := {"expression": masks[column.tableName][column.columnName]} if {
	user == "ann"
	column := input.action.resource.column
	column.catalogName == "lake"
	column.schemaName == "hr"
}

columnMask := {"expression": "NULL"} if {
	user == "ann"
	column := input.action.resource.column
	column.catalogName == "lake"
	column.schemaName == "hist"
	column.columnName == "ssn"
}
