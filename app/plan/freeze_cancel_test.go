package plan_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/owed"
	"foyer/app/plan/rules"
)

// A membership that was canceled for its end is frozen as any other one: its end comes later. The period after it,
// which is not to be paid any more, stays as it was, and the data checks find nothing wrong with that.
func TestFreezeAfterCancellation(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(2, 6000, freezable(rules.Freeze{}))), apptest.CardGood)
	_, err := s.Owed.CancelMyPlan(t.Context(), ada.Principal, owed.CancelInput{MembershipID: m.ID})
	must(t, 0, err)
	m, err = s.froze(t, ada, m, day(6, 20), day(6, 27))
	must(t, 0, err)
	expect(t, "last day", m.LastDay().String(), "2026-07-16")
	s.check(t)
	s.goes(t, 40)
	expect(t, "charges", s.charges(t), "6000 succeeded")
	s.check(t)
}
