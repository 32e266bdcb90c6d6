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

// Customer is the record that a business has of a person.
type Customer struct {
	ID        uuid.UUID  `json:"id"`
	PersonID  *uuid.UUID `json:"personId" doc:"The login of the customer; null if there is none."`
	Name      string     `json:"name"`
	Email     string     `json:"email" doc:"Email address in lower case; may be empty."`
	Phone     string     `json:"phone"`
	Version   int64      `json:"version"`
	CreatedAt time.Time  `json:"createdAt"`
	UpdatedAt time.Time  `json:"updatedAt"`
}

// CustomerPage is a page of customers. A90.
type CustomerPage struct {
	Customers []Customer `json:"customers"`
	Total     int        `json:"total" doc:"Number of customers on all pages."`
	Limit     int        `json:"limit"`
	Offset    int        `json:"offset"`
}

type listCustomersIn struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"Maximum number of rows on a page."`
	Offset int    `query:"offset" minimum:"0" maximum:"1000000000" default:"0" doc:"Number of rows to skip."`
	Q      string `query:"q" maxLength:"120" doc:"Part of the name or the phone number in any spelling, or the beginning of the email address."`
}

// CustomerPath is the path of a customer.
type CustomerPath struct {
	CustomerID uuid.UUID `path:"customerId" doc:"The customer."`
}

type createCustomerBody struct {
	Name  string `json:"name,omitempty" maxLength:"120" doc:"Name. Required without an email address." example:"Ada Lovelace"`
	Email string `json:"email,omitempty" maxLength:"254" example:"ada@example.com"`
	Phone string `json:"phone,omitempty" maxLength:"32" example:"+1 555 010 9999"`

	LocationID *uuid.UUID `json:"locationId,omitempty" doc:"Location of the new record. The default is the only location of the caller's role."`
}

type updateCustomerIn struct {
	CustomerPath
	Body updateCustomerBody
}

type updateCustomerBody struct {
	Version int64   `json:"version" minimum:"1" doc:"Version of the customer that was read."`
	Name    *string `json:"name,omitempty" maxLength:"120"`
	Email   *string `json:"email,omitempty" maxLength:"254" doc:"Email address. Empty removes it."`
	Phone   *string `json:"phone,omitempty" maxLength:"32" doc:"Phone number. Empty removes it."`
}

// customers declares the customers of a business. The contract names the business {id} in these paths.
func (a *surface) customers() {
	declare(a, op.Spec{
		ID: "listCustomers", Method: "GET", Path: "/businesses/{id}/customers", Tag: "customers", Compact: true, Feature: "crm.view", Frozen: true,
		Summary: "List customers", Description: "Returns the customers visible to the caller, newest first.",
	}, a.listCustomers)
	declare(a, op.Spec{
		ID: "getCustomer", Method: "GET", Path: "/businesses/{id}/customers/{customerId}", Tag: "customers", Compact: true, Feature: "crm.view",
		Summary: "Get a customer", Description: "Returns a customer.",
	}, func(ctx context.Context, sc tenancy.Scope, in *CustomerPath) (Customer, error) {
		c, err := a.CRM.Get(ctx, sc, in.CustomerID)
		return showCustomer(c), err
	})
	declare(a, op.Spec{
		ID: "createCustomer", Method: "POST", Path: "/businesses/{id}/customers", Tag: "customers", Compact: true, Feature: "crm.manage", Success: 201,
		Summary: "Create a customer",
		Description: "Creates a customer with or without an email address. With one, the customer sees these bookings " +
			"after signing in. No message is sent. 409 carries details.reason customer_exists and details.customerId if a " +
			"customer has this email address.",
	}, a.createCustomer)
	declare(a, op.Spec{
		ID: "updateCustomer", Method: "PATCH", Path: "/businesses/{id}/customers/{customerId}", Tag: "customers", Feature: "crm.manage", Versioned: true,
		Summary: "Update a customer",
		Description: "Changes the members present. A walk-in customer without a name is listed from then on. 409 carries " +
			"details.reason: customer_exists, with details.customerId; customer_signs_in for a new address of a customer with " +
			"a verified one.",
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
