package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/civil"
	"foyer/app/discount"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Discount is what a business takes off what customers book, by itself or with a code.
type Discount struct {
	ID              uuid.UUID   `json:"id"`
	Name            string      `json:"name" doc:"As customers read it." example:"Spring offer"`
	Code            string      `json:"code" doc:"What customers type, in upper case; empty: it holds by itself." example:"SPRING20"`
	PPM             int64       `json:"ppm" doc:"Parts per million of what the eligible lines cost: 200000 is 20 %. 0: an amount."`
	Amount          int64       `json:"amount" doc:"Minor units off the eligible lines together. 0: a percentage."`
	Currency        string      `json:"currency" doc:"Of its amounts. At locations with another one an amount means nothing, and the discount does not hold."`
	LeastAmount     int64       `json:"leastAmount" doc:"What the eligible lines have to come to, as listed; 0: anything."`
	LocationIDs     []uuid.UUID `json:"locationIds" doc:"Where it holds; empty: everywhere."`
	OfferingIDs     []uuid.UUID `json:"offeringIds" doc:"What it is for; empty: everything."`
	Weekdays        []int       `json:"weekdays" doc:"Of the booked date: 0 is Sunday. Empty: every."`
	FirstDay        *string     `json:"firstDay" doc:"The first day on which it can be used, on the location's wall clock; null: since ever."`
	LastDay         *string     `json:"lastDay" doc:"The last day; null: for good."`
	UsesMax         int         `json:"usesMax" doc:"How many orders may have it; 0: any number."`
	CustomerUsesMax int         `json:"customerUsesMax" doc:"How many orders of one customer may have it; 0: any number."`
	FirstTime       bool        `json:"firstTime" doc:"Only for customers who have never booked before."`
	Position        int         `json:"position" doc:"Lower ones are taken off first; a code is taken off after what holds by itself."`
	Combines        bool        `json:"combines" doc:"Beside others that do. One that does not stands alone, where it takes off more than those together."`
	Uses            int         `json:"uses" doc:"Orders that stand with it."`
	ArchivedAt      *time.Time  `json:"archivedAt"`
	Version         int64       `json:"version"`
	CreatedAt       time.Time   `json:"createdAt"`
	UpdatedAt       time.Time   `json:"updatedAt"`
}

type createDiscountBody struct {
	Name            string         `json:"name" minLength:"1" maxLength:"80" example:"Spring offer"`
	Code            string         `json:"code,omitempty" maxLength:"40" doc:"Letters, digits and hyphens, unique among the codes in use; left out: it holds by itself." example:"SPRING20"`
	PPM             int64          `json:"ppm,omitempty" minimum:"0" maximum:"1000000" doc:"Parts per million: 200000 is 20 %. Either this or amount."`
	Amount          int64          `json:"amount,omitempty" minimum:"0" maximum:"99999999" doc:"Minor units. Either this or ppm."`
	Currency        money.Currency `json:"currency,omitempty" minLength:"3" maxLength:"3" doc:"Of its amounts; left out: the business's." example:"USD"`
	LeastAmount     int64          `json:"leastAmount,omitempty" minimum:"0" maximum:"99999999" doc:"What the eligible lines have to come to, as listed."`
	LocationIDs     []uuid.UUID    `json:"locationIds,omitempty" maxItems:"200" doc:"Where it holds; left out: everywhere."`
	OfferingIDs     []uuid.UUID    `json:"offeringIds,omitempty" maxItems:"200" doc:"What it is for; left out: everything."`
	Weekdays        []int          `json:"weekdays,omitempty" minimum:"0" maximum:"6" maxItems:"7" uniqueItems:"true" doc:"Of the booked date: 0 is Sunday; left out: every."`
	FirstDay        *civil.Date    `json:"firstDay,omitempty" format:"date" doc:"The first day on which it can be used, on the location's wall clock."`
	LastDay         *civil.Date    `json:"lastDay,omitempty" format:"date" doc:"The last day."`
	UsesMax         int            `json:"usesMax,omitempty" minimum:"0" maximum:"1000000" doc:"How many orders may have it; left out: any number."`
	CustomerUsesMax int            `json:"customerUsesMax,omitempty" minimum:"0" maximum:"1000000" doc:"How many orders of one customer may have it; left out: any number."`
	FirstTime       bool           `json:"firstTime,omitempty" doc:"Only for customers who have never booked before."`
	Position        int            `json:"position,omitempty" minimum:"0" maximum:"1000" doc:"Lower ones are taken off first."`
	Combines        *bool          `json:"combines,omitempty" doc:"Beside others that do; left out: yes."`
}

