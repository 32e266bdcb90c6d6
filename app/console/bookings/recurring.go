package bookings

import (
	"context"
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
	"foyer/app/order"
	"foyer/app/paging"
	"foyer/app/schedule"
	"foyer/app/view"
)

// recurring is a new recurring booking: its item, customer and days, and the result for each date. Each choice is in
// the address.
type recurring struct {
	Offer     *offer
	Customer  *crm.Customer
	In        booking.RecurringInput
	Chosen    bool          // the days are chosen
	Dates     []agenda.Date // of a class: all on these days, excluded ones too
	Without   []uuid.UUID   // excluded dates of a class
	Made      booking.Recurring
	Pricing   catalog.Pricing // of Made: charges added to the prices
	Refused   string
	Offerings []catalog.OfferingName
	Found     []crm.Customer
}

// recurringWords are not part of the quote, as they change no effect.
var recurringWords = []string{"attendee", "note", "reason", "q", "day"}

func (s *screens) recurring(c *desk.Call) (ui.Screen, error) {
	c.Apart(recurringWords...)
	var r recurring
	sc := ui.Screen{Title: c.UI.T("Recurring booking"), Area: "bookings", Up: &view.Link{Text: c.UI.T("Bookings"), Href: c.To("/bookings")}}
	err := s.recurs(c, &r)
	if err == nil && r.Chosen {
		err = s.tryAll(c, &r)
	}
	if err != nil && !c.Refused(err, recurringFields) {
		return sc, err
	}
	sc.Lead = r.lead(c)
	switch {
	case r.Offer == nil:
		sc.Body = recurringOffers(c, r)
	case r.Customer == nil:
		m := making{Found: r.Found}
		sc.Frame, sc.Part = "people", foundPeople(c, m)
		sc.Body = choosePerson(c, m)
	default:
		sc.Body = recurringBody(c, r)
	}
	return sc, nil
}

// recurringFields are the possible fields of a refusal.
var recurringFields = []string{"from", "until", "weekdays", "time", "every", "count", "minutes", "party", "attendee", "note", "reason", "q"}

// recurs reads the choices from the address, or the form, and the options of the next one.
func (s *screens) recurs(c *desk.Call, r *recurring) error {
	if id := c.UUID("customer"); id != uuid.Nil {
		who, err := s.CRM.Get(c.Context(), c.Scope, id)
		if err != nil {
			return err
		}
		r.Customer = &who
	}
	id := c.UUID("offering")
	if id == uuid.Nil {
		all, err := s.Catalog.OfferingNames(c.Context(), c.Scope, catalog.OfferingNamesInput{LocationID: c.LocationID(), Limit: paging.Max})
		r.Offerings = slices.DeleteFunc(all, func(o catalog.OfferingName) bool { return o.Enrolment == catalog.BySeries })
		return err
	}
	o, err := s.offerOf(c, id, wish{})
	if err != nil {
		return err
	}
	r.Offer = &o
	if r.Customer == nil {
		page, err := s.CRM.List(c.Context(), c.Scope, crm.ListInput{Query: c.Value("q"), Limit: 8})
		r.Found = page.Customers
		if err != nil && c.Told(err) {
			return nil
		}
		return err
	}
	return s.rule(c, r)
}

