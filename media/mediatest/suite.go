package mediatest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/app/apptest/walks"
	"foyer/media/store"
)

// Opened is a store of a test.
type Opened struct {
	Store store.Store
	// Stranger is the same store, opened with another secret.
	Stranger store.Store
	// Remote means that readers and writers have to authenticate. A folder is protected by its machine.
	Remote bool
}

// RunStore tests a store against the contract of store.Store. open opens an empty one.
func RunStore(t *testing.T, open func(t *testing.T) Opened) {
	for name, check := range map[string]func(*testing.T, store.Store){
		"put and got": putAndGot, "overwritten": overwritten, "missing": missing, "deleted": deleted, "listed": listed, "many": many,
		"wrong keys": wrongKeys, "side by side": sideBySide, "given up": givenUp,
	} {
		t.Run(name, func(t *testing.T) { check(t, open(t).Store) })
	}
	t.Run("signed", func(t *testing.T) { signed(t, open(t).Store) })
	t.Run("access", func(t *testing.T) {
		if err := CheckAccess(t.Context(), open(t)); err != nil {
			t.Error(err)
		}
	})
}

func put(t *testing.T, s store.Store, key, contentType string, data []byte) {
	t.Helper()
	if err := s.Put(t.Context(), key, contentType, data); err != nil {
		t.Fatalf("put %s: %v", key, err)
	}
}

func got(t *testing.T, s store.Store, key string) ([]byte, store.Object) {
	t.Helper()
	body, object, err := s.Get(t.Context(), key)
	if err != nil {
		t.Fatalf("get %s: %v", key, err)
	}
	defer body.Close()
	data, err := io.ReadAll(body)
	if err != nil {
		t.Fatalf("read %s: %v", key, err)
	}
	return data, object
}

func putAndGot(t *testing.T, s store.Store) {
	big := bytes.Repeat([]byte("0123456789abcdef"), 20<<16) // 20 MiB, the largest upload there is
	for _, c := range []struct {
		key, contentType string
		data             []byte
	}{
		{"b1/aa/640.webp", "image/webp", []byte("a photo")},
		{"b1/aa/640.jpg", "image/jpeg", []byte("the same")},
		{"b1/aa/original", "image/gif", []byte("a type that the key does not tell")},
		{"b1/aa/odd.jpg", "text/plain", []byte("a type that the key denies")},
		{"b1/aa/empty.pdf", "application/pdf", nil},
		{"a", "image/png", []byte("a short key")},
		{"b1/big.pdf", "application/pdf", big},
	} {
		before := time.Now().Add(-time.Second).Truncate(time.Second)
		put(t, s, c.key, c.contentType, c.data)
		data, object := got(t, s, c.key)
		if !bytes.Equal(data, c.data) {
			t.Errorf("%s: got %d bytes that are not the %d put", c.key, len(data), len(c.data))
		}
		if object.Key != c.key || object.Size != int64(len(c.data)) || object.ContentType != c.contentType {
			t.Errorf("%s: got %+v", c.key, object)
		}
		if object.Modified.Before(before) || object.Modified.After(time.Now().Add(time.Minute)) || object.Modified.Location() != time.UTC {
			t.Errorf("%s: put at %v, it says %v", c.key, before, object.Modified)
		}
	}
}

func overwritten(t *testing.T, s store.Store) {
	const key = "b1/aa/640.jpg"
	put(t, s, key, "text/plain", []byte("first, and longer"))
	put(t, s, key, "image/jpeg", []byte("second"))
	if data, object := got(t, s, key); string(data) != "second" || object.ContentType != "image/jpeg" || object.Size != 6 {
		t.Errorf("got %q, %+v", data, object)
	}
	if keys := list(t, s, ""); !slices.Equal(keys, []string{key}) {
		t.Errorf("listed %v", keys)
	}
}

func missing(t *testing.T, s store.Store) {
	put(t, s, "b1/aa/640.jpg", "image/jpeg", []byte("a photo"))
	for _, key := range []string{"b1/aa/320.jpg", "b1/aa", "b1", "b2/aa/640.jpg", "b1/aa/640.jpg/x"} {
		if _, _, err := s.Get(t.Context(), key); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("get %s: %v", key, err)
		}
	}
}

func deleted(t *testing.T, s store.Store) {
	keys := []string{"b1/aa/160.jpg", "b1/aa/160.webp", "b1/aa/original"}
	for range 2 { // a deleted file can be put again
		for _, key := range keys {
			put(t, s, key, "image/gif", []byte("a photo"))
		}
		put(t, s, "b1/bb/160.jpg", "image/jpeg", []byte("another"))
		for range 2 { // the second time, nothing is there
			if err := s.Delete(t.Context(), append(keys, "b1/aa/never")...); err != nil {
				t.Fatal(err)
			}
		}
		for _, key := range keys {
			if _, _, err := s.Get(t.Context(), key); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("get %s: %v", key, err)
			}
		}
		if left := list(t, s, ""); !slices.Equal(left, []string{"b1/bb/160.jpg"}) {
			t.Errorf("left are %v", left)
		}
	}
	if err := s.Delete(t.Context(), "b1/bb/160.jpg"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Delete(t.Context(), "b1/bb/160.jpg"), s.Delete(t.Context())); err != nil {
		t.Error(err)
	}
}

