package dates

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/paging"
	"foyer/app/patch"
	"foyer/app/view"
	"foyer/app/walkin"
	"foyer/policy"
)

// door mounts the screen of walk-ins.
func (s *screens) door(d *desk.Desk) {
	inputs := []string{"offeringId", "party", "minutes", "customer.name", "customer.email"}
	d.Page("getWalkins", "/walkins", s.walkins)
	d.Form("checkInWalkin", "/walkins", desk.Form{Do: s.letIn, Show: s.walkins, Inputs: inputs})
	d.Form("checkOutWalkin", "/walkins/:booking/check-out", desk.Form{Do: s.letOut})
	d.Form("updateWalkins", "/walkins/switch", desk.Form{Do: s.switchDoor})
}

// doorway is the data of the screen.
type doorway struct {
	walkin.Desk
	Offers    []ui.Option
	Inside    []booking.StudioBooking
	Lacks     map[uuid.UUID][]string // outstanding agreements of those checked in, by booking
	Money     map[uuid.UUID]order.Money
	Locations []business.Location // to choose from if all are selected
}

// insideFor bounds the check-in time of walk-ins still present.
const insideFor = 24 * time.Hour

func (s *screens) walkins(c *desk.Call) (ui.Screen, error) {
	var w doorway
	out := ui.Screen{Title: c.UI.T("Walk-ins"), Area: "today", Up: &view.Link{Text: c.UI.T("Today"), Href: c.To("")}, Sheet: true}
	if c.Location == nil {
		w.Locations = c.Workspace.Locations
		out.Body = walkinsBody(c, w)
		return out, nil
	}
	c.UI.Zone = civil.ZoneOrUTC(c.Location.Zone)
	now := s.Clock.Now()
	err := desk.Together(
		func() (err error) {
			w.Desk, err = s.Walkin.Desk(c.Context(), c.Scope, c.LocationID())
			return err
		},
		func() error {
			page, err := s.Catalog.List(c.Context(), c.Scope, catalog.ListInput{
				LocationID: c.LocationID(), Kind: catalog.Rental, State: catalog.Published, Page: paging.In[catalog.Key]{Limit: paging.Max},
			})
			for _, o := range page.Items {
				if o.Walkins {
					w.Offers = append(w.Offers, ui.Option{Value: o.ID.String(), Text: o.Name})
				}
			}
			return err
		},
		func() error {
			if !c.May("listBookings") {
				return nil
			}
			page, err := s.Booking.List(c.Context(), c.Scope, booking.ListInput{
				LocationID: c.LocationID(), State: booking.CheckedIn, From: now.Add(-insideFor), To: now.Add(time.Minute),
				Page: paging.In[paging.Moment]{Limit: paging.Max},
			})
			for _, b := range page.Items {
				if b.Kind == catalog.Rental && b.CheckedOutAt == nil && b.EndsAt.After(now) {
					w.Inside = append(w.Inside, b)
				}
			}
			if err == nil {
				w.Lacks, err = c.Lacks(w.Inside)
			}
			if err == nil {
				w.Money, err = c.Money(w.Inside)
			}
			return err
		},
	)
	out.Lead, out.Body = c.Location.Name, walkinsBody(c, w)
	return out, err
}

// here returns the selected location. It is an error if all are selected.
func here(c *desk.Call) (uuid.UUID, error) {
	if c.Location == nil {
		return uuid.Nil, fault.Missing()
	}
	return c.Location.ID, nil
}

