package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/crm"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Customer is what one business knows about a person.
type Customer struct {
	ID        uuid.UUID  `json:"id"`
	PersonID  *uuid.UUID `json:"personId" doc:"The login behind the record; null while there is none."`
	Name      string     `json:"name"`
	Email     string     `json:"email" doc:"In lower case; may be empty."`
	Phone     string     `json:"phone"`
	Version   int64      `json:"version"`
	CreatedAt time.Time  `json:"createdAt"`
	UpdatedAt time.Time  `json:"updatedAt"`
}

// CustomerPage is a part of the list of customers. A90.
type CustomerPage struct {
	Customers []Customer `json:"customers"`
	Total     int        `json:"total" doc:"Of all pages."`
	Limit     int        `json:"limit"`
	Offset    int        `json:"offset"`
}

type listCustomersIn struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"Rows on a page."`
	Offset int    `query:"offset" minimum:"0" maximum:"1000000000" default:"0" doc:"Rows to skip."`
	Q      string `query:"q" maxLength:"120" doc:"A part of the name or of the phone number, however they are spelled, or the beginning of the address."`
}

// CustomerPath names a customer of a business.
type CustomerPath struct {
	CustomerID uuid.UUID `path:"customerId" doc:"The customer."`
}

type createCustomerBody struct {
	Name  string `json:"name,omitempty" maxLength:"120" doc:"Needed without an e-mail address." example:"Ada Lovelace"`
	Email string `json:"email,omitempty" maxLength:"254" example:"ada@example.com"`
	Phone string `json:"phone,omitempty" maxLength:"32" example:"+1 555 010 9999"`

	LocationID *uuid.UUID `json:"locationId,omitempty" doc:"Where it is added; left out: the only location of the caller's role."`
}

type updateCustomerIn struct {
	CustomerPath
	Body updateCustomerBody
}

type updateCustomerBody struct {
	Version int64   `json:"version" minimum:"1" doc:"Of the customer that was read."`
	Name    *string `json:"name,omitempty" maxLength:"120"`
	Email   *string `json:"email,omitempty" maxLength:"254" doc:"Empty takes it away."`
	Phone   *string `json:"phone,omitempty" maxLength:"32" doc:"Empty takes it away."`
}

// customers declares the customers of a business. The contract names the business {id} here.
func (a *surface) customers() {
	declare(a, op.Spec{
		ID: "listCustomers", Method: "GET", Path: "/businesses/{id}/customers", Tag: "customers", Compact: true, Feature: "crm.view", Frozen: true,
		Summary: "List customers", Description: "The customers that the caller may see, the newest record first.",
	}, a.listCustomers)
	declare(a, op.Spec{
		ID: "getCustomer", Method: "GET", Path: "/businesses/{id}/customers/{customerId}", Tag: "customers", Compact: true, Feature: "crm.view",
		Summary: "Get a customer", Description: "One customer record.",
	}, func(ctx context.Context, sc tenancy.Scope, in *CustomerPath) (Customer, error) {
		c, err := a.CRM.Get(ctx, sc, in.CustomerID)
		return showCustomer(c), err
	})
	declare(a, op.Spec{
		ID: "createCustomer", Method: "POST", Path: "/businesses/{id}/customers", Tag: "customers", Compact: true, Feature: "crm.manage", Success: 201,
		Summary: "Add a customer",
		Description: "Somebody the studio knows, with or without an e-mail address. With one, what is booked for them is theirs when they sign in. Nothing is sent. " +
			"409 carries details.reason customer_exists and details.customerId for an address that a customer has.",
	}, a.createCustomer)
	declare(a, op.Spec{
		ID: "updateCustomer", Method: "PATCH", Path: "/businesses/{id}/customers/{customerId}", Tag: "customers", Feature: "crm.manage", Versioned: true,
		Summary: "Change a customer",
		Description: "Changes the members that are sent. Somebody who walked in without a name is on the list from then on. " +
			"409 carries details.reason: customer_exists, with details.customerId; customer_signs_in for another address of somebody who has proved theirs.",
	}, a.updateCustomer)
}

func (a *surface) createCustomer(ctx context.Context, sc tenancy.Scope, in *wire.Body[createCustomerBody]) (Customer, error) {
	add := crm.CreateInput{Name: in.Body.Name, Email: in.Body.Email, Phone: in.Body.Phone}
	if in.Body.LocationID != nil {
		add.LocationID = *in.Body.LocationID
	}
	c, err := a.CRM.Create(ctx, sc, add)
	return showCustomer(c), err
}

func (a *surface) updateCustomer(ctx context.Context, sc tenancy.Scope, in *updateCustomerIn) (Customer, error) {
	b := in.Body
	c, err := a.CRM.Update(ctx, sc, crm.UpdateInput{ID: in.CustomerID, Version: b.Version, Name: b.Name, Email: b.Email, Phone: b.Phone})
	return showCustomer(c), err
}

func (a *surface) listCustomers(ctx context.Context, sc tenancy.Scope, in *listCustomersIn) (CustomerPage, error) {
	page, err := a.CRM.List(ctx, sc, crm.ListInput{Query: in.Q, Limit: in.Limit, Offset: in.Offset})
	return CustomerPage{
		Customers: wire.Show(page.Customers, showCustomer), Total: page.Total, Limit: page.Limit, Offset: page.Offset,
	}, err
}

func showCustomer(c crm.Customer) Customer { return Customer(c) }
