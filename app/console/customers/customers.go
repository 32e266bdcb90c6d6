// Package customers is the list of customers and one customer.
package customers

import (
	"context"
	"errors"
	"strconv"
	"time"

	"foyer/app/booking"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/view"
)

type screens struct{ *desk.Desk }

// Register mounts the screens.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("listCustomers", "/customers", s.list)
	d.Page("createCustomer", "/customers/new", s.new)
	d.Form("createCustomer", "/customers/new", desk.Form{Do: s.create, Show: s.new, Inputs: inputs})
	d.Page("getCustomer", "/customers/:customer", s.customer)
	d.Page("updateCustomer", "/customers/:customer/edit", s.askEdit)
	d.Form("updateCustomer", "/customers/:customer/edit", desk.Form{Do: s.edit, Show: s.askEdit, Inputs: inputs})
}

var inputs = []string{"name", "email", "phone"}

// rowsAPage is how many customers a page shows.
const rowsAPage = 50

func (s *screens) list(c *desk.Call) (ui.Screen, error) {
	from, _ := c.Number("from")
	page, err := s.CRM.List(c.Context(), c.Scope, crm.ListInput{Query: c.Value("q"), Limit: rowsAPage, Offset: max(0, from)})
	if err != nil {
		return ui.Screen{}, err
	}
	sc := ui.Screen{
		Title: c.UI.T("Customers"), Area: "customers", Body: listBody(c, page),
		Lead: c.UI.N(page.Total, "{n} customer", "{n} customers"),
	}
	if c.May("createCustomer") {
		sc.Acts = ui.Go(c.To("/customers/new"), ui.Button{Text: c.UI.T("New customer"), Icon: "plus"})
	}
	return sc, nil
}

// turn is the address of another page of the list; empty when there is none.
func turn(c *desk.Call, page crm.Page, offset int) string {
	if offset >= page.Total || offset < 0 {
		return ""
	}
	return c.To("/customers", "q", c.Value("q"), "from", strconv.Itoa(offset))
}

// person is one customer with what they have booked.
type person struct {
	crm.Customer
	Ahead, Past []booking.StudioBooking
}

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
	read := func(into *[]booking.StudioBooking, in booking.ListInput) func() error {
		in.CustomerID, in.Page = id, paging.In[paging.Moment]{Limit: 20}
		return func() error {
			if !c.May("listBookings") {
				return nil
			}
			page, err := s.Booking.List(c.Context(), c.Scope, in)
			*into = page.Items
			return err
		}
	}
	err = desk.Together(read(&p.Ahead, booking.ListInput{From: now, Ascending: true}), read(&p.Past, booking.ListInput{To: now}))
	return ui.Screen{
		Title: ui.Who(c.UI, "", p.Name, p.Email), Lead: view.Joined(" · ", p.Email, p.Phone), Area: "customers",
		Up: &view.Link{Text: c.UI.T("Customers"), Href: c.To("/customers")}, Acts: customerActs(c, p), Body: customerBody(c, p), Sheet: true,
	}, err
}

func (s *screens) new(c *desk.Call) (ui.Screen, error) {
	return ui.Screen{
		Title: c.UI.T("New customer"), Lead: c.UI.T("A name is enough: who has no e-mail address is told nothing."), Area: "customers",
		Up: &view.Link{Text: c.UI.T("Customers"), Href: c.To("/customers")}, Body: form(c, c.To("/customers/new"), crm.Customer{}),
	}, nil
}

func (s *screens) create(c *desk.Call, ctx context.Context) (desk.Done, error) {
	made, err := s.CRM.Create(ctx, c.Scope, crm.CreateInput{Name: c.Value("name"), Email: c.Value("email"), Phone: c.Value("phone")})
	if errors.Is(err, crm.ErrExists) {
		known, _ := fault.From(err).Details["customerId"].(string)
		return desk.Done{To: c.To("/customers/" + known), Said: c.UI.T("Somebody with this address is a customer already."), Bad: true}, nil
	}
	return desk.Done{To: c.To("/customers/" + made.ID.String()), Said: c.UI.T("{name} is a customer now.", "name", ui.Who(c.UI, "", made.Name, made.Email))}, err
}

func (s *screens) askEdit(c *desk.Call) (ui.Screen, error) {
	id, err := c.ID("customer")
	if err != nil {
		return ui.Screen{}, err
	}
	p, err := s.CRM.Get(c.Context(), c.Scope, id)
	at := c.To("/customers/" + id.String())
	return ui.Screen{
		Title: c.UI.T("Edit"), Area: "customers", Up: &view.Link{Text: ui.Who(c.UI, "", p.Name, p.Email), Href: at}, Body: form(c, at+"/edit", p), Sheet: true,
	}, err
}

func (s *screens) edit(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("customer")
	if err != nil {
		return desk.Done{}, err
	}
	name, email, phone := c.Value("name"), c.Value("email"), c.Value("phone")
	_, err = s.CRM.Update(ctx, c.Scope, crm.UpdateInput{ID: id, Version: c.Version(), Name: &name, Email: &email, Phone: &phone})
	return desk.Done{To: c.To("/customers/" + id.String()), Said: c.UI.T("Saved.")}, err
}

// when is the time of a booking on its own wall clock.
func when(c *desk.Call, b booking.StudioBooking, at time.Time) string {
	w := c.UI.Words
	w.Zone = b.Wall()
	return w.ShortWhen(at)
}
