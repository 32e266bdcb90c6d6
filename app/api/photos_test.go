package api_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"

	"foyer/media"
)

// onePhoto is a photo of 200 by 100 pixels; another n is another photo.
func onePhoto(n int64) []byte {
	img := image.NewRGBA(image.Rect(0, 0, 200, 100))
	for x := range 200 {
		for y := range 100 {
			img.SetRGBA(x, y, color.RGBA{uint8(n), uint8(n >> 8), uint8(x), 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// asForm makes a form of a JSON object and a photo. A member that no part can represent leaves all of it JSON, which
// is refused.
func asForm(body string, photo []byte) (contentType, form string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, v := range decode([]byte(body)) {
		list, many := v.([]any)
		if !many {
			list = []any{v}
		}
		for _, v := range list {
			text, ok := v.(string)
			if !ok || w.WriteField(name, text) != nil {
				return "", body
			}
		}
	}
	part, err := w.CreateFormFile("file", "photo.png")
	if err == nil {
		_, err = part.Write(photo)
	}
	if err != nil || w.Close() != nil || body != "" && !json.Valid([]byte(body)) {
		return "", body
	}
	return w.FormDataContentType(), b.String()
}

// withPhoto is asForm with a new photo.
func (h *house) withPhoto(body string) (contentType, form string) {
	return asForm(body, onePhoto(h.asked.Add(1)))
}

// upload uploads a photo.
func (s *studio) upload(photo []byte, body object) answer {
	s.h.t.Helper()
	contentType, form := asForm(js(body), photo)
	return s.h.expect(201, call{method: http.MethodPost, path: s.at("/businesses/{business}/assets"), token: s.owner, body: form, contentType: contentType})
}

// sizes creates the variants, as the job of an upload does.
func (s *studio) sizes(asset string) {
	s.h.t.Helper()
	if err := s.h.domains.Media.MakeSizes(s.h.t.Context(), media.SizesJob{Business: parse(s.ids["business"]), Asset: parse(asset)}); err != nil {
		s.h.t.Fatal(err)
	}
}

// A198 to A210 over the API: a photo from its upload to its end. The document has the keys of its records (A228), and
// the size and format limits of a picture (A89).
func TestA201_A205_A206_A207_A208_A209_Photos(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	other := h.open("Other")
	a := s.upload(onePhoto(1), object{"title": "Hall", "alt": "A hall.", "tags": []string{"big", "bright"}})
	id := a.text("id")
	if a.text("state") != "processing" || a.text("title") != "Hall" || a.text("alt") != "A hall." || len(dig[[]any](a.data(), "tags")) != 2 || a.number("width") != 200 {
		t.Errorf("%s", a)
	}
	for name, keys := range map[string][]string{
		"Asset": {"id", "title", "alt", "tags", "url", "variants", "usageCount", "archivedAt"}, "AssetDetail": {"id", "usageCount", "placements"},
		"AssetListResult": {"assets", "total", "limit", "offset"},
	} {
		members := dig[object](h.resolve(object{"$ref": "#/components/schemas/" + name}), "properties")
		for _, key := range keys {
			if members[key] == nil {
				t.Errorf("the document has no %s.%s", name, key)
			}
		}
	}
	if d, _ := h.doc.Operation("POST", "/businesses/{businessId}/assets"); !strings.Contains(js(d), "JPEG, PNG, GIF or WebP") || !strings.Contains(js(d), "15 MB") {
		t.Errorf("%s", js(d))
	}
	if again := s.upload(onePhoto(1), object{"title": "Another"}); again.text("id") != id || again.text("title") != "Hall" { // A202
		t.Errorf("%s", again)
	}
	if theirs := other.upload(onePhoto(1), nil); theirs.text("id") == id { // A203
		t.Errorf("%s", theirs)
	}
	s.sizes(id)
	at := "/assets/" + id
	get := func() answer { t.Helper(); return h.expect(200, call{path: at, token: s.owner}) }
	got := get()
	if got.text("state") != "ready" || got.number("usageCount") != 0 || len(got.list("variants")) != 2 || got.list("placements") != nil && len(got.list("placements")) != 0 ||
		!strings.HasSuffix(got.text("url"), "/200.jpg") || !strings.HasPrefix(got.text("blur"), "data:image/webp;base64,") {
		t.Errorf("%s", got)
	}
	h.expect(200, call{method: "PUT", path: at + "/placements", token: s.owner, body: js(object{"subject": "location", "subjectId": s.ids["location"]})})
	if got := get(); got.number("usageCount") != 1 || got.list("placements")[0]["subjectId"] != s.ids["location"] { // A205
		t.Errorf("%s", got)
	}
	changed := h.expect(200, call{method: "PATCH", path: at, token: s.owner, body: js(object{"alt": "A bright hall."})}) // A206
	if changed.text("alt") != "A bright hall." || changed.text("title") != "Hall" || js(changed.data()["tags"]) != `["big","bright"]` {
		t.Errorf("%s", changed)
	}
	for _, member := range []string{"tags", "title", "alt"} { // A206: each by itself
		value := map[string]any{"title": "The hall", "alt": "Hall with mats.", "tags": []string{"mats"}}[member]
		before := get().data()
		got := h.expect(200, call{method: "PATCH", path: at, token: s.owner, body: js(object{member: value})}).data()
		if after := get().data(); js(got[member]) != js(value) || js(after[member]) != js(value) {
			t.Errorf("%s: %v, then %v", member, got[member], after[member])
		} else {
			for _, other := range []string{"title", "alt", "tags"} {
				if other != member && js(after[other]) != js(before[other]) {
					t.Errorf("%s changed %s: %v", member, other, after[other])
				}
			}
		}
	}
	h.expect(200, call{method: "PATCH", path: at, token: s.owner, body: js(object{"title": "Hall", "alt": "A bright hall.", "tags": []string{"big"}})})
	if bad := h.expect(400, call{method: "PATCH", path: at, token: s.owner, body: js(object{"colour": "red"})}); !slices.Equal(bad.fields(), []string{"body.colour"}) {
		t.Errorf("%s", bad)
	}
	list := func(query string) []object {
		t.Helper()
		return h.expect(200, call{path: s.at("/businesses/{business}/assets?" + query), token: s.owner}).list("assets")
	}
	for query, n := range map[string]int{"": 1, "q=BRIGHT": 1, "tag=big": 1, "tag=bi": 0, "unused=1": 0, "archived=true": 0, "sort=used": 1, "limit=1&offset=1": 0} { // A198 to A200
		if got := list(query); len(got) != n {
			t.Errorf("%q: %d", query, len(got))
		}
	}
	s.listsInOrder(id, list)
	for _, query := range []string{"unused=yes", "archived=0", "sort=size", "limit=0", "offset=-1"} {
		h.expect(400, call{path: s.at("/businesses/{business}/assets?" + query), token: s.owner})
	}
	for range 2 {
		if a := h.expect(200, call{method: "POST", path: at + "/archive", token: s.owner}); a.data()["archivedAt"] == nil || a.number("usageCount") != 1 { // A208
			t.Errorf("%s", a)
		}
	}
	if got := list("archived=1"); len(got) != 1 || len(list("")) != 0 {
		t.Errorf("%v", got)
	}
	h.expect(200, call{method: "POST", path: at + "/restore", token: s.owner}) // A209
	if got := list(""); len(got) != 1 || got[0]["archivedAt"] != nil {
		t.Errorf("restored: %v", got)
	}
	for method, path := range map[string]string{"GET": at, "PATCH": at, "DELETE": at, "POST": at + "/archive"} { // A210
		body := ""
		if method == "PATCH" {
			body = js(object{"title": "Ours"})
		}
		h.expect(404, call{method: method, path: path, token: other.owner, body: body})
	}
	h.expect(204, call{method: "DELETE", path: at, token: s.owner}) // A207
	h.expect(404, call{path: at, token: s.owner})
	if got := list(""); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// listsInOrder adds a newer photo without placements and checks the lists and its position behind the first one's.
// A198, A200, A205.
func (s *studio) listsInOrder(id string, list func(query string) []object) {
	t, h := s.h.t, s.h
	t.Helper()
	newer := s.upload(onePhoto(2), object{"title": "Zen garden"}).text("id")
	for query, want := range map[string][]string{
		"": {newer, id}, "sort=recent": {newer, id}, "sort=used": {id, newer}, "sort=name": {id, newer}, "limit=1": {newer}, "offset=1": {id},
		"unused=1": {newer}, "unused=true": {newer},
	} {
		var got []string
		for _, a := range list(query) {
			got = append(got, a["id"].(string))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", query, got, want)
		}
	}
	at := "/assets/" + newer
	h.expect(200, call{method: "PUT", path: at + "/placements", token: s.owner, body: js(object{"subject": "location", "subjectId": s.ids["location"]})})
	if got := h.expect(200, call{path: at, token: s.owner}).list("placements"); len(got) != 1 || js(got[0]["position"]) != "2" {
		t.Errorf("%v", got)
	}
	h.expect(204, call{method: "DELETE", path: at, token: s.owner})
}

// claiming returns a PNG that declares another size.
func claiming(data []byte, w, h uint32) []byte {
	out := bytes.Clone(data)
	binary.BigEndian.PutUint32(out[16:], w)
	binary.BigEndian.PutUint32(out[20:], h)
	binary.BigEndian.PutUint32(out[29:], crc32.ChecksumIEEE(out[12:29]))
	return out
}

// TestUploadSaysWhatBecameOfIt: the response for an animation has a notice that only its first frame is used, also
// when it exists already; that for a photo has none. A photo is offered in its own width. Issue 31, item 12.
func TestUploadSaysWhatBecameOfIt(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	var moving bytes.Buffer
	still := image.NewPaletted(image.Rect(0, 0, 200, 100), color.Palette{color.Black, color.White})
	if err := gif.EncodeAll(&moving, &gif.GIF{Image: []*image.Paletted{still, still}, Delay: []int{9, 9}}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		a := s.upload(moving.Bytes(), nil)
		if a.data()["animated"] != true || a.text("notice") != "This file is an animation: only its first picture is shown." {
			t.Errorf("%s", a)
		}
	}
	a := s.upload(onePhoto(1), nil)
	if a.data()["animated"] != false || a.data()["notice"] != nil {
		t.Errorf("%s", a)
	}
	var widths []string
	for _, v := range a.list("variants") {
		widths = append(widths, js(v["width"]))
	}
	if !slices.Equal(widths, []string{"160", "200"}) {
		t.Errorf("%v", widths)
	}
}

// A204: a file that is no photo is 400 with its reason, under the name of the part.
func TestA204_NoPhoto(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	whole := onePhoto(1)
	for reason, data := range map[string][]byte{
		"not_a_photo": []byte("<html><script>alert(1)</script></html>"), "photo_broken": whole[:len(whole)/2],
		"photo_too_large": claiming(whole, 12_600, 3_900),
		"":                bytes.Repeat([]byte("x"), media.BytesMax+1),
	} {
		contentType, form := asForm("{}", data)
		a := h.expect(400, call{method: "POST", path: s.at("/businesses/{business}/assets"), token: s.owner, body: form, contentType: contentType})
		if a.reason() != reason || !slices.Equal(a.fields(), []string{"body.file"}) {
			t.Errorf("%q: %s", reason, a)
		}
	}
	if n := h.rows("assets"); n != 0 {
		t.Errorf("%d rows", n)
	}
}

// TestProductPhotos: the photos of a product are replaced as one list, and the storefront has those that are ready,
// the cover first.
func TestProductPhotos(t *testing.T) {
	h, s := goodsOnly(t)
	var ids []string
	for n := range int64(3) {
		a := s.upload(onePhoto(n), object{"alt": "Photo " + string(rune('A'+n))})
		if ids = append(ids, a.text("id")); n < 2 {
			s.sizes(ids[n])
		}
	}
	put := func(status int, assets ...string) answer {
		t.Helper()
		body := js(object{"assetIds": assets})
		return h.expect(status, call{method: "PUT", path: s.at("/products/{product}/assets"), token: s.owner, body: body})
	}
	if a := put(200, ids[1], ids[2], ids[0]); len(a.list("assets")) != 3 {
		t.Errorf("%s", a)
	}
	if bad := put(400, ids[1], s.ids["product"]); !slices.Equal(bad.fields(), []string{"body.assetIds[1]"}) {
		t.Errorf("%s", bad)
	}
	got := h.expect(200, call{path: "/assets/" + ids[0], token: s.owner}).list("placements")
	if len(got) != 1 || join(got[0], "subject", "subjectId", "position") != "product "+s.ids["product"]+" 3" {
		t.Errorf("%v", got)
	}
	listed := h.expect(200, call{path: s.at("/storefront/locations/{location}/products")}).list("items")[0]
	photos := listed["photos"].([]any)
	if len(photos) != 2 {
		t.Fatalf("%v", photos)
	}
	first, second := photos[0].(object), photos[1].(object)
	if join(first, "id", "alt", "width", "height") != ids[1]+" Photo B 200 100" || second["id"] != ids[0] {
		t.Errorf("%v", photos)
	}
	size := first["variants"].([]any)[0].(object)
	if address := size["jpegUrl"].(string); !strings.HasPrefix(address, "http") || !strings.HasSuffix(address, ".jpg") {
		t.Errorf("%v", size)
	}
}
