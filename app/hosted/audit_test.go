package hosted_test

import (
	"strings"
	"testing"

	"foyer/app/apptest"
)

// TestFormsAreAudited: the changes of a form are in the business's log under the sender's name, also if they signed
// in on the way, and never under the product's own.
func TestFormsAreAudited(t *testing.T) {
	t.Parallel()
	s := open(t, func(p *plan) { p.NoCards = true })
	talk := s.class(t, "Open House", 1, priced(0))
	since := func() int64 {
		return apptest.Value[int64](t, s.World, "select coalesce(max(seq), 0) from audit_events")
	}
	check := func(after int64, email string, records ...string) {
		t.Helper()
		events := apptest.Values[string](t, s.World, `select record || ' by ' || coalesce(p.email, actor_kind) || ' through ' || surface
			from audit_events e left join persons p on p.id = e.actor_id where seq > $1 order by seq`, after)
		for _, e := range events {
			if !strings.HasSuffix(e, " by "+email+" through hosted") {
				t.Errorf("%s", e)
			}
		}
		for _, r := range records {
			if !strings.Contains(strings.Join(events, "\n"), r+" by ") {
				t.Errorf("no event of %s in %q", r, events)
			}
		}
	}

	before := since()
	v := s.visit(t)
	code := v.choose(talk, 0).follow().form("/sign-in").post("email", "ana@example.com").follow()
	details := code.form("/code").post("code", s.code(t, "ana@example.com", 0)).follow()
	confirm := details.form("/details").post("name", "Ana Ruiz", "phone", "").follow().want(200, "Confirm your booking")
	confirm.form("/pay").post().wantTo("/receipt/")
	check(before, "ana@example.com", "customers", "bookings", "orders")

	before = since()
	path := s.invite(t, "olga@example.com")
	owner := s.signedIn(t, "olga@example.com", "Olga Hill")
	owner.get(path+"/location?business=Hill").form("/location").
		post("location.name", "Hill", "country", "PT", "location.address.country", "PT", "location.zone", "Europe/Lisbon", "location.currency", "EUR").wantTo("/manage/hill/welcome")
	check(before, "olga@example.com", "businesses", "locations", "members", "member_roles")
}
