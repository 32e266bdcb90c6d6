package my

import (
	"context"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/hosted/kit"
	"foyer/app/page"
	"foyer/app/pg"
	"foyer/app/view"
	"foyer/app/web/op"
)

// endedDates are dates by their starts, as long as the course's next one.
func endedDates(starts []time.Time, length int) []view.CourseDate {
	var out []view.CourseDate
	for _, at := range starts {
		out = append(out, view.CourseDate{Start: at, Minutes: length})
	}
	return out
}

// Fields of the form that cancels or reschedules.
const (
	fieldQuote = "quote" // of the effects on the page
	fieldScope = "scope" // booking.Scope, of a recurring booking
)

// askCancel shows the exact effects of cancelling and a form to confirm. It changes nothing: the verb is run dry, and
// the form carries the quote of its effects.
func (h *site) askCancel(c *fiber.Ctx, b *myBooking) error {
	return b.askCancel(c, b.scopeOf(c.Query(fieldScope)), nil)
}

// scopeOf is the scope of a page about a recurring booking; any other booking is cancelled alone.
func (b *myBooking) scopeOf(said string) booking.Scope {
	if s := booking.Scope(said); b.recurs() && slices.Contains(s.All(), s) {
		return s
	}
	return booking.ScopeThis
}

func (b *myBooking) recurs() bool { return b.GroupID != nil && !b.Course() }

func (b *myBooking) cancelAsk(scope booking.Scope) pg.QuoteKey {
	return op.QuoteKey(b.Scope, "cancelMyBooking", b.ID.String(), string(scope))
}

func (b *myBooking) cancelVerb(scope booking.Scope) func(context.Context) (booking.DidMine[booking.Cancellation], error) {
	return func(ctx context.Context) (booking.DidMine[booking.Cancellation], error) {
		return b.Site.Booking.CancelMyRecurring(ctx, b.Scope, b.ID, scope)
	}
}

// scopes are the ways to cancel a recurring booking; each is a page with its effects.
func (b *myBooking) scopes(now booking.Scope) []view.Choice {
	if !b.recurs() {
		return nil
	}
	w := b.Shell.Words
	which := view.Choice{Name: w.T("Which ones?")}
	for _, o := range []struct {
		scope booking.Scope
		text  string
	}{
		{booking.ScopeThis, w.T("Only this one")}, {booking.ScopeFollowing, w.T("This and the later ones")}, {booking.ScopeAll, w.T("All upcoming")},
	} {
		which.Options = append(which.Options, view.ChoiceOption{Text: o.text, Href: kit.Query(b.path("/cancel"), fieldScope, string(o.scope)), Chosen: o.scope == now})
	}
	return []view.Choice{which}
}

func (b *myBooking) askCancel(c *fiber.Ctx, scope booking.Scope, tr *view.Trouble) error {
	w := b.Shell.Words
	does, q, err := pg.DryRun(c.UserContext(), b.cancelAsk(scope), b.cancelVerb(scope))
	if err != nil {
		return b.refused(c, b.Shell.T("This cannot be cancelled here"), err)
	}
	stake, err := b.stake(c)
	if err != nil {
		return err
	}
	v := Change{
		Title: w.T("Cancel this booking?"), Line: view.LineOf(w, b.CustomerBooking),
		Choices: b.scopes(scope), Points: b.outcomes(does.Done.Together(), stake),
		Form:   kit.FormTo(b.path("/cancel"), view.Param{Name: fieldQuote, Value: q.ID.String()}, view.Param{Name: fieldScope, Value: string(scope)}),
		Button: w.T("Cancel booking"), Keep: view.Link{Text: w.T("Keep it"), Href: b.path("")}, Trouble: tr,
	}
	if n := len(does.Done.Others); n > 0 {
		v.Title, v.Button = w.T("Cancel these bookings?"), w.N(n+1, "Cancel {n} booking", "Cancel {n} bookings")
		v.Dates, v.Keep.Text = endedDates(does.Done.Starts(), v.Minutes), w.T("Keep them")
	}
	if b.Course() {
		v.Title, v.Button, v.Dates = w.T("Cancel this course?"), w.T("Cancel course"), endedDates(does.Done.Dates, v.Minutes)
	}
	if b.State == booking.Requested {
		v.Title, v.Button = w.T("Withdraw this request?"), w.T("Withdraw request")
	}
	return kit.Show(kit.Troubled(c, tr), b.Shell, ChangePage(b.Shell, v))
}

// cancel does exactly as the page has shown, or shows the page again if the effects have changed.
func (h *site) cancel(c *fiber.Ctx, b *myBooking) error {
	scope := b.scopeOf(c.FormValue(fieldScope))
	err := h.Once(c, func(ctx context.Context) error {
		_, err := page.Redeem(ctx, c, b.cancelAsk(scope), fieldQuote, b.cancelVerb(scope))
		return err
	})
	if tr, again := page.QuoteChanged(b.Shell.Words, err); again {
		return b.askCancel(c, scope, tr)
	}
	if err != nil {
		return b.refused(c, b.Shell.T("This cannot be cancelled here"), err)
	}
	return kit.See(c, b.Shell, kit.Query(b.path(""), "done", doneCancelled))
}

// refused shows the booking as it is now with the reason for a refusal.
func (b *myBooking) refused(c *fiber.Ctx, title string, err error) error {
	f := fault.From(err)
	if f == nil || f.Kind != fault.Conflict && f.Kind != fault.Validation {
		return err
	}
	fresh, err := b.Site.Booking.MyBooking(c.UserContext(), b.Scope.Principal, b.ID)
	if err != nil {
		return err
	}
	b.CustomerBooking = fresh
	return b.show(c, nil, &view.Trouble{Title: title, Text: b.Shell.Refusal(f)})
}

