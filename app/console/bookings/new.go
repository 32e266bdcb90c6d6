package bookings

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/paging"
	"foyer/app/view"
	"foyer/billing/tender"
	"foyer/policy"
)

// making is a new booking: its item, its customer, and its effects. Open choices are made one after the other; each
// is in the address.
type making struct {
	In       booking.BookInput
	Date     *booking.Roster // the chosen date
	Offer    *offer          // the chosen offering, before its time is chosen
	Course   *catalog.Offering
	Customer *crm.Customer
	Made     booking.Made
	Due      int64      // at the studio, with tax
	Cash     *owed.Sale // sale of a booking paid at once; nil: none, or not by the caller
	Refused  string

	Day       civil.Date
	Dates     []agenda.Date
	Offerings []catalog.OfferingName
	Found     []crm.Customer
}

// timed reports whether item and time are chosen.
func (m making) timed() bool {
	return m.In.OccurrenceID != uuid.Nil || m.In.OfferingID != uuid.Nil || m.In.Time != nil
}

// bookInput returns the booking in the address, or the form.
func (s *screens) bookInput(c *desk.Call, zone *time.Location) (booking.BookInput, error) {
	in := booking.BookInput{
		Customer: whoOf(c), OccurrenceID: c.UUID("date"), Attendee: c.Value("attendee"), Note: c.Value("note"),
		Override: c.Ticked("override"), Reason: c.Value("reason"),
	}
	var checks fault.Checks
	in.Party = number(c, &checks, "party")
	if err := checks.Err(); err != nil {
		return in, err
	}
	offering := c.UUID("offering")
	if in.OccurrenceID != uuid.Nil || offering == uuid.Nil {
		return in, nil
	}
	if c.Ticked("course") {
		in.OfferingID = offering
		return in, nil
	}
	at, err := startAt(c, zone)
	if !at.IsZero() {
		t := booking.Times{OfferingID: offering, StartsAt: at, MemberID: orNil(giver(c)), SpaceID: orNil(c.UUID("space"))}
		t.Minutes, _ = c.Number("minutes")
		in.Time = &t
	}
	return in, err
}

// whoOf returns the customer in the address: by the record, or by an e-mail address of a record of another location.
func whoOf(c *desk.Call) booking.CustomerRef {
	if id := c.UUID("customer"); id != uuid.Nil {
		return booking.CustomerRef{CustomerID: id}
	}
	return booking.CustomerRef{Email: c.Value("address")}
}

// ownOnly reports whether the caller books for their own dates only, as an instructor does.
func ownOnly(c *desk.Call) bool {
	at, all := c.Scope.Grants.Locations(policy.BookingManage)
	return !all && len(at) == 0
}

// giver returns the chosen instructor of an appointment, or the caller if they may book no other.
func giver(c *desk.Call) uuid.UUID {
	if ownOnly(c) {
		return c.Workspace.Member
	}
	return c.UUID("member")
}

// startAt is startOf for the page of a new booking, with "date" for a date of a class.
func startAt(c *desk.Call, zone *time.Location) (time.Time, error) {
	if at, err := time.Parse(time.RFC3339, c.Value("start")); err == nil {
		return at, nil
	}
	return wall(c.Value("on"), c.Value("time"), zone)
}

func (s *screens) new(c *desk.Call) (ui.Screen, error) {
	c.Apart("attendee", "note", "reason", "q", "day", "paid")
	m := making{}
	var err error
	if offering := c.UUID("offering"); offering != uuid.Nil && c.UUID("date") == uuid.Nil {
		o, err := s.offerOf(c, offering, wishOf(c))
		if err != nil {
			return ui.Screen{}, err
		}
		m.Offer, m.Refused = &o, ""
		if o.Enrolment == catalog.BySeries {
			m.Course = &o.Offering
		}
	}
	zone := c.Zone()
	if m.Offer != nil {
		zone = m.Offer.Zone
	}
	if m.In, err = s.bookInput(c, zone); err != nil {
		if m.Refused, err = c.Cannot(err); err != nil {
			return ui.Screen{}, err
		}
	}
	if err := s.chosenOf(c, &m); err != nil {
		return ui.Screen{}, err
	}
	sc := ui.Screen{Title: c.UI.T("New booking"), Area: "bookings", Lead: m.lead(c), Up: &view.Link{Text: c.UI.T("Bookings"), Href: c.To("/bookings")}}
	switch {
	case !m.timed():
		sc.Body = chooseTime(c, m)
	case m.Customer == nil:
		sc.Frame, sc.Part = "people", foundPeople(c, m)
		sc.Body = choosePerson(c, m)
	default:
		if err := s.rehearse(c, &m); err != nil {
			return ui.Screen{}, err
		}
		sc.Body = confirm(c, m)
	}
	return sc, nil
}