// DiscountPath names a discount.
type DiscountPath struct {
	DiscountID uuid.UUID `path:"discountId" doc:"The discount."`
}

func (p *DiscountPath) id() uuid.UUID { return p.DiscountID }

type listDiscountsIn struct {
	op.Page
	Archived bool `query:"archived" json:",omitzero" doc:"Those that were archived, instead of those in use."`
}

type updateDiscountIn struct {
	DiscountPath
	Body updateDiscountBody
}

type updateDiscountBody struct {
	Version         int64                   `json:"version" minimum:"1" doc:"Of the discount that was read."`
	Name            *string                 `json:"name,omitempty" minLength:"1" maxLength:"80"`
	Code            *string                 `json:"code,omitempty" maxLength:"40" doc:"Empty: it holds by itself."`
	PPM             *int64                  `json:"ppm,omitempty" minimum:"0" maximum:"1000000" doc:"Takes the place of an amount."`
	Amount          *int64                  `json:"amount,omitempty" minimum:"0" maximum:"99999999" doc:"Takes the place of a percentage."`
	Currency        *money.Currency         `json:"currency,omitempty" minLength:"3" maxLength:"3" doc:"Of its amounts."`
	LeastAmount     *int64                  `json:"leastAmount,omitempty" minimum:"0" maximum:"99999999" doc:"What the eligible lines have to come to, as listed; 0: anything."`
	LocationIDs     *[]uuid.UUID            `json:"locationIds,omitempty" maxItems:"200" doc:"As a whole; empty: everywhere."`
	OfferingIDs     *[]uuid.UUID            `json:"offeringIds,omitempty" maxItems:"200" doc:"As a whole; empty: everything."`
	Weekdays        *[]int                  `json:"weekdays,omitempty" minimum:"0" maximum:"6" maxItems:"7" uniqueItems:"true" doc:"As a whole; empty: every."`
	FirstDay        op.Nullable[civil.Date] `json:"firstDay,omitzero" format:"date" doc:"Null: since ever."`
	LastDay         op.Nullable[civil.Date] `json:"lastDay,omitzero" format:"date" doc:"Null: for good."`
	UsesMax         *int                    `json:"usesMax,omitempty" minimum:"0" maximum:"1000000" doc:"Not fewer than it has been used."`
	CustomerUsesMax *int                    `json:"customerUsesMax,omitempty" minimum:"0" maximum:"1000000" doc:"0: any number."`
	FirstTime       *bool                   `json:"firstTime,omitempty" doc:"Only for customers who have never booked before."`
	Position        *int                    `json:"position,omitempty" minimum:"0" maximum:"1000" doc:"Lower ones are taken off first."`
	Combines        *bool                   `json:"combines,omitempty" doc:"Beside others that do."`
}