// rule returns the input of the verb: dates of a class on these days, or wall-clock times.
func (s *screens) rule(c *desk.Call, r *recurring) (err error) {
	var checks fault.Checks
	r.In = booking.RecurringInput{
		Customer: booking.CustomerRef{CustomerID: r.Customer.ID}, OfferingID: r.Offer.ID, OnClash: booking.ClashSkip, Attendee: c.Value("attendee"), Note: c.Value("note"),
		Override: c.Ticked("override"), Reason: c.Value("reason"), Weekdays: days(c), Party: number(c, &checks, "party"),
	}
	day := func(name string) (d civil.Date) {
		if c.Value(name) != "" {
			d, err = civil.ParseDate(c.Value(name))
			checks.That(err == nil, name, "This date does not exist.")
		}
		return d
	}
	r.In.From, r.In.Until = day("from"), day("until")
	clock, err := civil.ParseClock(c.Value("time"))
	checks.That(err == nil || c.Value("time") == "", "time", "Enter a time such as 18:30.")
	timed := err == nil
	r.Chosen = !r.In.From.IsZero() && (r.Offer.Kind == catalog.Class || c.Value("time") != "")
	if r.Offer.Kind == catalog.Class {
		if err := checks.Err(); err != nil || !r.Chosen {
			return err
		}
		return s.dates(c, r, clock, timed)
	}
	t := booking.RecurringTimes{At: clock, Minutes: number(c, &checks, "minutes"), Every: number(c, &checks, "every"), MemberID: orNil(c.UUID("member")),
		SpaceID: orNil(c.UUID("space"))}
	if c.Value("count") != "" {
		n := number(c, &checks, "count")
		t.Count = &n
	}
	r.In.Times = &t
	return checks.Err()
}

// number returns a whole number of a field; 0 when it is empty.
func number(c *desk.Call, checks *fault.Checks, name string) int {
	n, ok := c.Number(name)
	checks.That(ok && n >= 1 || c.Value(name) == "", name, "Enter a whole number, 1 or more.")
	return n
}

func days(c *desk.Call) (out []time.Weekday) {
	for _, v := range c.Values("weekdays") {
		if n, err := strconv.Atoi(v); err == nil && n >= 0 && n < 7 && !slices.Contains(out, time.Weekday(n)) {
			out = append(out, time.Weekday(n))
		}
	}
	return out
}

// The calendar of a class reaches 26 weeks ahead, and is read in parts.
const (
	weeksAhead = 27
	partDays   = 40
)

// dates reads the dates of a class on the chosen days, at the chosen time, if any.
func (s *screens) dates(c *desk.Call, r *recurring, at civil.Clock, timed bool) error {
	last := r.In.From.AddDays(7 * weeksAhead)
	if r.In.Until.IsZero() || last.Before(r.In.Until) {
		r.In.Until = last
	}
	if r.In.Until.Before(r.In.From) {
		return fault.Invalid("until", "The last day must not be before the first.")
	}
	for from := r.In.From; !r.In.Until.Before(from); from = from.AddDays(partDays) {
		to := from.AddDays(partDays)
		if r.In.Until.AddDays(1).Before(to) {
			to = r.In.Until.AddDays(1)
		}
		some, err := s.Agenda.Dates(c.Context(), c.Scope, agenda.DatesInput{
			From: civil.StartOfDay(from, r.Offer.Zone), To: civil.StartOfDay(to, r.Offer.Zone), OfferingID: r.Offer.ID,
		})
		if err != nil {
			return err
		}
		for _, d := range some {
			if r.wants(d, at, timed) && !slices.ContainsFunc(r.Dates, func(x agenda.Date) bool { return x.ID == d.ID }) {
				r.Dates = append(r.Dates, d)
			}
		}
	}
	r.Without = c.UUIDs("without")
	for _, d := range r.Dates {
		if !slices.Contains(r.Without, d.ID) {
			r.In.OccurrenceIDs = append(r.In.OccurrenceIDs, d.ID)
		}
	}
	r.In.From, r.In.Until = civil.Date{}, civil.Date{} // these dates, and no rule
	r.In.Weekdays = nil
	if len(r.In.OccurrenceIDs) == 0 {
		return fault.Invalid("until", "There is no date in this period.")
	}
	return nil
}

func (r *recurring) wants(d agenda.Date, at civil.Clock, timed bool) bool {
	local := d.StartsAt.In(r.Offer.Zone)
	return d.State == schedule.Scheduled && (len(r.In.Weekdays) == 0 || slices.Contains(r.In.Weekdays, local.Weekday())) &&
		(!timed || local.Format("15:04") == at.String())
}

