package api_test

import (
	"bytes"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
)

// elements returns the data of a response that is a plain array.
func (a answer) elements() []object {
	list, _ := decode(a.body)["data"].([]any)
	out := make([]object, len(list))
	for i, e := range list {
		out[i], _ = e.(object)
	}
	return out
}

// sheet is a PDF with one page.
const sheet = "%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj\n%%EOF\n"

// form is a call with a multipart body: fields, and a file unless that is empty.
func form(t *testing.T, method, path, token string, fields map[string]string, file string) call {
	t.Helper()
	return formNamed(t, method, path, token, fields, "waiver.pdf", file)
}

// formNamed is form with a file of that name.
func formNamed(t *testing.T, method, path, token string, fields map[string]string, name, file string) call {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if err := w.WriteField(name, fields[name]); err != nil {
			t.Fatal(err)
		}
	}
	if file != "" {
		part, err := w.CreateFormFile("file", name)
		if err == nil {
			_, err = part.Write([]byte(file))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return call{method: method, path: path, token: token, body: b.String(), contentType: w.FormDataContentType()}
}

// TestAgreementDocuments: A228, A230, A157, A158, A162, A163, A164, A165, A166, A167, A168, A170, A171.
func TestAgreementDocuments(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	at := s.at("/locations/{location}/agreements")
	text := h.expect(201, call{method: "POST", path: at, token: s.owner, body: js(object{"name": "Waiver", "body": "I take care."})})
	if text.text("kind") != "text" || text.text("format") != "plain" || text.data()["everyListing"] != true || text.text("show") != "list" || text.text("frequency") != "once" {
		t.Fatalf("%s", text)
	}
	pdf := h.expect(201, form(t, "POST", at, s.owner, map[string]string{"name": "Terms", "show": "full", "everyListing": "false", "body": "is ignored"}, sheet))
	if pdf.text("kind") != "pdf" || pdf.data()["body"] != nil || pdf.data()["everyListing"] != false || pdf.text("show") != "full" || pdf.number("pageCount") != 1 {
		t.Fatalf("%s", pdf)
	}
	plain := h.expect(201, form(t, "POST", at, s.owner, map[string]string{"name": "House rules", "body": "Shoes *off*.", "format": "markdown", "everyListing": "true"}, ""))
	if plain.text("kind") != "text" || plain.text("format") != "markdown" || plain.data()["everyListing"] != true {
		t.Fatalf("%s", plain)
	}
	for name, c := range map[string]struct {
		call  call
		field string
	}{
		"no PDF by content":  {form(t, "POST", at, s.owner, map[string]string{"name": "x"}, "GIF89a"), "body.file"},
		"an empty file":      {form(t, "POST", at, s.owner, map[string]string{"name": "x"}, "%PDF-"), "body.file"},
		"neither, as a form": {form(t, "POST", at, s.owner, map[string]string{"name": "x"}, ""), "body.body"},
		"neither, as JSON":   {call{method: "POST", path: at, token: s.owner, body: js(object{"name": "x"})}, "body.body"},
		"no words":           {call{method: "POST", path: at, token: s.owner, body: js(object{"name": "x", "body": " "})}, "body.body"},
		"a long name":        {call{method: "POST", path: at, token: s.owner, body: js(object{"body": "x", "name": strings.Repeat("x", 121)})}, "body.name"},
		"neither true":       {form(t, "POST", at, s.owner, map[string]string{"name": "x", "body": "x", "everyListing": "yes"}, ""), "body.everyListing"},
		"show":               {call{method: "POST", path: at, token: s.owner, body: js(object{"name": "x", "body": "x", "show": "poster"})}, "body.show"},
	} {
		if got := h.expect(400, c.call); !slices.Contains(got.fields(), c.field) {
			t.Errorf("%s: %s", name, got)
		}
	}
	knot := object{"name": "x", "body": strings.Repeat("**a_", 24_000), "format": "markdown"}
	for _, c := range []call{{method: "POST", path: at, body: js(knot)}, {method: "PATCH", path: at + "/" + text.text("id"), body: js(knot)}} {
		c.token = s.owner
		if got := h.expect(400, c); got.reason() != "markdown_too_complex" || !slices.Equal(got.fields(), []string{"body.body"}) {
			t.Errorf("%s: %s", c.method, got)
		}
	}
	for _, name := range []string{"waiver.txt", "waiver"} { // the name has no effect
		c := formNamed(t, "POST", at, s.owner, map[string]string{"name": "x"}, name, sheet)
		got := h.expect(201, c)
		if got.text("kind") != "pdf" {
			t.Errorf("%s: %s", name, got)
		}
		h.expect(200, call{method: "POST", path: at + "/" + got.text("id") + "/archive", token: s.owner})
	}
	bare := h.expect(201, call{method: "POST", path: at, token: s.owner, body: js(object{"body": "Sauna\nIt is hot."})})
	if bare.text("name") != "Sauna" || bare.text("format") != "plain" || bare.text("show") != "list" || bare.text("frequency") != "once" {
		t.Errorf("%s", bare)
	}
	h.expect(200, call{method: "POST", path: at + "/" + bare.text("id") + "/archive", token: s.owner})
	one := at + "/" + text.text("id")
	patch := func(body object) answer {
		t.Helper()
		return h.expect(200, call{method: "PATCH", path: one, token: s.owner, body: js(body)})
	}
	if got := patch(object{"name": "Waivers", "show": "popup", "frequency": "every_booking"}); got.text("contentId") != text.text("contentId") || got.text("name") != "Waivers" {
		t.Errorf("%s", got)
	}
	words := patch(object{"body": "Other words."})
	if words.text("contentId") == text.text("contentId") {
		t.Errorf("%s", words)
	}
	file := h.expect(200, form(t, "PATCH", one, s.owner, map[string]string{"reask": "true"}, sheet))
	if file.text("kind") != "pdf" || file.text("contentId") == words.text("contentId") {
		t.Errorf("%s", file)
	}
	h.expect(400, form(t, "PATCH", one, s.owner, nil, "no PDF"))
	other := h.expect(200, form(t, "PATCH", one, s.owner, nil, sheet+"% another\n"))
	if other.text("kind") != "pdf" || other.text("contentId") == file.text("contentId") {
		t.Errorf("another PDF in place of a PDF: %s", other)
	}
	copies := h.expect(200, call{path: one + "/copies", token: s.owner}).elements()
	if len(copies) != 4 || copies[0]["contentId"] != other.text("contentId") || copies[1]["contentId"] != file.text("contentId") || copies[3]["body"] != "I take care." {
		t.Errorf("%v", copies)
	}
	for _, c := range []call{
		{method: "PATCH", path: s.at("/locations/{location2}/agreements/") + text.text("id"), body: js(object{"name": "x"})},
		{method: "POST", path: s.at("/locations/{location2}/agreements/") + text.text("id") + "/archive"},
		{path: s.at("/locations/{location2}/agreements/") + text.text("id") + "/copies"},
	} {
		c.token = s.owner
		h.expect(404, c)
	}
	for range 2 {
		if got := h.expect(200, call{method: "POST", path: one + "/archive", token: s.owner}); js(got.data()) != `{"archived":true}` {
			t.Errorf("%s", got)
		}
	}
	if got := h.expect(200, call{path: at, token: s.owner}).elements(); len(got) != 2 || got[0]["name"] != "Terms" {
		t.Errorf("%v", got)
	}
	if got := h.expect(200, call{path: at + "?archived=true", token: s.owner}).elements(); len(got) != 4 {
		t.Errorf("%v", got)
	}
	if got := h.post(one+"/restore", s.owner, nil); got.data()["archivedAt"] != nil {
		t.Errorf("%s", got)
	}
	key, _ := s.key("location.view")
	h.expect(200, call{path: at, token: key})
	h.expect(403, call{method: "POST", path: at, token: key, body: js(object{"name": "x", "body": "x"})})
	h.expect(401, call{path: at})
	h.expect(404, call{path: "/locations/" + ghost("id") + "/agreements", token: s.owner})
}

// TestCartAgreements: A59, A74, A222, A160, A172, A173, A174, A175, A176, A177, A178, A179, A182, A183, A184.
func TestCartAgreements(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 8)
	at := s.at("/locations/{location}/agreements")
	list := h.post(at, s.owner, object{"name": "Waiver", "body": "I take care."})
	full := h.post(at, s.owner, object{"name": "Rules", "body": "Be **kind**.", "format": "markdown", "show": "full", "frequency": "every_booking", "position": 1})
	pdf := h.expect(201, form(t, "POST", at, s.owner, map[string]string{"name": "Terms", "show": "popup", "position": "2"}, sheet))
	cart := "/storefront/carts/" + s.cart("occurrence")
	h.post(cart+"/items", "", object{"occurrenceId": s.ids["occurrence+"]})
	guest := h.expect(200, call{path: cart}).list("agreements")
	if len(guest) != 3 || guest[0]["acceptedAt"] != nil || guest[1]["body"] != "Be **kind**." || len(guest[0]["itemIds"].([]any)) != 2 {
		t.Fatalf("%v", guest)
	}
	for _, want := range []struct {
		of      object
		members string
	}{
		{guest[0], "contentId format frequency id itemIds kind name path show"},
		{guest[1], "body contentId format frequency id itemIds kind name path show"},
		{guest[2], "body contentId frequency id itemIds kind name pageCount path show"},
	} {
		if got := strings.Join(slices.Sorted(maps.Keys(want.of)), " "); got != want.members {
			t.Errorf("%v has %s, want %s", want.of["name"], got, want.members)
		}
	}
	if guest[0]["format"] != "plain" || guest[1]["format"] != "markdown" { // A177
		t.Errorf("%v, %v", guest[0]["format"], guest[1]["format"])
	}
	opens(t, s, guest)
	for i, want := range []string{"text list once", "text full every_booking", "pdf popup once"} { // A174 to A176
		if got := fmt.Sprint(guest[i]["kind"], " ", guest[i]["show"], " ", guest[i]["frequency"]); got != want {
			t.Errorf("%v: %s, want %s", guest[i]["name"], got, want)
		}
	}
	if guest[2]["body"] != nil || guest[2]["pageCount"] != float64(1) && js(guest[2]["pageCount"]) != "1" {
		t.Errorf("%v", guest[2])
	}
	rosa, ben := h.signIn("rosa@example.com"), h.signIn("ben@example.com")
	h.post(cart+"/hold", rosa, nil)
	h.expect(401, call{path: cart + "/agreements"})
	key, _ := s.key()
	h.expect(401, call{path: cart + "/agreements", token: key})
	h.expect(401, call{method: "POST", path: cart + "/agreements", token: key, body: js(object{"accept": []object{{"contentId": list.text("contentId"), "shown": "checkbox"}}})})
	h.expect(404, call{path: "/storefront/carts/" + ghost("token") + "/agreements", token: rosa})
	refused := h.expect(409, call{method: "POST", path: cart + "/confirm", token: rosa})
	if entries := dig[[]any](decode(refused.body), "error", "details", "agreements"); refused.reason() != "agreements" || len(entries) != 3 {
		t.Fatalf("%s", refused)
	}
	accept := func(status int, token string, copies ...string) answer {
		t.Helper()
		var list []object
		for _, id := range copies {
			list = append(list, object{"contentId": id, "shown": "full"})
		}
		return h.expect(status, call{method: "POST", path: cart + "/agreements", token: token, body: js(object{"accept": list})})
	}
	if got := h.expect(400, call{method: "POST", path: cart + "/agreements", token: rosa, body: js(object{"accept": []object{{"contentId": full.text("contentId"), "shown": "checkbox"}}})}); got.fields()[0] != "body.accept" {
		t.Errorf("%s", got)
	}
	h.expect(400, call{method: "POST", path: cart + "/agreements", token: rosa, body: js(object{"accept": []object{}})})
	now := h.expect(200, call{method: "PATCH", path: at + "/" + list.text("id"), token: s.owner, body: js(object{"body": "I take great care."})})
	stale := accept(409, rosa, list.text("contentId"), full.text("contentId"))
	told := dig[[]any](decode(stale.body), "error", "details", "agreements")
	if stale.reason() != "agreement_changed" || len(told) != 1 || told[0].(object)["contentId"] != now.text("contentId") {
		t.Fatalf("%s", stale)
	}
	got := accept(200, rosa, now.text("contentId"), full.text("contentId"))
	if len(got.list("toAccept")) != 1 || len(got.list("agreed")) != 2 || got.list("agreed")[0]["acceptedAt"] == nil || got.list("toAccept")[0]["acceptedAt"] != nil {
		t.Fatalf("%s", got)
	}
	opens(t, s, got.list("toAccept"), got.list("agreed"))
	for _, e := range got.list("agreed") { // A173: of every frequency
		agreedNow(t, h, e)
	}
	if got.list("agreed")[1]["frequency"] != "every_booking" || got.list("agreed")[1]["format"] != "markdown" {
		t.Errorf("%v", got.list("agreed")[1])
	}
	if theirs := h.expect(200, call{path: cart + "/agreements", token: ben}); len(theirs.list("toAccept")) != 3 || len(theirs.list("agreed")) != 0 {
		t.Errorf("%s", theirs)
	}
	if js(slices.Sorted(maps.Keys(got.data()))) != `["agreed","toAccept"]` {
		t.Errorf("%s", got)
	}
	accept(404, rosa, ghost("contentId"))
	h.expect(409, call{method: "POST", path: cart + "/confirm", token: rosa})
	accept(200, rosa, pdf.text("contentId"))
	h.expect(200, call{method: "POST", path: cart + "/confirm", token: rosa})
}

