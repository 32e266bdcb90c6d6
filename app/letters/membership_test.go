package letters_test

import (
	"strings"
	"testing"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/clock"
	"foyer/app/letters"
	"foyer/app/mail"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/plan"
)

// TestMembershipLetters: the mails about a membership say what happens, what it costs and where it is cancelled or
// paid; none speaks of a booking or a fee.
func TestMembershipLetters(t *testing.T) {
	w := letters.Letters{BaseURL: "https://book.example", Clock: clock.NewFixed(apptest.Start)}
	july, last := civil.NewDate(2026, 7, 10), civil.NewDate(2026, 7, 9)
	about := func(event plan.Event, lastDay civil.Date, change func(*plan.Reminder)) mail.Message {
		r := plan.Reminder{
			Event: event, To: "ana@example.com", Locale: "en", BusinessName: "Harbour Yoga", Name: "Unlimited", LastDay: lastDay,
			Currency: "USD", Location: business.Location{Zone: "America/New_York", Slug: "harbour", Address: harbour},
		}
		change(&r)
		return w.PlanEnds(r)
	}
	receipt := order.Receipt{
		State: order.Fulfilled, BusinessName: "Harbour Yoga", Zone: "America/New_York", Address: harbour, Desk: true,
		Lines:  []order.ReceiptLine{{Kind: order.Plan, Quantity: 1, Label: "Unlimited", ListedAmount: 8000}},
		Totals: order.Totals{Currency: "USD", SubtotalAmount: 8000, TotalAmount: 8000},
		Card:   &order.ReceiptCard{Brand: "visa", Last4: "4242", Amount: 8000},
	}
	charged := func(change func(*owed.ChargeMail)) mail.Message {
		m := owed.ChargeMail{To: "ana@example.com", Locale: "en", Receipt: receipt, Token: "tok"}
		change(&m)
		return w.Fee(m)
	}
	unpaid := []string{
		"If it is not paid within 3 days of its due date, Unlimited pays for no more bookings.",
		"The membership ends 14 days after the due date, or with its billing period if that is earlier.",
		"Pay $80.00: https://book.example/receipt/tok/pay",
	}
	for name, c := range map[string]struct {
		mail    mail.Message
		subject string
		want    []string
		lacks   []string
	}{
		"ends soon": {about(plan.EndsSoon, last, func(r *plan.Reminder) { r.Credits = 2 }),
			"Unlimited ends on Thursday, July 9", []string{
				"Your plan at Harbour Yoga ends soon. Its last day is Thursday, July 9.", "2 credits are left.",
				"Find a class: https://book.example/harbour",
			}, []string{"renew"}},
		"renews soon": {about(plan.RenewsSoon, civil.Date{}, func(r *plan.Reminder) { r.RenewsOn, r.Amount = july, 80000 }),
			"Unlimited renews on Friday, July 10", []string{
				"Your membership at Harbour Yoga renews on Friday, July 10. $800.00 is due on that day.",
				"You can cancel under My plans", "See your plans: https://book.example/my/plans",
			}, []string{"ends"}},
		"cancelled": {about(plan.CanceledFor, last, func(*plan.Reminder) {}), "Unlimited is cancelled", []string{
			"Your membership at Harbour Yoga does not renew. Its last day is Thursday, July 9.",
			"It pays for bookings on or before that day, as before.", "Nothing more is charged.",
		}, []string{"is due", "has ended"}},
		"cancelled, with payments until then": {about(plan.CanceledFor, last.AddDays(30), func(r *plan.Reminder) {
			r.RenewsOn, r.Amount = july, 8000
		}), "Unlimited is cancelled", []string{"The next payment is $80.00, due on Friday, July 10."},
			[]string{"Nothing more"}},
		"cancelled at once": {about(plan.CanceledFor, civil.NewDate(2026, 6, 9), func(*plan.Reminder) {}),
			"Unlimited is cancelled", []string{
				"Your membership at Harbour Yoga has ended. Its last day was Tuesday, June 9.", "Nothing more is charged.",
			}, []string{"renew"}},
		"ended unpaid": {about(plan.EndedUnpaid, civil.NewDate(2026, 6, 9), func(*plan.Reminder) {}), "Unlimited has ended",
			[]string{
				"Your membership at Harbour Yoga has ended, because its billing period was not paid.",
				"That payment is no longer due, and nothing more is charged.", "See what’s on: https://book.example/harbour",
			}, []string{"last day"}},
		"charged": {charged(func(*owed.ChargeMail) {}), "You have paid Harbour Yoga $80.00", []string{
			"$80.00 was charged", "For Unlimited.", "Charged to Visa ending 4242.",
			"Receipt: https://book.example/receipt/tok",
		}, []string{"/pay"}},
		"declined": {charged(func(m *owed.ChargeMail) { m.Failed = true }), "$80.00 is due to Harbour Yoga", append([]string{
			"Your card could not be charged", "The payment of $80.00 for Unlimited did not go through.",
		}, unpaid...), []string{"Charged to"}},
		"no card": {charged(func(m *owed.ChargeMail) { m.NoCard = true }), "$80.00 is due to Harbour Yoga", append([]string{
			"Your membership payment is due", "A payment of $80.00 for Unlimited is due. No saved card is charged for it.",
		}, unpaid...), []string{"could not be charged"}},
	} {
		text := strings.ReplaceAll(c.mail.Text, "\u00a0", " ")
		if c.mail.Subject != c.subject || c.mail.To != "ana@example.com" || c.mail.From != "Harbour Yoga" {
			t.Errorf("%s: %q to %s from %q", name, c.mail.Subject, c.mail.To, c.mail.From)
		}
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", name, want, text)
			}
		}
		for _, word := range append(c.lacks, "your booking", "Your booking", "fee") {
			if strings.Contains(text, word) {
				t.Errorf("%s says %q:\n%s", name, word, text)
			}
		}
	}
}
