package web_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/apptest/growth"
	"foyer/app/fault"
	"foyer/app/tenancy"

	"foyer/app/web"
	"foyer/app/web/op"
)

// everyKind has a member of each kind that a body can have.
type everyKind struct {
	Note  string                   `json:"note,omitempty" maxLength:"20" pattern:"^[a-z]+(-[a-z]+)*$"`
	Count int64                    `json:"count,omitempty"`
	Days  []int                    `json:"days,omitempty" minimum:"0" maximum:"6" maxItems:"7" uniqueItems:"true"`
	Words []string                 `json:"words,omitempty" maxItems:"7" uniqueItems:"true"`
	IDs   []uuid.UUID              `json:"ids,omitempty" maxItems:"7"`
	Times []time.Time              `json:"times,omitempty" maxItems:"7"`
	Parts []kindPart               `json:"parts,omitempty" maxItems:"7"`
	Maybe op.Nullable[kindPart]    `json:"maybe,omitzero"`
	All   []op.Nullable[kindInner] `json:"all,omitempty" maxItems:"7"`
}

type kindPart struct {
	Name  string                 `json:"name" minLength:"1"`
	Inner op.Nullable[kindInner] `json:"inner,omitzero"`
}

type kindInner struct {
	Name string    `json:"name"`
	At   time.Time `json:"at"`
}

// TestRequestsCostAsTheirLength: the time of a request grows no faster than its length, wherever it is refused.
func TestRequestsCostAsTheirLength(t *testing.T) {
	w := newWorld(t, func(o *web.Options) { o.Log = slog.New(slog.NewJSONHandler(io.Discard, nil)) })
	op.Declare(w.srv.Operations, spec("putAll", "POST", "/businesses/{businessId}/all", op.Spec{
		Access: op.Operator, Feature: "business.manage", Target: op.InBusiness("businessId"), Errors: []int{400, 401, 403, 404, 409},
	}), func(context.Context, tenancy.Scope, *struct{ Body everyKind }) (seen, error) { return seen{}, nil })
	w.srv.App().Post("/form", func(c *fiber.Ctx) error {
		if w.srv.Forms.Check(c) == nil || c.FormValue("name") != "" {
			return fault.Missing()
		}
		return nil
	})
	const head, values, body = 15 << 10, 32 << 10, 256 << 10 // of values, as many as there may be in one body
	var rows []growth.Row
	all := func(text string) req {
		return req{method: "POST", path: "/businesses/" + studio.String() + "/all", token: ownerToken, body: text}
	}
	row := func(name string, most int, r func(size int) req) {
		rows = append(rows, growth.Row{Name: name, Most: most, Read: func(size int) func() { return w.served(r(size)) }})
	}
	json := func(first, piece, last string) {
		row("JSON "+first+piece, values, func(size int) req {
			text := first + strings.TrimSuffix(growth.Repeated(piece, size), ",") + last
			return all(text)
		})
	}
	for _, member := range []string{"note", "words", "times", "parts", "maybe", "all"} {
		for _, value := range []string{`1`, `{}`, `[]`, `null`, `{"name":1,"x":2}`, `"2026-01-01T00:00:00+24:00"`} {
			json(`{"`+member+`":[`, value+",", `]}`)
		}
		json(`{"`+member+`":`, "[", "")
		json(`{`, `"`+member+`":1,`, `}`)
	}
	for _, piece := range []string{"a", `\"`, `\u0041`, `\u0000`, `\ud800`, "\xff", "a-", "e\u0301"} {
		json(`{"note":"`, piece, `"}`)
	}
	for _, piece := range []string{"[", `{"maybe":`, "1", "0", "-", "1e", " ", "null,", "\x00"} {
		json("", piece, "")
	}
	for name, many := range map[string]func(n int) string{
		"unknown members": func(n int) string { return fmt.Sprintf(`"a%d":1,`, n) },
		"new days":        func(n int) string { return fmt.Sprint(n, ",") },
		"new words":       func(n int) string { return fmt.Sprintf(`"a%d",`, n) },
	} {
		first, last := map[string]string{"new days": `{"days":[`, "new words": `{"words":[`}[name], "]}"
		if first == "" {
			first, last = "{", "}"
		}
		row(name, values, func(size int) req {
			var b strings.Builder
			for n := 0; b.Len() < size; n++ {
				b.WriteString(many(n))
			}
			text := first + strings.TrimSuffix(b.String(), ",") + last
			return all(text)
		})
	}
	for _, piece := range []string{"/", "a/", "%41", "%", "../", "%2f", "businesses/"} {
		row("path of "+piece, head, func(size int) req { return req{path: "/businesses/" + growth.Repeated(piece, size)} })
	}
	for _, piece := range []string{"&", "a&", "a=1&", "q=%41&", "=", "q=+&", "%"} {
		row("query of "+piece, head, func(size int) req {
			r := all("{}")
			r.path, r.headers = r.path+"?"+growth.Repeated(piece, size), []string{"Idempotency-Key", "k"}
			return r
		})
		row("form of "+piece, body, func(size int) req {
			return req{method: "POST", path: "/form", contentType: fiber.MIMEApplicationForm, body: growth.Repeated(piece, size)}
		})
	}
	for _, name := range []string{
		"Cookie", "Accept", "Accept-Language", "Accept-Encoding", "Idempotency-Key", "If-None-Match", "X-Forwarded-For", "Origin",
		"Referer", "Content-Encoding",
	} {
		for _, piece := range []string{"a", "a=b; ", "a, ", `"`, "1.2.3.4, ", ";q=0.1,"} {
			row(name+" of "+piece, head, func(size int) req {
				r := all("{}")
				r.headers = []string{name, growth.Repeated(piece, size)}
				return r
			})
		}
	}
	for _, piece := range []string{"; a=b", "; a*0=b", ";", `; a="`, "/"} {
		row("Content-Type of "+piece, head, func(size int) req {
			r := all("{}")
			r.contentType = "application/json" + growth.Repeated(piece, size)
			return r
		})
	}
	for _, piece := range []string{"--x\r\n", "--x\r\n\r\n", "\r\n--", "\r\n--x", "--x\r\nContent-Disposition: form-data; name=a\r\n\r\nb\r\n", "a: b\r\n", "\r\n", "\n", "-", "a",
		"--x\r\nContent-Disposition: form-data; name=file; filename=a\r\n\r\nb\r\n", ` ; a="b`} {
		rows = append(rows, growth.Row{Name: "parts of " + piece, Most: body, Read: func(size int) func() {
			text := []byte("--x\r\n" + growth.Repeated(piece, size) + "\r\n--x--")
			return func() { _, _ = op.ReadForm("multipart/form-data; boundary=x", text) }
		}})
	}
	growth.Check(t, rows...)
}

