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

// decision is what the studio decides about an entry with one tap.
type decision struct {
	op, path string
	do       func(c *desk.Call, ctx context.Context) (desk.Done, error)
}

// deciding is a verb about an entry.
type deciding func(ctx context.Context, sc tenancy.Scope, in waitlist.EntryInput) (waitlist.StudioEntry, error)

func (s *screens) decisions() []decision {
	return []decision{
		{"promoteFromWaitlist", "promote", s.decide(s.Waitlist.Promote, func(sh ui.Shell, name string) string {
			return sh.T("Booked {name} from the waitlist. They are told.", "name", name)
		})},
		{"offerFromWaitlist", "offer", s.decide(s.Waitlist.Offer, func(sh ui.Shell, name string) string {
			return sh.T("{name} has a place on offer and is told.", "name", name)
		})},
		{"skipOnWaitlist", "skip", s.decide(s.Waitlist.Skip, func(sh ui.Shell, name string) string {
			return sh.T("Passed over {name}.", "name", name)
		})},
		{"moveOnWaitlist", "move", func(c *desk.Call, ctx context.Context) (desk.Done, error) {
			to, _ := c.Number("position")
			verb := func(ctx context.Context, sc tenancy.Scope, in waitlist.EntryInput) (waitlist.StudioEntry, error) {
				return s.Waitlist.Reorder(ctx, sc, in, to)
			}
			return s.decide(verb, func(sh ui.Shell, name string) string { return sh.T("{name} has another place in line.", "name", name) })(c, ctx)
		}},
		{"removeFromWaitlist", "remove", func(c *desk.Call, ctx context.Context) (desk.Done, error) {
			_, in, err := s.entry(c)
			if err == nil {
				err = s.Waitlist.Remove(ctx, c.Scope, in)
			}
			return desk.Done{Said: c.UI.T("Taken off the waitlist.")}, err
		}},
	}
}

// entry is the one that the address names.
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

// waits is why an entry stands where it stands.
func waits(sh ui.Shell, e waitlist.StudioEntry) string {
	switch e.State {
	case waitlist.Offered:
		if e.OfferUntil != nil {
			return sh.T("Has a place on offer until {when}", "when", sh.ShortWhen(*e.OfferUntil))
		}
		return sh.T("Has a place on offer")
	case waitlist.Expired:
		return sh.T("Did not answer in time")
	case waitlist.Skipped:
		return sh.T("Passed over")
	}
	return sh.T("Waits since {when}", "when", sh.ShortWhen(e.CreatedAt))
}

// candidates are the customers that somebody searches for.
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
		Title: c.UI.T("Add to the waitlist"), Lead: lead(c, d), Area: "calendar", Up: up(c, d), Body: waiterBody(c, d, q, found), Sheet: true,
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
	return desk.Done{To: home(c, d), Said: c.UI.T("{name} is on the waitlist and is told.", "name", waiter(c.UI, e))}, err
}

// options are customers to choose from, the one that was typed last chosen.
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

// idOr is an id as a field has it; empty for none.
func idOr(id *uuid.UUID) string {
	if id == nil {
		return ""
	}
	return id.String()
}