// opens fails unless each entry leads to the exact copy it names. A222.
func opens(t *testing.T, s *studio, lists ...[]object) {
	t.Helper()
	for _, e := range slices.Concat(lists...) {
		if want := "/agreements/" + s.ids["business"] + "/" + e["contentId"].(string); e["path"] != want {
			t.Errorf("%v opens %v, want %s", e["name"], e["path"], want)
		}
	}
}

// agreedNow fails unless an entry was signed at this moment.
func agreedNow(t *testing.T, h *house, e object) {
	t.Helper()
	said, _ := e["acceptedAt"].(string)
	if at, err := time.Parse(time.RFC3339, said); err != nil || !at.Equal(h.Clock.Now()) {
		t.Errorf("%v was agreed to at %q, and it is %s", e["name"], said, h.Clock.Now())
	}
}

// TestWhatWasAgreedToIsTold: A173, A222: a signed agreement is returned as signed, however often the studio has
// changed it since.
func TestWhatWasAgreedToIsTold(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 8)
	at := s.at("/locations/{location}/agreements")
	words := h.post(at, s.owner, object{"name": "Waiver", "body": "I take *care*.", "format": "markdown", "show": "full",
		"translations": []object{{"language": "es", "body": "Me cuido."}}})
	file := h.expect(201, form(t, "POST", at, s.owner, map[string]string{"name": "Terms", "show": "popup", "position": "1"}, sheet))
	rosa := h.signIn("rosa@example.com")
	cart := "/storefront/carts/" + s.cart("occurrence")
	h.post(cart+"/hold", rosa, nil)
	h.expect(200, call{method: "POST", path: cart + "/agreements", token: rosa, body: js(object{"accept": []object{
		{"contentId": words.text("contentId"), "shown": "full", "language": "es"}, {"contentId": file.text("contentId"), "shown": "checkbox"},
	}})})
	h.expect(200, form(t, "PATCH", at+"/"+words.text("id"), s.owner, nil, sheet))
	h.expect(200, call{method: "PATCH", path: at + "/" + file.text("id"), token: s.owner, body: js(object{"body": "Now it is a text."})})
	told := func(got answer) {
		t.Helper()
		list := got.list("agreed")
		if len(list) != 2 || len(got.list("toAccept")) != 0 {
			t.Fatalf("%s", got)
		}
		if e := list[0]; e["contentId"] != words.text("contentId") || e["kind"] != "text" || e["format"] != "markdown" || e["body"] != "Me cuido." ||
			e["path"] != words.text("path")+"?words=es" || e["pageCount"] != nil {
			t.Errorf("the words: %v", e)
		}
		if e := list[1]; e["contentId"] != file.text("contentId") || e["kind"] != "pdf" || e["format"] != nil || e["body"] != nil ||
			e["path"] != file.text("path") || js(e["pageCount"]) != "1" {
			t.Errorf("the file: %v", e)
		}
	}
	told(h.expect(200, call{path: cart + "/agreements", token: rosa}))
	h.expect(200, call{method: "POST", path: cart + "/confirm", token: rosa})
	own := h.expect(200, call{path: "/me/bookings", token: rosa}).list("items")[0]["id"].(string)
	told(h.expect(200, call{path: "/me/bookings/" + own + "/agreements", token: rosa}))
}

