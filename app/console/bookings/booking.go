package bookings

import (
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/paging"
	"foyer/app/sales"
	"foyer/app/view"
)

// record is one booking with everything that is shown of it.
type record struct {
	booking.StudioBooking
	Money   checkout.Money
	Lacks   []string // agreements that its customer has yet to give
	Changes []booking.Change
	Fees    []fees.Fee
	Can     map[uuid.UUID]bool                   // be charged to a saved card: of the fees
	Paid    []sales.Payment                      // what was paid for its order, for whoever may see it
	May     map[booking.Action]booking.Allowance // what can be done now by whoever looks
	Return  back
	Charge  checkout.Charge // of its price to a saved card
}

// operations are what each action is called among the operations.
var operations = map[booking.Action]string{
	booking.ActCancel: "cancelBooking", booking.ActReschedule: "rescheduleBooking", booking.ActApprove: "approveBooking",
	booking.ActDecline: "declineBooking", booking.ActCheckIn: "checkInBooking", booking.ActUndoCheckIn: "undoCheckIn",
	booking.ActNoShow: "markNoShow", booking.ActUndoNoShow: "undoNoShow",
}

func (s *screens) booking(c *desk.Call) (ui.Screen, error) {
	id, err := c.ID("booking")
	if err != nil {
		return ui.Screen{}, err
	}
	var r record
	err = desk.Together(
		func() (err error) {
			if r.StudioBooking, err = s.Booking.Get(c.Context(), c.Scope, id); err == nil {
				r.Money, err = s.Checkout.MoneyOf(c.Context(), c.Scope.Tenant, r.Booking)
			}
			if err == nil {
				r.Charge, _, err = s.Checkout.ChargeOf(c.Context(), c.Scope, r.Booking)
			}
			if err == nil {
				var lacks map[uuid.UUID][]string
				lacks, err = c.Lacks([]booking.StudioBooking{r.StudioBooking})
				r.Lacks = lacks[id]
			}
			return err
		},
		func() (err error) {
			r.Changes, err = s.Booking.History(c.Context(), c.Scope, id)
			return err
		},
		func() (err error) {
			if r.Fees, err = s.feesOf(c, id); err == nil {
				r.Can, err = s.chargeable(c, r.Fees)
			}
			return err
		},
	)
	if err == nil && r.OrderID != nil && c.May("listPayments") {
		r.Paid, err = s.paid(c, *r.OrderID)
	}
	if err != nil {
		return ui.Screen{}, err
	}
	r.May = map[booking.Action]booking.Allowance{}
	for _, a := range r.StudioActions(s.Clock.Now(), r.Wall()) {
		if c.MayAt(operations[a.Action], r.LocationID) && (a.Action != booking.ActReschedule || c.MayMove(r.LocationID)) {
			r.May[a.Action] = a
		}
	}
	if r.Return, err = s.wayBack(c, r); err != nil {
		return ui.Screen{}, err
	}
	return ui.Screen{
		Title: who(c.UI, r.StudioBooking), Lead: when(c, r.StudioBooking), Area: "bookings",
		Up: &view.Link{Text: c.UI.T("Bookings"), Href: c.To("/bookings")}, Acts: bookingActs(c, r), Body: bookingBody(c, r), Sheet: true,
	}, nil
}

// feesOf are the fees of a booking, for whoever may see fees; the latest first.
func (s *screens) feesOf(c *desk.Call, id uuid.UUID) ([]fees.Fee, error) {
	if !c.May("listFees") {
		return nil, nil
	}
	page, err := s.Fees.List(c.Context(), c.Scope, fees.ListInput{BookingID: id, Page: paging.In[paging.Moment]{Limit: 10}})
	if fault.IsKind(err, fault.Forbidden) { // of another place only
		return nil, nil
	}
	return page.Items, err
}

// paid are the payments of an order.
func (s *screens) paid(c *desk.Call, order uuid.UUID) ([]sales.Payment, error) {
	page, err := s.Sales.List(c.Context(), c.Scope, sales.ListInput{OrderID: order})
	return page.Items, err
}

// facts are what is known of a booking, in the order in which somebody at a desk asks.
func (r record) facts(c *desk.Call) []ui.Fact {
	sh := c.UI
	w := wordsAt(c, r.Zone)
	customer := ui.Fact{Name: sh.T("Customer"), Text: called(sh, r.StudioBooking), Href: c.Customer(r.CustomerID, r.LocationID)}
	date := ui.Fact{Name: sh.T("When"), Text: w.When(r.StartsAt, int(r.EndsAt.Sub(r.StartsAt).Minutes())), Href: c.To("/dates/" + r.OccurrenceID.String())}
	if r.OccurrenceID == uuid.Nil {
		date.Href = ""
	}
	return []ui.Fact{
		customer,
		{Name: sh.T("E-mail"), Text: r.CustomerEmail, Href: link("mailto:", r.CustomerEmail)},
		{Name: sh.T("Phone"), Text: r.CustomerPhone, Href: link("tel:", r.CustomerPhone)},
		{Name: sh.T("Who comes"), Text: r.Attendee},
		{Name: sh.T("How many"), Text: w.Several(r.Party)},
		{Name: sh.T("What"), Text: r.OfferingName},
		date,
		{Name: sh.T("Where"), Text: view.Joined(", ", r.Space, r.LocationName)},
		{Name: sh.T("Given by"), Text: r.Instructor},
		{Name: sh.T("Note"), Text: r.Note},
	}
}

