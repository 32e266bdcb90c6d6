// Package customers is the list of customers and one customer.
package customers

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/view"
	"foyer/policy"
)

type screens struct{ *desk.Desk }

// Register mounts the screens.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("listCustomers", "/customers", s.list)
	d.Views("listCustomers", business.ScreenCustomers)
	d.Page("createCustomer", "/customers/new", s.new)
	d.Form("createCustomer", "/customers/new", desk.Form{Do: s.create, Show: s.new, Inputs: inputs})
	d.Page("getCustomer", "/customers/:customer", s.customer)
	d.Page("listCreditTransactions", "/customers/:customer/credit", s.credit)
	d.Form("adjustCustomerBalance", "/customers/:customer/credit", desk.Form{Do: s.adjust, Show: s.credit, Inputs: []string{"location", "way", "amount", "note"}})
	d.Form("deleteCustomerPaymentMethod", "/customers/:customer/cards/:card/remove", desk.Form{Do: s.removeCard, Show: s.customer})
	d.Form("markAgreementSigned", "/customers/:customer/agreements/:document/signed", desk.Form{Do: s.signed})
	d.File("getAgreementEvidence", "/customers/:customer/agreements/:document/evidence", s.evidence)
	s.plans(d)
	d.Page("updateCustomer", "/customers/:customer/edit", s.askEdit)
	d.Form("updateCustomer", "/customers/:customer/edit", desk.Form{Do: s.edit, Show: s.askEdit, Inputs: inputs})
}

var inputs = []string{"name", "email", "phone"}

func (s *screens) new(c *desk.Call) (ui.Screen, error) {
	return ui.Screen{
		Title: c.UI.T("New customer"), Lead: c.UI.T("Only a name is required. Customers without an e-mail address get no notifications."), Area: "customers",
		Up: &view.Link{Text: c.UI.T("Customers"), Href: c.To("/customers")}, Body: form(c, c.To("/customers/new"), crm.Customer{}),
	}, nil
}

func (s *screens) create(c *desk.Call, ctx context.Context) (desk.Done, error) {
	made, err := s.CRM.Create(ctx, c.Scope, crm.CreateInput{
		Name: c.Value("name"), Email: c.Value("email"), Phone: c.Value("phone"), LocationID: c.AddsAt("createCustomer"),
	})
	if errors.Is(err, crm.ErrExists) {
		return s.known(c, err)
	}
	return desk.Done{To: c.To("/customers/" + made.ID.String()), Said: c.UI.T("Added customer {name}.", "name", ui.Who(c.UI, "", made.Name, made.Email))}, err
}

// known redirects to the record of an existing customer; for one of another location the form has a notice.
func (s *screens) known(c *desk.Call, exists error) (desk.Done, error) {
	text, _ := fault.From(exists).Details["customerId"].(string)
	id, err := uuid.Parse(text)
	if err == nil {
		_, err = s.CRM.Get(c.Context(), c.Scope, id)
	}
	if errors.Is(err, policy.ErrMissingFeature) {
		err = fault.Invalid("email", "This customer belongs to another location. Book for their address, and the record is open to you.")
	}
	return desk.Done{To: c.To("/customers/" + text), Said: c.UI.T("A customer with this e-mail address already exists."), Bad: true}, err
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
