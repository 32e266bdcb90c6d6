package letters_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/clock"
	"foyer/app/fees"
	"foyer/app/identity"
	"foyer/app/letters"
	"foyer/app/mail"
	"foyer/app/order"
	"foyer/app/owed"
)

// TestCodeComesFromTheStudio: a code requested on a studio's pages has its name, as sender too, its colour and its
// address; any other is the product's. Issue 31, item 19.
func TestCodeComesFromTheStudio(t *testing.T) {
	w := letters.Letters{BaseURL: "https://book.example", Clock: clock.NewFixed(apptest.Start)}
	own := w.Code(identity.Code{To: "ana@example.com", Locale: "en", Code: "123456"})
	if own.From != "" || !strings.Contains(own.Subject, "Foyer") {
		t.Errorf("from %q: %q", own.From, own.Subject)
	}
	m := w.Code(identity.Code{To: "ana@example.com", Locale: "en", Code: "123456", Studio: identity.Studio{
		Name: "Harbour Yoga", Accent: "#0b7285", Country: "US", Foot: "12 Quay Street, Portland"}})
	if m.From != "Harbour Yoga" || !strings.Contains(m.Subject, "Harbour Yoga") || strings.Contains(m.Text+m.HTML+m.Subject, "Foyer") {
		t.Errorf("from %q: %q\n%s", m.From, m.Subject, m.Text)
	}
	if !strings.Contains(m.Text, "12 Quay Street, Portland") || m.HTML == strings.ReplaceAll(own.HTML, "Foyer", "Harbour Yoga") {
		t.Errorf("neither address nor colour: %s", m.HTML)
	}
}

