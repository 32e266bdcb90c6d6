// Package store keeps files that are not rows: photos, their sizes, the PDFs of agreements. One Store stands for a folder on this
// machine or for a bucket of MinIO or S3; what is behind it shows nowhere else.
//
// Keys are paths of lower-case letters, digits, dots and dashes, led by the business: "<business id>/<sha-256>/640.webp". What is
// under a key never changes: other bytes have another key. So a put that is done twice is one put, and what is read can be kept for
// ever.
package store

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"
)

// ErrNotFound says that nothing is under a key.
var ErrNotFound = errors.New("store: nothing is under this key")

// Object is what is known of a kept file without reading it.
type Object struct {
	Key         string
	Size        int64
	ContentType string    // as it was put; a list does not tell it
	Modified    time.Time // when it was put
}

// Store keeps files by key. Every method gives up when its context does. An error that is not ErrNotFound means that the store
// could not be asked, or broke a promise: nobody can say whether the file is there.
type Store interface {
	// Put keeps data under key. When it returns nil, the file outlives a crash of this program and of its machine.
	Put(ctx context.Context, key, contentType string, data []byte) error
	// Get opens the file under key; whoever gets it closes it. Error: ErrNotFound.
	Get(ctx context.Context, key string) (io.ReadCloser, Object, error)
	// Delete takes files away; what is not there is none to take away.
	Delete(ctx context.Context, keys ...string) error
	// List goes through what is kept under a prefix that ends in a slash, or under "" through all of it, in no order.
	List(ctx context.Context, prefix string) iter.Seq2[Object, error]
	// SignedURL is where a browser without any other right can read the file until ttl is over. It is saved as name when that is
	// not empty, and shown in the browser when it is.
	SignedURL(ctx context.Context, key, name string, ttl time.Duration) (string, error)
}