// chosenOf reads the choices made, and the options of the next one.
func (s *screens) chosenOf(c *desk.Call, m *making) (err error) {
	if m.In.OccurrenceID != uuid.Nil {
		r, err := s.Booking.RosterOf(c.Context(), c.Scope, booking.RosterInput{OccurrenceID: m.In.OccurrenceID, Page: paging.In[paging.Moment]{Limit: 1}})
		if err != nil {
			return err
		}
		m.Date = &r
	}
	if id := m.In.Customer.CustomerID; id != uuid.Nil {
		who, err := s.CRM.Get(c.Context(), c.Scope, id)
		if err != nil {
			return err
		}
		m.Customer = &who
	} else if m.In.Customer.Email != "" {
		m.Customer = &crm.Customer{Email: m.In.Customer.Email}
	}
	switch {
	case !m.timed() && m.Offer == nil:
		return s.whatIsOn(c, m)
	case m.timed() && m.Customer == nil:
		page, err := s.CRM.List(c.Context(), c.Scope, crm.ListInput{Query: c.Value("q"), Limit: 8})
		m.Found = page.Customers
		if err != nil && c.Told(err) {
			return nil
		}
		return err
	}
	return nil
}

// whatIsOn reads the dates of a day at the location, and the offerings with times of their own.
func (s *screens) whatIsOn(c *desk.Call, m *making) error {
	today := civil.LocalDate(s.Clock.Now(), c.Zone())
	if m.Day, _ = civil.ParseDate(c.Value("day")); m.Day.IsZero() || m.Day.Before(today) {
		m.Day = today
	}
	from, to := civil.DayBounds(m.Day, c.Zone())
	return desk.Together(
		func() error {
			all, err := s.Agenda.Dates(c.Context(), c.Scope, agenda.DatesInput{From: from, To: to, LocationID: c.LocationID()})
			for _, d := range all {
				if d.Kind == catalog.Class && d.EndsAt.After(s.Clock.Now()) {
					m.Dates = append(m.Dates, d)
				}
			}
			return err
		},
		func() error {
			all, err := s.Catalog.OfferingNames(c.Context(), c.Scope, catalog.OfferingNamesInput{LocationID: c.LocationID(), Limit: paging.Max})
			for _, o := range all {
				if o.Kind == catalog.Rental && ownOnly(c) {
					continue
				}
				if o.Kind != catalog.Class || o.Enrolment == catalog.BySeries {
					m.Offerings = append(m.Offerings, o)
				}
			}
			return err
		},
	)
}

// rehearse reads the effects of the booking.
func (s *screens) rehearse(c *desk.Call, m *making) error {
	in := m.In
	in.Reason, in.Note = later(in.Override), ""
	if utf8.RuneCountInString(in.Attendee) > booking.AttendeeMax { // refused at its field, which stays
		in.Attendee = ""
	}
	method := tender.Cash
	if !c.MayAt("createSale", m.location()) {
		method = ""
	}
	did, err := desk.Quote(c, "createBooking", s.books(c, in, method))
	m.Made = did.Done
	if did.Sale.Amount > 0 {
		m.Cash = &did.Sale
	}
	if err != nil {
		m.Refused, err = c.Cannot(err)
		return err
	}
	m.Due, err = s.dueAtStudio(c, m.Made.OfferingID, m.Made.Currency, m.Made.PriceAmount)
	return err
}

