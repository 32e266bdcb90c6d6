package main

import (
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/clock"
	"foyer/app/files"
	"foyer/app/view"
	"foyer/media"
	"foyer/media/mediatest"
	"foyer/media/store"
)

// TestPhotosAreKeptWhereTheSettingsSay: beside the database, in another folder, or in a bucket; and the backup takes
// the same folder.
func TestPhotosAreKeptWhereTheSettingsSay(t *testing.T) {
	c, err := read(t)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(t.TempDir(), "photos")
	for want, dir := range map[string]string{filepath.Join(c.DataDir, "media"): "", elsewhere: elsewhere} {
		c.PhotosDir = dir
		s, err := openStore(c, "https://book.example.com/", clock.System{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Put(t.Context(), "b1/640.jpg", "image/jpeg", []byte("a photo")); err != nil {
			t.Fatal(err)
		}
		if body, err := os.ReadFile(filepath.Join(want, "b1", "640.jpg")); err != nil || string(body) != "a photo" || c.mediaDir() != want {
			t.Errorf("%s: %q, %v; the backup takes %s", want, body, err, c.mediaDir())
		}
		address, err := s.SignedURL(t.Context(), "b1/640.jpg", "", time.Minute)
		if err != nil || !strings.HasPrefix(address, "https://book.example.com"+files.SignedRoot+"/b1/640.jpg?") {
			t.Errorf("shown at %s, %v", address, err)
		}
	}
	c, err = read(t, "FOYER_S3_ENDPOINT=http://127.0.0.1:1", "FOYER_S3_BUCKET=photos", "FOYER_S3_ACCESS_KEY=a", "FOYER_S3_SECRET_KEY=s", "FOYER_PHOTOS_DIRECT=true")
	if err != nil || !c.PhotosDirect {
		t.Fatal(err)
	}
	s, err := openStore(c, "", clock.System{}) // no server there, and ours starts all the same
	if err != nil {
		t.Fatal(err)
	}
	if _, is := s.(*store.S3); !is {
		t.Errorf("opened %T", s)
	}
}

// TestPagesShowPhotosOfTheBucket: pages may load images from a bucket if browsers are redirected there, and only
// then; a size then redirects there with a signature.
func TestPagesShowPhotosOfTheBucket(t *testing.T) {
	w := apptest.Open(t)
	t.Cleanup(func() { view.ImagesFrom("") })
	bucket := []string{"FOYER_S3_ENDPOINT=http://photos.example.com:9000", "FOYER_S3_BUCKET=photos", "FOYER_S3_ACCESS_KEY=a", "FOYER_S3_SECRET_KEY=s"}
	for want, env := range map[string][]string{
		"": bucket, " http://photos.example.com:9000": append(slices.Clone(bucket), "FOYER_PHOTOS_DIRECT=true"),
	} {
		c, err := read(t, append(env, "FOYER_SECRET="+killSecret)...)
		if err != nil {
			t.Fatal(err)
		}
		x, err := buildProduct(t.Context(), parts{
			config: c, clock: clock.System{}, log: slog.New(slog.DiscardHandler), address: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1},
			database: database{app: w.URL("foyer_app")},
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(x.close)
		get := func(path string) http.Header {
			t.Helper()
			answer, err := x.web.App().Test(httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil), -1)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			return answer.Header
		}
		for _, page := range []string{"/no-studio-of-this-name", "/manage/sign-in"} {
			policy := get(page).Get("Content-Security-Policy")
			if !strings.Contains(policy, "; img-src 'self' data:"+want+"; ") {
				t.Errorf("%s, sent to %q: %s", page, want, policy)
			}
		}
		if want == "" {
			continue
		}
		at := get(media.Path(uuid.New(), uuid.New(), 640, media.JPEG)).Get("Location")
		if !strings.HasPrefix(at, strings.TrimSpace(want)+"/photos/") || !strings.Contains(at, "X-Amz-Signature=") {
			t.Errorf("a size leads to %q", at)
		}
	}
}

// TestDoctorLooksAtPhotos: a whole round trip, in a bucket with the secret and not without it; its file is deleted
// afterwards.
func TestDoctorLooksAtPhotos(t *testing.T) {
	look := func(c Config) (string, string) { return checkPhotos(t.Context(), c, nil) }
	c, err := read(t)
	if err != nil {
		t.Fatal(err)
	}
	if state, say := look(c); state != "ok" || !strings.HasSuffix(say, c.mediaDir()) {
		t.Errorf("a folder: %s %s", state, say)
	}
	if left, err := os.ReadDir(c.mediaDir()); err != nil || len(left) != 0 {
		t.Errorf("the folder holds %v, %v", left, err)
	}
	c.PhotosDir = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(c.PhotosDir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if state, _ := look(c); state != "bad" {
		t.Errorf("a file for a folder: %s", state)
	}
	if err := roundTrip(t.Context(), mediatest.Down(0)); err == nil {
		t.Error("a store that is down is well")
	}
}

// TestDoctorSeesAnOpenBucket: one that needs no signature is not well, even though everything works.
func TestDoctorSeesAnOpenBucket(t *testing.T) {
	c, err := read(t, "FOYER_S3_ENDPOINT="+mediatest.OpenBucket(t), "FOYER_S3_BUCKET=photos", "FOYER_S3_ACCESS_KEY=a", "FOYER_S3_SECRET_KEY=s")
	if err != nil {
		t.Fatal(err)
	}
	if state, say := checkPhotos(t.Context(), c, nil); state != "bad" || !strings.Contains(say, "public") {
		t.Errorf("%s %s", state, say)
	}
}
