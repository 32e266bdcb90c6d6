package api_test

import (
	"slices"
	"testing"

	"foyer/app/apptest"
	"foyer/app/tenancy"
	"foyer/policy"
)

// TestOpenBusiness: it requires a session and an invite sent to this person; the creator is the owner. A31, A50,
// A227.
func TestOpenBusiness(t *testing.T) {
	h := open(t)
	rosa, ben := h.signIn("rosa@example.com"), h.signIn("ben@example.com")
	invite := h.invite("rosa@example.com")
	body := func(token string) string {
		return js(object{"inviteToken": token, "name": "Harbour Yoga", "currency": "USD", "zone": "America/New_York"})
	}
	post := func(token, body string) answer {
		return h.do(call{method: "POST", path: "/businesses", token: token, body: body})
	}
	for name, a := range map[string]answer{
		"no invite": post(rosa, `{"name":"Harbour Yoga","currency":"USD","zone":"UTC"}`), "nothing at all": post(rosa, `{}`),
		"a wrong one": post(rosa, body("nonsense")), "somebody else's": post(ben, body(invite)),
	} {
		if a.status != 403 {
			t.Errorf("%s: %s", name, a)
		}
	}
	h.expect(401, call{method: "POST", path: "/businesses", body: body(invite)})
	if a := post(rosa, js(object{"inviteToken": invite, "name": ""})); a.status != 400 || !slices.Contains(a.fields(), "body.currency") {
		t.Errorf("%s", a) // the invite is not used up by wrong input
	}
	made := post(rosa, body(invite))
	if made.status != 201 || made.text("slug") != "harbour-yoga" || made.data()["location"] != nil {
		t.Fatalf("%s", made)
	}
	if a := post(rosa, body(invite)); a.status != 403 {
		t.Errorf("a used invite: %s", a)
	}
	list := h.expect(200, call{path: "/businesses", token: rosa}).list("items")
	if len(list) != 1 || dig[string](list[0], "business", "id") != made.text("id") || dig[string](dig[[]any](list[0], "roles")[0], "role") != "owner" {
		t.Errorf("%v", list)
	}
}

// TestAccountWithoutInvite: a person with an account signs in and works without an invite. A32.
func TestAccountWithoutInvite(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	again := h.signIn(s.ownerEmail)
	if list := h.expect(200, call{path: "/businesses", token: again}).list("items"); len(list) != 1 {
		t.Errorf("%v", list)
	}
	h.post(s.at("/businesses/{business}/locations"), again, object{"name": "Another"})
}

// TestKeys: the plaintext begins with bk_, is returned once, and is stored as a hash; a key acts on operator routes
// in its own business, at all locations, and nowhere else. A45, A46, A48, A49, A50, A51, A53, A227.
func TestKeys(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	at := s.at("/businesses/{business}/api-keys")
	made := h.expect(201, call{method: "POST", path: at, token: s.owner, body: js(object{"name": "till"}), key: "again"})
	key := made.text("key")
	h.secret(key) // from here on no response and no log line may contain it
	if key[:3] != "bk_" || made.text("prefix") != key[:len(made.text("prefix"))] {
		t.Errorf("%s", made)
	}
	if n := apptest.Value[int](t, h.World, `select count(*) from api_keys k where k::text like '%' || $1 || '%'`, key); n != 0 {
		t.Error("the key is in its row")
	}
	twin := h.expect(201, call{method: "POST", path: at, token: s.owner, body: js(object{"name": "till"}), key: "again"})
	if twin.text("key") == key { // it is returned once, so a repetition creates another
		t.Error("the same key was shown twice")
	}
	h.expect(200, call{path: at, token: s.owner})
	for _, c := range []call{{path: at}, {method: "POST", path: at, body: "{}"}, {method: "DELETE", path: at + "/" + made.text("id")}, {method: "POST", path: "/businesses", body: "{}"}, {path: "/businesses"}} {
		c.token = key
		h.expect(403, c)
	}
	for _, path := range []string{"/businesses/{business}", "/businesses/{business}/bookings", "/locations/{location}", "/locations/{location2}"} {
		h.expect(200, call{path: s.at(path), token: key})
	}
	if a := h.expect(200, call{path: s.at("/businesses/{business}/locations"), token: key}); len(a.list("items")) != 2 {
		t.Errorf("%s", a)
	}
	h.expect(204, call{method: "DELETE", path: at + "/" + made.text("id"), token: s.owner})
	h.expect(401, call{path: s.at("/businesses/{business}"), token: key})
}

