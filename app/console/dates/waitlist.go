package dates

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/crm"
	"foyer/app/tenancy"
	"foyer/app/waitlist"
)

// decision is a one-tap decision of the studio about an entry.
type decision struct {
	op, path string
	do       func(c *desk.Call, ctx context.Context) (desk.Done, error)
}

// deciding is a verb about an entry.
type deciding func(ctx context.Context, sc tenancy.Scope, in waitlist.EntryInput) (waitlist.StudioEntry, error)

func (s *screens) decisions() []decision {
	return []decision{
		{"promoteFromWaitlist", "promote", s.decide(s.Waitlist.Promote, func(sh ui.Shell, name string) string {
			return sh.T("Booked {name} from the waitlist and notified them.", "name", name)
		})},
		{"offerFromWaitlist", "offer", s.decide(s.Waitlist.Offer, func(sh ui.Shell, name string) string {
			return sh.T("Offered {name} a spot and notified them.", "name", name)
		})},
		{"skipOnWaitlist", "skip", s.decide(s.Waitlist.Skip, func(sh ui.Shell, name string) string {
			return sh.T("Skipped {name}.", "name", name)
		})},
		{"reorderWaitlist", "reorder", func(c *desk.Call, ctx context.Context) (desk.Done, error) {
			to, _ := c.Number("position")
			verb := func(ctx context.Context, sc tenancy.Scope, in waitlist.EntryInput) (waitlist.StudioEntry, error) {
				return s.Waitlist.Reorder(ctx, sc, in, to)
			}
			return s.decide(verb, func(sh ui.Shell, name string) string {
				return sh.T("Changed the position of {name} on the waitlist.", "name", name)
			})(c, ctx)
		}},
		{"removeFromWaitlist", "remove", func(c *desk.Call, ctx context.Context) (desk.Done, error) {
			_, in, err := s.entry(c)
			if err == nil {
				err = s.Waitlist.Remove(ctx, c.Scope, in)
			}
			return desk.Done{Said: c.UI.T("Removed from the waitlist.")}, err
		}},
	}
}

// entry reads the entry of the address.
func (s *screens) entry(c *desk.Call) (d agenda.Date, in waitlist.EntryInput, err error) {
	if d, err = s.date(c); err != nil {
		return d, in, err
	}
	id, err := c.ID("entry")
	return d, waitlist.EntryInput{OfferingID: d.OfferingID, OccurrenceID: d.ID, EntryID: id}, err
}

func (s *screens) decide(verb deciding, said func(sh ui.Shell, name string) string) func(c *desk.Call, ctx context.Context) (desk.Done, error) {
	return func(c *desk.Call, ctx context.Context) (desk.Done, error) {
		_, in, err := s.entry(c)
		if err != nil {
			return desk.Done{}, err
		}
		e, err := verb(ctx, c.Scope, in)
		return desk.Done{Said: said(c.UI, waiter(c.UI, e))}, err
	}
}

func waiter(sh ui.Shell, e waitlist.StudioEntry) string {
	return ui.Who(sh, e.Attendee, e.CustomerName, e.CustomerEmail)
}

// waits renders the state of an entry.
func waits(sh ui.Shell, e waitlist.StudioEntry) string {
	switch e.State {
	case waitlist.Offered:
		if e.OfferUntil != nil {
			return sh.T("Spot offered until {when}", "when", sh.ShortWhen(*e.OfferUntil))
		}
		return sh.T("Spot offered")
	case waitlist.Expired:
		return sh.T("Offer expired")
	case waitlist.Skipped:
		return sh.T("Skipped")
	}
	return sh.T("Waiting since {when}", "when", sh.ShortWhen(e.CreatedAt))
}

// candidates is the maximum number of customers in a search.
const candidates = 20

func (s *screens) askWaiter(c *desk.Call) (ui.Screen, error) {
	d, err := s.date(c)
	if err != nil {
		return ui.Screen{}, err
	}
	var found []crm.Customer
	q := c.Value("q")
	if q != "" && c.May("listCustomers") {
		page, err := s.CRM.List(c.Context(), c.Scope, crm.ListInput{Query: q, Limit: candidates})
		if err != nil {
			return ui.Screen{}, err
		}
		found = page.Customers
	}
	return ui.Screen{
		Title: c.UI.T("Add to waitlist"), Lead: lead(c, d), Area: "calendar", Up: up(c, d), Body: waiterBody(c, d, q, found), Sheet: true,
	}, nil
}

func (s *screens) addWaiter(c *desk.Call, ctx context.Context) (desk.Done, error) {
	d, err := s.date(c)
	if err != nil {
		return desk.Done{}, err
	}
	party, _ := c.Number("party")
	in := waitlist.AddInput{CustomerID: c.UUID("customerId"), Reason: c.Value("reason"), JoinInput: waitlist.JoinInput{
		OfferingID: d.OfferingID, OccurrenceID: d.ID, Party: party, Attendee: c.Value("attendee"),
	}}
	e, err := s.Waitlist.Add(ctx, c.Scope, in)
	return desk.Done{To: home(c, d), Said: c.UI.T("Added {name} to the waitlist and notified them.", "name", waiter(c.UI, e))}, err
}

// options returns customers to choose from, with the last typed one selected.
func options(list []crm.Customer) (out []ui.Option, first string) {
	for i, k := range list {
		name := k.Name
		if name == "" {
			name = k.Email
		}
		out = append(out, ui.Option{Value: k.ID.String(), Text: name, Hint: k.Email})
		if i == 0 {
			first = k.ID.String()
		}
	}
	return out, first
}

// idOr returns an id as a field's value; empty for none.
func idOr(id *uuid.UUID) string {
	if id == nil {
		return ""
	}
	return id.String()
}