// TestListingAgreements: A185, A181, A180.
func TestListingAgreements(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 8)
	once := h.post(s.at("/locations/{location}/agreements"), s.owner, object{"name": "Waiver", "body": "I take care."})
	every := h.post(s.at("/locations/{location}/agreements"), s.owner, object{"name": "Rules", "body": "Be kind.", "frequency": "every_booking"})
	rosa := h.signIn("rosa@example.com")
	of := s.at("/storefront/offerings/{offering}/agreements")
	empty := func(path string) {
		t.Helper()
		if got := h.expect(200, call{path: path, token: rosa}); js(got.data()) != `{"agreed":[]}` {
			t.Errorf("%s: %s", path, got)
		}
	}
	empty(of)
	cart := "/storefront/carts/" + s.cart("occurrence")
	body := object{"accept": []object{{"contentId": once.text("contentId"), "shown": "checkbox"}, {"contentId": every.text("contentId"), "shown": "checkbox"}}}
	h.expect(200, call{method: "POST", path: cart + "/agreements", token: rosa, body: js(body)})
	got := h.expect(200, call{path: of, token: rosa})
	if list := got.list("agreed"); len(list) != 1 || list[0]["id"] != once.text("id") || len(list[0]) != 2 {
		t.Errorf("%s", got)
	} else {
		agreedNow(t, h, list[0])
	}
	next := h.expect(200, call{path: "/storefront/carts/" + s.cart("occurrence+") + "/agreements", token: rosa})
	if len(next.list("agreed")) != 1 || len(next.list("toAccept")) != 1 || next.list("toAccept")[0]["id"] != every.text("id") {
		t.Errorf("%s", next)
	}
	for _, id := range []string{ghost("offeringId"), "not-an-id", "%ff"} {
		empty("/storefront/offerings/" + id + "/agreements")
	}
	h.expect(404, call{path: "/storefront/offerings/%/agreements", token: rosa}) // no address at all
	key, _ := s.key()
	h.expect(401, call{path: of})
	h.expect(401, call{path: of, token: key})
	if mine := h.expect(200, call{path: "/me/agreements", token: rosa}).list("items"); len(mine) != 2 || mine[0]["viewPath"] == "" || mine[0]["shown"] != "checkbox" {
		t.Errorf("%v", mine)
	}
}

