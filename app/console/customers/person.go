package customers

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/booking"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/crm"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/plan"
	"foyer/app/view"
	"foyer/billing"
)

// person is one customer with their bookings and balance due.
type person struct {
	crm.Customer
	Ahead, Past         []booking.StudioBooking
	MoreAhead, MorePast bool
	BalancesDue         []agenda.BalanceDue
	Credit              []agenda.Standing // positive ones
	Cards               []billing.SavedCard
	Papers              papers
	Plans               []plan.Membership
}

// rowsShown is the number of bookings of each kind on a customer's page; the list of bookings has all.
const rowsShown = 10

func (s *screens) customer(c *desk.Call) (ui.Screen, error) {
	id, err := c.ID("customer")
	if err != nil {
		return ui.Screen{}, err
	}
	var p person
	now := s.Clock.Now()
	if p.Customer, err = s.CRM.Get(c.Context(), c.Scope, id); err != nil {
		return ui.Screen{}, err
	}
	standing, err := s.Agenda.Balance(c.Context(), c.Scope, id)
	if err != nil {
		return ui.Screen{}, err
	}
	p.Credit = slices.DeleteFunc(standing, func(k agenda.Standing) bool { return k.Credit == 0 })
	if c.May("listCustomerPaymentMethods") {
		if p.Cards, err = s.Billing.Cards(c.Context(), c.Scope, id); err != nil {
			return ui.Screen{}, err
		}
	}
	if p.Plans, err = s.plansOf(c, id); err != nil {
		return ui.Screen{}, err
	}
	if p.Papers, err = s.papers(c, id); err != nil {
		return ui.Screen{}, err
	}
	if c.May("listBookings") {
		err = desk.Together(
			s.bookingsOf(c, id, booking.ListInput{From: now, Ascending: true}, &p.Ahead, &p.MoreAhead),
			s.bookingsOf(c, id, booking.ListInput{To: now}, &p.Past, &p.MorePast),
			func() (err error) {
				p.BalancesDue, err = s.Agenda.BalancesDue(c.Context(), c.Scope, id)
				return err
			},
		)
	}
	return ui.Screen{
		Title: ui.Who(c.UI, "", p.Name, p.Email), Lead: view.Joined(" · ", p.Email, p.Phone), Area: "customers",
		Up: &view.Link{Text: c.UI.T("Customers"), Href: c.To("/customers")}, Acts: customerActs(c, p), Body: customerBody(c, p), Sheet: true,
	}, err
}

// bookingsOf reads some bookings of a customer.
func (s *screens) bookingsOf(c *desk.Call, id uuid.UUID, in booking.ListInput, into *[]booking.StudioBooking, more *bool) func() error {
	in.CustomerID, in.Page = id, paging.In[paging.Moment]{Limit: rowsShown}
	return func() error {
		page, err := s.Booking.List(c.Context(), c.Scope, in)
		*into, *more = page.Items, page.Next != nil
		return err
	}
}

// removeCard removes a saved card.
func (s *screens) removeCard(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("customer")
	if err != nil {
		return desk.Done{}, err
	}
	card, err := c.ID("card")
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{To: c.To("/customers/" + id.String()), Said: c.UI.T("The card is removed.")}, s.Billing.RemoveCard(ctx, c.Scope, id, card)
}

// good renders the expiry of a card, and the date it was saved.
func good(sh ui.Shell, k billing.SavedCard) string {
	return sh.T("expires {month}/{year}, saved {day}", "month", fmt.Sprintf("%02d", k.ExpMonth), "year", strconv.Itoa(k.ExpYear), "day", sh.ShortDate(k.CreatedAt))
}

// total renders the customer's balance due, in each currency.
func (p person) total(sh ui.Shell) string {
	var list []agenda.AmountDue
	at := map[money.Currency]int{}
	for _, d := range p.BalancesDue {
		i, known := at[d.Currency]
		if !known {
			i = len(list)
			at[d.Currency] = i
			list = append(list, agenda.AmountDue{Currency: d.Currency})
		}
		list[i].Amount += d.Due + d.FeesDue
	}
	return sums(sh, list)
}

// why renders the reason of an amount due for a booking.
func why(sh ui.Shell, d agenda.BalanceDue) string {
	out := ""
	if d.Due > 0 {
		out = sh.T("due at the studio")
	}
	if d.FeesDue > 0 {
		fee := sh.T("late-cancellation fee")
		if d.State == booking.NoShow {
			fee = sh.T("no-show fee")
		}
		out = view.Joined(", ", out, fee)
	}
	return out
}

// when renders the time of a booking in its own time zone.
func when(c *desk.Call, zone string, at time.Time) string {
	w := c.UI.Words
	w.Zone = civil.ZoneOrUTC(zone)
	return w.ShortWhen(at)
}
