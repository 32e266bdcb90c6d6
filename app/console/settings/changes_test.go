package settings_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

// TestRecordOfChanges: changes with their actor and surface, by each filter, page by page.
func TestRecordOfChanges(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	s.Join(t, "mia@team.example.com", apptest.Everywhere(policy.Manager))
	m := memberOf(t, s, "mia@team.example.com")
	path := "/settings/team/" + m.ID.String()
	owner.Send(owner.Get(path).Form(path), "name", "Mia Lund", "dailyCap", "5").Is(t, 200)
	page := owner.Get("/settings/changes").Is(t, 200)
	page.Shows(t, "Staff member · Mia Lund Changed", "in the console", "Daily appointment limit empty → 5", "→ Mia Lund", "Staff role · Mia Lund · Manager New")
	if page.Link(path) == "" {
		t.Error("the record of a person does not lead to them")
	}
	one := owner.Get("/settings/changes?recordId="+m.ID.String()).Is(t, 200).Shows(t, "Changes to one record only.", "Mia Lund Changed")
	one.Silent(t, "Staff role · Mia Lund · Manager New")
	owner.Get("/settings/changes?record=members&surface=console").Shows(t, "Mia Lund Changed").Silent(t, "Staff role · Mia Lund · Manager New")
	owner.Get("/settings/changes?actor="+m.PersonID.String()).Shows(t, "No changes match.")
	owner.Get("/settings/changes?to=2020-01-01").Shows(t, "No changes match.")
	owner.Get("/settings/changes?from=2026-05-02&to=2026-05-01").Is(t, 400).Shows(t, "The end must be after the beginning.")

	for i := range 60 {
		s.AddTaxRate(t, "Rate "+string(rune('A'+i%26))+string(rune('a'+i/26)), 10000)
	}
	page = owner.Get("/settings/changes?record=tax_rates").Is(t, 200).Shows(t, "Tax · Rate Hc New", "Next page").Silent(t, "Rate Aa")
	next := owner.Get(nextOf(t, page)).Is(t, 200).Shows(t, "Rate Aa", "Back to the first page")
	next.Silent(t, "Rate Hc")
}

// nextOf returns the address of the next page.
func nextOf(t *testing.T, p *consoletest.Page) string {
	t.Helper()
	for _, l := range p.Links() {
		if strings.Contains(l, "after=") {
			return l
		}
	}
	t.Fatal("there is no next page")
	return ""
}

func TestWhoReadsTheRecord(t *testing.T) {
	s := consoletest.Open(t)
	s.As(t, policy.Accountant).Get("/settings/changes").Is(t, 200)
	manager := s.As(t, policy.Manager)
	manager.Get("/settings/changes").Is(t, 403)
	manager.Get("/settings/integrity").Is(t, 403)
	if page := manager.Get("/settings").Is(t, 200); page.Has("/settings/changes") || page.Has("/settings/integrity") {
		t.Error("a manager is shown the way to the record")
	}
}

// TestEverythingIsCountedAgain: a sound studio passes the data check; a manipulated seat counter is shown with its
// expected value.
func TestEverythingIsCountedAgain(t *testing.T) {
	s := consoletest.Open(t)
	date := s.AddOccurrence(t, s.AddOffering(t), s.Clock.Now().Add(time.Hour))
	for _, name := range []string{"Cleo Marin", "Ben", "Li Wei"} {
		s.Seat(t, date.ID, name, "")
	}
	owner := s.As(t, consoletest.Owner)
	owner.Get("/settings/integrity").Is(t, 200).Shows(t, "All checks passed.", "Spots booked", "Refunds", "Checked")
	s.World.SQL(t, "update occurrences set taken = taken - 1 where id = $1", date.ID)
	page := owner.Get("/settings/integrity").Is(t, 200).Shows(t, "1 record does not match", "3 taken, 0 of them online", "2 taken, 0 of them online", "1 difference")
	if page.Link("/dates/"+date.ID.String()) == "" {
		t.Error("the difference does not lead to its date")
	}
	s.World.SQL(t, "update occurrences set taken = taken + 1 where id = $1", date.ID)
}

// TestBackFromTheProfile: one's profile links back to the console it was opened from, also after it was saved.
func TestBackFromTheProfile(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	root := "/manage/" + s.Studio.Business.Slug
	page := owner.Get(owner.Get("/settings").Link("/my/profile")).Is(t, 200)
	if page.Link(root) == "" {
		t.Fatalf("no way back: %s", page.Text())
	}
	page = owner.Send(page.Form("/my/profile"), "name", "Vera").Is(t, 200)
	if page.Link(root) == "" {
		t.Error("no way back after it was saved")
	}
	for _, desk := range []string{"", "//elsewhere.example", "../my", "a/b"} {
		if got := owner.Get("/my/profile?desk="+desk).Is(t, 200); got.Has("elsewhere.example") || got.Has("/manage/") {
			t.Errorf("desk=%s is followed", desk)
		}
	}
}