func (s *screens) letIn(c *desk.Call, ctx context.Context) (desk.Done, error) {
	at, err := here(c)
	if err != nil {
		return desk.Done{}, err
	}
	party, whole := c.Number("party")
	if !whole && c.Value("party") != "" {
		return desk.Done{}, fault.Invalid("party", "Enter a whole number.")
	}
	if c.UUID("offeringId") == uuid.Nil {
		return desk.Done{}, fault.Invalid("offeringId", "Choose an offering.")
	}
	stay, err := s.Walkin.CheckIn(ctx, c.Scope, walkin.CheckInInput{
		LocationID: at, OfferingID: c.UUID("offeringId"), Party: party,
		Customer: booking.CustomerRef{Email: c.Value("customer.email"), Name: c.Value("customer.name")},
	})
	if err != nil {
		return desk.Done{}, err
	}
	name := ui.Who(c.UI, stay.Attendee, stay.CustomerName, "")
	said := c.UI.T("Checked in {name} to {room} until {time}.", "name", name, "room", stay.Space, "time", c.UI.Time(stay.EndsAt))
	if stay.DueAmount > 0 {
		price := c.UI.Money(view.Price{Minor: stay.DueAmount, Currency: stay.Currency})
		said = c.UI.T("Checked in {name} to {room} until {time}. {amount} is due at the desk.", "name", name, "room", stay.Space, "time", c.UI.Time(stay.EndsAt), "amount", price)
	}
	return desk.Done{Said: said}, nil
}

func (s *screens) letOut(c *desk.Call, ctx context.Context) (desk.Done, error) {
	at, err := here(c)
	if err != nil {
		return desk.Done{}, err
	}
	id, err := c.ID("booking")
	if err != nil {
		return desk.Done{}, err
	}
	stay, err := s.Walkin.CheckOut(ctx, c.Scope, at, id)
	return desk.Done{Said: c.UI.T("Checked out {name}.", "name", ui.Who(c.UI, stay.Attendee, stay.CustomerName, ""))}, err
}

// pauses are the lengths of a pause in one tap, in minutes.
var pauses = []int{30, 60, 120}

func (s *screens) switchDoor(c *desk.Call, ctx context.Context) (desk.Done, error) {
	at, err := here(c)
	if err != nil {
		return desk.Done{}, err
	}
	in := walkin.SwitchInput{LocationID: at, Version: c.Version()}
	var said string
	switch what := c.Value("what"); what {
	case "on", "off":
		on := what == "on"
		in.On, said = &on, c.UI.T("Walk-ins are off. Visits in progress continue.")
		if on {
			said = c.UI.T("Walk-ins are on.")
		}
	case "resume":
		in.PausedUntil, said = patch.None[time.Time](), c.UI.T("Walk-ins resumed.")
	default:
		minutes, whole := c.Number("minutes")
		if !whole {
			return desk.Done{}, fault.Invalid("minutes", "Enter a whole number.")
		}
		until := s.Clock.Now().Add(time.Duration(minutes) * time.Minute)
		in.PausedUntil, said = patch.Some(until), c.UI.T("Walk-ins are paused until {time}.", "time", c.UI.Time(until))
	}
	_, err = s.Walkin.Switch(ctx, c.Scope, in)
	return desk.Done{Said: said}, err
}

// tends reports whether the caller may check walk-ins in and out here: an instructor limited to their own dates may
// not.
func tends(c *desk.Call) bool {
	return policy.RequireAt(c.Scope, policy.BookingManage, c.LocationID()) == nil
}

// says renders the state of walk-ins.
func (w doorway) says(sh ui.Shell) string {
	switch {
	case !w.On:
		return sh.T("Walk-ins are off at this location.")
	case w.PausedUntil != nil:
		return sh.T("Paused until {when}.", "when", sh.ShortWhen(*w.PausedUntil))
	case w.Hidden == walkin.Paused:
		return sh.T("The studio is not taking bookings right now.")
	case w.Hidden == walkin.NoCapacity:
		return sh.T("No room here accepts walk-ins. Rentals priced per person can.")
	case w.State == walkin.Closed && w.Until != nil:
		return sh.T("Closed. Opens {when}.", "when", sh.ShortWhen(*w.Until))
	case w.State == walkin.Closed:
		return sh.T("Closed.")
	case w.State == walkin.Full:
		return sh.T("Full right now.")
	case w.Until != nil:
		return sh.T("Open until {time}.", "time", sh.Time(*w.Until))
	}
	return sh.T("Open.")
}
