package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/business"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// TaxRate is a rate of sales tax. Its percentage never changes.
type TaxRate struct {
	ID         uuid.UUID  `json:"id"`
	Name       string     `json:"name" doc:"Name, as printed on receipts." example:"NY sales tax"`
	PPM        int        `json:"ppm" doc:"Rate in parts per million: 82500 is 8.25 %."`
	ArchivedAt *time.Time `json:"archivedAt" doc:"When it was replaced by another rate."`
	Version    int64      `json:"version"`
	CreatedAt  time.Time  `json:"createdAt"`
	UpdatedAt  time.Time  `json:"updatedAt"`
}

type createTaxRateBody struct {
	Name string `json:"name" minLength:"1" maxLength:"60" example:"NY sales tax"`
	PPM  int    `json:"ppm" minimum:"0" maximum:"1000000" doc:"Rate in parts per million: 82500 is 8.25 %."`
}

type updateTaxRateIn struct {
	TaxRateID uuid.UUID `path:"taxRateId" doc:"The tax rate."`
	Body      updateTaxRateBody
}

type updateTaxRateBody struct {
	Version int64   `json:"version" minimum:"1" doc:"Version of the rate that was read."`
	Name    *string `json:"name,omitempty" minLength:"1" maxLength:"60"`
	PPM     *int    `json:"ppm,omitempty" minimum:"0" maximum:"1000000"`
}

func (a *surface) taxRates() {
	declare(a, op.Spec{
		ID: "listTaxRates", Method: "GET", Path: "/businesses/{businessId}/tax-rates", Tag: "commerce", Feature: "location.view",
		Summary: "List tax rates", Description: "Returns the rates in use.",
	}, wire.Lists(a.Cursors, "tax-rates", a.Business.TaxRates, showTaxRate))
	declare(a, op.Spec{
		ID: "createTaxRate", Method: "POST", Path: "/businesses/{businessId}/tax-rates", Tag: "commerce", Feature: "business.manage", Success: 201,
		Summary: "Create a tax rate", Description: "Adds a rate that locations and offerings of the business can use.",
	}, func(ctx context.Context, sc tenancy.Scope, in *wire.Body[createTaxRateBody]) (TaxRate, error) {
		r, err := a.Business.CreateTaxRate(ctx, sc, business.TaxRateInput(in.Body))
		return showTaxRate(r), err
	})
	declare(a, op.Spec{
		ID: "updateTaxRate", Method: "PATCH", Path: "/businesses/{businessId}/tax-rates/{taxRateId}", Tag: "commerce",
		Summary: "Update a tax rate",
		Description: "Renames the rate. A different percentage creates a new rate with its own id, archives this one, and " +
			"switches locations and offerings to the new one. Returns the rate in use.",
		Feature: "business.manage", Versioned: true,
	}, a.updateTaxRate)
}

func (a *surface) updateTaxRate(ctx context.Context, sc tenancy.Scope, in *updateTaxRateIn) (TaxRate, error) {
	r, err := a.Business.UpdateTaxRate(ctx, sc, business.UpdateTaxRateInput{
		TaxRateID: in.TaxRateID, Version: in.Body.Version, Name: in.Body.Name, PPM: in.Body.PPM,
	})
	return showTaxRate(r), err
}

func showTaxRate(r business.TaxRate) TaxRate { return TaxRate(r) }