// TestLetters have the texts of the pages, and link to them.
func TestLetters(t *testing.T) {
	w := letters.Letters{BaseURL: "https://book.example", Clock: clock.NewFixed(apptest.Start)}
	nine := time.Date(2026, 6, 11, 13, 0, 0, 0, time.UTC)
	r := order.Receipt{
		State: order.Fulfilled, BusinessName: "Harbour Yoga", Zone: "America/New_York",
		Address: business.Address{Street: "12 Quay Street", City: "Portland", Country: "US"},
		Lines: []order.ReceiptLine{{
			Kind: order.Class, Quantity: 1,
			BookingID: uuid.MustParse("0190a1b2-0000-7000-8000-000000000001"), Label: "Sunrise Vinyasa",
			StartsAt: nine, EndsAt: nine.Add(time.Hour), Instructor: "Ana Ruiz",
			ListedAmount: 2200, TaxAmount: 182, CardAmount: 2382,
		}},
		Totals: order.Totals{
			Currency: "USD", TaxMode: business.TaxExclusive, SubtotalAmount: 2200, TaxAmount: 182, TotalAmount: 2382,
			Taxes: []order.TaxTotal{{Tax: order.Tax{Name: "Sales tax", PPM: 82500}, Amount: 182}},
		},
		Card: &order.ReceiptCard{Brand: "visa", Last4: "4242", Amount: 2382},
	}
	asked := r
	asked.Lines = []order.ReceiptLine{{Kind: order.Rental, OfferingKind: catalog.Rental, Quantity: 1,
		Label: "Sauna", StartsAt: nine, EndsAt: nine.Add(2 * time.Hour),
		Space: "Sauna 1", Party: 4,
		ListedAmount: 2200, State: booking.Requested, Rules: catalog.StandardRules()}}
	r.Lines[0].State, r.Lines[0].Rules = booking.Confirmed, catalog.StandardRules()
	friends := r
	friends.LocationName = "Harbour"
	friends.Lines = []order.ReceiptLine{r.Lines[0], r.Lines[0]}
	friends.Lines[1].Attendee = "Ben"
	goods := r
	goods.Lines = []order.ReceiptLine{r.Lines[0], {Kind: "product", Quantity: 2, Label: "Cork mat", ListedAmount: 900}}
	onlyGoods := r
	onlyGoods.Lines = goods.Lines[1:]
	due := r
	due.DueAmount = 2200
	fee := r
	fee.Lines = []order.ReceiptLine{{Kind: order.Fee, Label: "Sunrise Vinyasa", StartsAt: nine, Fee: fees.NoShow}}
	late := r
	late.State, late.Zone = order.Refunded, "Nowhere/Known"
	for _, c := range []struct {
		name string
		mail mail.Message
		want []string
	}{
		{"code", w.Code(identity.Code{To: "ana@example.com", Locale: "en", Code: "123456"}), []string{"123456", "10 minutes"}},
		{"team", w.TeamInvite(business.TeamInvite{To: "ana@example.com", Name: "Ana", Locale: "en", Business: "Harbour Yoga", Access: true}),
			[]string{"Harbour Yoga", "https://book.example/my/sign-in"}},
		{"booked", w.Booked(order.Confirmation{To: "ana@example.com", Locale: "en", Receipt: r, Token: "tok"}), []string{
			"Sunrise Vinyasa", "Thursday, June 11, 9:00 to 10:00", "With Ana Ruiz", "12 Quay Street, Portland", "$22.00",
			"Sales tax 8.25%: $1.82", "Total: $23.82", "Visa ending 4242", "Receipt: https://book.example/receipt/tok", "Reschedule or cancel: https://book.example/my/bookings/0190a1b2-", "Directions: https://www.openstreetmap.org/search?query=Harbour",
			"Add to Google Calendar: https://calendar.google.com/", "Add to Outlook: https://outlook.live.com/", "Free cancellation until Wed, Jun 10, 9:00 am; after that you lose $23.82."}},
		{"friends", w.Booked(order.Confirmation{To: "ana@example.com", Locale: "en", Receipt: friends, Token: "tok"}), []string{
			"With Ana Ruiz · 2 people · you and Ben", ", 2 people: $22.00", "Harbour, 12 Quay Street, Portland"}},
		{"a class and goods", w.Booked(order.Confirmation{
			To: "ana@example.com", Locale: "en", Receipt: goods, Token: "tok",
		}), []string{
			"You’re booked\n", "9:00 to 10:00", "Cork mat\nQuantity: 2\n", "2 items: $22.00"}},
		{"goods", w.Booked(order.Confirmation{
			To: "ana@example.com", Locale: "en", Receipt: onlyGoods, Token: "tok",
		}), []string{
			"Paid, thank you\n\nCork mat\nQuantity: 2\n\n", "1 item: $22.00"}},
		{"asked", w.Booked(order.Confirmation{To: "ana@example.com", Locale: "en", Receipt: asked, Token: "tok"}), []string{
			"Your request was sent", "Harbour Yoga answers every request by e-mail", "Sauna 1 · 4 people", "9:00 to 11:00", "1 booking", "Free to withdraw until the studio answers"}},
		{"refunded", w.Refunded(order.LateRefund{To: "ana@example.com", Locale: "en", Amount: 2382, Currency: "USD", Receipt: late, Token: "tok"}), []string{
			"$23.82", "Sunrise Vinyasa, Thu, Jun 11, 1:00", "Visa ending 4242", "Nothing is booked", "https://book.example/receipt/tok"}},
		{"refunded, and due at the studio", w.Refunded(order.LateRefund{To: "ana@example.com", Locale: "en", Amount: 2382, Currency: "USD", Receipt: late, Stands: &due, Token: "tok"}), []string{
			"Your refund of $23.82 is on its way", "Your booking is unchanged. Due at the studio: $22.00.", "https://book.example/receipt/tok"}},
		{"refunded, and paid otherwise", w.Refunded(order.LateRefund{To: "ana@example.com", Locale: "en", Amount: 2382, Currency: "USD", Receipt: late, Stands: &late, Token: "tok"}), []string{
			"Your refund of $23.82 is on its way", "Your booking is unchanged, and nothing more is due."}},
		{"a fee that was charged", w.Fee(owed.ChargeMail{To: "ana@example.com", Locale: "en", Receipt: fee, Token: "tok"}), []string{
			"A fee of $23.82 was charged", "No-show fee: Sunrise Vinyasa, Thu, Jun 11, 9:00", "Visa ending 4242", "Receipt: https://book.example/receipt/tok"}},
		{"a fee that was not charged", w.Fee(owed.ChargeMail{To: "ana@example.com", Locale: "en", Receipt: fee, Failed: true, Token: "tok"}), []string{
			"Your card could not be charged", "$23.82 is due to Harbour Yoga.", "Pay $23.82: https://book.example/receipt/tok/pay"}},
		{"a rest that is asked for", w.Fee(owed.ChargeMail{To: "ana@example.com", Locale: "en", Receipt: r, NoCard: true, Token: "tok"}), []string{
			"The balance of your booking is due", "For Sunrise Vinyasa, Thu, Jun 11, 9:00", "$23.82 is due to Harbour Yoga.", "Pay $23.82: https://book.example/receipt/tok/pay"}},
		{"a fee that was not owed", w.Refunded(order.LateRefund{To: "ana@example.com", Locale: "en", Amount: 500, Currency: "USD", Receipt: fee}), []string{
			"Your refund of $5.00 is on its way", "This fee was no longer due when your payment arrived."}},
	} {
		if c.mail.To != "ana@example.com" || c.mail.Subject == "" || c.mail.HTML == "" {
			t.Errorf("%s: to %q, subject %q", c.name, c.mail.To, c.mail.Subject)
		}
		text := strings.ReplaceAll(c.mail.Text, "\u00a0", " ")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", c.name, want, text)
			}
		}
	}
}
