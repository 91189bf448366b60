# The same answers for many names at once: one question instead of one for each table of a listing and each column of a table.
package trino

batch contains i if {
	operation != "FilterColumns"
	some i, resource in input.action.filterResources
	allow with input.action.resource as resource
}

# Columns are filtered with one table that has all of them; the numbers are those of its columns.
batch contains i if {
	operation == "FilterColumns"
	some table in [resource.table | some resource in input.action.filterResources]
	some i, column in table.columns
	allow with input.action.resource as {"table": object.union(table, {"columns": [column]})}
}

batchColumnMasks contains {"index": i, "viewExpression": mask} if {
	some i, resource in input.action.filterResources
	mask := columnMask with input.action.resource as resource
}
