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
	does, q, err := pg.Rehearse(c.UserContext(), b.cancelAsk(), b.cancelVerb)
	if err != nil {
		return b.refused(c, "This cannot be cancelled here", err)
	}
	v := view.Change{
		Title: "Cancel this booking?", Line: view.LineOf(b.Shell.Words, b.CustomerBooking),
		Points: b.outcomes(does.Done), Form: formTo(b.path("/cancel"), view.Param{Name: fieldQuote, Value: q.ID.String()}),
		Button: "Cancel the booking", Keep: view.Link{Text: "Keep it", Href: b.path("")}, Trouble: tr,
	}
	if b.Course() {
		v.Title, v.Button, v.Dates = "Cancel this course?", "Cancel the course", endedDates(does.Done.Dates, v.Minutes)
	}
	if b.State == booking.Requested {
		v.Title, v.Button = "Withdraw this request?", "Withdraw the request"
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
	if tr, again := promisedOther(err); again {
		return b.askCancel(c, tr)
	}
	if err != nil {
		return b.refused(c, "This cannot be cancelled here", err)
	}
	return see(c, b.Shell, query(b.path(""), "done", doneCancelled))
}

// promisedOther tells whether a quote could not be carried out, so that the customer has to look and agree again.
func promisedOther(err error) (*view.Trouble, bool) {
	switch {
	case errors.Is(err, pg.ErrQuoteChanged):
		return &view.Trouble{Title: "Something has changed meanwhile", Text: "Nothing was done. Look at it again: this is what it would do now."}, true
	case errors.Is(err, pg.ErrQuoteExpired), errors.Is(err, pg.ErrQuoteOther), errors.Is(err, pg.ErrQuoteUnknown):
		return &view.Trouble{Title: "Look at it once more", Text: "This page was open for a long time, and nothing was done. This is what it would do now."}, true
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
	return b.show(c, nil, &view.Trouble{Title: title, Text: f.Message})
}

// outcomes says what a cancellation brings: what comes back or does not, and the fee, with the instants that decide.
func (b *myBooking) outcomes(does booking.Cancellation) []view.Outcome {
	w := b.Shell.Words
	amount := func(minor int64) *view.Price { return &view.Price{Minor: minor, Currency: does.Currency} }
	const notBack = "Not paid back"
	lost := does.ForfeitedAmount + does.ServiceFeeAmount
	var out []view.Outcome
	var free, late string
	if b.Course() {
		out = append(out, view.Outcome{Label: "What ends", Text: "All dates of the course that are still to come."})
	}
	if a, may := b.CustomerMay(booking.ActCancel, w.Now); may && b.State == booking.Confirmed {
		free, late = view.InstantIn(w, b.StartsAt, a.FreeUntil), w.ShortWhen(a.LateFrom)
	}
	switch {
	case does.BackAmount > 0 && free == "":
		out = append(out, view.Outcome{Label: "You get back", Amount: amount(does.BackAmount), Text: "To the card you paid with."})
	case does.BackAmount > 0:
		out = append(out, view.Outcome{Label: "You get back", Amount: amount(does.BackAmount), Text: "To the card you paid with. The price comes back until " + free + "."})
	case does.ForfeitedAmount > 0:
		out = append(out, view.Outcome{Label: notBack, Amount: amount(lost), Text: "The price came back until " + free + ".", Bad: true})
	}
	if does.ForfeitedAmount == 0 && lost > 0 {
		out = append(out, view.Outcome{Label: notBack, Amount: amount(lost), Text: "The service fee.", Bad: true})
	}
	switch {
	case does.FeeAmount > 0 && does.Fee == penalty.Forgiven:
		out = append(out, view.Outcome{Label: "Fee", Text: "None this time. It is late since " + late + ", and the fee of " + w.Money(*amount(does.FeeAmount)) + " is forgiven."})
	case does.FeeAmount > 0:
		out = append(out, view.Outcome{Label: "Fee", Amount: amount(does.FeeAmount), Text: "Due to " + b.BusinessName + ": cancelling is late since " + late + ".", Bad: true})
	}
	if does.BackAmount+lost+does.FeeAmount == 0 {
		out = append(out, view.Outcome{Label: "Cost", Text: "It costs nothing, and nothing was paid for it."})
	}
	return out
}
