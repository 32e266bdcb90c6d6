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

// counting mounts the data check.
func (s *screens) counting() { s.Page("checkIntegrity", "/settings/integrity", s.showCounting) }

// checkWords are the names of checks across domains; those of one domain are declared there. A test compares them
// with the checks.
var checkWords = map[string]told{
	"seats":                 {"Spots booked", "Spots booked on a date equal the spots of its bookings."},
	"capacity":              {"Capacity", "Booked and offered spots never exceed the capacity of a date."},
	"one_seat_each":         {"Duplicate bookings", "No customer is booked twice on the same date."},
	"times":                 {"Booking times", "Each booking has the time of its date."},
	"bookings_of_cancelled": {"Cancelled dates", "A cancelled date has no bookings."},
	"bookings_of_closed":    {"Closed business", "No booking starts after the business closed."},
	"bookings_of_archived":  {"Archived locations", "No booking starts after the location was archived."},
	"holds":                 {"Spots on hold", "Each hold reserves spots for a cart for a few minutes."},
	"courses":               {"Courses", "A course is booked as a whole, by one customer."},
	"moves":                 {"Booking history", "Status changes follow each other without a gap."},
	"claims":                {"Busy staff and rooms", "Staff members and rooms are marked as busy during their dates."},
	"overlaps":              {"Double bookings", "No staff member or room has two dates at the same time."},
	"shared_seats":          {"Shared rooms", "The number of people never exceeds the room’s capacity."},
	"offered":               {"Offered spots", "Spots offered on a date equal the offers on its waitlist."},
	"waitlist":              {"Waitlists", "A booking made from the waitlist belongs to the waitlisted customer."},
	"waitlist_transitions":  {"Waitlist history", "Status changes follow each other without a gap."},
	"order_lines":           {"Order lines", "Lines and their tax add up to the order’s subtotal and tax."},
	"discounts": {
		"Discounts", "Each order’s discount equals the discounts on its lines, and no discount exceeds its usage limit.",
	},
	"line_paid":    {"Paid lines", "No more is paid for a line than it comes to."},
	"order_paid":   {"Paid orders", "Amounts payable by card or with credit are paid."},
	"order_booked": {"Booked orders", "Every paid item is booked."},
	"payments":     {"Payments", "Each payment has one outcome and the agreed fee."},
	"refunds":      {"Refunds", "Refunds never exceed the payment."},
	"tenders": {
		"Payments of orders",
		"Payments never exceed the order’s total, and refunds at the studio never exceed the payment.",
	},
	"drawers":           {"Cash drawers", "The expected amount equals the opening float plus cash in, less cash out."},
	"entries":           {"Entries in the books", "The postings of each entry add up to zero."},
	"sales_booked":      {"Sales in the books", "Each card payment is recorded once."},
	"refunds_booked":    {"Refunds in the books", "Each refund and each failed refund is recorded once."},
	"income_booked":     {"Income in the books", "Income is in the account of the item’s revenue category or kind."},
	"fees_booked":       {"Processor fees in the books", "Every fee charged by the card processor is recorded."},
	"tenders_booked":    {"Manual payments in the books", "Each payment, refund and void is recorded once."},
	"till_booked":       {"Cash drawers in the books", "Bank deposits and over/short amounts are recorded."},
	"credits":           {"Account credit", "Each balance equals credit given and refunded, less credit used."},
	"gift_cards_spent":  {"Gift cards spent", "Payments with gift cards and their refunds are transactions of the card."},
	"gift_cards_booked": {"Gift cards in the books", "What gift cards are worth is in the books, by currency."},
	"credits_booked":    {"Account credit in the books", "Customer balances and manual credit are recorded."},
	"reconciliation": {
		"Reconciliation", "The processor’s balance equals the books and the recorded balance transactions.",
	},
	"movements_booked": {"Balance transactions", "Every balance transaction is recorded in the books."},
	"snapshots":        {"Daily balances", "Each stored balance equals the postings up to that day."},
	"audit_seals":      {"Activity log", "The log has not been altered: its seals are intact."},
}

// checkTold returns the name of a check.
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

// counted is one check with its result.
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
	slices.SortStableFunc(list, func(a, b counted) int { // failed checks first
		return cmp.Or(cmp.Compare(len(b.Found), len(a.Found)), cmp.Compare(a.Name, b.Name))
	})
	screen := ui.Screen{
		Title: sh.T("Data check"), Area: area, Up: up(c, sh.T("Settings"), "/settings"), Body: countingBody(c, list, len(report.Differences)),
		Lead: sh.T("Checked {when} by recalculating every record. The check also runs every night.", "when", sh.ShortWhen(report.CheckedAt)),
		Acts: ui.Go(c.To("/settings/integrity"), ui.Button{Text: sh.T("Run again"), Kind: "quiet"}),
	}
	return screen, nil
}

// countedAt returns the screen of a record with a difference; empty where it has none.
func countedAt(c *desk.Call, d integrity.Difference) string {
	return teller{c: c}.screen(audit.Event{Action: audit.Update, Record: d.Record, RecordID: d.RecordID})
}
