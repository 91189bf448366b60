// What `go build` makes OPA from. With go.sum it pins the content of OPA and of everything that it needs; both are read only.
// For another version: put it in, run `go build -mod=mod -o /dev/null github.com/open-policy-agent/opa` here, and see what has changed.
module sqe.invalid/opa

go 1.26.0

require github.com/open-policy-agent/opa v1.22.0
