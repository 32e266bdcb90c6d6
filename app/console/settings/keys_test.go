package settings_test

import (
	"regexp"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/console/consoletest"
	"foyer/app/paging"
	"foyer/policy"
)

var secret = regexp.MustCompile(`bk_[0-9A-Za-z]{46}`)

func keysOf(t *testing.T, s *consoletest.Studio) []business.APIKey {
	t.Helper()
	page, err := s.Services.Business.Keys(t.Context(), s.Owner, paging.In[uuid.UUID]{})
	if err != nil {
		t.Fatal(err)
	}
	return page.Items
}

// TestAKeyIsShownOnce: it works, it is in a selectable field, and no page shows it again.
func TestAKeyIsShownOnce(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	owner.Get("/settings/keys").Is(t, 200).Shows(t, "No API keys")
	form := owner.Get("/settings/keys/new").Is(t, 200).Form("/keys/new")
	owner.Send(owner.Get("/settings/keys/new").Form("/keys/new"), "expiresOn", "2020-01-01").Is(t, 400).Shows(t, "Choose a time in the future.")
	owner.Send(owner.Get("/settings/keys/new").Form("/keys/new"), "reach", "some").Is(t, 400).Shows(t, "Name at least one feature")
	page := owner.Send(form, "name", "Website", "reach", "some", "features", string(policy.LocationView), "features", string(policy.BookingView)).Is(t, 200)
	key := secret.FindString(page.Body)
	p, err := s.Services.Business.AuthenticateKey(t.Context(), key)
	if err != nil || p.Name != "Website" {
		t.Fatalf("the key %q: %+v %v", key, p, err)
	}
	if list := keysOf(t, s); len(list) != 1 || len(list[0].Features) != 2 {
		t.Fatalf("%+v", list)
	}
	again := owner.Send(form, "name", "Website", "reach", "some", "features", string(policy.LocationView), "features", string(policy.BookingView))
	if secret.FindString(again.Body) != key || len(keysOf(t, s)) != 1 {
		t.Error("a form that was sent twice made two keys, or lost the first")
	}
	id := keysOf(t, s)[0].ID.String()
	for _, path := range []string{"", "/new", "/" + id + "/replace", "/" + id + "/revoke"} {
		if got := owner.Get("/settings/keys"+path).Is(t, 200); secret.MatchString(got.Body) {
			t.Errorf("%s shows the key again", path)
		}
	}
	owner.Get("/settings/keys").Shows(t, "Website", "See bookings", "Last used")
	owner.Get("/settings").Shows(t, "1 key")
}

// TestAKeyIsReplacedInThreeClicks: Replace, create the new one, revoke the old one.
func TestAKeyIsReplacedInThreeClicks(t *testing.T) {
	s := consoletest.Open(t)
	old, _ := s.Key(t, policy.LocationView)
	owner := s.As(t, consoletest.Owner)
	page := owner.Get(owner.Get("/settings/keys").Link("/replace")).Is(t, 200).Shows(t, "See the studio")
	page = owner.Send(page.Form("/replace")).Is(t, 200).Shows(t, "The old key still works")
	key := secret.FindString(page.Body)
	for _, k := range []string{old, key} {
		if _, err := s.Services.Business.AuthenticateKey(t.Context(), k); err != nil {
			t.Errorf("between the two, %s: %v", k, err)
		}
	}
	owner.Send(page.Form("/revoke")).Is(t, 200).Shows(t, "Key revoked. Requests that use it are refused.")
	if _, err := s.Services.Business.AuthenticateKey(t.Context(), old); err == nil {
		t.Error("the old key works still")
	}
	if list := keysOf(t, s); len(list) != 1 || len(list[0].Features) != 1 || list[0].Features[0] != policy.LocationView {
		t.Errorf("%+v", list)
	}
}

func TestKeysAreForThoseWhoManageTheBusiness(t *testing.T) {
	s := consoletest.Open(t)
	s.Key(t)
	foreign := s.World.Studio(t)
	foreign.Key(t)
	theirs := apptest.Value[uuid.UUID](t, s.World, "select id from api_keys where business_id = $1", foreign.Business.ID)
	owner := s.As(t, consoletest.Owner)
	for _, path := range []string{"/replace", "/revoke"} {
		owner.Get("/settings/keys/"+theirs.String()+path).Is(t, 404)
		owner.Get("/settings/keys/01900000-0000-7000-8000-000000000000"+path).Is(t, 404)
	}
	page := owner.Get("/settings/keys/"+keysOf(t, s)[0].ID.String()+"/revoke").Is(t, 200).Shows(t, "… are refused immediately", "Revoking a key cannot be undone.")
	form := page.Form("/revoke")
	owner.Send(form).Is(t, 200).Shows(t, "No API keys")
	manager := s.As(t, policy.Manager)
	manager.Get("/settings/keys").Is(t, 403)
	if manager.Get("/settings").Is(t, 200).Has("/settings/keys") {
		t.Error("a manager is shown the way to the keys")
	}
}
