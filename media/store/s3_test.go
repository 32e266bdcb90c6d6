package store_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/app/apptest/walks"
	"foyer/media/mediatest"
	"foyer/media/store"
)

func openS3(t *testing.T, c store.S3Config) *store.S3 {
	t.Helper()
	s, err := store.OpenS3(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestS3(t *testing.T) {
	c := mediatest.MinIO(t)
	if !walks.Long() {
		c.AtOnce = mediatest.Many
	}
	n := 0
	mediatest.RunStore(t, func(t *testing.T) mediatest.Opened {
		n++
		c.Bucket = fmt.Sprintf("photos-%d-%d", time.Now().UnixNano(), n) // made when it is missing
		wrong := c
		wrong.SecretKey = "another password"
		return mediatest.Opened{Store: openS3(t, c), Stranger: openS3(t, wrong), Remote: true}
	})
	t.Run("bucket taken away", func(t *testing.T) { bucketComesBack(t, c) })
}

// bucketComesBack: after a bucket was deleted, a call fails and the next makes it again.
func bucketComesBack(t *testing.T, c store.S3Config) {
	c.Bucket = fmt.Sprintf("photos-%d", time.Now().UnixNano())
	s := openS3(t, c)
	put := func() error { return s.Put(t.Context(), "a", "image/png", []byte("a")) }
	if err := errors.Join(put(), s.Delete(t.Context(), "a"), dropBucket(t.Context(), c)); err != nil {
		t.Fatal(err)
	}
	if err := put(); err == nil {
		t.Error("put into no bucket")
	}
	if err := put(); err != nil {
		t.Error(err)
	}
}

// TestSuiteNeedsAuthentication: a store without authentication does not pass the suite. Such fakes are common, and
// prove nothing.
func TestSuiteNeedsAuthentication(t *testing.T) {
	c := store.S3Config{Endpoint: mediatest.OpenBucket(t), Bucket: "photos", AccessKey: "a", SecretKey: "secret"}
	wrong := c
	wrong.SecretKey = "another"
	err := mediatest.CheckAccess(t.Context(), mediatest.Opened{Store: openS3(t, c), Stranger: openS3(t, wrong), Remote: true})
	if err == nil {
		t.Fatal("a store without authentication passes")
	}
	for _, what := range []string{
		"anonymous", "another key", "another name", "longer", "a bad signature", "signed by a stranger",
		"get with a wrong secret", "put with a wrong secret", "list with a wrong secret", "delete with a wrong secret", "delete two with a wrong secret",
	} {
		if !strings.Contains(err.Error(), what+":") {
			t.Errorf("not noticed: %s", what)
		}
	}
}

// TestDownIsSoonTold: a caller waits for a store that is down for five seconds at most, and does not get ErrNotFound.
func TestDownIsSoonTold(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts connections and sends nothing
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	ill := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }))
	defer ill.Close()
	var all sync.WaitGroup
	for name, address := range map[string]string{
		"silent": "http://" + silent.Addr().String(), "closed": "http://" + closed.Addr().String(), "ill": ill.URL,
	} {
		s := openS3(t, store.S3Config{Endpoint: address, Bucket: "photos", AccessKey: "a", SecretKey: "secret"})
		for what, call := range map[string]func(context.Context) error{
			"put":    func(ctx context.Context) error { return s.Put(ctx, "a", "image/png", make([]byte, 300_000)) },
			"get":    func(ctx context.Context) error { _, _, err := s.Get(ctx, "a"); return err },
			"delete": func(ctx context.Context) error { return s.Delete(ctx, "a", "b") },
			"list": func(ctx context.Context) (err error) {
				for _, err = range s.List(ctx, "") {
				}
				return err
			},
		} {
			all.Go(func() {
				began := time.Now()
				if err := call(t.Context()); err == nil || errors.Is(err, store.ErrNotFound) {
					t.Errorf("%s, %s: it says %v", name, what, err)
				}
				if took := time.Since(began); took > 5*time.Second {
					t.Errorf("%s, %s: told after %s", name, what, took)
				}
			})
		}
	}
	all.Wait()
}

// TestHangsInTheMiddle: a file is read as slowly as its reader likes, and a store that stops in the middle of one is
// given up.
func TestHangsInTheMiddle(t *testing.T) {
	t.Parallel()
	half := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "4")
		w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
		if r.Method == http.MethodHead {
			return
		}
		_, _ = io.WriteString(w, "ab")
		w.(http.Flusher).Flush()
		select {
		case <-half:
			_, _ = io.WriteString(w, "cd")
		case <-r.Context().Done():
		}
	}))
	defer server.Close()
	s := openS3(t, store.S3Config{Endpoint: server.URL, Bucket: "photos", AccessKey: "a", SecretKey: "secret", Patience: time.Second})
	for _, hangs := range []bool{true, false} {
		file, _, err := s.Get(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		first := make([]byte, 2)
		if _, err := io.ReadFull(file, first); err != nil {
			t.Fatal(err)
		}
		time.Sleep(1300 * time.Millisecond) // of the reader
		if !hangs {
			close(half)
		}
		began := time.Now()
		rest, err := io.ReadAll(file)
		if took := time.Since(began); hangs != (err != nil) || took > 5*time.Second || !hangs && string(rest) != "cd" {
			t.Errorf("hangs: %t: %q, %v after %s", hangs, rest, err, took)
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestS3Settings(t *testing.T) {
	right := store.S3Config{Endpoint: "https://s3.example.com", Bucket: "photos", AccessKey: "a", SecretKey: "secret"}
	openS3(t, right)
	for name, change := range map[string]func(*store.S3Config){
		"no scheme":     func(c *store.S3Config) { c.Endpoint = "s3.example.com" },
		"a path":        func(c *store.S3Config) { c.Endpoint += "/photos" },
		"another kind":  func(c *store.S3Config) { c.Endpoint = "ftp://s3.example.com" },
		"a password":    func(c *store.S3Config) { c.Endpoint = "https://a:b@s3.example.com" },
		"no bucket":     func(c *store.S3Config) { c.Bucket = "" },
		"no access key": func(c *store.S3Config) { c.AccessKey = "" },
		"no secret":     func(c *store.S3Config) { c.SecretKey = "" },
	} {
		c := right
		change(&c)
		if _, err := store.OpenS3(c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestOneMinIO: the tests run the MinIO that operators get.
func TestOneMinIO(t *testing.T) {
	const release, version = "RELEASE.2025-09-07T16-13-09Z", "v0.0.0-20250907161309-07c3a429bfed"
	for file, want := range map[string]string{
		"../../docker-compose.yml": "minio/minio:" + release, "../mediatest/minio.go": `"` + release + `"`, "../../tools/setup.sh": version,
	} {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(body), want) {
			t.Errorf("%s does not name %s", file, want)
		}
	}
}
