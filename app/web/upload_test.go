package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/app/web"
	"foyer/app/web/op"
)

type uploadIn struct {
	Body uploadBody
}

type onlyIn struct {
	Body onlyBody
}

type onlyBody struct {
	Words string `json:"words,omitempty" maxLength:"10"`
}

type uploadBody struct {
	Title string   `json:"title" maxLength:"10"`
	Tags  []string `json:"tags,omitempty" maxItems:"3"`
	Loud  *bool    `json:"loud,omitempty"`
	Count int      `json:"count,omitempty" maximum:"9"`
}

type uploaded struct {
	Title string   `json:"title"`
	Tags  []string `json:"tags"`
	Loud  *bool    `json:"loud"`
	Count int      `json:"count"`
	Name  string   `json:"name"`
	Bytes int      `json:"bytes"`
}

// uploadWorld has an operation that takes a file, and one that takes a file or JSON.
func uploadWorld(t testing.TB) *world {
	w := newWorld(t)
	handle := func(ctx context.Context, _ tenancy.Scope, in *uploadIn) (uploaded, error) {
		b := in.Body
		out := uploaded{Title: b.Title, Tags: b.Tags, Loud: b.Loud, Count: b.Count, Bytes: -1}
		if f := op.FileOf(ctx); f != nil {
			out.Name, out.Bytes = f.Name, len(f.Data)
		}
		return out, nil
	}
	for id, orJSON := range map[string]bool{"upload": false, "uploadOrWrite": true} {
		op.Declare(w.srv.Operations, spec(id, "POST", "/businesses/{businessId}/"+strings.ToLower(id), op.Spec{
			Access: op.Operator, Feature: "catalog.manage", Target: op.InBusiness("businessId"), Errors: []int{400, 401, 403, 404},
			File: &op.FilePart{Most: 1 << 20, Types: []string{"text/plain"}, OrJSON: orJSON, Doc: "The file."},
		}), handle)
	}
	only := func(_ context.Context, _ tenancy.Scope, in *onlyIn) (uploaded, error) {
		return uploaded{Title: in.Body.Words}, nil
	}
	op.Declare(w.srv.Operations, spec("uploadOnly", "POST", "/businesses/{businessId}/only", op.Spec{
		Access: op.Operator, Feature: "catalog.manage", Target: op.InBusiness("businessId"), Errors: []int{400, 401, 403, 404},
		File: &op.FilePart{Most: 1 << 20, Types: []string{"text/plain"}, Doc: "The file."},
	}), only)
	return w
}

