# The same results in batches: one request instead of one for each table of a listing and each column of a table.
package trino

batch contains i if {
	operation != "FilterColumns"
	some i, resource in input.action.filterResources
	allow with input.action.resource as resource
}

# FilterColumns has one table with all columns; the numbers are those of its columns.
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