// TestStatusOfAFile: A188, A223: an acceptance in the checkout is returned as such, and a PDF as a PDF.
func TestStatusOfAFile(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 8)
	at := s.at("/locations/{location}/agreements")
	file := h.expect(201, form(t, "POST", at, s.owner, map[string]string{"name": "Terms"}, sheet))
	every := h.expect(201, form(t, "POST", at, s.owner, map[string]string{"name": "Rules", "frequency": "every_booking", "position": "1"}, sheet))
	rosa := h.signIn("rosa@example.com")
	cart := "/storefront/carts/" + s.cart("occurrence")
	h.post(cart+"/hold", rosa, nil)
	h.expect(200, call{method: "POST", path: cart + "/agreements", token: rosa, body: js(object{"accept": []object{
		{"contentId": file.text("contentId"), "shown": "checkbox"}, {"contentId": every.text("contentId"), "shown": "full"},
	}})})
	h.expect(200, call{method: "POST", path: cart + "/confirm", token: rosa})
	customer := h.expect(200, call{path: s.at("/businesses/{business}/customers"), token: s.owner}).list("customers")[0]["id"].(string)
	status := func() []object {
		t.Helper()
		path := s.at("/businesses/{business}/customers/") + customer + "/agreements?locationId=" + s.ids["location"]
		return h.expect(200, call{path: path, token: s.owner}).elements()
	}
	for i, want := range []object{
		{"documentId": file.text("id"), "name": "Terms", "kind": "pdf", "status": "agreed", "source": "checkout", "shown": "checkbox", "recordedByName": nil,
			"frequency": "once", "viewPath": file.text("path")},
		{"documentId": every.text("id"), "name": "Rules", "kind": "pdf", "status": "agreed", "source": "checkout", "shown": "full", "recordedByName": nil,
			"frequency": "every_booking", "viewPath": every.text("path")},
	} {
		got := status()[i]
		agreedNow(t, h, got)
		if delete(got, "acceptedAt"); js(got) != js(want) {
			t.Errorf("got %v, want %v", js(got), js(want))
		}
	}
	// Other text in place of the file: the status is that of the signed copy.
	h.expect(200, call{method: "PATCH", path: at + "/" + file.text("id"), token: s.owner, body: js(object{"body": "Now it is a text."})})
	if got := status()[0]; got["kind"] != "pdf" || got["viewPath"] != file.text("path") {
		t.Errorf("%v", got)
	}
	h.expect(200, call{method: "PATCH", path: at + "/" + file.text("id"), token: s.owner, body: js(object{"reask": true})})
	h.post(at, s.owner, object{"name": "Words", "body": "I take care.", "position": 2})
	if got := status(); got[0]["status"] != "not_agreed" || got[2]["kind"] != "text" || got[2]["acceptedAt"] != nil || got[2]["recordedByName"] != nil {
		t.Errorf("%v", got)
	}
}

