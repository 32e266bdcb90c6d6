package apptest

import (
	"bytes"
	"context"
	"io"
	"iter"
	"strings"
	"sync"
	"time"

	"foyer/media/store"
)

// Files keeps files in memory.
type Files struct {
	mu   sync.Mutex
	kept map[string][]byte
	Fail error // what Put and Get fail with, unless nil
}

// Put implements store.Store.
func (f *Files) Put(_ context.Context, key, _ string, data []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kept == nil {
		f.kept = map[string][]byte{}
	}
	if f.Fail == nil {
		f.kept[key] = bytes.Clone(data)
	}
	return f.Fail
}

// Get implements store.Store.
func (f *Files) Get(_ context.Context, key string) (io.ReadCloser, store.Object, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	data, found := f.kept[key]
	switch {
	case f.Fail != nil:
		return nil, store.Object{}, f.Fail
	case !found:
		return nil, store.Object{}, store.ErrNotFound
	}
	return io.NopCloser(bytes.NewReader(data)), store.Object{Key: key, Size: int64(len(data))}, nil
}

// Delete implements store.Store.
func (f *Files) Delete(_ context.Context, keys ...string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, key := range keys {
		delete(f.kept, key)
	}
	return nil
}

// List implements store.Store.
func (f *Files) List(_ context.Context, prefix string) iter.Seq2[store.Object, error] {
	return func(yield func(store.Object, error) bool) {
		f.mu.Lock()
		defer f.mu.Unlock()
		for key, data := range f.kept {
			if strings.HasPrefix(key, prefix) && !yield(store.Object{Key: key, Size: int64(len(data))}, nil) {
				return
			}
		}
	}
}

// SignedURL implements store.Store.
func (f *Files) SignedURL(_ context.Context, key, _ string, _ time.Duration) (string, error) {
	return "memory:" + key, nil
}
