package business_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

type admission struct{ exists, member bool }

// A47, A53, A55: the grants of every kind of caller, in one round trip.
func TestAdmit(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	a, b := w.Studio(t), w.Studio(t)
	desk := a.Join(t, "desk@example.com", apptest.At(policy.FrontDesk, a.Location.ID))
	page := a.Join(t, "page@example.com")
	_, key := a.Key(t, policy.LocationView)
	for name, c := range map[string]struct {
		p        tenancy.Principal
		business uuid.UUID
		want     admission
	}{
		"owner":                       {a.Owner.Principal, a.Business.ID, admission{true, true}},
		"front desk":                  {desk.Principal, a.Business.ID, admission{true, true}},
		"on the team without a role":  {page.Principal, a.Business.ID, admission{true, false}},
		"owner of another":            {b.Owner.Principal, a.Business.ID, admission{true, false}},
		"key":                         {key.Principal, a.Business.ID, admission{true, true}},
		"key of another":              {key.Principal, b.Business.ID, admission{true, false}},
		"nobody":                      {tenancy.Principal{}, a.Business.ID, admission{true, false}},
		"owner, unknown business":     {a.Owner.Principal, uuid.New(), admission{}},
		"key, unknown business":       {key.Principal, uuid.New(), admission{}},
		"owner, no business":          {a.Owner.Principal, uuid.Nil, admission{}},
		"a key that claims the other": {claims(key.Principal, b.Business.ID), b.Business.ID, admission{true, false}},
	} {
		var g tenancy.Grants
		n := w.Statements(func() {
			got, exists, member, err := h.Admit(t.Context(), c.p, c.business)
			if err != nil || (admission{exists, member}) != c.want {
				t.Errorf("%s: exists %v, member %v (%v)", name, exists, member, err)
			}
			g = got
		})
		if n > 1 {
			t.Errorf("%s: %d trips", name, n)
		}
		if !c.want.member && (g.Any(policy.LocationView) || g.Owner) {
			t.Errorf("%s is let in with %+v", name, g)
		}
	}
	if !desk.Grants.At(policy.BookingManage, a.Location.ID) || desk.Grants.At(policy.BookingManage, uuid.Nil) || desk.Grants.Owner {
		t.Errorf("front desk holds %+v", desk.Grants)
	}
	if !key.Grants.At(policy.LocationView, uuid.Nil) || key.Grants.Any(policy.BookingView) {
		t.Errorf("the key holds %+v", key.Grants)
	}
}

func claims(p tenancy.Principal, business uuid.UUID) tenancy.Principal {
	p.Business = business
	return p
}

// A revoked role, membership or key has no effect from the next request on.
func TestRevokeNow(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	kim := s.Join(t, "kim@example.com", apptest.Everywhere(policy.Manager))
	admit := func(p tenancy.Principal) (tenancy.Grants, bool) {
		g, _, member, err := h.Admit(t.Context(), p, s.Business.ID)
		if err != nil {
			t.Fatal(err)
		}
		return g, member
	}
	m := memberOf(t, h, s, kim)
	m, err := h.UpdateMember(t.Context(), s.Owner, business.UpdateMemberInput{
		MemberID: m.ID, Version: m.Version, Roles: &[]business.RoleAt{apptest.Everywhere(policy.Viewer)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if g, member := admit(kim.Principal); !member || g.Any(policy.CatalogManage) || !g.At(policy.LocationView, uuid.Nil) {
		t.Errorf("after the change %+v", g)
	}
	if _, err := h.Deactivate(t.Context(), s.Owner, m.ID); err != nil {
		t.Fatal(err)
	}
	if _, member := admit(kim.Principal); member {
		t.Error("a deactivated member is let in")
	}
	if list, err := h.Mine(t.Context(), kim, paging.In[uuid.UUID]{}); err != nil || len(list.Items) != 0 {
		t.Errorf("a deactivated member has %+v (%v)", list, err)
	}
	_, key := s.Key(t)
	if err := h.RevokeKey(t.Context(), s.Owner, key.ID); err != nil {
		t.Fatal(err)
	}
	if _, member := admit(key.Principal); member {
		t.Error("a revoked key is let in")
	}
	made, err := h.CreateKey(t.Context(), s.Owner, business.CreateKeyInput{ExpiresAt: ptr(apptest.Start.Add(time.Hour))})
	if err != nil {
		t.Fatal(err)
	}
	p, err := h.AuthenticateKey(t.Context(), made.Key)
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Hour)
	if _, member := admit(p); member {
		t.Error("a key that is over is let in")
	}
}
