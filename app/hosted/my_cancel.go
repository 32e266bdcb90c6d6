package hosted

import (
	"context"
	"errors"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/penalty"
	"foyer/app/pg"
	"foyer/app/view"
	"foyer/app/web"
)

// fieldQuote carries the quote of what a page has promised.
const fieldQuote = "quote"

// askCancel says what cancelling brings, exactly, and asks. Nothing is done: the verb is rehearsed, and the form carries the
// quote of what came out.
func (h *site) askCancel(c *fiber.Ctx, b *myBooking) error { return b.askCancel(c, nil) }

func (b *myBooking) cancelAsk() pg.Ask {
	return web.QuoteAsk(b.Scope, "cancelMyBooking", b.ID.String())
}

func (b *myBooking) cancelVerb(ctx context.Context) (booking.DidMine[booking.Cancellation], error) {
	return b.site.Booking.CancelMine(ctx, b.Scope, b.ID)
}

func (b *myBooking) askCancel(c *fiber.Ctx, tr *view.Trouble) error {
	w := b.Shell.Words
	does, q, err := pg.Rehearse(c.UserContext(), b.cancelAsk(), b.cancelVerb)
	if err != nil {
		return b.refused(c, b.Shell.T("This cannot be cancelled here"), err)
	}
	v := view.Change{
		Title: w.T("Cancel this booking?"), Line: view.LineOf(w, b.CustomerBooking),
		Points: b.outcomes(does.Done), Form: formTo(b.path("/cancel"), view.Param{Name: fieldQuote, Value: q.ID.String()}),
		Button: w.T("Cancel the booking"), Keep: view.Link{Text: w.T("Keep it"), Href: b.path("")}, Trouble: tr,
	}
	if b.Course() {
		v.Title, v.Button, v.Dates = w.T("Cancel this course?"), w.T("Cancel the course"), endedDates(does.Done.Dates, v.Minutes)
	}
	if b.State == booking.Requested {
		v.Title, v.Button = w.T("Withdraw this request?"), w.T("Withdraw the request")
	}
	return show(troubled(c, tr), b.Shell, view.ChangePage(b.Shell, v))
}

// cancel does what the page has promised, or shows the page again when it would be something else by now.
func (h *site) cancel(c *fiber.Ctx, b *myBooking) error {
	id, _ := uuid.Parse(c.FormValue(fieldQuote)) // Nil is a quote that nobody has
	err := h.once(c, func(ctx context.Context) error {
		_, err := pg.Redeem(ctx, b.cancelAsk(), id, b.cancelVerb)
		return err
	})
	if tr, again := promisedOther(b.Shell.Words, err); again {
		return b.askCancel(c, tr)
	}
	if err != nil {
		return b.refused(c, b.Shell.T("This cannot be cancelled here"), err)
	}
	return see(c, b.Shell, query(b.path(""), "done", doneCancelled))
}

// promisedOther tells whether a quote could not be carried out, so that the customer has to look and agree again.
func promisedOther(w view.Words, err error) (*view.Trouble, bool) {
	switch {
	case errors.Is(err, pg.ErrQuoteChanged):
		return &view.Trouble{Title: w.T("Something has changed meanwhile"), Text: w.T("Nothing was done. Look at it again: this is what it would do now.")}, true
	case errors.Is(err, pg.ErrQuoteExpired), errors.Is(err, pg.ErrQuoteOther), errors.Is(err, pg.ErrQuoteUnknown):
		return &view.Trouble{Title: w.T("Look at it once more"), Text: w.T("This page was open for a long time, and nothing was done. This is what it would do now.")}, true
	}
	return nil, false
}

// refused shows the booking as it is now with why something cannot be done.
func (b *myBooking) refused(c *fiber.Ctx, title string, err error) error {
	f := fault.From(err)
	if f == nil || f.Kind != fault.Conflict && f.Kind != fault.Validation {
		return err
	}
	fresh, err := b.site.Booking.MyBooking(c.UserContext(), b.Scope.Principal, b.ID)
	if err != nil {
		return err
	}
	b.CustomerBooking = fresh
	return b.show(c, nil, &view.Trouble{Title: title, Text: b.Shell.Refusal(f)})
}

// outcomes says what a cancellation brings: what comes back or does not, and the fee, with the instants that decide.
func (b *myBooking) outcomes(does booking.Cancellation) []view.Outcome {
	w := b.Shell.Words
	amount := func(minor int64) *view.Price { return &view.Price{Minor: minor, Currency: does.Currency} }
	lost := does.ForfeitedAmount + does.ServiceFeeAmount
	var out []view.Outcome
	var back, came, late string
	if b.Course() {
		out = append(out, view.Outcome{Label: w.T("What ends"), Text: w.T("All dates of the course that are still to come.")})
	}
	if a, may := b.CustomerMay(booking.ActCancel, w.Now); may && b.State == booking.Confirmed {
		back = w.UntilWhen(b.StartsAt, a.FreeUntil,
			"To the card you paid with. The price comes back until {when}.", "To the card you paid with. The price comes back until it begins.")
		came, late = w.T("The price came back until {when}.", "when", w.ShortWhen(a.FreeUntil)), w.ShortWhen(a.LateFrom)
	}
	switch {
	case does.Held:
		out = append(out, view.Outcome{Label: w.T("You get back"), Amount: amount(does.BackAmount), Text: w.T("It was held on your card and not taken.")})
	case does.BackAmount > 0 && back == "":
		out = append(out, view.Outcome{Label: w.T("You get back"), Amount: amount(does.BackAmount), Text: w.T("To the card you paid with.")})
	case does.BackAmount > 0:
		out = append(out, view.Outcome{Label: w.T("You get back"), Amount: amount(does.BackAmount), Text: back})
	case does.ForfeitedAmount > 0:
		out = append(out, view.Outcome{Label: w.T(view.OutcomeLost), Amount: amount(lost), Text: came, Bad: true})
	}
	if does.DeskAmount > 0 {
		out = append(out, view.Outcome{Label: w.T("You get back"), Text: w.T("The studio gives your {amount} back at the desk.", "amount", w.Money(*amount(does.DeskAmount)))})
	}
	if does.CreditAmount > 0 {
		out = append(out, view.Outcome{Label: w.T("You get back"), Text: w.T("{amount} is yours again as credit with the studio.", "amount", w.Money(*amount(does.CreditAmount)))})
	}
	if does.ForfeitedAmount == 0 && lost > 0 {
		out = append(out, view.Outcome{Label: w.T(view.OutcomeLost), Amount: amount(lost), Text: w.T("The service fee."), Bad: true})
	}
	switch {
	case does.FeeAmount > 0 && does.Fee == penalty.Forgiven:
		out = append(out, view.Outcome{Label: w.T(view.OutcomeFee), Text: w.T(view.OutcomeForgiven, "when", late, "fee", w.Money(*amount(does.FeeAmount)))})
	case does.FeeAmount > 0:
		out = append(out, view.Outcome{Label: w.T(view.OutcomeFee), Amount: amount(does.FeeAmount), Bad: true,
			Text: w.T("To be paid to {studio}: cancelling has been late since {when}.", "studio", b.BusinessName, "when", late)})
	}
	if does.BackAmount+does.DeskAmount+does.CreditAmount+lost+does.FeeAmount == 0 {
		out = append(out, view.Outcome{Label: w.C("what it costs", "Cost"), Text: w.T("It costs nothing, and nothing was paid for it.")})
	}
	return out
}