func list(t *testing.T, s store.Store, prefix string) []string {
	t.Helper()
	keys := map[string]bool{}
	for object, err := range s.List(t.Context(), prefix) {
		if err != nil {
			t.Fatalf("list %q: %v", prefix, err)
		}
		if keys[object.Key] {
			t.Errorf("list %q: %s twice", prefix, object.Key)
		}
		keys[object.Key] = true
	}
	return slices.Sorted(maps.Keys(keys))
}

func listed(t *testing.T, s store.Store) {
	if keys := list(t, s, ""); len(keys) != 0 {
		t.Fatalf("an empty store lists %v", keys)
	}
	for _, key := range []string{"b1/aa/160.jpg", "b1/aa/original", "b1/bb/160.jpg", "b10/aa/160.jpg", "b2/aa/160.jpg"} {
		put(t, s, key, "image/jpeg", []byte("12345"))
	}
	for prefix, want := range map[string]string{
		"":         "b1/aa/160.jpg b1/aa/original b1/bb/160.jpg b10/aa/160.jpg b2/aa/160.jpg",
		"b1/":      "b1/aa/160.jpg b1/aa/original b1/bb/160.jpg",
		"b1/bb/":   "b1/bb/160.jpg",
		"b3/":      "",
		"b1/aa/x/": "",
	} {
		if keys := strings.Join(list(t, s, prefix), " "); keys != want {
			t.Errorf("below %q: %s, want %s", prefix, keys, want)
		}
	}
	for object, err := range s.List(t.Context(), "b2/") {
		if err != nil || object.Size != 5 || time.Since(object.Modified).Abs() > time.Minute {
			t.Errorf("%+v, %v", object, err)
		}
	}
	for range s.List(t.Context(), "") { // a caller may stop early
		break
	}
	for _, prefix := range []string{"b1", "/", "../", "b1//"} {
		var err error
		for _, err = range s.List(t.Context(), prefix) {
		}
		if err == nil {
			t.Errorf("below %q: no error", prefix)
		}
	}
}

// Many is the number of names that a remote store lists and deletes at once in a short walk; in a long one it is the
// usual number.
const Many = 100

// many is more than one answer of an object store holds.
func many(t *testing.T, s store.Store) {
	n := walks.Steps(Many+23, 1203)
	keys := make([]string, n)
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := worker; i < n; i += 8 {
				keys[i] = fmt.Sprintf("b1/%04d/160.jpg", i)
				if err := s.Put(t.Context(), keys[i], "image/jpeg", []byte{1}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	put(t, s, "b2/0000/160.jpg", "image/jpeg", []byte{1})
	if listed := list(t, s, "b1/"); !slices.Equal(listed, keys) {
		t.Fatalf("listed %d of %d", len(listed), n)
	}
	if err := s.Delete(t.Context(), keys...); err != nil {
		t.Fatal(err)
	}
	if left := list(t, s, ""); !slices.Equal(left, []string{"b2/0000/160.jpg"}) {
		t.Errorf("left are %d", len(left))
	}
}

func wrongKeys(t *testing.T, s store.Store) {
	put(t, s, "a/b", "image/png", []byte("inside"))
	for _, key := range []string{
		"", "/", "/etc/passwd", "../x", "a/../../x", "a/./b", "a//b", "a/", "A/b", "a b", "ä", "a\\b", "a\x00", "a/..", ".x", "a/.type-b",
		strings.Repeat("a", 513), "a%2fb", "a_b", "a\n",
	} {
		_, _, getErr := s.Get(t.Context(), key)
		_, signErr := s.SignedURL(t.Context(), key, "", time.Minute)
		for what, err := range map[string]error{
			"put": s.Put(t.Context(), key, "image/png", []byte("out")), "get": getErr, "delete": s.Delete(t.Context(), key), "sign": signErr,
		} {
			if err == nil || errors.Is(err, store.ErrNotFound) {
				t.Errorf("%s %q: %v", what, key, err)
			}
		}
	}
	if keys := list(t, s, ""); !slices.Equal(keys, []string{"a/b"}) {
		t.Errorf("listed %v", keys)
	}
}

// sideBySide puts and deletes the same key at once: in the end it is whole or not there.
func sideBySide(t *testing.T, s store.Store) {
	data := bytes.Repeat([]byte("x"), 100_000)
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for range 10 {
				var err error
				if worker%2 == 0 {
					err = s.Put(t.Context(), "b1/aa/160.jpg", "image/jpeg", data)
				} else {
					err = s.Delete(t.Context(), "b1/aa/160.jpg")
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	put(t, s, "b1/aa/160.jpg", "image/jpeg", data)
	if is, _ := got(t, s, "b1/aa/160.jpg"); !bytes.Equal(is, data) {
		t.Errorf("%d bytes of %d", len(is), len(data))
	}
}

func givenUp(t *testing.T, s store.Store) {
	put(t, s, "a", "image/png", []byte("a"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, getErr := s.Get(ctx, "a")
	var listErr error
	for _, listErr = range s.List(ctx, "") {
	}
	for what, err := range map[string]error{
		"put": s.Put(ctx, "b", "image/png", []byte("b")), "get": getErr, "delete": s.Delete(ctx, "a"), "list": listErr,
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if keys := list(t, s, ""); !slices.Equal(keys, []string{"a"}) {
		t.Errorf("listed %v", keys)
	}
}
