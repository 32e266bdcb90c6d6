package business_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// memberOf finds the member of a scope, as the owner sees them.
func memberOf(t *testing.T, h apptest.BusinessService, s apptest.Studio, sc tenancy.Scope) business.Member {
	t.Helper()
	list, err := h.Members(t.Context(), s.Owner, paging.In[uuid.UUID]{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list.Items {
		if m.PersonID == sc.ID {
			return m
		}
	}
	t.Fatal("not on the team")
	return business.Member{}
}

func roles(list ...business.RoleAt) *[]business.RoleAt { return &list }

func TestAddMember(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	m, err := h.AddMember(t.Context(), s.Owner, business.AddMemberInput{
		Email: " Kim@Example.com", Name: " Kim Lee ", Bookable: true,
		Roles: []business.RoleAt{apptest.At(policy.FrontDesk, s.Location.ID), apptest.Everywhere(policy.Instructor)},
	})
	if err != nil || m.Name != "Kim Lee" || !m.Bookable || !m.Active || m.Access.Email != "kim@example.com" || len(m.Access.Roles) != 2 || m.Version != 1 {
		t.Fatalf("%+v (%v)", m, err)
	}
	if read, err := h.Member(t.Context(), s.Owner, m.ID); err != nil || len(read.Access.Roles) != 2 ||
		read.Access.Roles[0].Role != policy.FrontDesk || *read.Access.Roles[0].LocationID != s.Location.ID || read.Access.Roles[1].LocationID != nil {
		t.Errorf("read back %+v (%v)", read.Access, err)
	}
	if n := apptest.Value[int](t, w, "select count(*) from river.river_job where kind = 'business.team_invite' and args->>'member' = $1::text", m.ID); n != 1 {
		t.Errorf("%d jobs", n)
	}
	if n := apptest.Value[int](t, w, "select count(*) from persons where email = 'kim@example.com' and name = 'Kim Lee' and verified_at is null"); n != 1 {
		t.Error("the new person is not there, or verified without a code")
	}
	_, err = h.AddMember(t.Context(), s.Owner, business.AddMemberInput{Email: "kim@example.com"})
	if !errors.Is(err, business.ErrMemberExists) || fault.From(err).Details["memberId"] != m.ID {
		t.Errorf("again: %v", err)
	}
	// A known person is unchanged.
	known := w.Person(t, "pat@example.com")
	m, err = h.AddMember(t.Context(), s.Owner, business.AddMemberInput{Email: "pat@example.com", Name: "Imposed"})
	if err != nil || m.PersonID != known.ID || m.Name != "Imposed" {
		t.Errorf("%+v (%v)", m, err)
	}
	if name := apptest.Value[string](t, w, "select name from persons where id = $1", known.ID); name != "" {
		t.Errorf("the person is called %q now", name)
	}
}

// Adding an address reveals nothing about its person.
func TestAddMemberTellsNothing(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	w.Person(t, "secret.admirer@example.com")
	w.SQL(t, "update persons set name = 'Full Name' where email = 'secret.admirer@example.com'")
	m, err := h.AddMember(t.Context(), s.Owner, business.AddMemberInput{Email: "secret.admirer@example.com"})
	if err != nil || m.Name != "secret.admirer" {
		t.Errorf("%+v (%v)", m, err)
	}
}

func TestAddMemberRefuses(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s, other := w.Studio(t), w.Studio(t)
	add := func(sc tenancy.Scope, list ...business.RoleAt) error {
		_, err := h.AddMember(t.Context(), sc, business.AddMemberInput{Email: "new@example.com", Roles: list})
		return err
	}
	_, err := h.AddMember(t.Context(), s.Owner, business.AddMemberInput{
		Email: "nobody", Name: strings.Repeat("x", 121),
		Roles: []business.RoleAt{{Role: "king"}, apptest.At(policy.Owner, s.Location.ID), apptest.Everywhere(policy.Viewer), apptest.Everywhere(policy.Viewer)},
	})
	if got := strings.Join(fields(err), " "); got != "email name roles[0].role roles[1].locationId roles[3].role" {
		t.Errorf("wrong fields %q", got)
	}
	admin := s.Join(t, "admin@example.com", apptest.Everywhere(policy.Admin))
	manager := s.Join(t, "manager@example.com", apptest.Everywhere(policy.Manager))
	_, key := s.Key(t)
	for name, c := range map[string]struct {
		err, want error
	}{
		"an admin makes an owner":        {add(admin, apptest.Everywhere(policy.Owner)), policy.ErrOwnerOnly},
		"a manager":                      {add(manager, apptest.Everywhere(policy.Viewer)), policy.ErrMissingFeature},
		"a key":                          {add(key, apptest.Everywhere(policy.Viewer)), policy.ErrMissingFeature},
		"a location of another studio":   {add(s.Owner, apptest.At(policy.Viewer, other.Location.ID)), fault.Missing()},
		"a location that does not exist": {add(s.Owner, apptest.At(policy.Viewer, uuid.New())), fault.Missing()},
	} {
		if !errors.Is(c.err, c.want) && (c.err == nil || c.err.Error() != c.want.Error()) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	if err := add(admin, apptest.Everywhere(policy.Admin)); err != nil {
		t.Errorf("an admin makes an admin: %v", err)
	}
	if n := apptest.Value[int](t, w, "select count(*) from persons where email = 'nobody' or name = 'x'"); n != 0 {
		t.Error("a refused call left a person")
	}
}

// The mail is rendered from current data, in the studio's language while the person's is unknown, and not sent to a
// deactivated member.
func TestTeamInviteMail(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	m := memberOf(t, h, s, s.Join(t, "kim@example.com", apptest.Everywhere(policy.Viewer)))
	german := "de"
	if _, err := h.UpdateLocation(t.Context(), s.Owner, business.UpdateLocationInput{LocationID: s.Location.ID, Version: s.Location.Version, Language: &german}); err != nil {
		t.Fatal(err)
	}
	job := business.TeamInviteJob{Business: s.Business.ID, Member: m.ID}
	if err := h.MailTeamInvite(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if got := h.Mail.List("kim@example.com"); len(got) != 1 || got[0].Subject != "Harbour Yoga" || got[0].Text != "kim de harbour-yoga" {
		t.Errorf("mailed %+v", got)
	}
	if _, err := h.Deactivate(t.Context(), s.Owner, m.ID); err != nil {
		t.Fatal(err)
	}
	for _, j := range []business.TeamInviteJob{job, {Business: s.Business.ID, Member: uuid.New()}, {Business: uuid.New(), Member: m.ID}} {
		if err := h.MailTeamInvite(t.Context(), j); err != nil || len(h.Mail.List("")) != 1 {
			t.Errorf("%+v: %v, %d mails", j, err, len(h.Mail.List("")))
		}
	}
}

// The worker runs the job of AddMember.
func TestTheWorkerMailsTheInvite(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	registry := jobs.NewRegistry()
	h.Register(registry)
	worker, err := jobs.Start(t.Context(), w.Worker(t), registry, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := worker.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	}()
	s.Join(t, "kim@example.com", apptest.Everywhere(policy.Viewer))
	for end := time.Now().Add(20 * time.Second); len(h.Mail.List("kim@example.com")) == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no mail after twenty seconds")
		}
	}
}

// Every member sees the team; access is for team managers, and one's own.
func TestMembers(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s, other := w.Studio(t), w.Studio(t)
	viewer := s.Join(t, "viewer@example.com", apptest.At(policy.Viewer, s.Location.ID))
	for i := range 3 {
		s.Join(t, fmt.Sprintf("coach%d@example.com", i), apptest.Everywhere(policy.Instructor))
	}
	var list paging.Page[business.Member, uuid.UUID]
	trips := w.Statements(func() {
		var err error
		if list, err = h.Members(t.Context(), viewer, paging.In[uuid.UUID]{}); err != nil {
			t.Fatal(err)
		}
	})
	if trips != 1 || len(list.Items) != 5 || list.Next != nil {
		t.Fatalf("%d trips, %+v", trips, list)
	}
	for _, m := range list.Items {
		if (m.Access != nil) != (m.PersonID == viewer.ID) || m.Name == "" {
			t.Errorf("a viewer sees %+v", m)
		}
	}
	var names []string
	in := paging.In[uuid.UUID]{Limit: 2}
	for {
		page, err := h.Members(t.Context(), s.Owner, in)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range page.Items {
			names = append(names, m.Name)
			if m.Access == nil || m.Access.Email == "" {
				t.Errorf("the owner sees %+v", m)
			}
		}
		if in.After = page.Next; in.After == nil {
			break
		}
	}
	if len(names) != 5 || names[1] != "viewer" || names[4] != "coach2" {
		t.Errorf("in pages of two: %q", names)
	}
	foreign := memberOf(t, h, other, other.Owner)
	for name, id := range map[string]uuid.UUID{"unknown": uuid.New(), "foreign": foreign.ID} {
		_, read := h.Member(t.Context(), s.Owner, id)
		_, write := h.UpdateMember(t.Context(), s.Owner, business.UpdateMemberInput{MemberID: id, Version: 1, Name: ptr("x")})
		_, off := h.Deactivate(t.Context(), s.Owner, id)
		_, on := h.Reactivate(t.Context(), s.Owner, id)
		for verb, err := range map[string]error{"read": read, "update": write, "deactivate": off, "reactivate": on} {
			if err == nil || err.Error() != fault.Missing().Error() {
				t.Errorf("%s %s: %v", verb, name, err)
			}
		}
	}
}

func TestUpdateMember(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	second := s.AddLocation(t, "Uptown")
	kim := s.Join(t, "kim@example.com", apptest.At(policy.FrontDesk, s.Location.ID), apptest.Everywhere(policy.Viewer))
	m := memberOf(t, h, s, kim)
	got, err := h.UpdateMember(t.Context(), s.Owner, business.UpdateMemberInput{
		MemberID: m.ID, Version: 1, Name: ptr(" Kim "), Bookable: ptr(false),
		Roles: roles(apptest.At(policy.FrontDesk, second.ID), apptest.Everywhere(policy.Viewer)),
	})
	if err != nil || got.Name != "Kim" || got.Bookable || got.Version != 2 {
		t.Fatalf("%+v (%v)", got, err)
	}
	sc := s.Scope(t, kim.Principal)
	if sc.Grants.At(policy.BookingManage, s.Location.ID) || !sc.Grants.At(policy.BookingManage, second.ID) || !sc.Grants.At(policy.ReportView, uuid.Nil) {
		t.Errorf("holds %+v", sc.Grants)
	}
	if read := memberOf(t, h, s, kim); len(read.Access.Roles) != 2 || read.Version != 2 || read.Name != "Kim" {
		t.Errorf("read back %+v", read)
	}
	_, err = h.UpdateMember(t.Context(), s.Owner, business.UpdateMemberInput{MemberID: m.ID, Version: 1})
	if !errors.Is(err, fault.ErrStale) || fault.From(err).Details["version"] != int64(2) {
		t.Errorf("stale: %v", err)
	}
	_, err = h.UpdateMember(t.Context(), s.Owner, business.UpdateMemberInput{MemberID: m.ID, Version: 2, Name: ptr(""), Roles: roles(business.RoleAt{Role: "x"})})
	if got := strings.Join(fields(err), " "); got != "name roles[0].role" {
		t.Errorf("wrong fields %q", got)
	}
	_, err = h.UpdateMember(t.Context(), s.Owner, business.UpdateMemberInput{MemberID: m.ID, Version: 2, Roles: roles(apptest.At(policy.Viewer, uuid.New()))})
	if !fault.IsKind(err, fault.NotFound) {
		t.Errorf("an unknown location: %v", err)
	}
}

// An admin manages the team, except owners. No caller grants a feature they lack.
func TestAdminsAndOwners(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	admin := s.Join(t, "admin@example.com", apptest.Everywhere(policy.Admin))
	coach := memberOf(t, h, s, s.Join(t, "coach@example.com", apptest.Everywhere(policy.Instructor)))
	second := memberOf(t, h, s, s.Join(t, "second@example.com", apptest.Everywhere(policy.Owner)))
	update := func(sc tenancy.Scope, m business.Member, list ...business.RoleAt) error {
		_, err := h.UpdateMember(t.Context(), sc, business.UpdateMemberInput{MemberID: m.ID, Version: m.Version, Roles: &list})
		return err
	}
	if err := update(admin, coach, apptest.Everywhere(policy.Manager)); err != nil {
		t.Errorf("an admin promotes: %v", err)
	}
	coach.Version++
	_, rename := h.UpdateMember(t.Context(), admin, business.UpdateMemberInput{MemberID: second.ID, Version: 1, Name: ptr("x")})
	_, off := h.Deactivate(t.Context(), admin, second.ID)
	for name, err := range map[string]error{
		"makes an owner":   update(admin, coach, apptest.Everywhere(policy.Owner)),
		"takes ownership":  update(admin, second, apptest.Everywhere(policy.Admin)),
		"renames an owner": rename, "deactivates an owner": off,
		"makes themselves an owner": update(admin, memberOf(t, h, s, admin), apptest.Everywhere(policy.Owner), apptest.Everywhere(policy.Admin)),
	} {
		if !errors.Is(err, policy.ErrOwnerOnly) {
			t.Errorf("an admin %s: %v", name, err)
		}
	}
	if _, err := h.Deactivate(t.Context(), s.Owner, second.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Reactivate(t.Context(), admin, second.ID); !errors.Is(err, policy.ErrOwnerOnly) {
		t.Errorf("an admin brings an owner back: %v", err)
	}
	manager := s.Scope(t, tenancy.Principal{Actor: tenancy.Actor{Kind: tenancy.ActorPerson, ID: coach.PersonID}})
	_, off = h.Deactivate(t.Context(), manager, coach.ID)
	_, on := h.Reactivate(t.Context(), manager, coach.ID)
	for name, err := range map[string]error{"update": update(manager, coach), "deactivate": off, "reactivate": on} {
		if !errors.Is(err, policy.ErrMissingFeature) {
			t.Errorf("a manager: %s: %v", name, err)
		}
	}
	system := tenancy.System(s.Business.ID, tenancy.SurfaceCLI)
	if err := update(system, coach, apptest.Everywhere(policy.Owner)); err != nil {
		t.Errorf("the command line makes an owner: %v", err)
	}
}

// A role that the caller cannot grant can stay, and cannot be revoked.
func TestRolesAboveTheCaller(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	kim := memberOf(t, h, s, s.Join(t, "kim@example.com", apptest.Everywhere(policy.Accountant)))
	// A team manager with few other features, as a custom role of the studio could have.
	narrow := s.Owner
	narrow.Grants = tenancy.Grants{All: tenancy.NewFeatureSet(policy.LocationView, policy.BookingView, policy.ReportView, policy.TeamManage)}
	update := func(version int64, list ...business.RoleAt) error {
		_, err := h.UpdateMember(t.Context(), narrow, business.UpdateMemberInput{MemberID: kim.ID, Version: version, Roles: &list})
		return err
	}
	if err := update(1, apptest.Everywhere(policy.Accountant), apptest.Everywhere(policy.Viewer)); err != nil {
		t.Errorf("adding a role they hold: %v", err)
	}
	for name, err := range map[string]error{
		"taking one": update(2, apptest.Everywhere(policy.Viewer)),
		"giving one": update(2, apptest.Everywhere(policy.Accountant), apptest.Everywhere(policy.Manager)),
	} {
		if !errors.Is(err, policy.ErrMissingFeature) {
			t.Errorf("%s they do not hold: %v", name, err)
		}
	}
	if _, err := h.Deactivate(t.Context(), narrow, kim.ID); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("deactivating: %v", err)
	}
}

func TestDeactivateAndReactivate(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	kim := s.Join(t, "kim@example.com", apptest.Everywhere(policy.Manager))
	m := memberOf(t, h, s, kim)
	off, err := h.Deactivate(t.Context(), s.Owner, m.ID)
	if err != nil || off.Active || off.Access.DeactivatedAt == nil || len(off.Access.Roles) != 1 || off.Version != 2 {
		t.Fatalf("%+v (%v)", off, err)
	}
	if again, err := h.Deactivate(t.Context(), s.Owner, m.ID); err != nil || again.Version != 2 || again.Active {
		t.Errorf("again: %+v (%v)", again, err)
	}
	on, err := h.Reactivate(t.Context(), s.Owner, m.ID)
	if err != nil || !on.Active || on.Access.DeactivatedAt != nil || on.Version != 3 {
		t.Fatalf("%+v (%v)", on, err)
	}
	if again, err := h.Reactivate(t.Context(), s.Owner, m.ID); err != nil || again.Version != 3 {
		t.Errorf("again: %+v (%v)", again, err)
	}
	if sc := s.Scope(t, kim.Principal); !sc.Grants.At(policy.CatalogManage, uuid.Nil) {
		t.Errorf("back with %+v", sc.Grants)
	}
}

func TestLastOwner(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	owner := memberOf(t, h, s, s.Owner)
	gone := memberOf(t, h, s, s.Join(t, "gone@example.com", apptest.Everywhere(policy.Owner)))
	if _, err := h.Deactivate(t.Context(), s.Owner, gone.ID); err != nil {
		t.Fatal(err)
	}
	_, off := h.Deactivate(t.Context(), s.Owner, owner.ID)
	_, less := h.UpdateMember(t.Context(), s.Owner, business.UpdateMemberInput{MemberID: owner.ID, Version: 1, Roles: roles(apptest.Everywhere(policy.Admin))})
	_, none := h.UpdateMember(t.Context(), s.Owner, business.UpdateMemberInput{MemberID: owner.ID, Version: 1, Roles: roles()})
	for name, err := range map[string]error{"deactivated": off, "made an admin": less, "without a role": none} {
		if !errors.Is(err, business.ErrLastOwner) || !fault.IsKind(err, fault.Conflict) {
			t.Errorf("the last active owner, %s: %v", name, err)
		}
	}
	if g := s.Scope(t, s.Owner.Principal).Grants; !g.Owner {
		t.Error("a refused change took the ownership")
	}
	// A deactivated owner does not count as the last one.
	if _, err := h.UpdateMember(t.Context(), s.Owner, business.UpdateMemberInput{MemberID: gone.ID, Version: 2, Roles: roles()}); err != nil {
		t.Errorf("a deactivated owner loses the role: %v", err)
	}
}

// Two owners who leave at the same time: one stays.
func TestOwnersLeaveTogether(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	second := s.Join(t, "second@example.com", apptest.Everywhere(policy.Owner))
	a, b := memberOf(t, h, s, s.Owner), memberOf(t, h, s, second)
	for round := range 25 {
		var both sync.WaitGroup
		var left atomic.Int32
		leave := func(sc tenancy.Scope, m business.Member) {
			both.Go(func() {
				var err error
				if round%2 == 0 {
					_, err = h.Deactivate(t.Context(), sc, m.ID)
				} else {
					_, err = h.UpdateMember(t.Context(), sc, business.UpdateMemberInput{MemberID: m.ID, Version: m.Version, Roles: roles()})
				}
				if err == nil {
					left.Add(1)
				} else if !errors.Is(err, business.ErrLastOwner) {
					t.Error(err)
				}
			})
		}
		leave(s.Owner, a)
		leave(second, b)
		both.Wait()
		if left.Load() != 1 {
			t.Fatalf("round %d: %d owners left", round, left.Load())
		}
		w.SQL(t, "update members set deactivated_at = null, version = 1")
		w.SQL(t, `insert into member_roles (id, business_id, member_id, role, created_at)
			select gen_random_uuid(), business_id, id, 'owner', created_at from members on conflict do nothing`)
		a.Version, b.Version = 1, 1
	}
}