// tryAll reads the result for each date.
func (s *screens) tryAll(c *desk.Call, r *recurring) error {
	in := r.In
	in.Reason, in.Note = later(in.Override), ""
	if utf8.RuneCountInString(in.Attendee) > booking.AttendeeMax { // refused at its field, which stays
		in.Attendee = ""
	}
	got, err := desk.Quote(c, "createRecurringBooking", func(ctx context.Context) (booking.Recurring, error) {
		return s.Booking.BookRecurring(ctx, c.Scope, in)
	})
	r.Made = got
	if f := fault.From(err); f != nil && f.Reason == booking.ErrClashes.Reason {
		r.Made.Clashes, _ = f.Details["clashes"].([]booking.Clash)
		r.Refused = c.UI.T("None of these dates can be booked.")
		return nil
	}
	if err == nil && len(got.Bookings) > 0 {
		r.Pricing, err = catalog.PricingOf(c.Context(), s.DB.View(c.Scope.Tenant), got.Bookings[0].OfferingID)
	}
	return err
}

func (s *screens) makeRecurring(c *desk.Call, ctx context.Context) (desk.Done, error) {
	c.Apart(recurringWords...)
	var r recurring
	if err := s.recurs(c, &r); err != nil {
		return desk.Done{}, err
	}
	if !r.Chosen {
		return desk.Done{}, fault.Invalid("from", "Choose the days first.")
	}
	got, err := desk.Redeem(c, ctx, "createRecurringBooking", func(ctx context.Context) (booking.Recurring, error) {
		return s.Booking.BookRecurring(ctx, c.Scope, r.In)
	})
	if err != nil {
		return desk.Done{}, err
	}
	said := []string{c.UI.N(len(got.Bookings), "{name} is booked on {n} date.", "{name} is booked on {n} dates.", "name", r.name(c))}
	for i, clash := range got.Clashes {
		if i < refusedNamed {
			said = append(said, c.UI.T("Not booked on {when}: {why}", "when", r.when(c, clash.StartsAt), "why", why(c.UI, clash.Reason)))
		}
	}
	return desk.Done{To: c.To("/bookings", "group", got.GroupID.String()), Said: view.Joined(" ", said...), Bad: len(got.Clashes) > 0}, nil
}

func (r recurring) name(c *desk.Call) string {
	return ui.Who(c.UI, "", r.Customer.Name, r.Customer.Email)
}

// when renders an instant in the location's time zone.
func (r recurring) when(c *desk.Call, at time.Time) string {
	w := c.UI.Words
	w.Zone = r.Offer.Zone
	return w.ShortWhen(at)
}

// lead renders the choices so far, in one line.
func (r recurring) lead(c *desk.Call) string {
	what, name := "", ""
	if r.Offer != nil {
		what = r.Offer.Name
	}
	if r.Customer != nil {
		name = r.name(c)
	}
	return view.Joined(" · ", what, name)
}

// row is the result for one date.
type row struct {
	At         time.Time
	ID         uuid.UUID // of a date of a class
	Clash      string    // reason why it is not booked; empty: booked
	Out        bool      // excluded by the caller
	Overridden []string  // rules overridden
	Price      int64
}

// rows returns all dates in their order: booked ones, conflicts, excluded ones.
func (r recurring) rows(c *desk.Call) []row {
	var out []row
	for _, b := range r.Made.Bookings {
		out = append(out, row{At: b.StartsAt, ID: b.OccurrenceID, Overridden: b.Overridden, Price: r.due(b)})
	}
	for _, x := range r.Made.Clashes {
		one := row{At: x.StartsAt, Clash: why(c.UI, x.Reason)}
		if x.OccurrenceID != nil {
			one.ID = *x.OccurrenceID
		}
		out = append(out, one)
	}
	for _, d := range r.Dates {
		if slices.Contains(r.Without, d.ID) {
			out = append(out, row{At: d.StartsAt, ID: d.ID, Out: true})
		}
	}
	slices.SortStableFunc(out, func(a, b row) int { return a.At.Compare(b.At) })
	return out
}

// price returns the total price.
func (r recurring) price() (sum int64) {
	for _, b := range r.Made.Bookings {
		sum += r.due(b)
	}
	return sum
}

// due returns the amount due at the studio for one of the bookings, with tax.
func (r recurring) due(b booking.Booked) int64 {
	return order.AtStudioAmount(b.PriceAmount, r.Pricing, b.Currency)
}