// TestKeyFeatures: without features a key holds every feature of its creator that keys can hold; a list only narrows.
// A55, A216.
func TestKeyFeatures(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	at := s.at("/businesses/{business}/api-keys")
	create := func(token string, features ...string) answer {
		body := object{}
		if features != nil {
			body["features"] = features
		}
		return h.do(call{method: "POST", path: at, token: token, body: js(body)})
	}
	all, err := policy.KeyGrants(policy.GrantsFor([]policy.Assignment{{Role: policy.Owner}}), nil)
	if err != nil {
		t.Fatal(err)
	}
	var want []any
	for _, f := range all.List() {
		want = append(want, string(f))
	}
	if got := dig[[]any](create(s.owner).data(), "features"); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	for _, f := range policy.All { // the six of the contract are among them: A54
		if f.Contract && !all.Has(f.Feature) {
			t.Errorf("%s is not in a key of an owner", f.Feature)
		}
	}
	if a := create(s.owner, "location.view"); a.status != 201 || len(dig[[]any](a.data(), "features")) != 1 {
		t.Errorf("%s", a)
	}
	for _, wrong := range [][]string{{}, {"no.such"}, {string(policy.DataExport)}} {
		if a := create(s.owner, wrong...); a.status != 400 {
			t.Errorf("%v: %s", wrong, a)
		}
	}
	narrow := create(s.owner, string(policy.LocationView)).text("key")
	refused := h.expect(403, call{method: "POST", path: s.at("/businesses/{business}/tax-rates"), token: narrow, body: js(object{"name": "x", "ppm": 1})})
	if dig[string](decode(refused.body), "error", "details", "feature") != string(policy.BusinessManage) {
		t.Errorf("%s", refused)
	}
}

// TestFeatures: every member and key may see the whole table, with their own access. A54, A65, A218.
func TestFeatures(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	desk, _ := s.join("desk@example.com", object{"role": "front_desk", "locationId": s.ids["location"]})
	held := map[string]object{}
	rows := h.expect(200, call{path: s.at("/businesses/{business}/features"), token: desk}).list("features")
	for _, f := range rows {
		held[f["name"].(string)] = dig[object](f, "held")
	}
	if len(rows) != len(policy.All) {
		t.Errorf("%d features", len(rows))
	}
	g := policy.GrantsFor([]policy.Assignment{{Role: policy.FrontDesk, Location: parse(s.ids["location"])}})
	for _, d := range policy.All {
		here := slices.Contains(dig[[]any](held[string(d.Feature)], "locations"), any(s.ids["location"]))
		if here != g.At(d.Feature, parse(s.ids["location"])) || held[string(d.Feature)]["everywhere"] != false {
			t.Errorf("%s: %v", d.Feature, held[string(d.Feature)])
		}
	}
	for _, role := range policy.Roles() { // published: every grant of the table is in the response
		for _, f := range rows {
			listed := slices.ContainsFunc(dig[[]any](f, "roles"), func(r any) bool { return dig[string](r, "role") == string(role) })
			if listed != (policy.RoleBundle(role)[tenancy.Feature(f["name"].(string))].Reach != policy.ReachNone) {
				t.Errorf("%s %s: listed %v", role, f["name"], listed)
			}
		}
	}
}

// TestTeamAccess: a member without permission to manage the team sees names and not addresses; the last owner cannot
// be removed; members cannot assign features they do not hold. A55.
func TestTeamAccess(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	viewer, _ := s.join("viewer@example.com", object{"role": "viewer"})
	admin, member := s.join("admin@example.com", object{"role": "admin"})
	for _, m := range h.expect(200, call{path: s.at("/businesses/{business}/team"), token: viewer}).list("items") {
		own := m["name"] == "viewer"
		if (m["access"] == nil) == own {
			t.Errorf("a viewer sees %v", m)
		}
	}
	owner := h.expect(200, call{path: s.at("/businesses/{business}/team"), token: admin}).list("items")[0]["id"].(string)
	at := s.at("/businesses/{business}/team/")
	refused := h.expect(403, call{method: "POST", path: at + owner + "/deactivate", token: admin})
	if refused.reason() != "owner_only" {
		t.Errorf("%s", refused)
	}
	if a := h.expect(409, call{method: "POST", path: at + owner + "/deactivate", token: s.owner}); a.reason() != "last_owner" {
		t.Errorf("%s", a)
	}
	promote := js(object{"version": 1, "roles": []object{{"role": "owner"}}})
	h.expect(403, call{method: "PATCH", path: at + member, token: admin, body: promote})
	changed := h.expect(200, call{method: "PATCH", path: at + member, token: s.owner, body: promote})
	if dig[string](dig[[]any](changed.data(), "access", "roles")[0], "role") != "owner" {
		t.Errorf("%s", changed)
	}
}
