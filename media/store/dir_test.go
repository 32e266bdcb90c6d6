package store_test

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"foyer/app/clock"
	"foyer/media/mediatest"
	"foyer/media/store"
)

func TestDir(t *testing.T) {
	mediatest.RunStore(t, func(t *testing.T) mediatest.Opened {
		root := t.TempDir()
		o := mediatest.OpenDir(t, root, mediatest.Secret)
		o.Stranger = strangeTo(t, o.Store, root)
		return o
	})
}

// strangeTo opens the folder with another secret, and shows it where the other is shown.
func strangeTo(t *testing.T, s store.Store, root string) store.Store {
	t.Helper()
	address, err := s.SignedURL(t.Context(), "a", "", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	base, _, _ := strings.Cut(address, "/a?")
	d, err := store.OpenDir(store.DirConfig{Root: root, URL: base, Secret: []byte("the secret of somebody else, 32 bytes"), Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func openDir(t *testing.T, root string, at clock.Clock) *store.Dir {
	t.Helper()
	d, err := store.OpenDir(store.DirConfig{Root: root, URL: "https://book.example.com/files", Secret: mediatest.Secret, Clock: at})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// TestLinksLeadNowhere: an attacker with write access to the folder cannot make us read or write outside of it.
func TestLinksLeadNowhere(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(root, "b1")); err != nil {
		t.Fatal(err)
	}
	d := openDir(t, root, clock.System{})
	if _, _, err := d.Get(t.Context(), "b1/secret"); err == nil {
		t.Error("a link was followed")
	}
	if err := d.Put(t.Context(), "b1/mine", "image/png", []byte("x")); err == nil {
		t.Error("a link was written through")
	}
	if err := d.Delete(t.Context(), "b1/secret"); err == nil {
		t.Error("a link was deleted through")
	}
	if names, err := os.ReadDir(outside); err != nil || len(names) != 1 {
		t.Errorf("outside are %v, %v", names, err)
	}
}

// TestCrashLeavesNoHalfFile: the unfinished file of a killed process is neither listed nor read, does not block the
// next one, and is deleted by a list made an hour later.
func TestCrashLeavesNoHalfFile(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "b1"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "b1", ".part-XYZ"), []byte("hal"), 0o600); err != nil {
		t.Fatal(err)
	}
	part := filepath.Join(root, "b1", ".part-XYZ")
	d := openDir(t, root, clock.System{})
	for _, age := range []time.Duration{0, 2 * time.Hour} {
		if _, err := os.Stat(part); err != nil {
			t.Fatal(err) // it could still be written
		}
		if err := os.Chtimes(part, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
		for object, err := range d.List(t.Context(), "") {
			t.Errorf("listed %s, %v", object.Key, err)
		}
	}
	if _, err := os.Stat(part); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
	if err := d.Put(t.Context(), "b1/640.jpg", "image/jpeg", []byte("whole")); err != nil {
		t.Error(err)
	}
	if body, _, err := d.Get(t.Context(), "b1/640.jpg"); err != nil {
		t.Error(err)
	} else {
		body.Close()
	}
}

// TestNothingIsLeftBehind: deleting the last file of a photo takes its folders away, and its remembered type.
func TestNothingIsLeftBehind(t *testing.T) {
	root := t.TempDir()
	d := openDir(t, root, clock.System{})
	for _, key := range []string{"b1/aa/original", "b1/aa/160.jpg"} {
		if err := d.Put(t.Context(), key, "image/gif", []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Delete(t.Context(), "b1/aa/original", "b1/aa/160.jpg"); err != nil {
		t.Fatal(err)
	}
	if names, err := os.ReadDir(root); err != nil || len(names) != 0 {
		t.Errorf("left are %v, %v", names, err)
	}
}

func TestFullFolderIsAnError(t *testing.T) {
	root := t.TempDir()
	d := openDir(t, root, clock.System{})
	if err := os.WriteFile(filepath.Join(root, "b1"), nil, 0o600); err != nil { // no folder can be made
		t.Fatal(err)
	}
	if err := d.Put(t.Context(), "b1/640.jpg", "image/jpeg", []byte("x")); err == nil || errors.Is(err, store.ErrNotFound) {
		t.Errorf("put: %v", err)
	}
}

func TestSecretOfAFolderIsLong(t *testing.T) {
	if _, err := store.OpenDir(store.DirConfig{Root: t.TempDir(), Secret: []byte("short"), Clock: clock.System{}}); err == nil {
		t.Error("a short secret does")
	}
}

// TestServedFileDoesNothing: a file of a folder is served with the type that was put, runs nothing, and is cached no
// longer than its address lasts.
func TestServedFileDoesNothing(t *testing.T) {
	now := clock.NewFixed(time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC))
	d := openDir(t, t.TempDir(), now)
	if err := d.Put(t.Context(), "b1/aa/page", "text/html", []byte("<script>")); err != nil {
		t.Fatal(err)
	}
	address, err := d.SignedURL(t.Context(), "b1/aa/page", "", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(address, "https://book.example.com/files/b1/aa/page?") {
		t.Fatal(address, err)
	}
	ask := func(method string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		http.StripPrefix("/files", d.Handler()).ServeHTTP(w, httptest.NewRequest(method, u.RequestURI(), nil))
		return w
	}
	now.Advance(20 * time.Minute)
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		w := ask(method)
		for name, want := range map[string]string{
			"Content-Type": "text/html", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox",
			"Cache-Control": "private, max-age=2400, immutable", "Content-Disposition": "inline", "Content-Length": "8",
		} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", method, name, got, want)
			}
		}
		if want := map[string]string{http.MethodGet: "<script>"}[method]; w.Code != http.StatusOK || w.Body.String() != want {
			t.Errorf("%s: %d %q", method, w.Code, w.Body)
		}
	}
	if w := ask(http.MethodPost); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", w.Code)
	}
	now.Advance(40 * time.Minute)
	if w := ask(http.MethodGet); w.Code != http.StatusNotFound || strings.Contains(w.Body.String(), "<script>") {
		t.Errorf("after its hour: %d %q", w.Code, w.Body)
	}
	if _, err := d.OpenSigned(t.Context(), "b1/aa/page", u.Query()); !errors.Is(err, store.ErrUnsigned) {
		t.Errorf("after its hour: %v", err)
	}
}