func link(scheme, to string) string {
	if to == "" {
		return ""
	}
	return scheme + to
}

// money is what was paid and what is owed.
func (r record) money(c *desk.Call) []ui.Fact {
	sh := c.UI
	some := func(minor int64) string { return sh.Some(minor, r.Currency) }
	list := []ui.Fact{
		{Name: sh.T("Price"), Text: sh.MoneyShort(view.Price{Minor: r.PriceAmount, Currency: r.Currency})},
		{Name: sh.T("Paid by card"), Text: some(r.Money.Paid)},
		{Name: sh.T("Given back"), Text: some(r.Money.OrderRefunded)},
		{Name: sh.T("Paid at the studio"), Text: some(r.Money.PaidAtStudio), Tone: "ok"},
		{Name: sh.C("booking", "Payment"), Text: r.payment(sh), Href: r.paymentHref(c)},
		{Name: sh.T("Due at the studio"), Text: some(r.Money.Due), Tone: "warn"},
		{Name: sh.T("Card on file"), Text: r.chargeOf(sh)},
		{Name: sh.T("Fees due"), Text: some(r.Money.FeesDue), Tone: "bad"},
	}
	return list
}

// payment says that there is one to look at, and paymentHref where: the one payment, or the list of several.
func (r record) payment(sh ui.Shell) string {
	if len(r.Paid) == 0 {
		return ""
	}
	return sh.T("Lines, fees and refunds")
}

func (r record) paymentHref(c *desk.Call) string {
	switch len(r.Paid) {
	case 0:
		return ""
	case 1:
		return c.To("/sales/" + r.Paid[0].ID.String())
	}
	return c.To("/sales", "order", r.OrderID.String())
}

// deadlines say until when what costs what.
func (r record) deadlines(c *desk.Call) []string {
	sh := c.UI
	w := wordsAt(c, r.Zone)
	now := c.Desk.Clock.Now()
	var out []string
	if a, ok := r.May[booking.ActCancel]; ok && r.State == booking.Confirmed {
		if a.FreeUntil.After(now) {
			out = append(out, sh.T("The customer can cancel free of charge until {when}.", "when", w.ShortWhen(a.FreeUntil)))
		} else {
			out = append(out, sh.T("If the customer cancels, the price does not come back."))
		}
		if a.FeeAmount > 0 && !a.LateFrom.IsZero() {
			if a.LateFrom.After(now) {
				out = append(out, sh.T("From {when} on it costs them {fee}.", "when", w.ShortWhen(a.LateFrom), "fee", sh.Cash(a.FeeAmount, r.Currency)))
			} else {
				out = append(out, sh.T("Cancelling costs them {fee} by now.", "fee", sh.Cash(a.FeeAmount, r.Currency)))
			}
		}
	}
	if a, ok := r.May[booking.ActReschedule]; ok {
		out = append(out, sh.T("It can be moved until {when}.", "when", w.ShortWhen(a.Until)))
		if own, ok := r.CustomerMay(booking.ActReschedule, now); ok && own.Until.Before(a.Until) {
			out = append(out, sh.T("The customer can move it until {when}.", "when", w.ShortWhen(own.Until)))
		}
	}
	if a, ok := r.May[booking.ActUndoCheckIn]; ok {
		out = append(out, sh.T("The check-in can be taken back until {when}.", "when", w.ShortWhen(a.Until)))
	}
	if a, ok := r.May[booking.ActApprove]; ok {
		out = append(out, sh.T("Answer it until {when}.", "when", w.ShortWhen(a.Until)))
	}
	if r.State == booking.NoShow && r.ReviewAt != nil && r.ReviewAt.After(now) {
		out = append(out, sh.T("The fee of this no-show is looked at until {when}.", "when", w.ShortWhen(*r.ReviewAt)))
	}
	if r.GraceUntil != nil && r.GraceUntil.After(now) {
		out = append(out, sh.T("It came from the waitlist late, and can be given up free of charge until {when}.", "when", w.ShortWhen(*r.GraceUntil)))
	}
	return out
}

// policy are the rules of the booking in plain words.
func (r record) policy(sh ui.Shell) []string {
	if r.Course() {
		return r.Rules.CourseSummary(r.Currency, sh.Lang())
	}
	return r.Rules.Summary(r.Kind, r.Currency, sh.Lang())
}

// recurs tells whether the booking is one of several that were made together, and no course.
func recurs(b booking.StudioBooking) bool { return b.GroupID != nil && !b.Course() }

// byTheDate tells whether a booking is of a date that others come to.
func byTheDate(b booking.StudioBooking) bool { return b.Kind == catalog.Class }