// TestCustomerAgreements: A223, A230, A159, A161, A169, A186, A187, A188, A189, A191, A192, A193, A194, A195, A196, A197.
func TestCustomerAgreements(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 8)
	rosa := h.signIn("rosa@example.com")
	s.book(rosa, "occurrence")
	customer := h.expect(200, call{path: s.at("/businesses/{business}/customers"), token: s.owner}).list("customers")[0]["id"].(string)
	booking := h.expect(200, call{path: s.at("/businesses/{business}/bookings"), token: s.owner}).list("items")[0]["id"].(string)
	list := s.at("/businesses/{business}/customers/") + customer + "/agreements"
	at := "?locationId=" + s.ids["location"]
	status := func() []object { t.Helper(); return h.expect(200, call{path: list + at, token: s.owner}).elements() }
	if got := status(); len(got) != 0 {
		t.Fatalf("%v", got)
	}
	once := h.post(s.at("/locations/{location}/agreements"), s.owner, object{"name": "Waiver", "body": "I take care."})
	every := h.post(s.at("/locations/{location}/agreements"), s.owner, object{"name": "Rules", "body": "Be kind.", "frequency": "every_booking", "position": 1})
	got := status()
	if len(got) != 2 || got[0]["status"] != "not_agreed" || got[1]["status"] != "not_agreed" || got[0]["acceptedAt"] != nil || got[0]["viewPath"] != nil || got[0]["source"] != nil {
		t.Fatalf("%v", got)
	}
	if members := strings.Join(slices.Sorted(maps.Keys(got[0])), " "); members != "acceptedAt documentId frequency kind name recordedByName shown source status viewPath" {
		t.Error(members)
	}
	mark := func(code int, token, document, query string) answer {
		t.Helper()
		return h.expect(code, call{method: "POST", path: list + "/" + document + "/mark-signed" + query, token: token})
	}
	key, _ := s.key("crm.view", "crm.notes")
	for range 2 {
		signed := mark(201, key, once.text("id"), at).elements()
		if signed[0]["status"] != "agreed" || signed[0]["source"] != "staff" || signed[0]["shown"] != nil || signed[0]["recordedByName"] != "machine" || signed[0]["viewPath"] != once.text("path") {
			t.Fatalf("%v", signed[0])
		}
	}
	if signed := mark(201, s.owner, every.text("id"), at+"&bookingId="+booking).elements(); signed[1]["status"] != "agreed" {
		t.Errorf("%v", signed[1])
	}
	for name, c := range map[string]struct {
		status          int
		document, query string
	}{
		"no location":         {400, once.text("id"), ""},
		"no id of a location": {400, once.text("id"), "?locationId=here"},
		"another location":    {404, once.text("id"), "?locationId=" + s.ids["location2"]},
		"an unknown location": {404, once.text("id"), "?locationId=" + ghost("x")},
		"an unknown booking":  {404, every.text("id"), at + "&bookingId=" + ghost("x")},
		"no id of a booking":  {400, every.text("id"), at + "&bookingId=mine"},
		"an unknown document": {404, ghost("x"), at},
	} {
		if got := mark(c.status, s.owner, c.document, c.query); got.status != c.status {
			t.Errorf("%s: %s", name, got)
		}
	}
	h.expect(400, call{path: list, token: s.owner})
	h.expect(400, call{path: list + "?locationId=here", token: s.owner})
	h.expect(404, call{path: s.at("/businesses/{business}/customers/") + ghost("x") + "/agreements" + at, token: s.owner})
	h.expect(401, call{path: list + at})
	h.expect(403, call{path: list + at, token: rosa})
	for path, feature := range map[string]string{"": "GET crm.view", "/{documentId}/mark-signed": "POST crm.notes"} { // A186, A192
		method, feature, _ := strings.Cut(feature, " ")
		if d, _ := h.doc.Operation(method, "/businesses/{businessId}/customers/{customerId}/agreements"+path); d["x-feature"] != feature {
			t.Errorf("%s %s asks for %v", method, path, d["x-feature"])
		}
	}
	viewer, _ := s.key("crm.view")
	mark(403, viewer, once.text("id"), at)
	one := s.at("/locations/{location}/agreements/") + once.text("id")
	h.expect(200, call{method: "PATCH", path: one, token: s.owner, body: js(object{"body": "Other words."})})
	if got := status(); got[0]["status"] != "agreed" || got[0]["viewPath"] != once.text("path") {
		t.Errorf("other words: %v", got[0])
	}
	h.expect(200, call{method: "PATCH", path: one, token: s.owner, body: js(object{"reask": true})})
	if got := status(); got[0]["status"] != "not_agreed" {
		t.Errorf("asked again: %v", got[0])
	}
	h.expect(200, call{method: http.MethodPost, path: one + "/archive", token: s.owner})
	if got := status(); got[0]["status"] != "agreed" || got[0]["viewPath"] != once.text("path") {
		t.Errorf("archived: %v", got[0])
	}
	h.Clock.Advance(10 * 24 * time.Hour)
	if got := status(); len(got) != 2 {
		t.Errorf("%v", got)
	}
	if got := mark(201, s.owner, every.text("id"), at).elements(); len(got) != 2 { // no upcoming booking: nothing is recorded
		t.Errorf("%v", got)
	}
	if n := apptest.Value[int](t, h.World, "select count(*) from agreement_acceptances"); n != 2 {
		t.Errorf("%d acceptances", n)
	}
}