// dueAtStudio returns the amount due at the studio for listed prices of an offering.
func (s *screens) dueAtStudio(c *desk.Call, offering uuid.UUID, cur money.Currency, listed ...int64) (int64, error) {
	if !slices.ContainsFunc(listed, func(n int64) bool { return n > 0 }) {
		return 0, nil
	}
	return order.AtStudioOf(c.Context(), s.DB.View(c.Scope.Tenant), offering, cur, listed...)
}

// location returns the location of the booking.
func (m making) location() uuid.UUID {
	switch {
	case m.Date != nil:
		return m.Date.LocationID
	case m.Offer != nil:
		return m.Offer.LocationID
	}
	return uuid.Nil
}

// books returns the verb that books, and takes the payment if a payment method is given.
func (s *screens) books(
	c *desk.Call, in booking.BookInput, method tender.Kind,
) func(context.Context) (owed.Sold, error) {
	return func(ctx context.Context) (owed.Sold, error) {
		if method != "" {
			return s.Owed.Sell(ctx, c.Scope, in, method)
		}
		did, err := s.Booking.Book(ctx, c.Scope, in)
		return owed.Sold{Did: did}, err
	}
}

func (s *screens) make(c *desk.Call, ctx context.Context) (desk.Done, error) {
	c.Apart("attendee", "note", "reason", "q", "day", "paid")
	zone := c.Zone()
	if id := c.UUID("offering"); id != uuid.Nil && c.Value("on") != "" {
		o, err := s.offerOf(c, id, wishOf(c))
		if err != nil {
			return desk.Done{}, err
		}
		zone = o.Zone
	}
	in, err := s.bookInput(c, zone)
	if err != nil {
		return desk.Done{}, err
	}
	got, err := desk.Redeem(c, ctx, "createBooking", s.books(c, in, tender.Kind(c.Value("paid"))))
	if err != nil {
		return desk.Done{}, err
	}
	b := got.Booking
	if got.Sale.Amount > 0 {
		return desk.Done{
			To: c.To(path(b, "")),
			Said: c.UI.T("{name} is booked for {when} and has paid {amount}.", "name", who(c.UI, b), "when", wordsAt(c, b.Zone).ShortWhen(b.StartsAt),
				"amount", c.UI.Cash(got.Sale.Amount, got.Sale.Currency)),
		}, nil
	}
	return desk.Done{
		To:   c.To(path(b, "")),
		Said: c.UI.T("{name} is booked for {when}.", "name", who(c.UI, b), "when", wordsAt(c, b.Zone).ShortWhen(b.StartsAt)),
	}, nil
}

// newCustomer adds a customer and continues with them. A known customer is used unchanged: by their record, or by
// their address when the record is another location's and the caller may not open it.
func (s *screens) newCustomer(c *desk.Call, ctx context.Context) (desk.Done, error) {
	made, err := s.CRM.Create(ctx, c.Scope, crm.CreateInput{
		Name: c.Value("name"), Email: c.Value("email"), Phone: c.Value("phone"), LocationID: c.AddsAt("createCustomer"),
	})
	id := made.ID
	if errors.Is(err, crm.ErrExists) {
		text, _ := fault.From(err).Details["customerId"].(string)
		if id, err = uuid.Parse(text); err == nil {
			_, err = s.CRM.Get(c.Context(), c.Scope, id)
		}
		if errors.Is(err, policy.ErrMissingFeature) && !c.Ticked("weekly") {
			return desk.Done{To: onward(c, "address", c.Value("email"), "q", "")}, nil
		}
		if errors.Is(err, policy.ErrMissingFeature) {
			err = fault.Invalid("email", "This customer belongs to another location. Book one date for their address first.")
		}
	}
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{To: onward(c, "customer", id.String(), "q", "")}, nil
}

// asked is the page with the form of a new customer, after a refusal.
func (s *screens) asked(c *desk.Call) (ui.Screen, error) {
	if c.Ticked("weekly") {
		return s.recurring(c)
	}
	return s.new(c)
}

