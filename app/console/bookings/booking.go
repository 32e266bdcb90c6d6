package bookings

import (
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/paging"
	"foyer/app/sales"
	"foyer/app/view"
)

// record is one booking with all data of its screen.
type record struct {
	booking.StudioBooking
	Money   order.Money
	Lacks   []string // outstanding agreements of its customer
	Changes []booking.Change
	Fees    []fees.Fee
	Can     map[uuid.UUID]bool                   // fees that a saved card can pay
	Paid    []sales.Payment                      // payments of its order, if the caller may see them
	May     map[booking.Action]booking.Allowance // actions available to the caller now
	Return  back
	Charge  owed.Charge // charge of its price to a saved card
}

// operations maps each action to its operation.
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
				r.Money, err = s.Orders.MoneyOf(c.Context(), c.Scope.Tenant, r.Booking)
			}
			if err == nil {
				r.Charge, _, err = s.Owed.ChargeOf(c.Context(), c.Scope, r.Booking)
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
		if c.MayAt(operations[a.Action], r.LocationID) &&
			(a.Action != booking.ActReschedule || c.MayReschedule(r.LocationID)) {
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

// feesOf returns the fees of a booking, latest first; none without the right to see fees.
func (s *screens) feesOf(c *desk.Call, id uuid.UUID) ([]fees.Fee, error) {
	if !c.May("listFees") {
		return nil, nil
	}
	page, err := s.Fees.List(c.Context(), c.Scope, fees.ListInput{BookingID: id, Page: paging.In[paging.Moment]{Limit: 10}})
	if fault.IsKind(err, fault.Forbidden) { // of another location only
		return nil, nil
	}
	return page.Items, err
}

// paid returns the payments of an order.
func (s *screens) paid(c *desk.Call, order uuid.UUID) ([]sales.Payment, error) {
	page, err := s.Sales.List(c.Context(), c.Scope, sales.ListInput{OrderID: order})
	return page.Items, err
}

// facts returns the facts of a booking, in the order in which a desk needs them.
func (r record) facts(c *desk.Call) []ui.Fact {
	sh := c.UI
	w := wordsAt(c, r.Zone)
	customer := ui.Fact{Name: sh.T("Customer"), Text: called(sh, r.StudioBooking), Href: c.Customer(r.CustomerID, r.LocationID)}
	date := ui.Fact{Name: sh.T("Date"), Text: w.When(r.StartsAt, int(r.EndsAt.Sub(r.StartsAt).Minutes())), Href: c.To("/dates/" + r.OccurrenceID.String())}
	if r.OccurrenceID == uuid.Nil {
		date.Href = ""
	}
	return []ui.Fact{
		customer,
		{Name: sh.T("E-mail"), Text: r.CustomerEmail, Href: link("mailto:", r.CustomerEmail)},
		{Name: sh.T("Phone"), Text: r.CustomerPhone, Href: link("tel:", r.CustomerPhone)},
		{Name: sh.T("Attendee"), Text: r.Attendee},
		{Name: sh.T("People"), Text: w.Several(r.Party)},
		{Name: sh.T("Item"), Text: r.OfferingName},
		date,
		{Name: sh.T("Location"), Text: view.Joined(", ", r.Space, r.LocationName)},
		{Name: sh.T("Instructor"), Text: r.Instructor},
		{Name: sh.T("Note"), Text: r.Note},
	}
}

func link(scheme, to string) string {
	if to == "" {
		return ""
	}
	return scheme + to
}

// money returns the amounts paid and due.
func (r record) money(c *desk.Call) []ui.Fact {
	sh := c.UI
	some := func(minor int64) string { return sh.Some(minor, r.Currency) }
	list := []ui.Fact{
		{Name: sh.T("Price"), Text: sh.MoneyShort(view.Price{Minor: r.PriceAmount, Currency: r.Currency})},
		{Name: sh.T("Paid by card"), Text: some(r.Money.Paid)},
		{Name: sh.T("Refunded"), Text: some(r.Money.OrderRefunded)},
		{Name: sh.T("Paid at the studio"), Text: some(r.Money.PaidAtStudio), Tone: "ok"},
		{Name: sh.C("booking", "Payment"), Text: r.payment(sh), Href: r.paymentHref(c)},
		{Name: sh.T("Due at the studio"), Text: some(r.Money.Due), Tone: "warn"},
		{Name: sh.T("Saved card"), Text: r.chargeOf(sh)},
		{Name: sh.T("Fees due"), Text: some(r.Money.FeesDue), Tone: "bad"},
	}
	return list
}

// payment renders the label of its payments, and paymentHref the address: the one payment, or the list of several.
func (r record) payment(sh ui.Shell) string {
	if len(r.Paid) == 0 {
		return ""
	}
	return sh.T("Items, fees and refunds")
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

// deadlines renders the deadlines of a booking, with their costs.
func (r record) deadlines(c *desk.Call) []string {
	sh := c.UI
	w := wordsAt(c, r.Zone)
	now := c.Desk.Clock.Now()
	var out []string
	if a, ok := r.May[booking.ActCancel]; ok && r.State == booking.Confirmed {
		if a.FreeUntil.After(now) {
			out = append(out, sh.T("The customer can cancel free of charge until {when}.", "when", w.ShortWhen(a.FreeUntil)))
		} else {
			out = append(out, sh.T("If the customer cancels, the price is not refunded."))
		}
		if a.FeeAmount > 0 && !a.LateFrom.IsZero() {
			if a.LateFrom.After(now) {
				out = append(out, sh.T("From {when}, the customer pays a {fee} late-cancellation fee.", "when", w.ShortWhen(a.LateFrom), "fee", sh.Cash(a.FeeAmount, r.Currency)))
			} else {
				out = append(out, sh.T("If the customer cancels now, they pay a {fee} late-cancellation fee.", "fee", sh.Cash(a.FeeAmount, r.Currency)))
			}
		}
	}
	if a, ok := r.May[booking.ActReschedule]; ok {
		out = append(out, sh.T("It can be rescheduled until {when}.", "when", w.ShortWhen(a.Until)))
		if own, ok := r.CustomerMay(booking.ActReschedule, now); ok && own.Until.Before(a.Until) {
			out = append(out, sh.T("The customer can reschedule until {when}.", "when", w.ShortWhen(own.Until)))
		}
	}
	if a, ok := r.May[booking.ActUndoCheckIn]; ok {
		out = append(out, sh.T("You can undo the check-in until {when}.", "when", w.ShortWhen(a.Until)))
	}
	if a, ok := r.May[booking.ActApprove]; ok {
		out = append(out, sh.T("Approve or decline by {when}.", "when", w.ShortWhen(a.Until)))
	}
	if r.State == booking.NoShow && r.ReviewAt != nil && r.ReviewAt.After(now) {
		out = append(out, sh.T("The no-show fee is in review until {when}.", "when", w.ShortWhen(*r.ReviewAt)))
	}
	if r.GraceUntil != nil && r.GraceUntil.After(now) {
		out = append(out, sh.T("Promoted late from the waitlist: the customer can cancel free of charge until {when}.", "when", w.ShortWhen(*r.GraceUntil)))
	}
	return out
}

// policy renders the rules of the booking.
func (r record) policy(sh ui.Shell) []string {
	if r.Course() {
		return r.Rules.CourseSummary(r.Currency, sh.Lang())
	}
	return r.Rules.Summary(r.Kind, r.Currency, sh.Lang())
}

// recurs reports whether the booking is part of a recurring booking, not of a course.
func recurs(b booking.StudioBooking) bool { return b.GroupID != nil && !b.Course() }

// byTheDate reports whether a booking is of a class.
func byTheDate(b booking.StudioBooking) bool { return b.Kind == catalog.Class }
