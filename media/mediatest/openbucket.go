package mediatest

import (
	"bytes"
	"encoding/xml"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// OpenBucket returns the address of a fake S3 that stores files and checks no credentials, as many fakes do: for
// tests that have to detect that.
func OpenBucket(t testing.TB) string {
	t.Helper()
	b := &openBucket{kept: map[string][]byte{}}
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	return server.URL
}

type openBucket struct {
	mu   sync.Mutex
	kept map[string][]byte // by path
}

func (b *openBucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	body, there := b.kept[r.URL.Path]
	switch {
	case r.Method == http.MethodPut:
		b.kept[r.URL.Path] = sent(r)
	case r.Method == http.MethodDelete:
		delete(b.kept, r.URL.Path)
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodPost: // several to delete
		_, _ = io.WriteString(w, "<DeleteResult></DeleteResult>")
	case there:
		w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
		_, _ = w.Write(body)
	case r.Method == http.MethodGet:
		b.list(w, strings.Trim(r.URL.Path, "/")+"/"+r.URL.Query().Get("prefix"))
	}
}

// sent is the body of a put. Without TLS it comes in chunks, each under "length;chunk-signature=…".
func sent(r *http.Request) (out []byte) {
	body, _ := io.ReadAll(r.Body)
	if !strings.HasPrefix(r.Header.Get("X-Amz-Content-Sha256"), "STREAMING-") {
		return body
	}
	for {
		head, rest, _ := bytes.Cut(body, []byte("\r\n"))
		size, _, _ := bytes.Cut(head, []byte(";"))
		n, err := strconv.ParseInt(string(size), 16, 64)
		if err != nil || n == 0 || int(n)+2 > len(rest) {
			return out
		}
		out, body = append(out, rest[:n]...), rest[n+2:]
	}
}

func (b *openBucket) list(w io.Writer, prefix string) {
	type object struct {
		Key          string
		LastModified time.Time
		Size         int
	}
	out := struct {
		XMLName     xml.Name `xml:"ListBucketResult"`
		IsTruncated bool
		Contents    []object
	}{}
	bucket, _, _ := strings.Cut(prefix, "/")
	for path, body := range b.kept {
		if key := strings.TrimPrefix(path, "/"); strings.HasPrefix(key, prefix) {
			out.Contents = append(out.Contents, object{strings.TrimPrefix(key, bucket+"/"), time.Now().UTC(), len(body)})
		}
	}
	_ = xml.NewEncoder(w).Encode(out)
}