// served returns a function that makes a request and serves it.
func (w *world) served(r req) func() {
	serve := w.srv.Handler()
	return func() { serve(w.requested(r)) }
}

// TestTooManyFields: a form of more fields than any of ours is refused before anything looks at them.
func TestTooManyFields(t *testing.T) {
	w := newWorld(t)
	w.srv.App().Post("/form", func(c *fiber.Ctx) error { return c.SendString(c.FormValue("last")) })
	post := func(n int) resp {
		return w.do(req{method: "POST", path: "/form", contentType: fiber.MIMEApplicationForm + "; charset=utf-8", body: strings.Repeat("a=b&", n-1) + "last=1"})
	}
	if got := post(2000); got.status != 200 || got.body != "1" {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := post(2001).refused(t, 400); len(got.fields()) != 1 || got.fields()[0] != "body" {
		t.Errorf("%v", got)
	}
}

// TestTooManyValues: a body with more values than any operation accepts is refused before each is checked, and the
// errors of the maximum number make an answer of readable size.
func TestTooManyValues(t *testing.T) {
	w := newWorld(t)
	accessWorld(w)
	post := func(n int) resp {
		text := `{"note":[` + strings.TrimSuffix(strings.Repeat("1,", n-2), ",") + `]}`
		return w.do(req{method: "POST", path: "/businesses/" + studio.String() + "/catalog", token: ownerToken, body: text})
	}
	if got := post(20_000).refused(t, 400); !slices.Equal(got.fields(), []string{"body.note"}) {
		t.Errorf("%v", got)
	}
	if got := post(20_001).refused(t, 400); !slices.Equal(got.fields(), []string{"body"}) {
		t.Errorf("%v", got)
	}
}