// screenOf returns the address of the new-booking page, also from the form of a new customer on it.
func screenOf(c *desk.Call) string {
	switch c.Path() {
	case c.To("/bookings/new/customer"):
		if c.Ticked("weekly") {
			return c.To("/bookings/recurring")
		}
		return c.To("/bookings/new")
	}
	return c.Path()
}

// onward returns the address of that page with other choices, in pairs.
func onward(c *desk.Call, params ...string) string {
	q := c.Inputs()
	for _, name := range []string{"name", "email", "phone", "weekly"} {
		q.Del(name)
	}
	for i := 0; i+1 < len(params); i += 2 {
		q.Del(params[i])
		if params[i+1] != "" {
			q.Set(params[i], params[i+1])
		}
	}
	return screenOf(c) + "?" + q.Encode()
}

// lead renders the choices so far, in one line.
func (m making) lead(c *desk.Call) string {
	what, at := "", ""
	switch {
	case m.Date != nil:
		w := wordsAt(c, m.Date.Zone)
		what, at = m.Date.OfferingName, w.When(m.Date.StartsAt, int(m.Date.EndsAt.Sub(m.Date.StartsAt).Minutes()))
	case m.Offer != nil:
		what = m.Offer.Name
		if m.In.Time != nil {
			w := c.UI.Words
			w.Zone = m.Offer.Zone
			at = w.ShortWhen(m.In.Time.StartsAt)
		}
	}
	name := ""
	if m.Customer != nil {
		name = ui.Who(c.UI, "", m.Customer.Name, m.Customer.Email)
	}
	return view.Joined(" · ", what, at, name)
}

// everyWeek returns the address of the page of recurring bookings; empty where there is none.
func (m making) everyWeek(c *desk.Call) string {
	var at time.Time
	var offering uuid.UUID
	var zone *time.Location
	switch {
	case !c.May("createRecurringBooking"), m.Course != nil, m.Customer.ID == uuid.Nil:
		return ""
	case m.Date != nil:
		at, offering, zone = m.Date.StartsAt, m.Date.OfferingID, civil.ZoneOrUTC(m.Date.Zone)
	case m.In.Time != nil:
		at, offering, zone = m.In.Time.StartsAt, m.In.Time.OfferingID, m.Offer.Zone
	default:
		return ""
	}
	local := at.In(zone)
	return c.To("/bookings/recurring", "offering", offering.String(), "customer", m.Customer.ID.String(), "from", local.Format(time.DateOnly),
		"time", local.Format("15:04"), "weekdays", strconv.Itoa(int(local.Weekday())), "count", countOf(m.Date == nil), "party", c.Value("party"),
		"member", c.Value("member"), "space", c.Value("space"), "minutes", c.Value("minutes"))
}

// countOf returns the default number of repetitions of an offering without dates of its own.
func countOf(own bool) string {
	if own {
		return "8"
	}
	return ""
}

// outcomes returns all effects of the booking.
func (m making) outcomes(c *desk.Call) []ui.Outcome {
	sh := c.UI
	name := ui.Who(sh, "", m.Customer.Name, m.Customer.Email)
	out := []ui.Outcome{{Text: sh.T("{name} is booked", "name", name)}}
	if n := len(m.Made.Dates); n > 0 {
		out[0].Text = sh.N(n, "{name} is booked on {n} date", "{name} is booked on {n} dates", "name", name)
	}
	for _, over := range m.Made.Overridden {
		out = append(out, ui.Outcome{Text: aside(sh, over), Bad: true})
	}
	if m.Due > 0 {
		out = append(out, ui.Outcome{Text: sh.T("Due at the studio"), Amount: sh.Cash(m.Due, m.Made.Currency)})
	} else {
		out = append(out, ui.Outcome{Text: sh.T("No payment due")})
	}
	if m.Customer.Email != "" {
		out = append(out, ui.Outcome{Text: sh.T("{name} is notified by e-mail", "name", name)})
	} else {
		out = append(out, ui.Outcome{Text: sh.T("Not notified: no e-mail address")})
	}
	return out
}
