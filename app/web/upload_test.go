package web_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"testing"

	"foyer/app/tenancy"
	"foyer/app/web"
)

// takePhoto shows what came: fields through the schema, and the file.
func takePhoto(ctx context.Context, _ tenancy.Scope, in *photoIn) (photo, error) {
	p := photo{Title: in.Body.Title, Tags: in.Body.Tags, Pages: in.Body.Pages, Every: in.Body.Every}
	if f, ok := web.FileOf(ctx); ok {
		p.File, p.Type, p.Bytes = f.Field+"/"+f.Name, f.Type, len(f.Bytes)
	}
	return p, nil
}

// part is one part of a form; a part with a file name is a file.
type part struct{ field, file, contentType, value string }

func form(parts ...part) (contentType, body string) {
	var buf bytes.Buffer
	m := multipart.NewWriter(&buf)
	for _, p := range parts {
		h := textproto.MIMEHeader{}
		h.Set("Content-Disposition", fmt.Sprintf(`form-data; name=%q`, p.field))
		if p.file != "" {
			h.Set("Content-Disposition", fmt.Sprintf(`form-data; name=%q; filename=%q`, p.field, p.file))
		}
		if p.contentType != "" {
			h.Set("Content-Type", p.contentType)
		}
		w, err := m.CreatePart(h)
		if err != nil {
			panic(err)
		}
		if _, err := io.WriteString(w, p.value); err != nil {
			panic(err)
		}
	}
	if err := m.Close(); err != nil {
		panic(err)
	}
	return m.FormDataContentType(), buf.String()
}

var (
	photoAt     = "/businesses/" + studio.String() + "/assets"
	agreementAt = "/locations/" + uptown.String() + "/agreements"
	onePhoto    = part{"picture", "dir/cat.jpg", "image/jpeg", "JPEG"}
)

func (w *world) post(at string, parts ...part) resp {
	contentType, body := form(parts...)
	return w.do(req{method: "POST", path: at, token: ownerToken, body: body, contentType: contentType})
}

// TestUpload: a form is the JSON body with a file beside it, through the same closed schema.
func TestUpload(t *testing.T) {
	w := documentWorld(t)
	var p photo
	w.post(photoAt, part{field: "title", value: "Cat"}, onePhoto, part{field: "tags", value: "a"}, part{field: "tags", value: "b"},
		part{field: "pages", value: "3"}, part{field: "every", value: "true"}).data(t, 201, &p)
	if p.Title != "Cat" || len(p.Tags) != 2 || p.Pages != 3 || p.Every == nil || !*p.Every || p.File != "picture/cat.jpg" || p.Type != "image/jpeg" || p.Bytes != 4 {
		t.Errorf("%+v", p)
	}
	p = photo{}
	w.post(photoAt, onePhoto).data(t, 201, &p)
	if p.Bytes != 4 || p.Tags == nil {
		t.Errorf("%+v", p)
	}
	p = photo{}
	w.do(req{method: "POST", path: agreementAt, token: ownerToken, body: `{"title":"Waiver"}`}).data(t, 201, &p)
	if p.Title != "Waiver" || p.File != "" {
		t.Errorf("JSON beside the form: %+v", p)
	}
	w.post(agreementAt, part{field: "title", value: "Waiver"}).data(t, 201, &p)
}

func TestUploadRefused(t *testing.T) {
	w := documentWorld(t)
	for name, r := range map[string]resp{
		"no file":         w.post(photoAt, part{field: "title", value: "Cat"}),
		"empty file":      w.post(photoAt, part{"picture", "", "application/octet-stream", ""}, part{field: "title", value: "Cat"}, part{field: "picture2", file: "", value: ""}),
		"two files":       w.post(photoAt, onePhoto, part{"second", "b.jpg", "image/jpeg", "JPEG"}),
		"unknown field":   w.post(photoAt, onePhoto, part{field: "owner", value: "me"}),
		"field twice":     w.post(photoAt, onePhoto, part{field: "title", value: "a"}, part{field: "title", value: "b"}),
		"too long":        w.post(photoAt, onePhoto, part{field: "title", value: "twenty-one characters"}),
		"too many":        w.post(photoAt, onePhoto, part{field: "tags", value: "a"}, part{field: "tags", value: "b"}, part{field: "tags", value: "c"}, part{field: "tags", value: "d"}),
		"no number":       w.post(photoAt, onePhoto, part{field: "pages", value: "three"}),
		"number and more": w.post(photoAt, onePhoto, part{field: "pages", value: "3,4"}),
		"no boolean":      w.post(photoAt, onePhoto, part{field: "every", value: "maybe"}),
		"NUL":             w.post(photoAt, onePhoto, part{field: "title", value: "a\x00b"}),
		"not UTF-8":       w.post(photoAt, onePhoto, part{field: "title", value: "\xff"}),
		"many parts":      w.post(photoAt, append(make([]part, 65), onePhoto)...),
		"no boundary":     w.do(req{method: "POST", path: photoAt, token: ownerToken, body: "x", contentType: "multipart/form-data"}),
		"not a form":      w.do(req{method: "POST", path: photoAt, token: ownerToken, body: "x", contentType: "multipart/form-data; boundary=b"}),
		"JSON only":       w.do(req{method: "POST", path: photoAt, token: ownerToken, body: `{"title":"Cat"}`}),
		"too large":       w.post(photoAt, part{"picture", "a.jpg", "image/jpeg", string(make([]byte, 3<<20))}),
		"large JSON":      w.do(req{method: "POST", path: agreementAt, token: ownerToken, body: `{"title":"` + string(bytes.Repeat([]byte("x"), 70<<10)) + `"}`}),
		"form for JSON":   w.post("/locations/"+uptown.String()+"/closures", part{field: "date", value: "2026-01-01"}),
	} {
		t.Run(name, func(t *testing.T) { r.refused(t, 400) })
	}
	contentType, body := form(onePhoto)
	w.do(req{method: "POST", path: photoAt, body: body, contentType: contentType}).refused(t, 401)
}

// TestUploadSize: only operations that take files get large bodies read at all.
func TestUploadSize(t *testing.T) {
	w := documentWorld(t)
	addr := w.serve(t)
	contentType, body := form(part{"picture", "a.jpg", "image/jpeg", string(make([]byte, 5<<19))}) // 2.5 MB
	post := func(at string) int {
		got, err := fetch(t, http.DefaultClient, http.MethodPost, "http://"+addr+at, body,
			"Content-Type", contentType, "Authorization", "Bearer "+ownerToken)
		if err != nil {
			return 0 // refused while it was still sending
		}
		return got.status
	}
	if got := post(photoAt); got != 201 {
		t.Errorf("photo of 2.5 MB: %d", got)
	}
	if got := post(agreementAt); got != 400 && got != 0 {
		t.Errorf("above the operation's own limit: %d", got)
	}
	if got := post("/locations/" + uptown.String() + "/closures"); got != 400 && got != 0 {
		t.Errorf("JSON operation: %d", got)
	}
}
