package web_test

import (
	"strings"
	"testing"
)

// TestAccessMatrix calls each kind of operation as each kind of caller. A47 to A59: 401 first, then 404 for an unknown
// business, then 403; a foreign record is 404 like an unknown one.
func TestAccessMatrix(t *testing.T) {
	w := newWorld(t)
	accessWorld(w)
	biz := func(id, rest string) string { return "/businesses/" + id + rest }
	s, o, u := studio.String(), other.String(), unknown.String()
	callers := []string{"", "nonsense", ownerToken, uptownToken, viewerToken, strangerToken, studioKey, otherKey}
	for _, row := range []struct {
		method, path string
		want         [8]int // in the order of callers
	}{
		{"GET", biz(s, "/catalog"), [8]int{401, 401, 200, 200, 403, 403, 200, 403}},
		{"GET", biz(o, "/catalog"), [8]int{401, 401, 403, 403, 403, 403, 403, 403}},
		{"GET", biz(u, "/catalog"), [8]int{401, 401, 404, 404, 404, 404, 404, 404}},
		{"GET", biz("nonsense", "/catalog"), [8]int{401, 401, 404, 404, 404, 404, 404, 404}},
		{"GET", "/locations/" + uptown.String(), [8]int{401, 401, 200, 200, 403, 404, 200, 404}},
		{"GET", "/locations/" + downtown.String(), [8]int{401, 401, 200, 403, 403, 404, 200, 404}},
		{"GET", "/locations/" + elsewhere.String(), [8]int{401, 401, 404, 404, 404, 404, 404, 404}},
		{"GET", "/locations/" + u, [8]int{401, 401, 404, 404, 404, 404, 404, 404}},
		{"POST", biz(s, "/api-keys"), [8]int{401, 401, 201, 403, 403, 403, 403, 403}},
		{"POST", biz(u, "/api-keys"), [8]int{401, 401, 404, 404, 404, 404, 404, 404}},
		{"GET", biz(s, "/features"), [8]int{401, 401, 200, 200, 200, 403, 200, 403}},
		{"GET", "/me/profile", [8]int{401, 401, 200, 200, 200, 200, 403, 403}},
		{"GET", "/storefront/offerings/" + uptown.String() + "/times", [8]int{200, 200, 200, 200, 200, 200, 200, 200}},
		{"GET", "/storefront/offerings/" + u + "/times", [8]int{404, 404, 404, 404, 404, 404, 404, 404}},
		{"POST", "/storefront/carts/cart-token/hold", [8]int{401, 401, 200, 200, 200, 200, 401, 401}},
		{"POST", "/storefront/carts/wrong/hold", [8]int{401, 401, 404, 404, 404, 404, 401, 401}},
		{"GET", "/storefront/offerings/" + u + "/agreements", [8]int{401, 401, 200, 200, 200, 200, 401, 401}},
		{"GET", "/storefront/offerings/nonsense/agreements", [8]int{401, 401, 200, 200, 200, 200, 401, 401}},
	} {
		for i, token := range callers {
			r := w.do(req{method: row.method, path: row.path, token: token})
			if row.want[i] >= 400 {
				r.refused(t, row.want[i])
				continue
			}
			r.data(t, row.want[i], nil)
		}
	}
	if len(w.undeclared) > 0 {
		t.Errorf("undeclared statuses: %v", w.undeclared)
	}
}

// TestForeignLooksUnknown compares bytes. A47.
func TestForeignLooksUnknown(t *testing.T) {
	w := newWorld(t)
	accessWorld(w)
	get := func(id string) string { return w.do(req{path: "/locations/" + id, token: ownerToken}).body }
	if a, b := get(elsewhere.String()), get(unknown.String()); a != b {
		t.Errorf("foreign %s unknown %s", a, b)
	}
	if a, b := get("not-a-uuid"), get("other-word"); a != b || !strings.Contains(a, "must be an id") {
		t.Errorf("malformed %s and %s", a, b)
	}
}

