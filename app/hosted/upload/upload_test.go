package upload_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"log/slog"
	"mime/multipart"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/app/api"
	"foyer/app/apptest"
	"foyer/app/assembly"
	"foyer/app/hosted"
	"foyer/app/mcp"
	"foyer/app/web"
	"foyer/app/web/op"
	"foyer/media"
	"foyer/media/mediatest"
	"foyer/policy"
)

// house is the product with the REST API, the assistants' address and the pages, on a port.
type house struct {
	*apptest.World
	apptest.Studio
	t     testing.TB
	base  string
	owner string // the token of the owner's session
	log   *lines
}

// lines is a log.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func open(t testing.TB) *house {
	t.Helper()
	w := apptest.Open(t)
	h := &house{World: w, Studio: w.Studio(t), t: t, log: &lines{}}
	services := assembly.New(assembly.Settings{
		DB: w.DB, Log: slog.New(slog.DiscardHandler), Mail: w.Mailbox(t), Letters: apptest.Letters{},
		Store:  mediatest.Store(t),
		Secret: apptest.Secrets,
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h.base = "http://" + ln.Addr().String()
	log := slog.New(slog.NewJSONHandler(h.log, nil))
	srv := web.New(web.Options{
		BaseURL: h.base, Build: "427", Secret: bytes.Repeat([]byte("w"), 32), Clock: w.Clock, Log: log,
		Gate: api.Gate(services), Known: policy.Known, Hit: w.DB.Hit, Tags: api.Tags, Words: api.Words,
		Limits: op.Limits{StorefrontMax: 1e6, WriteMax: 1e6, ChallengeMax: 1e6}, ErrorPage: hosted.ErrorPage,
	})
	api.Register(srv, services)
	mcp.Register(srv, mcp.Options{Caller: mcp.CallerOf(services), Log: log})
	hosted.Register(srv, hosted.Options{Services: services, Clock: w.Clock, BaseURL: h.base})
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(ln) }()
	t.Cleanup(func() {
		if err := srv.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	h.owner = h.token(h.Studio.Owner.Email)
	return h
}

// token is the token of a new session.
func (h *house) token(email string) string {
	h.t.Helper()
	in, _ := h.People(h.t).SignIn(h.t, email)
	return in.Token
}

// do sends a request. header are names and values in turn.
func (h *house) do(method, address string, body []byte, header ...string) (status int, answer string) {
	h.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = h.base + address
	}
	r, err := http.NewRequestWithContext(h.t.Context(), method, address, bytes.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		if header[i+1] != "" {
			r.Header.Set(header[i], header[i+1])
		}
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// call makes a call of REST.
func (h *house) call(method, path, token string, body any) (status int, answer string) {
	h.t.Helper()
	var raw []byte
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			h.t.Fatal(err)
		}
	}
	contentType := ""
	if raw != nil {
		contentType = "application/json"
	}
	return h.do(method, path, raw, "Authorization", "Bearer "+token, "Content-Type", contentType)
}

// asks is the body of createUploadLink: an operation with fields, names and values in turn.
func asks(operation string, fields ...string) map[string]any {
	list := []map[string]string{}
	for i := 0; i < len(fields); i += 2 {
		list = append(list, map[string]string{"name": fields[i], "value": fields[i+1]})
	}
	return map[string]any{"operation": operation, "fields": list}
}

func (h *house) links() string { return "/businesses/" + h.Business.ID.String() + "/upload-links" }

// link makes a link, and returns its address.
func (h *house) link(token, operation string, fields ...string) string {
	h.t.Helper()
	status, body := h.call(http.MethodPost, h.links(), token, asks(operation, fields...))
	if status != http.StatusCreated {
		h.t.Fatalf("%s: %d %s", operation, status, body)
	}
	return text(h.t, body, "data", "url")
}

// dig returns a member of a JSON text.
func dig(t testing.TB, body string, path ...string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatalf("%v in %.300s", err, body)
	}
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

func text(t testing.TB, body string, path ...string) string {
	t.Helper()
	s, _ := dig(t, body, path...).(string)
	return s
}

// photo is a PNG; another n is another photo.
func photo(n uint8) []byte {
	img := image.NewRGBA(image.Rect(0, 0, 200, 100))
	for x := range 200 {
		for y := range 100 {
			img.SetRGBA(x, y, color.RGBA{n, uint8(x), uint8(y), 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// form is a form with a file.
func form(name string, data []byte) (contentType string, body []byte) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("file", name)
	if err == nil {
		_, err = part.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return w.FormDataContentType(), b.Bytes()
}

const browser = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"

// send uploads a file by the form. accept is that of a browser or empty.
func (h *house) send(address string, data []byte, accept string) (status int, answer string) {
	h.t.Helper()
	contentType, body := form("hall.png", data)
	return h.do(http.MethodPost, address, body, "Content-Type", contentType, "Accept", accept)
}

func (h *house) photos() int {
	h.t.Helper()
	return apptest.Value[int](h.t, h.World, "select count(*) from assets")
}

// A link says what it accepts, and uploads a photo once: the same file again gets the first answer, another one 409.
func TestPhoto(t *testing.T) {
	h := open(t)
	status, made := h.call(http.MethodPost, h.links(), h.owner, asks("uploadAsset", "title", "The hall", "tags", "big",
		"tags", "bright"))
	address := text(t, made, "data", "url")
	if status != 201 || !strings.HasPrefix(address, h.base+"/upload/") || len(address) > 300 || dig(t, made, "data",
		"maxBytes") != float64(media.BytesMax) ||
		text(t, made, "data", "expiresAt") != h.Clock.Now().Add(10*time.Minute).UTC().Format(time.RFC3339) ||
		fmt.Sprint(dig(t, made, "data", "accepts")) != "[image/jpeg image/png image/gif image/webp]" ||
		text(t, made, "data", "example") != "curl -F file=@photo.jpg '"+address+"'" {
		t.Fatalf("%d %s", status, made)
	}
	status, first := h.send(address, photo(1), "")
	if status != 201 || text(t, first, "data", "title") != "The hall" || fmt.Sprint(dig(t, first, "data",
		"tags")) != "[big bright]" {
		t.Fatalf("%d %s", status, first)
	}
	if status, again := h.send(address, photo(1), ""); status != 201 || text(t, again, "data", "id") != text(t, first,
		"data", "id") {
		t.Errorf("the same file: %d %s", status, again)
	}
	status, other := h.send(address, photo(2), "")
	if status != 409 || text(t, other, "error", "details", "reason") != "upload_link_used" || text(t, other, "error",
		"code") != "conflict" {
		t.Errorf("another file: %d %s", status, other)
	}
	if n := h.photos(); n != 1 {
		t.Errorf("%d photos", n)
	}
	by := apptest.Value[string](t, h.World, `select surface || ' ' || actor_kind from audit_events
		where record = 'assets' order by seq desc limit 1`)
	if by != "api person" {
		t.Errorf("the audit has %q", by)
	}
	if _, token, _ := strings.Cut(address, "/upload/"); strings.Contains(h.log.String(), token) ||
		!strings.Contains(h.log.String(), `"route":"/upload/:token"`) {
		t.Error("the log has the token, or no line about the upload")
	}
}

// The file alone is the body, too, of any type that the sender declares.
func TestRawBody(t *testing.T) {
	h := open(t)
	for n, contentType := range []string{"image/png", "", "application/x-www-form-urlencoded", "application/json"} {
		address := h.link(h.owner, "uploadAsset", "title", fmt.Sprint("Photo ", n))
		status, body := h.do(http.MethodPut, address, photo(uint8(n)), "Content-Type", contentType)
		if status != 201 || text(t, body, "data", "title") != fmt.Sprint("Photo ", n) {
			t.Errorf("%q: %d %s", contentType, status, body)
		}
	}
	many := append(photo(9), bytes.Repeat([]byte("&"), 5000)...)
	address := h.link(h.owner, "uploadAsset")
	status, body := h.do(http.MethodPost, address, many, "Content-Type", "application/x-www-form-urlencoded")
	if status != 201 {
		t.Errorf("a file that looks like a form of many fields: %d %s", status, body)
	}
}

// A PDF becomes an agreement, and a new copy of one.
func TestPDF(t *testing.T) {
	h := open(t)
	at := h.Location.ID.String()
	address := h.link(h.owner, "createAgreement", "id", at, "name", "Waiver", "everyListing", "false", "position", "3")
	status, body := h.do(http.MethodPut, address, apptest.PDF(1, "one"), "Content-Type", "application/pdf")
	if status != 201 || text(t, body, "data", "kind") != "pdf" || text(t, body, "data", "name") != "Waiver" ||
		dig(t, body, "data", "everyListing") != false || dig(t, body, "data", "position") != float64(3) {
		t.Fatalf("%d %s", status, body)
	}
	document, content := text(t, body, "data", "id"), text(t, body, "data", "contentId")
	address = h.link(h.owner, "updateAgreement", "id", at, "documentId", document)
	status, body = h.do(http.MethodPost, address, apptest.PDF(2, "two"))
	if status != 200 || text(t, body, "data", "id") != document || text(t, body, "data", "contentId") == content {
		t.Errorf("%d %s", status, body)
	}
	if status, body := h.do(http.MethodPost, address, apptest.PDF(3, "three")); status != 409 {
		t.Errorf("a second file: %d %s", status, body)
	}
}

// A link without a file changes nothing, although its operation accepts a text.
func TestNoFile(t *testing.T) {
	h := open(t)
	address := h.link(h.owner, "createAgreement", "id", h.Location.ID.String(), "body", "I take care.")
	contentType, empty := form("", nil)
	for name, c := range map[string]struct {
		contentType string
		body        []byte
	}{"no body": {"", nil}, "an empty field": {contentType, empty}, "JSON": {"multipart/form-data", []byte("{}")}} {
		status, body := h.do(http.MethodPost, address, c.body, "Content-Type", c.contentType)
		if status != 400 || text(t, body, "error", "code") != "validation" {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	if n := apptest.Value[int](t, h.World, "select count(*) from agreement_documents"); n != 0 {
		t.Errorf("%d agreements", n)
	}
}

// A file that the operation refuses is refused, and the link remains for the right one.
func TestWrongFile(t *testing.T) {
	h := open(t)
	address := h.link(h.owner, "uploadAsset")
	for name, data := range map[string][]byte{
		"no photo": []byte("<html></html>"), "a PDF": apptest.PDF(1, "x"), "too large": bytes.Repeat([]byte("x"),
			media.BytesMax+1),
	} {
		status, body := h.send(address, data, "")
		if status != 400 || !strings.Contains(body, `"body.file"`) {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	if status, body := h.do(http.MethodPut, address, bytes.Repeat([]byte("x"), 2*media.BytesMax+2<<20)); status != 400 ||
		!strings.Contains(body, "too large") {
		t.Errorf("far too large: %d %s", status, body)
	}
	if status, body := h.do(http.MethodPut, h.base+"/upload/unknown", bytes.Repeat([]byte("x"), 2<<20), "Accept",
		"application/json"); status != 400 {
		t.Errorf("more than a usual body at an unknown address: %d %s", status, body)
	}
	if status, body := h.send(address, photo(1), ""); status != 201 {
		t.Errorf("then a photo: %d %s", status, body)
	}
}

// An expired, a changed and an unknown token are an unknown address.
func TestUnknown(t *testing.T) {
	h := open(t)
	address := h.link(h.owner, "uploadAsset")
	head, token, _ := strings.Cut(address, "/upload/")
	changed := []byte(token)
	changed[len(changed)/2] ^= 1
	_, unknown := h.do(http.MethodGet, "/nothing", nil, "Accept", "application/json")
	at := map[string]string{
		"changed": head + "/upload/" + string(changed), "short": head + "/upload/AAAA", "no token": head + "/upload/!",
		"cut": address[:len(address)-4],
	}
	check := func() {
		t.Helper()
		for name, address := range at {
			for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut} {
				status, body := h.do(method, address, photo(1), "Accept", "application/json")
				if status != 404 || body != unknown {
					t.Errorf("%s %s: %d %s, want %s", method, name, status, body, unknown)
				}
			}
		}
	}
	check()
	h.Clock.Advance(10*time.Minute - time.Second)
	if status, body := h.do(http.MethodGet, address, nil); status != 200 {
		t.Errorf("a second before its end: %d %s", status, body)
	}
	h.Clock.Advance(time.Second)
	at = map[string]string{"expired": address}
	check()
	if n := h.photos(); n != 0 {
		t.Errorf("%d photos", n)
	}
}

// A link is made only for a call that its maker may make, at their location.
func TestMayNot(t *testing.T) {
	h := open(t)
	south, elsewhere := h.AddLocation(t, "South"), h.World.Studio(t)
	north := h.Location.ID.String()
	desk := h.token(h.Join(t, "desk@example.com", apptest.Everywhere(policy.FrontDesk)).Email)
	manager := h.token(h.Join(t, "manager@example.com", apptest.At(policy.Manager, south.ID)).Email)
	for name, c := range map[string]struct {
		token  string
		body   map[string]any
		status int
		field  string
	}{
		"no feature":        {desk, asks("uploadAsset"), 403, ""},
		"another location":  {manager, asks("createAgreement", "id", north), 403, ""},
		"their location":    {manager, asks("createAgreement", "id", south.ID.String()), 201, ""},
		"another business":  {h.owner, asks("createAgreement", "id", elsewhere.Location.ID.String()), 404, ""},
		"named":             {h.owner, asks("uploadAsset", "businessId", elsewhere.Business.ID.String()), 404, ""},
		"its own name":      {h.owner, asks("uploadAsset", "businessId", h.Business.ID.String()), 201, ""},
		"no credential":     {"", asks("uploadAsset"), 401, ""},
		"unknown operation": {h.owner, asks("dropTables"), 400, "body.operation"},
		"without a file":    {h.owner, asks("createTaxRate"), 400, "body.operation"},
		"no location":       {h.owner, asks("createAgreement"), 400, "body.fields"},
		"two locations":     {h.owner, asks("createAgreement", "id", north, "id", north), 400, "body.fields"},
		"no id":             {h.owner, asks("createAgreement", "id", "north"), 400, "body.fields"},
		"no document":       {h.owner, asks("updateAgreement", "id", north, "documentId", "../x"), 400, "body.fields"},
		"unknown field":     {h.owner, asks("uploadAsset", "colour", "red"), 400, "body.fields"},
		"too long":          {h.owner, asks("uploadAsset", "title", strings.Repeat("x", 121)), 400, "body.fields"},
		"no number":         {h.owner, asks("createAgreement", "id", north, "position", "first"), 400, "body.fields"},
		"more than an address": {h.owner, asks("createAgreement", slices.Concat([]string{"id", north, "body",
			strings.Repeat("x", 1000)}, slices.Repeat([]string{"offeringIds", north}, 90))...), 400, "body.fields"},
	} {
		status, body := h.call(http.MethodPost, h.links(), c.token, c.body)
		if status != c.status || c.field != "" && !strings.Contains(body, `"field":"`+c.field+`"`) {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
}

// What the maker of a link may do is checked again when it is used.
func TestRoleIsGone(t *testing.T) {
	h := open(t)
	who := h.Join(t, "manager@example.com", apptest.Everywhere(policy.Manager))
	token := h.token(who.Email)
	address := h.link(token, "uploadAsset")
	member := apptest.Value[string](t, h.World, "select id::text from members where person_id = $1", who.Person())
	if status, body := h.call(http.MethodPost, "/businesses/"+h.Business.ID.String()+"/team/"+member+"/deactivate",
		h.owner, nil); status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	if status, body := h.send(address, photo(1), ""); status != 403 || text(t, body, "error", "code") != "forbidden" {
		t.Errorf("a former member: %d %s", status, body)
	}
	if status, body := h.send(address, photo(1), browser); status != 409 || !strings.Contains(body,
		"This link no longer works") {
		t.Errorf("a former member's page: %d %s", status, body)
	}
	key, _ := h.Key(t, policy.CatalogManage)
	address = h.link(key, "uploadAsset")
	h.SQL(t, "update api_keys set revoked_at = $1", h.Clock.Now())
	if status, body := h.send(address, photo(1), ""); status != 401 {
		t.Errorf("a revoked key: %d %s", status, body)
	}
	if n := h.photos(); n != 0 {
		t.Errorf("%d photos", n)
	}
}

// tool calls a tool of the assistants' address, and returns its structured content.
func (h *house) tool(token, query, name string, arguments map[string]any) (refused bool, content string) {
	h.t.Helper()
	call := map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": name,
		"arguments": arguments}}
	raw, err := json.Marshal(call)
	if err != nil {
		h.t.Fatal(err)
	}
	status, body := h.do(http.MethodPost, mcp.Path+query, raw, "Authorization", "Bearer "+token, "Content-Type",
		"application/json",
		"Accept", "application/json, text/event-stream")
	_, event, _ := strings.Cut(body, "data: ")
	if status != 200 || event == "" {
		h.t.Fatalf("%s: %d %s", name, status, body)
	}
	event, _, _ = strings.Cut(event, "\n")
	out, err := json.Marshal(dig(h.t, event, "result", "structuredContent"))
	if err != nil {
		h.t.Fatal(err)
	}
	return dig(h.t, event, "result", "isError") == true, string(out)
}

// An assistant gets a link, the person uploads the photo, and the assistant finds it. The audit has the assistant. A63,
// A97.
func TestA97_Assistant(t *testing.T) {
	h := open(t)
	business := h.Business.ID.String()
	arguments := asks("uploadAsset", "title", "Hall")
	arguments["businessId"] = business
	refused, made := h.tool(h.owner, "", "createUploadLink", arguments)
	if refused {
		t.Fatal(made)
	}
	if status, body := h.send(text(t, made, "url"), photo(1), browser); status != 200 || !strings.Contains(body,
		"The photo is uploaded") {
		t.Fatalf("%d %s", status, body)
	}
	refused, list := h.tool(h.owner, "", "listAssets", map[string]any{"businessId": business})
	if refused || !strings.Contains(list, `"title":"Hall"`) {
		t.Errorf("%s", list)
	}
	by := apptest.Value[string](t, h.World,
		"select surface from audit_events where record = 'assets' order by seq desc limit 1")
	if by != "assistant" {
		t.Errorf("the audit has %q", by)
	}
}

// The location of the assistants' address limits the link, too. A43.
func TestA43_Pin(t *testing.T) {
	h := open(t)
	south := h.AddLocation(t, "South")
	key, _ := h.Key(t, policy.CatalogManage, policy.LocationView)
	for at, want := range map[string]bool{south.ID.String(): false, h.Location.ID.String(): true} {
		arguments := asks("createAgreement", "id", at, "name", "Waiver")
		arguments["businessId"] = h.Business.ID.String()
		refused, made := h.tool(key, "?locationId="+south.ID.String(), "createUploadLink", arguments)
		if refused != want {
			t.Fatalf("%s: %s", at, made)
		}
		if refused {
			continue
		}
		if status, body := h.send(text(t, made, "url"), apptest.PDF(1, "x"), ""); status != 201 {
			t.Errorf("%d %s", status, body)
		}
	}
}

// The page works without script and a session, has nothing about the account, and explains what went wrong.
func TestPage(t *testing.T) {
	h := open(t)
	address := h.link(h.owner, "uploadAsset", "title", "A title of the team")
	status, page := h.do(http.MethodGet, address, nil, "Accept", browser)
	for _, part := range []string{
		`enctype="multipart/form-data"`, `type="file"`, `accept="image/jpeg,image/png,image/gif,image/webp"`,
		h.Business.Name, "Upload a photo",
		`content="noindex"`, "up to 15 MB",
	} {
		if status != 200 || !strings.Contains(page, part) {
			t.Errorf("%d, without %s: %s", status, part, page)
		}
	}
	for _, secret := range []string{"A title of the team", h.Studio.Owner.Email} {
		if strings.Contains(page, secret) {
			t.Errorf("the page has %q", secret)
		}
	}
	status, page = h.send(address, []byte("no photo"), browser)
	if status != 400 || !strings.Contains(page, "This file cannot be used.") || !strings.Contains(page, `type="file"`) {
		t.Errorf("no photo: %d %s", status, page)
	}
	if status, page = h.send(address, photo(1), browser); status != 200 || !strings.Contains(page,
		"The photo is uploaded") {
		t.Errorf("a photo: %d %s", status, page)
	}
	if status, page = h.send(address, photo(2), browser); status != 409 || !strings.Contains(page,
		"This link no longer works") {
		t.Errorf("a second photo: %d %s", status, page)
	}
	status, page = h.do(http.MethodGet, h.link(h.owner, "createAgreement", "id", h.Location.ID.String()), nil, "Accept",
		browser, "Accept-Language", "de")
	if status != 200 || !strings.Contains(page, "Upload a PDF") && !strings.Contains(page, "PDF hochladen") ||
		!strings.Contains(page, "up to 20 MB") && !strings.Contains(page, "20 MB") {
		t.Errorf("%d %s", status, page)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.Header.Get("Referrer-Policy") != "no-referrer" || res.Header.Get("Cache-Control") != "no-store" ||
		!strings.Contains(res.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
		t.Errorf("%v", res.Header)
	}
}
