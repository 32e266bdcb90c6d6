package files_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/clock"
	"foyer/app/fault"
	"foyer/app/files"
	"foyer/app/pg"
	"foyer/app/web"
	"foyer/app/web/op"
	"foyer/media"
	"foyer/media/mediatest"
	"foyer/media/store"
	"foyer/policy"
)

const (
	business = "0190a1b2-0000-7000-8000-00000000000b"
	asset    = "0190a1b2-0000-7000-8000-00000000000a"
	original = business + "/" + asset + "/original-a1"
)

// surface is a server with nothing but files.
type surface struct {
	t     *testing.T
	store store.Store
	app   *fiber.App
}

func open(t *testing.T, o files.Options) surface {
	t.Helper()
	return surface{t, o.Store, serverOf(o, 0).App()}
}

// serverOf is a server that has that long for a read; as long as usual when it is zero.
func serverOf(o files.Options, patience time.Duration) *web.Server {
	// A file request is neither authenticated nor counted: a call of either fails.
	asked := errors.New("a file has asked the database")
	server := web.New(web.Options{
		Known: policy.Known, ReadPatience: patience,
		Gate:    op.Gate{Enter: func(context.Context, op.Knock) (op.Entry, error) { return op.Entry{}, asked }},
		Hit:     func(context.Context, string, int, time.Duration) (pg.Hits, error) { return pg.Hits{}, asked },
		BaseURL: "https://book.test", Build: "1", Secret: bytes.Repeat([]byte("s"), 32), Clock: clock.System{}, Log: slog.New(slog.DiscardHandler),
		ErrorPage: func(c *fiber.Ctx, status int, f *fault.Error) error {
			return c.Status(status).SendString("page: " + f.Reason)
		},
	})
	files.Register(server, o)
	return server
}

