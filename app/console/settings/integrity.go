package settings

import (
	"cmp"
	"slices"

	"foyer/app/assembly"
	"foyer/app/audit"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/integrity"
	"foyer/app/words"
)

// counting is the page that counts everything again.
func (s *screens) counting() { s.Page("checkIntegrity", "/settings/integrity", s.showCounting) }

// checkWords are what is counted across domains; what a domain counts of its own has its words there. A test compares them with the
// checks.
var checkWords = map[string]told{
	"seats":                  {"Seats taken", "What a date says is taken, beside its bookings."},
	"capacity":               {"Full dates", "No date has more seats taken and on offer than it has."},
	"one_seat_each":          {"One seat each", "Nobody is booked twice on one date."},
	"times":                  {"Times of bookings", "A booking is when its date is."},
	"bookings_of_cancelled":  {"Cancelled dates", "Nobody is booked on one."},
	"bookings_of_closed":     {"A closed business", "Nobody is booked after its end."},
	"bookings_of_archived":   {"Archived places", "Nobody is booked there after their end."},
	"holds":                  {"Seats being paid", "Each is kept for somebody, for some minutes."},
	"courses":                {"Courses", "A course is booked as a whole, by one customer."},
	"moves":                  {"History of bookings", "It leads from state to state without a gap."},
	"claims":                 {"Busy people and rooms", "Whoever gives something, and the room it is in, is marked as busy then."},
	"overlaps":               {"One thing at a time", "No person and no room is in two things at once."},
	"shared_seats":           {"Rooms that are shared", "Not more people than the room is for."},
	"offered":                {"Places on offer", "What a date says is on offer, beside its waitlist."},
	"waitlist":               {"Waitlists", "A place that became a booking is of the same customer."},
	"waitlist_transitions":   {"History of waitlists", "It leads from state to state without a gap."},
	"order_lines":            {"Lines of orders", "They add up to what the order says, with its tax."},
	"discounts":              {"Discounts", "What they took off orders is what the lines cost less, and none is in more orders than it may be."},
	"deposits":               {"Deposits", "What of each line was paid with a deposit is what the order says was paid then."},
	"order_paid":             {"Paid orders", "What was to pay by card or with credit was paid."},
	"order_booked":           {"Booked orders", "What was paid for is booked."},
	"payments":               {"Payments", "Each has one outcome and the agreed fee."},
	"refunds":                {"Refunds", "Not more goes back than was paid."},
	"manual_payments":        {"Money taken at the desk", "Not more than was to be paid there, and not more goes back."},
	"drawers":                {"Cash drawers", "What had to be in one is what went in and out."},
	"entries":                {"Entries of the books", "The postings of each add up to nothing."},
	"sales_booked":           {"Sales in the books", "Each payment by card is there once."},
	"refunds_booked":         {"Refunds in the books", "What went back is there once, and so is what did not arrive."},
	"fees_booked":            {"Fees in the books", "What the card processor took for itself is there."},
	"manual_payments_booked": {"Money of the desk in the books", "What was taken, handed back or a mistake is there once."},
	"till_booked":            {"Cash drawers in the books", "What went to the bank, and what was missing, is there."},
	"credits":                {"Account credit", "What customers have is what was given and came back, less what they spent."},
	"credits_booked":         {"Account credit in the books", "What customers have is there, and what was given by hand."},
	"reconciliation":         {"What the processor holds", "It is what the books say, and what is known to have happened there."},
	"movements_booked":       {"The processor's balance", "What happened there is in the books."},
	"snapshots":              {"Balances", "What was kept of a day is what was booked until then."},
	"audit_seals":            {"Record of changes", "Nobody has rewritten it: its seals hold."},
}

// checkTold has the words of a check.
func checkTold(name string) told {
	for _, c := range assembly.Checks() {
		if c.Name == name {
			return told{words.Text(c.Title), words.Text(c.About)}
		}
	}
	return checkWords[name]
}

func checkName(sh ui.Shell, name string) string {
	if w := checkTold(name); w.Name != "" {
		return sh.T(w.Name)
	}
	return spaced(name)
}

// counted is one check with what it found.
type counted struct {
	Name, About string
	Found       []integrity.Difference
}

func (s *screens) showCounting(c *desk.Call) (ui.Screen, error) {
	report, err := s.Integrity.Check(c.Context(), c.Scope)
	if err != nil {
		return ui.Screen{}, err
	}
	sh := c.UI
	var list []counted
	for _, name := range integrity.Names(assembly.Checks()...) {
		one := counted{Name: checkName(sh, name), About: sh.T(checkTold(name).About)}
		for _, d := range report.Differences {
			if d.Check == name {
				one.Found = append(one.Found, d)
			}
		}
		list = append(list, one)
	}
	slices.SortStableFunc(list, func(a, b counted) int { // what is wrong comes first
		return cmp.Or(cmp.Compare(len(b.Found), len(a.Found)), cmp.Compare(a.Name, b.Name))
	})
	screen := ui.Screen{
		Title: sh.T("Integrity"), Area: area, Up: up(c, sh.T("Settings"), "/settings"), Body: countingBody(c, list, len(report.Differences)),
		Lead: sh.T("Counted {when}, by adding up every record again. The same is done every night.", "when", sh.ShortWhen(report.CheckedAt)),
		Acts: ui.Go(c.To("/settings/integrity"), ui.Button{Text: sh.T("Count again"), Kind: "quiet"}),
	}
	return screen, nil
}

// countedAt is the screen of a record that differs; empty where it has none.
func countedAt(c *desk.Call, d integrity.Difference) string {
	return teller{c: c}.screen(audit.Event{Action: audit.Update, Record: d.Record, RecordID: d.RecordID})
}
