package letters_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/clock"
	"foyer/app/letters"
	"foyer/app/mail"
	"foyer/app/notice"
	"foyer/app/order"
)

// TestPlanLetters: the mails about a plan say what was bought and until when, which plan pays for a booking, and which
// credits a cancellation returns.
func TestPlanLetters(t *testing.T) {
	w := letters.Letters{BaseURL: "https://book.example", Clock: clock.NewFixed(apptest.Start)}
	nine := time.Date(2026, 6, 12, 13, 0, 0, 0, time.UTC)
	ends := civil.NewDate(2026, time.September, 10)
	receipt := func(lines ...order.ReceiptLine) mail.Message {
		r := order.Receipt{
			State: order.Fulfilled, BusinessName: "Harbour Yoga", Zone: "America/New_York", Address: harbour, Lines: lines,
			Totals: order.Totals{Currency: "USD", SubtotalAmount: 2200, DiscountAmount: 2200, PlanAmount: 2200},
		}
		return w.Booked(order.Confirmation{To: "ana@example.com", Locale: "en", Receipt: r, Token: "tok"})
	}
	class := order.ReceiptLine{
		Kind: order.Class, OfferingKind: catalog.Class, Quantity: 1, Label: "Sunrise Vinyasa", StartsAt: nine,
		EndsAt: nine.Add(time.Hour), State: booking.Confirmed, Rules: catalog.StandardRules(), ListedAmount: 2200,
		DiscountAmount: 2200, Cover: &order.Cover{Name: "10-class pack", Credits: 1},
	}
	unlimited := class
	unlimited.Cover = &order.Cover{Name: "Monthly pass"}
	sold := func(e order.PlanEnd) order.ReceiptLine {
		return order.ReceiptLine{Kind: order.Plan, Quantity: 1, Label: "10-class pack", PlanEnd: &e}
	}
	told := func(what booking.NoticeKind, state booking.State, change func(*notice.Notice)) mail.Message {
		n := notice.Notice{Kind: what, To: "ana@example.com", Locale: "en", Address: harbour,
			Booking: booking.CustomerBooking{
				BusinessName: "Harbour Yoga", Shown: booking.Shown{
					Booking: booking.Booking{
						StartsAt: nine, EndsAt: nine.Add(time.Hour), Currency: "USD", State: state, Rules: catalog.StandardRules(),
					},
					Zone: "America/New_York", Kind: catalog.Class, OfferingName: "Sunrise Vinyasa",
				},
			}}
		change(&n)
		return w.Notice(n)
	}
	const terms = "If you cancel until Thu, Jun 11, 9:00 am, 1 credit is returned to 10-class pack."
	for name, c := range map[string]struct {
		mail  mail.Message
		want  []string
		lacks string
	}{
		"bought": {receipt(sold(order.PlanEnd{EndsOn: &ends})), []string{
			"Paid, thank you", "10-class pack\nValid until Sep 9", "See your plans: https://book.example/my/plans",
		}, "Reschedule or cancel"},
		"bought, from the first class": {receipt(sold(order.PlanEnd{FirstUse: true, Count: 3, Unit: "month"})),
			[]string{"10-class pack\nValid for 3 months from the first class"}, "until"},
		"bought, without end": {receipt(sold(order.PlanEnd{})), []string{"10-class pack\nNo end date"}, "until"},
		"booked": {receipt(class), []string{
			"Paid with 10-class pack: 1 credit", terms, "Paid with plans: -$22.00", "Total: $0.00", "Reschedule or cancel",
		}, "Free to cancel any time"},
		"booked with a pass": {receipt(unlimited), []string{"Paid with Monthly pass\n"}, "credit"},
		"both": {receipt(class, sold(order.PlanEnd{})), []string{"Reschedule or cancel", "See your plans"},
			"until Sep"},
		"reminder": {told(booking.ToldReminder, booking.Confirmed, func(n *notice.Notice) {
			n.CostBasis.Plan, n.CostBasis.PlanCredits = "10-class pack", 1
		}), []string{"Paid with 10-class pack: 1 credit", terms}, "Free to cancel"},
		"cancelled": {told(booking.ToldCancelled, booking.Cancelled, func(n *notice.Notice) {
			n.Plan, n.PlanCredits = "10-class pack", 2
		}), []string{"2 credits are returned to 10-class pack."}, "refund"},
		"cancelled, of a pass": {told(booking.ToldStudioCancelled, booking.StudioCancelled, func(n *notice.Notice) {
			n.Plan = "Monthly pass"
		}), []string{"This booking no longer counts for Monthly pass."}, "credit"},
	} {
		text := strings.ReplaceAll(c.mail.Text, "\u00a0", " ")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", name, want, text)
			}
			line, _, _ := strings.Cut(want, ": ")
			if last := line[strings.LastIndex(line, "\n")+1:]; !strings.Contains(strings.ReplaceAll(c.mail.HTML, "\u00a0",
				" "), last) {
				t.Errorf("%s: the page lacks %q", name, last)
			}
		}
		if strings.Contains(text, c.lacks) {
			t.Errorf("%s says %q:\n%s", name, c.lacks, text)
		}
	}
}
