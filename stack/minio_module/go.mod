// What `go build` makes MinIO from. With go.sum it pins the content of MinIO and of everything that it needs; both are read only.
// For another version: put it in, run `go build -mod=mod -o /dev/null github.com/minio/minio` here, and see what has changed.
module sqe.invalid/minio

go 1.24.0

require github.com/minio/minio v0.0.0-20260212201848-7aac2a2c5b7c