// folder is a surface over a folder that holds one photo: an original and two sizes of it.
func folder(t *testing.T) surface {
	t.Helper()
	d, err := store.OpenDir(store.DirConfig{Root: t.TempDir(), URL: "https://book.test" + files.SignedRoot, Secret: mediatest.Secret, Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	for key, contentType := range map[string]string{
		original: "image/jpeg", business + "/" + asset + "/640.jpg": "image/jpeg", business + "/" + asset + "/640.webp": "image/webp",
	} {
		if err := d.Put(t.Context(), key, contentType, []byte("bytes of "+key)); err != nil {
			t.Fatal(err)
		}
	}
	return open(t, files.Options{Store: d})
}

func (s surface) ask(method, path string) (*http.Response, string) {
	s.t.Helper()
	answer, err := s.app.Test(httptest.NewRequestWithContext(s.t.Context(), method, path, nil), -1)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer, string(body)
}

func (s surface) wants(answer *http.Response, status int, headers map[string]string) {
	s.t.Helper()
	if answer.StatusCode != status {
		s.t.Errorf("%d, want %d", answer.StatusCode, status)
	}
	for name, want := range headers {
		if got := answer.Header.Get(name); got != want {
			s.t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// A size is public and cached for ever, on any website, and a browser runs nothing in it.
func TestSize(t *testing.T) {
	s := folder(t)
	for ext, contentType := range map[string]string{"jpg": "image/jpeg", "webp": "image/webp"} {
		path := "/media/" + business + "/" + asset + "/640." + ext
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			answer, body := s.ask(method, path)
			s.wants(answer, 200, map[string]string{
				"Content-Type": contentType, "Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff",
				"Content-Security-Policy": "default-src 'none'; sandbox", "Cross-Origin-Resource-Policy": "cross-origin",
			})
			want := "bytes of " + strings.TrimPrefix(path, "/media/")
			if answer.ContentLength != int64(len(want)) || method == http.MethodGet && body != want {
				t.Errorf("%s %s: %q, %d bytes long", method, path, body, answer.ContentLength)
			}
		}
	}
}

// Nothing but sizes that there are can be reached: no original, and nothing beside the folder of a photo.
func TestNothingElse(t *testing.T) {
	s := folder(t)
	at, size := "/media/"+business+"/"+asset+"/", "/media/"+business+"/"+asset+"/640.jpg"
	for what, path := range map[string]string{
		"an original":             "/media/" + original,
		"an original as a size":   at + "original-a1.jpg",
		"a size that is not made": at + "320.jpg",
		"another ending":          at + "640.png",
		"no ending":               at + "640",
		"two endings":             at + "640.jpg.webp",
		"an ending in capitals":   at + "640.JPG",
		"ids in capitals":         "/media/" + strings.ToUpper(business) + "/" + asset + "/640.jpg",
		"another number":          at + "0640.jpg",
		"a sign":                  at + "+640.jpg",
		"below nothing":           at + "-640.jpg",
		"a business of others":    strings.Replace(size, business, uuid.NewString(), 1),
		"a photo of others":       strings.Replace(size, asset, uuid.NewString(), 1),
		"ids in each other's":     "/media/" + asset + "/" + business + "/640.jpg",
		"up":                      "/media/" + business + "/../" + business + "/" + asset + "/original-a1",
		"up, hidden":              at + "..%2f" + asset + "%2foriginal-a1",
		"up, hidden twice":        "/media/" + business + "/%252e%252e/640.jpg",
		"a zero byte":             at + "640.jpg%00.webp",
		"a folder":                at,
		"the root":                "/media/",
		"the file, unsigned":      files.SignedRoot + "/" + original,
		"out of the root":         files.SignedRoot + "/../../etc/passwd",
	} {
		answer, body := s.ask(http.MethodGet, path)
		if answer.StatusCode != 404 || strings.Contains(body, "bytes of") || strings.Contains(answer.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s, %s: %d %q", what, path, answer.StatusCode, body)
		}
	}
}

// An original is downloaded at its signed address, and at no other.
func TestSigned(t *testing.T) {
	s := folder(t)
	address, err := s.store.SignedURL(t.Context(), original, "big hall.jpeg", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	answer, body := s.ask(http.MethodGet, u.RequestURI())
	s.wants(answer, 200, map[string]string{
		"Content-Disposition": `attachment; filename="big hall.jpeg"`, "Content-Security-Policy": "default-src 'none'; sandbox", "X-Content-Type-Options": "nosniff",
	})
	if body != "bytes of "+original || !strings.HasPrefix(answer.Header.Get("Cache-Control"), "private, ") {
		t.Errorf("%q, kept %q", body, answer.Header.Get("Cache-Control"))
	}
	change := func(name, value string) string {
		q := u.Query()
		q.Set(name, value)
		return u.Path + "?" + q.Encode()
	}
	for what, path := range map[string]string{
		"no signature": u.Path, "another one": change("sig", strings.Repeat("a", 43)), "another name": change("name", "theirs.html"),
		"longer": change("until", "9999999999"), "another file": strings.Replace(u.RequestURI(), "original-a1", "640.jpg", 1), "a broken query": u.Path + "?sig=%zz",
	} {
		if answer, body := s.ask(http.MethodGet, path); answer.StatusCode != 404 || strings.Contains(body, "bytes of") {
			t.Errorf("%s: %d %q", what, answer.StatusCode, body)
		}
	}
}

// A store that is down, at once or after a while, is reported; a request waits for it no longer than for any page.
func TestDown(t *testing.T) {
	path := media.Path(uuid.New(), uuid.New(), 640, media.WebP)
	for _, o := range []files.Options{
		{Store: mediatest.Down(0)}, {Store: mediatest.Down(300 * time.Millisecond)}, {Store: mediatest.Down(0), Direct: true}, {Store: mediatest.Down(time.Hour)},
	} {
		began := time.Now()
		s := surface{t, o.Store, serverOf(o, 500*time.Millisecond).App()}
		answer, body := s.ask(http.MethodGet, path)
		if answer.StatusCode != 503 || body != "page: photos_unavailable" || answer.Header.Get("Retry-After") != "5" || answer.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%d %q %v", answer.StatusCode, body, answer.Header)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("it took %s", took)
		}
	}
}

// A phone that loads a photo slowly gets all of it from the bucket, also after the timeout of a request.
func TestSlowPhone(t *testing.T) {
	bucket, err := store.OpenS3(store.S3Config{Endpoint: mediatest.OpenBucket(t), Bucket: "photos", AccessKey: "a", SecretKey: "s"})
	if err != nil {
		t.Fatal(err)
	}
	want := bytes.Repeat([]byte("a line of a photo that no kernel keeps for anybody\n"), 1<<19) // 26 MB
	if err := bucket.Put(t.Context(), business+"/"+asset+"/1920.jpg", "image/jpeg", want); err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := serverOf(files.Options{Store: bucket}, 2*time.Second)
	server.App().Get("/until-it-is-over", func(c *fiber.Ctx) error {
		<-c.UserContext().Done()
		return nil
	})
	go func() { _ = server.Serve(ln) }()
	t.Cleanup(func() { _ = server.Shutdown(context.WithoutCancel(t.Context())) })

	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+ln.Addr().String()+"/media/"+business+"/"+asset+"/1920.jpg", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Close = true
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	over, err := http.Get("http://" + ln.Addr().String() + "/until-it-is-over") // a request that began later has had its time
	if err != nil {
		t.Fatal(err)
	}
	defer over.Body.Close()
	got, err := io.ReadAll(answer.Body)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes of %d, %v", len(got), len(want), err)
	}
}

// With Direct, sizes and nothing else redirect to the bucket, and a browser requests again before the signature
// expires.
func TestDirect(t *testing.T) {
	bucket, err := store.OpenS3(store.S3Config{Endpoint: "http://photos.test:9000", Bucket: "photos", AccessKey: "a", SecretKey: "s"})
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, files.Options{Store: bucket, Direct: true})
	answer, _ := s.ask(http.MethodGet, "/media/"+business+"/"+asset+"/640.webp")
	s.wants(answer, 302, map[string]string{"Cache-Control": "public, max-age=1800"})
	u, err := url.Parse(answer.Header.Get("Location"))
	if err != nil || u.Host != "photos.test:9000" || u.Path != "/photos/"+business+"/"+asset+"/640.webp" || u.Query().Get("X-Amz-Expires") != "3600" {
		t.Errorf("it leads to %s, %v", u, err)
	}
	for _, path := range []string{"/media/" + original, files.SignedRoot + "/" + original, "/media/" + business + "/" + asset + "/640.png"} {
		if answer, _ := s.ask(http.MethodGet, path); answer.StatusCode != 404 {
			t.Errorf("%s: %d to %s", path, answer.StatusCode, answer.Header.Get("Location"))
		}
	}
}