// credits are the effects on the credits of a plan that paid: they are returned, or not.
func (b *myBooking) credits(does booking.Cancellation, stake booking.CostBasis) []Outcome {
	w := b.Shell.Words
	label := w.C("of a plan", "Credits")
	switch {
	case does.Plan != "" && does.PlanCredits == 0:
		return []Outcome{{Label: w.C("of a booking", "Plan"), Text: w.CreditsBack(does.Plan, 0)}}
	case does.Plan != "":
		return []Outcome{{Label: label, Text: w.CreditsBack(does.Plan, does.PlanCredits)}}
	case stake.Plan != "" && stake.PlanCredits > 0:
		return []Outcome{{Label: label, Text: w.CreditsLost(stake.Plan, stake.PlanCredits), Bad: true}}
	case stake.Plan != "":
		return []Outcome{{Label: w.C("of a booking", "Plan"), Text: w.CreditsLost(stake.Plan, 0)}}
	}
	return nil
}

// outcomes are the effects of a cancellation: the refund or its absence, and the fee, with the deadlines.
func (b *myBooking) outcomes(does booking.Cancellation, stake booking.CostBasis) []Outcome {
	w := b.Shell.Words
	amount := func(minor int64) *view.Price { return &view.Price{Minor: minor, Currency: does.Currency} }
	lost := does.ForfeitedAmount + does.ServiceFeeAmount
	var out []Outcome
	var back, came, late string
	if b.Course() {
		out = append(out, Outcome{Label: w.T("Dates cancelled"), Text: w.T("All upcoming dates of the course.")})
	}
	several := len(does.Others) > 0 // each has its own deadlines
	if a, may := b.CustomerMay(booking.ActCancel, w.Now); may && b.State == booking.Confirmed && !several {
		back = w.UntilWhen(b.StartsAt, a.FreeUntil,
			"To the card you paid with. The price is refundable until {when}.", "To the card you paid with. The price is refundable until it begins.")
		came, late = w.T("The price was refundable until {when}.", "when", w.ShortWhen(a.FreeUntil)), w.ShortWhen(a.LateFrom)
	}
	if does.NonRefundableAmount > 0 && does.NonRefundableAmount == does.ForfeitedAmount { // and no other amount is lost
		back, came = "", w.T("The deposit is non-refundable.")
	}
	switch {
	case does.Held:
		out = append(out, Outcome{Label: w.T("Released"), Amount: amount(does.RefundAmount), Text: w.T("It was authorized on your card and not charged.")})
	case does.RefundAmount > 0 && back == "":
		out = append(out, Outcome{Label: w.T("Your refund"), Amount: amount(does.RefundAmount), Text: w.T("To the card you paid with.")})
	case does.RefundAmount > 0:
		out = append(out, Outcome{Label: w.T("Your refund"), Amount: amount(does.RefundAmount), Text: back})
	}
	if does.ForfeitedAmount > 0 {
		out = append(out, Outcome{Label: w.T(OutcomeLost), Amount: amount(lost), Text: came, Bad: true})
	}
	if does.DeskAmount > 0 {
		out = append(out, Outcome{Label: w.T("Your refund"), Text: w.T("The studio refunds your {amount} at the desk.", "amount", w.Money(*amount(does.DeskAmount)))})
	}
	if does.CreditAmount > 0 {
		out = append(out, Outcome{Label: w.T("Your refund"), Text: w.T("{amount} is refunded as account credit with the studio.", "amount", w.Money(*amount(does.CreditAmount)))})
	}
	if does.GiftCardAmount > 0 {
		out = append(out, Outcome{
			Label: w.T("Your refund"),
			Text:  w.T("{amount} is refunded to your gift card.", "amount", w.Money(*amount(does.GiftCardAmount))),
		})
	}
	out = append(out, b.credits(does, stake)...)
	if does.ForfeitedAmount == 0 && lost > 0 {
		out = append(out, Outcome{Label: w.T(OutcomeLost), Amount: amount(lost), Text: w.T("The service fee."), Bad: true})
	}
	switch {
	case does.FeeAmount > 0 && does.Fee == fees.GraceWaived && several:
		out = append(out, Outcome{Label: w.T(OutcomeFee), Text: w.T("None this time: the late-cancellation fee of {fee} is waived.", "fee", w.Money(*amount(does.FeeAmount)))})
	case does.FeeAmount > 0 && several:
		out = append(out, Outcome{Label: w.T(OutcomeFee), Amount: amount(does.FeeAmount), Bad: true,
			Text: w.T("Payable to {studio}, for the bookings that are cancelled late.", "studio", b.BusinessName)})
	case does.FeeAmount > 0 && does.Fee == fees.GraceWaived:
		out = append(out, Outcome{Label: w.T(OutcomeFee), Text: w.T(OutcomeWaived, "when", late, "fee", w.Money(*amount(does.FeeAmount)))})
	case does.FeeAmount > 0:
		out = append(out, Outcome{Label: w.T(OutcomeFee), Amount: amount(does.FeeAmount), Bad: true,
			Text: w.T("Payable to {studio}: cancelling has been late since {when}.", "studio", b.BusinessName, "when", late)})
	}
	if does.RefundAmount+does.DeskAmount+does.CreditAmount+does.GiftCardAmount+lost+does.FeeAmount == 0 &&
		does.Plan+stake.Plan == "" {
		out = append(out, Outcome{Label: w.C("what it costs", "Cost"), Text: w.T("No fee applies, and nothing was paid.")})
	}
	return out
}