// TestScope checks the scope passed to handlers.
func TestScope(t *testing.T) {
	w := newWorld(t)
	accessWorld(w)
	var s seen
	w.do(req{path: "/locations/" + uptown.String(), token: studioKey}).data(t, 200, &s)
	if s.Tenant != studio || s.Location == nil || *s.Location != uptown || s.Kind != "key" || s.Surface != "api" || s.Visitor != "192.0.2.7" {
		t.Errorf("operator scope %+v", s)
	}
	w.do(req{path: "/storefront/offerings/" + uptown.String() + "/times", token: ownerToken}).data(t, 200, &s)
	if s.Tenant != studio || s.Actor != ownerToken {
		t.Errorf("storefront scope %+v", s)
	}
	s = seen{}
	w.do(req{path: "/storefront/offerings/" + uptown.String() + "/times", token: studioKey}).data(t, 200, &s)
	if s.Kind != "" || s.Actor != "" {
		t.Errorf("a key on a public read is nobody, got %+v", s)
	}
	s = seen{}
	w.do(req{path: "/storefront/offerings/nonsense/agreements", token: ownerToken}).data(t, 200, &s)
	if s.Tenant.String() != "00000000-0000-0000-0000-000000000000" {
		t.Errorf("an unknown record without 404 has no tenant, got %+v", s)
	}
}

// TestMalformedIDs is A20: 404 where 400 is not listed, 400 where it is, after the credential was checked.
func TestMalformedIDs(t *testing.T) {
	w := newWorld(t)
	accessWorld(w)
	at := "/locations/" + uptown.String() + "/documents/"
	for _, id := range []string{"nonsense", "%00", "%ff", "urn:uuid:" + uptown.String(), "{" + uptown.String() + "}", "0190a1b200007000800000000000001 1"} {
		w.do(req{method: "POST", path: at + id + "/archive"}).refused(t, 401)
		r := w.do(req{method: "POST", path: at + id + "/archive", token: ownerToken})
		if e := r.refused(t, 404); !strings.Contains(e.Error.Message, "`documentId` must be an id like") || len(e.Error.Details) != 0 {
			t.Errorf("%q: %s", id, r.body)
		}
	}
	w.do(req{method: "POST", path: at + uptown.String() + "/archive", token: ownerToken}).data(t, 200, nil)

	e := w.do(req{method: "POST", path: "/businesses/nonsense/catalog", token: ownerToken, body: `{"note":"x"}`}).refused(t, 400)
	if f := e.fields(); len(f) != 1 || f[0] != "path.businessId" {
		t.Errorf("fields %v", f)
	}
	w.do(req{method: "POST", path: "/businesses/nonsense/catalog", body: `{`}).refused(t, 401)
}

// TestOrderOfChecks is A57: the input is looked at last.
func TestOrderOfChecks(t *testing.T) {
	w := newWorld(t)
	accessWorld(w)
	for _, c := range []struct {
		token, business string
		status          int
	}{
		{"", studio.String(), 401},
		{"nonsense", unknown.String(), 401},
		{ownerToken, unknown.String(), 404},
		{viewerToken, studio.String(), 403},
		{ownerToken, studio.String(), 400},
	} {
		w.do(req{method: "POST", path: "/businesses/" + c.business + "/catalog", token: c.token, body: `{"wrong":`}).refused(t, c.status)
	}
}

// TestCredentials is A56: a header other than one bearer token is no credential, and a failing look-up is not a
// refusal.
func TestCredentials(t *testing.T) {
	w := newWorld(t)
	accessWorld(w)
	for _, header := range [][]string{
		{"Authorization", "Basic " + ownerToken},
		{"Authorization", "Bearer"},
		{"Authorization", "Bearer "},
		{"Authorization", ownerToken},
		{"Authorization", "Bearer " + ownerToken, "Authorization", "Bearer " + strangerToken},
		{"Authorization", "Bearer " + string(make([]byte, 600))},
		{"Cookie", "session=" + ownerToken},
	} {
		r := w.do(req{path: "/me/profile", headers: header})
		r.refused(t, 401)
		if r.header("WWW-Authenticate") != "Bearer" {
			t.Errorf("%v: no challenge", header)
		}
		w.do(req{path: "/storefront/offerings/" + uptown.String() + "/times", headers: header}).data(t, 200, nil)
	}
	w.do(req{path: "/me/profile", headers: []string{"Authorization", "bEaReR " + ownerToken}}).data(t, 200, nil)
	w.do(req{path: "/me/profile", token: brokenToken}).refused(t, 500)
	w.do(req{path: "/storefront/offerings/" + uptown.String() + "/times", token: brokenToken}).refused(t, 500)
}
