package letters_test

import (
	"strings"
	"testing"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/clock"
	"foyer/app/letters"
	"foyer/app/plan"
)

// TestPlanPersonLetters: the mails to a customer who can book with the plan of another one, and to both of a transfer.
func TestPlanPersonLetters(t *testing.T) {
	w := letters.Letters{BaseURL: "https://book.example", Clock: clock.NewFixed(apptest.Start)}
	for name, c := range map[string]struct {
		event   plan.Event
		holder  string
		subject string
		want    []string
	}{
		"shared": {plan.SharedWith, "Ana Ruiz", "You can book with 10-class pack", []string{
			"You can book with the plan of Ana Ruiz at Harbour Yoga: 10-class pack.",
			"Its credits and limits are shared by everyone on the plan.", "Its last day is Thursday, July 9.",
		}},
		"shared, without a name": {plan.SharedWith, "", "You can book with 10-class pack", []string{
			"You can book with a plan at Harbour Yoga: 10-class pack.",
		}},
		"given": {plan.GivenAway, "Ben Ruiz", "10-class pack was transferred", []string{
			"Harbour Yoga transferred your plan 10-class pack to Ben Ruiz.",
			"If you think this is a mistake, contact Harbour Yoga.",
		}},
		"received": {plan.Received, "", "10-class pack is yours now", []string{
			"Harbour Yoga transferred a plan to you: 10-class pack.", "7 credits are left.",
			"Its last day is Thursday, July 9.", "See your plans: https://book.example/my/plans",
		}},
	} {
		m := w.PlanEnds(plan.Reminder{
			Event: c.event, To: "ben@example.com", Locale: "en", BusinessName: "Harbour Yoga", Name: "10-class pack",
			Location: business.Location{Name: "Harbour Yoga", Slug: "harbour", Zone: "America/New_York", Address: harbour},
			LastDay:  civil.NewDate(2026, 7, 9), Credits: 7, Holder: c.holder,
		})
		if m.Subject != c.subject || m.To != "ben@example.com" {
			t.Errorf("%s: %q to %s", name, m.Subject, m.To)
		}
		text := strings.ReplaceAll(m.Text, "\u00a0", " ")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", name, want, text)
			}
		}
	}
}
