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

// TaxRate is a rate of sales tax. Its figure never changes.
type TaxRate struct {
	ID         uuid.UUID  `json:"id"`
	Name       string     `json:"name" doc:"As receipts print it." example:"NY sales tax"`
	PPM        int        `json:"ppm" doc:"Parts per million: 82500 is 8.25 %."`
	ArchivedAt *time.Time `json:"archivedAt" doc:"When another rate took its place."`
	Version    int64      `json:"version"`
	CreatedAt  time.Time  `json:"createdAt"`
	UpdatedAt  time.Time  `json:"updatedAt"`
}

type createTaxRateBody struct {
	Name string `json:"name" minLength:"1" maxLength:"60" example:"NY sales tax"`
	PPM  int    `json:"ppm" minimum:"0" maximum:"1000000" doc:"Parts per million: 82500 is 8.25 %."`
}

type updateTaxRateIn struct {
	TaxRateID uuid.UUID `path:"taxRateId" doc:"The tax rate."`
	Body      updateTaxRateBody
}

type updateTaxRateBody struct {
	Version int64   `json:"version" minimum:"1" doc:"Of the rate that was read."`
	Name    *string `json:"name,omitempty" minLength:"1" maxLength:"60"`
	PPM     *int    `json:"ppm,omitempty" minimum:"0" maximum:"1000000"`
}

func (a *surface) taxRates() {
	declare(a, op.Spec{
		ID: "listTaxRates", Method: "GET", Path: "/businesses/{businessId}/tax-rates", Tag: "commerce", Feature: "location.view",
		Summary: "List tax rates", Description: "The rates in use.",
	}, wire.Lists(a.Cursors, "tax-rates", a.Business.TaxRates, showTaxRate))
	declare(a, op.Spec{
		ID: "createTaxRate", Method: "POST", Path: "/businesses/{businessId}/tax-rates", Tag: "commerce", Feature: "business.manage", Success: 201,
		Summary: "Add a tax rate", Description: "Locations and offerings choose among the rates of the business.",
	}, func(ctx context.Context, sc tenancy.Scope, in *wire.Body[createTaxRateBody]) (TaxRate, error) {
		r, err := a.Business.CreateTaxRate(ctx, sc, business.TaxRateInput(in.Body))
		return showTaxRate(r), err
	})
	declare(a, op.Spec{
		ID: "updateTaxRate", Method: "PATCH", Path: "/businesses/{businessId}/tax-rates/{taxRateId}", Tag: "commerce",
		Summary: "Rename or replace a tax rate",
		Description: "Another figure makes another rate with an id of its own, archives this one, and moves locations and " +
			"offerings over. The answer is the rate that is in use now.",
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
