// Package mediatest has the test helpers for media: one suite that every store passes (RunStore), a store for the
// tests of other packages (Store), failing stores (Down), and a real MinIO (MinIO).
package mediatest

import (
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"foyer/app/clock"
	"foyer/media/store"
)

// Store returns a folder that is deleted after the test, behind working addresses.
func Store(t testing.TB) *store.Dir {
	t.Helper()
	return OpenDir(t, t.TempDir(), Secret).Store.(*store.Dir)
}

// Secret signs the addresses of Store.
var Secret = []byte("the secret of all folders in tests")

// OpenDir opens a folder behind a server of its own.
func OpenDir(t testing.TB, root string, secret []byte) Opened {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	d, err := store.OpenDir(store.DirConfig{
		Root: root, URL: "http://" + server.Listener.Addr().String() + "/files", Secret: secret, Clock: clock.System{},
	})
	if err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = http.StripPrefix("/files", d.Handler())
	server.Start()
	t.Cleanup(func() {
		server.Close()
		_ = d.Close()
	})
	return Opened{Store: d}
}

// ErrDown is the error of a store that is down.
var ErrDown = errors.New("mediatest: the store is down")

// Down returns a store that answers every call with ErrDown, after hangs. A caller that gives up before gets its own
// error.
func Down(hangs time.Duration) store.Store { return down{hangs} }

type down struct{ hangs time.Duration }

func (d down) fail(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d.hangs):
		return ErrDown
	}
}

func (d down) Put(ctx context.Context, _, _ string, _ []byte) error { return d.fail(ctx) }

func (d down) Get(ctx context.Context, _ string) (io.ReadCloser, store.Object, error) {
	return nil, store.Object{}, d.fail(ctx)
}

func (d down) Delete(ctx context.Context, _ ...string) error { return d.fail(ctx) }

func (d down) List(ctx context.Context, _ string) iter.Seq2[store.Object, error] {
	return func(yield func(store.Object, error) bool) { yield(store.Object{}, d.fail(ctx)) }
}

func (d down) SignedURL(ctx context.Context, _, _ string, _ time.Duration) (string, error) {
	return "", d.fail(ctx)
}