func (a *surface) discounts() {
	const list = "/businesses/{businessId}/discounts"
	declare(a, op.Spec{
		ID: "listDiscounts", Method: "GET", Path: list, Tag: "catalog", Feature: "catalog.manage",
		Summary: "List discounts", Description: "Those in use, or those that were archived, with how often each is used.",
	}, wire.Filtered(a.Cursors, "discounts", a.Discount.List, showDiscount,
		func(_ tenancy.Scope, in *listDiscountsIn, page paging.In[uuid.UUID]) discount.ListInput {
			return discount.ListInput{In: page, Archived: in.Archived}
		}))
	declare(a, op.Spec{
		ID: "createDiscount", Method: "POST", Path: list, Tag: "catalog", Feature: "catalog.manage", Success: 201,
		Summary: "Add a discount", Description: "It holds from then on: by itself, or for carts that are given its code.",
	}, a.createDiscount)
	declare(a, op.Spec{
		ID: "getDiscount", Method: "GET", Path: list + "/{discountId}", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Get a discount", Description: "One discount, archived or not.",
	}, wire.ByName(a.Discount.Get, (*DiscountPath).id, showDiscount))
	declare(a, op.Spec{
		ID: "updateDiscount", Method: "PATCH", Path: list + "/{discountId}", Tag: "catalog", Feature: "catalog.manage", Versioned: true,
		Summary: "Change a discount", Description: "Holds for carts that are not being paid for yet. What was sold stays as it was sold.",
	}, a.updateDiscount)
	declare(a, op.Spec{
		ID: "archiveDiscount", Method: "POST", Path: list + "/{discountId}/archive", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Archive a discount", Description: "Takes it out of use and frees its code. Carts lose it, orders keep it.",
	}, wire.ByName(a.Discount.Archive, (*DiscountPath).id, showDiscount))
	declare(a, op.Spec{
		ID: "restoreDiscount", Method: "POST", Path: list + "/{discountId}/restore", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Restore a discount", Description: "Brings it back with the uses that it has had. Not while another discount has its code.",
	}, wire.ByName(a.Discount.Restore, (*DiscountPath).id, showDiscount))
}

func (a *surface) createDiscount(ctx context.Context, sc tenancy.Scope, in *wire.Body[createDiscountBody]) (Discount, error) {
	b := in.Body
	d, err := a.Discount.Create(ctx, sc, discount.CreateInput{
		Name: b.Name, Code: b.Code, PPM: b.PPM, Amount: b.Amount, LeastAmount: b.LeastAmount, Currency: b.Currency, LocationIDs: b.LocationIDs,
		OfferingIDs: b.OfferingIDs, Weekdays: wire.Show(b.Weekdays, weekday), FirstDay: b.FirstDay, LastDay: b.LastDay, UsesMax: b.UsesMax,
		CustomerUsesMax: b.CustomerUsesMax, FirstTime: b.FirstTime, Position: b.Position, Combines: b.Combines == nil || *b.Combines,
	})
	return showDiscount(d), err
}

func (a *surface) updateDiscount(ctx context.Context, sc tenancy.Scope, in *updateDiscountIn) (Discount, error) {
	b := in.Body
	d, err := a.Discount.Update(ctx, sc, discount.UpdateInput{
		ID: in.DiscountID, Version: b.Version, Name: b.Name, Code: b.Code, PPM: b.PPM, Amount: b.Amount, LeastAmount: b.LeastAmount, Currency: b.Currency,
		LocationIDs: b.LocationIDs, OfferingIDs: b.OfferingIDs, FirstDay: b.FirstDay.Field, LastDay: b.LastDay.Field, UsesMax: b.UsesMax,
		CustomerUsesMax: b.CustomerUsesMax, FirstTime: b.FirstTime, Position: b.Position, Combines: b.Combines,
		Weekdays: wire.OrNil(b.Weekdays, func(days []int) []time.Weekday { return wire.Show(days, weekday) }),
	})
	return showDiscount(d), err
}

func showDiscount(d discount.Discount) Discount {
	return Discount{
		ID: d.ID, Name: d.Name, Code: d.Code, PPM: d.PPM, Amount: d.Amount, Currency: string(d.Currency), LeastAmount: d.LeastAmount,
		LocationIDs: wire.Show(d.LocationIDs, same), OfferingIDs: wire.Show(d.OfferingIDs, same),
		Weekdays: wire.Show(d.Weekdays, func(day time.Weekday) int { return int(day) }),
		FirstDay: wire.DateOrNull(d.FirstDay), LastDay: wire.DateOrNull(d.LastDay), UsesMax: d.UsesMax, CustomerUsesMax: d.CustomerUsesMax,
		FirstTime: d.FirstTime, Position: d.Position, Combines: d.Combines, Uses: d.Uses, ArchivedAt: d.ArchivedAt, Version: d.Version,
		CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt,
	}
}

func same(id uuid.UUID) uuid.UUID { return id }
