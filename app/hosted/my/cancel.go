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

// Fields of the form that cancels or moves.
const (
	fieldQuote = "quote" // of what the page has promised
	fieldScope = "scope" // booking.Scope, of a recurring booking
)

// askCancel says what cancelling brings, exactly, and asks. Nothing is done: the verb is rehearsed, and the form carries the
// quote of what came out.
func (h *site) askCancel(c *fiber.Ctx, b *myBooking) error {
	return b.askCancel(c, b.scopeOf(c.Query(fieldScope)), nil)
}

// scopeOf is which bookings of a recurring one a page is about; anything else is cancelled alone.
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

// scopes are the ways to cancel a recurring booking; each is a page that says what it brings.
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
		{booking.ScopeThis, w.T("Only this one")}, {booking.ScopeFollowing, w.T("This and the later ones")}, {booking.ScopeAll, w.T("All that are to come")},
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
	v := Change{
		Title: w.T("Cancel this booking?"), Line: view.LineOf(w, b.CustomerBooking),
		Choices: b.scopes(scope), Points: b.outcomes(does.Done.Together()),
		Form:   kit.FormTo(b.path("/cancel"), view.Param{Name: fieldQuote, Value: q.ID.String()}, view.Param{Name: fieldScope, Value: string(scope)}),
		Button: w.T("Cancel the booking"), Keep: view.Link{Text: w.T("Keep it"), Href: b.path("")}, Trouble: tr,
	}
	if n := len(does.Done.Others); n > 0 {
		v.Title, v.Button = w.T("Cancel these bookings?"), w.N(n+1, "Cancel {n} booking", "Cancel {n} bookings")
		v.Dates, v.Keep.Text = endedDates(does.Done.Starts(), v.Minutes), w.T("Keep them")
	}
	if b.Course() {
		v.Title, v.Button, v.Dates = w.T("Cancel this course?"), w.T("Cancel the course"), endedDates(does.Done.Dates, v.Minutes)
	}
	if b.State == booking.Requested {
		v.Title, v.Button = w.T("Withdraw this request?"), w.T("Withdraw the request")
	}
	return kit.Show(kit.Troubled(c, tr), b.Shell, ChangePage(b.Shell, v))
}

// cancel does what the page has promised, or shows the page again when it would be something else by now.
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

// refused shows the booking as it is now with why something cannot be done.
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

// outcomes says what a cancellation brings: what comes back or does not, and the fee, with the instants that decide.
func (b *myBooking) outcomes(does booking.Cancellation) []Outcome {
	w := b.Shell.Words
	amount := func(minor int64) *view.Price { return &view.Price{Minor: minor, Currency: does.Currency} }
	lost := does.ForfeitedAmount + does.ServiceFeeAmount
	var out []Outcome
	var back, came, late string
	if b.Course() {
		out = append(out, Outcome{Label: w.T("What ends"), Text: w.T("All dates of the course that are still to come.")})
	}
	several := len(does.Others) > 0 // each has its own deadlines
	if a, may := b.CustomerMay(booking.ActCancel, w.Now); may && b.State == booking.Confirmed && !several {
		back = w.UntilWhen(b.StartsAt, a.FreeUntil,
			"To the card you paid with. The price comes back until {when}.", "To the card you paid with. The price comes back until it begins.")
		came, late = w.T("The price came back until {when}.", "when", w.ShortWhen(a.FreeUntil)), w.ShortWhen(a.LateFrom)
	}
	if does.KeptAmount > 0 && does.KeptAmount == does.ForfeitedAmount { // and nothing else is lost
		back, came = "", w.T("The deposit stays with the studio.")
	}
	switch {
	case does.Held:
		out = append(out, Outcome{Label: w.T("You get back"), Amount: amount(does.RefundAmount), Text: w.T("It was held on your card and not taken.")})
	case does.RefundAmount > 0 && back == "":
		out = append(out, Outcome{Label: w.T("You get back"), Amount: amount(does.RefundAmount), Text: w.T("To the card you paid with.")})
	case does.RefundAmount > 0:
		out = append(out, Outcome{Label: w.T("You get back"), Amount: amount(does.RefundAmount), Text: back})
	}
	if does.ForfeitedAmount > 0 {
		out = append(out, Outcome{Label: w.T(OutcomeLost), Amount: amount(lost), Text: came, Bad: true})
	}
	if does.DeskAmount > 0 {
		out = append(out, Outcome{Label: w.T("You get back"), Text: w.T("The studio gives your {amount} back at the desk.", "amount", w.Money(*amount(does.DeskAmount)))})
	}
	if does.CreditAmount > 0 {
		out = append(out, Outcome{Label: w.T("You get back"), Text: w.T("{amount} is yours again as credit with the studio.", "amount", w.Money(*amount(does.CreditAmount)))})
	}
	if does.ForfeitedAmount == 0 && lost > 0 {
		out = append(out, Outcome{Label: w.T(OutcomeLost), Amount: amount(lost), Text: w.T("The service fee."), Bad: true})
	}
	switch {
	case does.FeeAmount > 0 && does.Fee == fees.Forgiven && several:
		out = append(out, Outcome{Label: w.T(OutcomeFee), Text: w.T("None this time: the fee of {fee} is forgiven.", "fee", w.Money(*amount(does.FeeAmount)))})
	case does.FeeAmount > 0 && several:
		out = append(out, Outcome{Label: w.T(OutcomeFee), Amount: amount(does.FeeAmount), Bad: true,
			Text: w.T("To be paid to {studio}, for those that are cancelled late.", "studio", b.BusinessName)})
	case does.FeeAmount > 0 && does.Fee == fees.Forgiven:
		out = append(out, Outcome{Label: w.T(OutcomeFee), Text: w.T(OutcomeForgiven, "when", late, "fee", w.Money(*amount(does.FeeAmount)))})
	case does.FeeAmount > 0:
		out = append(out, Outcome{Label: w.T(OutcomeFee), Amount: amount(does.FeeAmount), Bad: true,
			Text: w.T("To be paid to {studio}: cancelling has been late since {when}.", "studio", b.BusinessName, "when", late)})
	}
	if does.RefundAmount+does.DeskAmount+does.CreditAmount+lost+does.FeeAmount == 0 {
		out = append(out, Outcome{Label: w.C("what it costs", "Cost"), Text: w.T("It costs nothing, and nothing was paid for it.")})
	}
	return out
}
