package catalog_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

func strict(r *catalog.Rules) { r.NoticeMinutes, r.Cancel.LateFeeAmount = 120, 1000 }

func (s *shop) policy(t *testing.T, name string, but ...func(*catalog.Rules)) catalog.Policy {
	t.Helper()
	rules := catalog.StandardRules()
	for _, f := range but {
		f(&rules)
	}
	p, err := s.CreatePolicy(t.Context(), s.System(), catalog.CreatePolicyInput{Name: name, Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The rules of an offering are its own policy's, else its location's, else the standard ones.
func TestRulesOf(t *testing.T) {
	s := open(t)
	own, places := s.policy(t, "Own", strict), s.policy(t, "House", func(r *catalog.Rules) { r.NoticeMinutes = 60 })
	a, b := s.create(t), s.create(t, func(in *catalog.CreateInput) { in.PolicyID = &own.ID })
	notice := func() (int, int) {
		t.Helper()
		rules, err := catalog.RulesOf(t.Context(), s.w.DB.View(s.Business.ID), []uuid.UUID{a.ID, b.ID, pg.NewID()})
		if err != nil || len(rules) != 2 {
			t.Fatalf("%v, %v", rules, err)
		}
		return rules[a.ID].NoticeMinutes, rules[b.ID].NoticeMinutes
	}
	if x, y := notice(); x != 0 || y != 120 {
		t.Errorf("%d and %d", x, y)
	}
	if _, err := s.PutLocationPolicy(t.Context(), s.System(), catalog.PutLocationPolicyInput{LocationID: s.Location.ID, PolicyID: &places.ID}); err != nil {
		t.Fatal(err)
	}
	if x, y := notice(); x != 60 || y != 120 {
		t.Errorf("%d and %d", x, y)
	}
	// A row from before there was a rule: a missing rule is standard.
	s.w.SQL(t, `update policies set rules = '{"noticeMinutes": 7, "cancel": {"allowed": false}, "gone": 1}' where id = $1`, own.ID)
	rules, err := catalog.RulesOf(t.Context(), s.w.DB.View(s.Business.ID), []uuid.UUID{b.ID})
	want := catalog.StandardRules()
	want.NoticeMinutes, want.Cancel.Allowed = 7, false
	if err != nil || rules[b.ID] != want {
		t.Errorf("%+v, %v", rules[b.ID], err)
	}
	if none, err := catalog.RulesOf(t.Context(), s.w.DB.View(s.Business.ID), nil); err != nil || len(none) != 0 {
		t.Errorf("%v, %v", none, err)
	}
	if foreign, err := catalog.RulesOf(t.Context(), s.w.DB.View(openIn(t, s.w).Business.ID), []uuid.UUID{a.ID}); err != nil || len(foreign) != 0 {
		t.Errorf("another business sees %v, %v", foreign, err)
	}
}

func TestReadRules(t *testing.T) {
	kept, err := json.Marshal(catalog.StandardRules())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"{}", string(kept)} {
		if r, err := catalog.ReadRules([]byte(text)); err != nil || r != catalog.StandardRules() {
			t.Errorf("%s: %+v, %v", text, r, err)
		}
	}
	for _, text := range []string{"", "[]", `{"noticeMinutes":"soon"}`} {
		if _, err := catalog.ReadRules([]byte(text)); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

func TestPolicies(t *testing.T) {
	s := open(t)
	p := s.policy(t, " Strict ", strict)
	if p.Name != "Strict" || p.Version != 1 || p.Currency != "USD" || p.Rules.NoticeMinutes != 120 {
		t.Errorf("%+v", p)
	}
	other := s.policy(t, "Other")
	update := func(in catalog.UpdatePolicyInput) (catalog.Policy, error) {
		return s.UpdatePolicy(t.Context(), s.System(), in)
	}
	got, err := update(catalog.UpdatePolicyInput{ID: p.ID, Version: 1, Name: ptr("Stricter")})
	if err != nil || got.Version != 2 || got.Name != "Stricter" || got.Rules != p.Rules {
		t.Errorf("%+v, %v", got, err)
	}
	rules := p.Rules
	rules.Waitlist.Mode = catalog.WaitlistRace
	if got, err = update(catalog.UpdatePolicyInput{ID: p.ID, Version: 2, Rules: &rules}); err != nil || got.Rules != rules || got.Version != 3 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err = update(catalog.UpdatePolicyInput{ID: p.ID, Version: 3, Rules: &rules}); err != nil || got.Version != 3 {
		t.Errorf("the same again: %+v, %v", got, err)
	}
	if read, err := s.Policy(t.Context(), s.System(), p.ID); err != nil || read.Rules != rules || read.Name != "Stricter" {
		t.Errorf("%+v, %v", read, err)
	}
	_, err = update(catalog.UpdatePolicyInput{ID: p.ID, Version: 1, Name: ptr("Late")})
	apptest.Is(t, err, fault.ErrStale)
	_, err = update(catalog.UpdatePolicyInput{ID: p.ID, Version: 3, Name: &other.Name})
	apptest.Is(t, err, catalog.ErrPolicyName)
	_, err = s.CreatePolicy(t.Context(), s.System(), catalog.CreatePolicyInput{Name: "Other", Rules: rules})
	apptest.Is(t, err, catalog.ErrPolicyName)
	rules.PartyMin, rules.Waitlist.Mode, rules.Cancel.LateFeeAmount = 0, "maybe", -1
	_, err = update(catalog.UpdatePolicyInput{ID: p.ID, Version: 3, Name: ptr(" "), Rules: &rules})
	if apptest.Wrong(err) != "name rules.cancel.lateFeeAmount rules.partyMin rules.waitlist.mode" {
		t.Errorf("%q", apptest.Wrong(err))
	}
	if _, err = s.CreatePolicy(t.Context(), s.System(), catalog.CreatePolicyInput{Name: "standard", Rules: p.Rules}); apptest.Wrong(err) != "name" {
		t.Errorf("%v", err)
	}
}

func TestPolicyList(t *testing.T) {
	s := open(t)
	var want []uuid.UUID
	for n := range 5 {
		want = append(want, s.policy(t, fmt.Sprint("Policy ", n)).ID)
	}
	s.w.SQL(t, "update policies set archived_at = now() where id = $1", want[2])
	want = append(want[:2], want[3:]...)
	openIn(t, s.w).policy(t, "Foreign")
	var got []uuid.UUID
	in := paging.In[uuid.UUID]{Limit: 2}
	for {
		page, err := s.Policies(t.Context(), s.System(), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range page.Items {
			got = append(got, p.ID)
		}
		if page.Next == nil {
			break
		}
		in.After = page.Next
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	_, err := s.Policies(t.Context(), s.System(), paging.In[uuid.UUID]{Limit: 201})
	apptest.Refused(t, err, fault.Validation)
}

// A74: a policy in use is not archived.
func TestArchivePolicy(t *testing.T) {
	s := open(t)
	p := s.policy(t, "Strict", strict)
	archive := func() error { _, err := s.ArchivePolicy(t.Context(), s.System(), p.ID); return err }
	o := s.create(t, func(in *catalog.CreateInput) { in.PolicyID = &p.ID })
	apptest.Is(t, archive(), catalog.ErrPolicyInUse)
	if _, err := s.Update(t.Context(), s.System(), catalog.UpdateInput{ID: o.ID, Version: 1, PolicyID: patch.None[uuid.UUID]()}); err != nil {
		t.Fatal(err)
	}
	put := func(id *uuid.UUID, version int64) (catalog.LocationPolicy, error) {
		return s.PutLocationPolicy(t.Context(), s.System(), catalog.PutLocationPolicyInput{LocationID: s.Location.ID, PolicyID: id, Version: version})
	}
	if _, err := put(&p.ID, 0); err != nil {
		t.Fatal(err)
	}
	apptest.Is(t, archive(), catalog.ErrPolicyInUse)
	if _, err := put(nil, 0); err != nil {
		t.Fatal(err)
	}
	if err := archive(); err != nil {
		t.Fatal(err)
	}
	if err := archive(); err != nil {
		t.Errorf("again: %v", err)
	}
	if _, err := put(&p.ID, 0); apptest.Wrong(err) != "policyId" {
		t.Errorf("an archived one: %v", err)
	}
	_, err := s.UpdatePolicy(t.Context(), s.System(), catalog.UpdatePolicyInput{ID: p.ID, Version: 2, Name: ptr("X")})
	apptest.Is(t, err, catalog.ErrPolicyArchived)
	s.policy(t, "Strict") // the name is free again
}

func TestLocationPolicy(t *testing.T) {
	s := open(t)
	got, err := s.LocationPolicy(t.Context(), s.System(), s.Location.ID)
	if err != nil || got.PolicyID != nil || got.Name != catalog.StandardName || got.Rules != catalog.StandardRules() || got.Version != s.Location.Version {
		t.Errorf("%+v, %v", got, err)
	}
	p := s.policy(t, "Strict", strict)
	in := catalog.PutLocationPolicyInput{LocationID: s.Location.ID, PolicyID: &p.ID, Version: got.Version}
	put, err := s.PutLocationPolicy(t.Context(), s.System(), in)
	if err != nil || *put.PolicyID != p.ID || put.Rules != p.Rules || put.Name != "Strict" || put.Version != got.Version+1 {
		t.Errorf("%+v, %v", put, err)
	}
	_, err = s.PutLocationPolicy(t.Context(), s.System(), in)
	apptest.Is(t, err, fault.ErrStale)
	in.Version = 0
	if again, err := s.PutLocationPolicy(t.Context(), s.System(), in); err != nil || again.Version != put.Version {
		t.Errorf("the same again: %+v, %v", again, err)
	}
	for _, id := range []uuid.UUID{pg.NewID(), openIn(t, s.w).policy(t, "Foreign").ID} {
		in.PolicyID = &id
		if _, err := s.PutLocationPolicy(t.Context(), s.System(), in); apptest.Wrong(err) != "policyId" {
			t.Errorf("%v", err)
		}
	}
	s.w.SQL(t, "update locations set archived_at = now() where id = $1", s.Location.ID)
	_, err = s.PutLocationPolicy(t.Context(), s.System(), in)
	apptest.Is(t, err, catalog.ErrLocationArchived)
}

// Policies are shared, so changing one needs the whole business; a location's choice needs that location. A47.
func TestWhoMayPolicies(t *testing.T) {
	s := open(t)
	theirs := openIn(t, s.w)
	p, foreign := s.policy(t, "Strict"), theirs.policy(t, "Strict")
	manager := s.Holding(s.Location.ID, policy.LocationView, policy.CatalogManage)
	viewer := s.Holding(s.Location.ID, policy.LocationView)
	elsewhere := s.Holding(s.AddLocation(t, "elsewhere").ID, policy.LocationView, policy.CatalogManage)
	for name, call := range map[string]func(tenancy.Scope, uuid.UUID) error{
		"create": func(sc tenancy.Scope, _ uuid.UUID) error {
			_, err := s.CreatePolicy(t.Context(), sc, catalog.CreatePolicyInput{Name: "X", Rules: p.Rules})
			return err
		},
		"update": func(sc tenancy.Scope, id uuid.UUID) error {
			_, err := s.UpdatePolicy(t.Context(), sc, catalog.UpdatePolicyInput{ID: id, Version: 1})
			return err
		},
		"archive": func(sc tenancy.Scope, id uuid.UUID) error { _, err := s.ArchivePolicy(t.Context(), sc, id); return err },
		"get":     func(sc tenancy.Scope, id uuid.UUID) error { _, err := s.Policy(t.Context(), sc, id); return err },
		"list": func(sc tenancy.Scope, _ uuid.UUID) error {
			_, err := s.Policies(t.Context(), sc, paging.In[uuid.UUID]{})
			return err
		},
	} {
		apptest.Refused(t, call(viewer, p.ID), fault.Forbidden)
		if err := call(manager, p.ID); (name == "get" || name == "list") != (err == nil) {
			t.Errorf("%s by the manager of a location: %v", name, err)
		}
		if name != "create" && name != "list" {
			apptest.Refused(t, call(s.System(), foreign.ID), fault.NotFound)
			apptest.Refused(t, call(s.System(), pg.NewID()), fault.NotFound)
		}
	}
	put := func(sc tenancy.Scope, location uuid.UUID) error {
		_, err := s.PutLocationPolicy(t.Context(), sc, catalog.PutLocationPolicyInput{LocationID: location})
		_, read := s.LocationPolicy(t.Context(), sc, location)
		return errors.Join(err, read)
	}
	apptest.Refused(t, put(elsewhere, s.Location.ID), fault.Forbidden)
	apptest.Refused(t, put(viewer, s.Location.ID), fault.Forbidden)
	apptest.Refused(t, put(s.System(), theirs.Location.ID), fault.NotFound)
	if err := put(manager, s.Location.ID); err != nil {
		t.Error(err)
	}
}
