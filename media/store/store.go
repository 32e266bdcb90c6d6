// Package store stores files that are not rows: photos, their sizes, the PDFs of agreements. One Store is a folder on
// this machine or a bucket of MinIO or S3; other packages do not depend on the kind.
//
// Keys are paths of lower-case letters, digits, dots and dashes, led by the business: "<business
// id>/<sha-256>/640.webp". The content of a key never changes: other bytes have another key. So a repeated put is one
// put, and files can be cached forever.
package store

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"
)

// ErrNotFound means that there is no file under a key.
var ErrNotFound = errors.New("store: no file under this key")

// Object is the description of a stored file without its content.
type Object struct {
	Key         string
	Size        int64
	ContentType string    // as it was put; not in a list
	Modified    time.Time // time of the put
}

// Store stores files by key. Every method ends when its context does. An error other than ErrNotFound means that the
// store could not be reached or failed: whether the file exists is unknown.
type Store interface {
	// Put stores data under key. When it returns nil, the file survives a crash of this program and of its machine.
	Put(ctx context.Context, key, contentType string, data []byte) error
	// Get opens the file under key; the caller closes it. Error: ErrNotFound.
	Get(ctx context.Context, key string) (io.ReadCloser, Object, error)
	// Delete deletes files and ignores missing ones.
	Delete(ctx context.Context, keys ...string) error
	// List yields the files under a prefix that ends in a slash, or with "" all files, in no order.
	List(ctx context.Context, prefix string) iter.Seq2[Object, error]
	// SignedURL returns an address for reading the file in a browser without credentials until ttl has passed. With a
	// name the file is saved under it, without one it is shown in the browser.
	SignedURL(ctx context.Context, key, name string, ttl time.Duration) (string, error)
}