// form makes a multipart body. A name that begins with @ is a file's, and the part's name is the file name.
func form(t testing.TB, pairs ...string) (contentType, body string) {
	t.Helper()
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		name, file := strings.CutPrefix(pairs[i], "@")
		make := m.CreateFormField
		if file {
			make = func(name string) (io.Writer, error) { return m.CreateFormFile(name, name+".jpg") }
		}
		part, err := make(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write([]byte(pairs[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return m.FormDataContentType(), b.String()
}

// A form is equal to the JSON of its parts, with a file beside it, under any part name (A228).
func TestUpload(t *testing.T) {
	w := uploadWorld(t)
	path := "/businesses/" + studio.String() + "/upload"
	contentType, body := form(t, "title", "Hall", "tags", "a", "tags", "true", "loud", "false", "count", "7", "@file", "\x89PNG\x00")
	r := w.do(req{method: "POST", path: path, token: ownerToken, contentType: contentType, body: body})
	var got struct{ Data uploaded }
	if err := json.Unmarshal([]byte(r.body), &got); err != nil || r.status != 200 {
		t.Fatal(r.status, r.body, err)
	}
	d := got.Data
	if d.Title != "Hall" || !slices.Equal(d.Tags, []string{"a", "true"}) || d.Loud == nil || *d.Loud || d.Count != 7 || d.Name != "file.jpg" || d.Bytes != 5 {
		t.Errorf("%+v", d)
	}
	for name, c := range map[string]struct {
		parts []string
		field string
	}{
		"no file":              {[]string{"title", "x"}, "body.file"},
		"nothing chosen":       {[]string{"title", "x", "@file", ""}, ""}, // a file without bytes is the verb's to refuse
		"two files":            {[]string{"title", "x", "@file", "1", "@file", "2"}, "body.file"},
		"another file":         {[]string{"title", "x", "@file", "1", "@picture", "2"}, "body.picture"},
		"under another name":   {[]string{"title", "x", "@picture", "2"}, ""},
		"too large":            {[]string{"title", "x", "@file", strings.Repeat("x", 1<<20+1)}, "body.file"},
		"unknown field":        {[]string{"title", "x", "@file", "1", "colour", "red"}, "body.colour"},
		"missing member":       {[]string{"@file", "1"}, "body.title"},
		"twice":                {[]string{"title", "x", "title", "y", "@file", "1"}, "body.title"},
		"no boolean":           {[]string{"title", "x", "loud", "yes", "@file", "1"}, "body.loud"},
		"no number":            {[]string{"title", "x", "count", "many", "@file", "1"}, "body.count"},
		"too many in a list":   {[]string{"title", "x", "tags", "1", "tags", "2", "tags", "3", "tags", "4", "@file", "1"}, "body.tags"},
		"text that is no text": {[]string{"title", "\xff", "@file", "1"}, "body.title"},
		"NUL":                  {[]string{"title", "a\x00", "@file", "1"}, "body.title"},
	} {
		contentType, body := form(t, c.parts...)
		r := w.do(req{method: "POST", path: path, token: ownerToken, contentType: contentType, body: body})
		switch {
		case c.field == "" && r.status != 200:
			t.Errorf("%s: %d %s", name, r.status, r.body)
		case c.field != "":
			if fields := r.refused(t, 400).fields(); !slices.Contains(fields, c.field) {
				t.Errorf("%s: %v", name, fields)
			}
		}
	}
	for name, c := range map[string]struct{ contentType, body string }{
		"JSON":        {"application/json", `{"title":"x"}`},
		"no boundary": {"multipart/form-data", body},
		"cut off":     {contentType, body[:len(body)-20]},
		"no form":     {contentType, "hello"},
		"nothing":     {contentType, ""},
	} {
		if r := w.do(req{method: "POST", path: path, token: ownerToken, contentType: c.contentType, body: c.body}); r.status != 400 {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
	}
}

// Where a file is one way to say it, JSON is the other.
func TestUploadOrJSON(t *testing.T) {
	w := uploadWorld(t)
	path := "/businesses/" + studio.String() + "/uploadorwrite"
	if r := w.do(req{method: "POST", path: path, token: ownerToken, body: `{"title":"x","loud":true}`}); r.status != 200 || !strings.Contains(r.body, `"bytes":-1`) {
		t.Error(r.status, r.body)
	}
	contentType, body := form(t, "title", "x", "loud", "true")
	if r := w.do(req{method: "POST", path: path, token: ownerToken, contentType: contentType, body: body}); r.status != 200 || !strings.Contains(r.body, `"bytes":-1`) {
		t.Error(r.status, r.body)
	}
	contentType, body = form(t, "title", "x", "@file", "%PDF-")
	if r := w.do(req{method: "POST", path: path, token: ownerToken, contentType: contentType, body: body}); r.status != 200 || !strings.Contains(r.body, `"bytes":5`) {
		t.Error(r.status, r.body)
	}
	if r := w.do(req{method: "POST", path: path, token: ownerToken, contentType: "multipart/form-data; boundary=x", body: `{"title":"x"}`}); r.status != 400 {
		t.Error(r.status, r.body)
	}
	if r := w.do(req{method: "POST", path: path, token: ownerToken, contentType: "text/plain", body: "x"}); r.status != 400 {
		t.Error(r.status, r.body)
	}
}

// Only callers that may send a file have the larger limit; too much is 400 over a real connection, never 413 (A204).
func TestUploadOverASocket(t *testing.T) {
	w := uploadWorld(t)
	accessWorld(w)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = w.srv.Serve(ln) }()
	t.Cleanup(func() { _ = w.srv.Shutdown(context.Background()) })
	client := &http.Client{}
	defer client.CloseIdleConnections()
	at := "http://" + ln.Addr().String() + "/businesses/" + studio.String()
	for _, c := range []struct {
		path        string
		size, wants int
	}{{"/upload", 1 << 20, 200}, {"/upload", 2 << 20, 400}, {"/catalog", 1 << 20, 400}} {
		contentType, body := form(t, "title", "x", "@file", strings.Repeat("x", c.size))
		got, err := fetch(t, client, "POST", at+c.path, body, "Content-Type", contentType, "Authorization", "Bearer "+ownerToken)
		if err != nil || got.status != c.wants {
			t.Errorf("%s with %d bytes: %d %s, %v", c.path, c.size, got.status, got.body, err)
		}
	}
}

// A form of a page with a file is a form like any other, with a file beside it: also a truncated one, with an error.
func TestTakeForm(t *testing.T) {
	w := uploadWorld(t)
	var got op.File
	var texts url.Values
	var refused error
	w.srv.App().Post("/form", func(c *fiber.Ctx) error {
		file, err := web.ParseUpload(c)
		if again, twice := web.ParseUpload(c); again != nil || twice != nil {
			t.Errorf("the second time it has %v, %v", again, twice)
		}
		if got, refused = (op.File{}), err; file != nil {
			got = *file
		}
		texts = url.Values{"alt": {c.FormValue("alt")}, "none": {c.FormValue("none")}}
		for name, v := range c.Request().PostArgs().All() {
			texts.Add("all "+string(name), string(v))
		}
		return nil
	})
	contentType, body := form(t, "alt", "a hall", "tag", "big", "tag", "bright", "@file", "bytes of a photo")
	w.do(req{method: "POST", path: "/form", body: body, contentType: contentType})
	if refused != nil || string(got.Data) != "bytes of a photo" || texts.Encode() != "all+alt=a+hall&all+tag=big&all+tag=bright&alt=a+hall&none=" {
		t.Errorf("%q %q %v", got, texts.Encode(), refused)
	}
	w.do(req{method: "POST", path: "/form", body: body[:len(body)-40], contentType: contentType})
	if f := fault.From(refused); f == nil || f.Kind != fault.Validation || texts.Get("alt") != "a hall" || got.Data != nil {
		t.Errorf("cut off: %q %q %v", got, texts.Encode(), refused)
	}
	w.do(req{method: "POST", path: "/form", body: "alt=a+room", contentType: "application/x-www-form-urlencoded"})
	if refused != nil || texts.Get("alt") != "a room" || got.Data != nil {
		t.Errorf("without a file: %q %q %v", got, texts.Encode(), refused)
	}
}

// Only an upload or download may take minutes.
func TestFilesHaveTime(t *testing.T) {
	w := uploadWorld(t)
	w.srv.ServesFiles("/media/")
	business := "/businesses/" + studio.String()
	for _, c := range []struct {
		method, path, contentType string
		reads, writes             time.Duration // 0: the time of any request
	}{
		{"GET", "/media/a/640.jpg", "", 0, 5 * time.Minute},
		{"GET", "/mediate", "", 0, 0},
		{"POST", business + "/upload", "multipart/form-data; boundary=x", 5 * time.Minute, 0},
		{"POST", business + "/upload", "application/json", 0, 0},
		{"POST", business + "/nothing", "multipart/form-data; boundary=x", 0, 0},
	} {
		var h fasthttp.RequestHeader
		h.SetMethod(c.method)
		h.SetRequestURI(c.path)
		h.SetContentType(c.contentType)
		if got := w.srv.App().Server().HeaderReceived(&h); got.ReadTimeout != c.reads || got.WriteTimeout != c.writes {
			t.Errorf("%s %s %s: %s to arrive, %s to be taken", c.method, c.path, c.contentType, got.ReadTimeout, got.WriteTimeout)
		}
	}
}

// The document shows the parts.
func TestUploadInTheDocument(t *testing.T) {
	w := uploadWorld(t)
	raw, err := w.srv.Operations.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			RequestBody struct {
				Content map[string]struct {
					Schema struct {
						Ref        string `json:"$ref"`
						Required   []string
						Properties map[string]map[string]any
					}
				}
			}
		}
		Components struct {
			Schemas map[string]any
		}
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	for path, orJSON := range map[string]bool{"upload": false, "uploadorwrite": true} {
		content := doc.Paths["/businesses/{businessId}/"+path]["post"].RequestBody.Content
		s := content["multipart/form-data"].Schema
		if s.Properties["file"]["format"] != "binary" || s.Properties["title"] == nil || slices.Contains(s.Required, "file") == orJSON {
			t.Errorf("%s: %+v", path, s)
		}
		if _, json := content["application/json"]; json != orJSON {
			t.Errorf("%s takes JSON: %t", path, json)
		}
	}
	for name := range doc.Components.Schemas {
		if !strings.Contains(string(raw), `"#/components/schemas/`+name+`"`) {
			t.Errorf("nothing leads to %s", name)
		}
	}
}
