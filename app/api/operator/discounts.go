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

// Discount is a reduction of the price of bookings or products, automatic or by a code.
type Discount struct {
	ID              uuid.UUID          `json:"id"`
	Name            string             `json:"name" doc:"Name for customers." example:"Spring offer"`
	Code            string             `json:"code" doc:"Promo code in upper case; empty for an automatic discount." example:"SPRING20"`
	PPM             int64              `json:"ppm" doc:"Percentage of the price of the eligible lines, in parts per million: 200000 is 20 %. 0 for an amount."`
	Amount          int64              `json:"amount" doc:"Amount off the eligible lines together, in minor units. 0 for a percentage."`
	Currency        string             `json:"currency" doc:"Currency of the amounts. A discount with an amount does not apply at locations with another currency."`
	LeastAmount     int64              `json:"leastAmount" doc:"Minimum listed price of the eligible lines; 0 for none."`
	AppliesTo       discount.AppliesTo `json:"appliesTo" doc:"Eligible lines: bookings, goods (products), or all of these."`
	LocationIDs     []uuid.UUID        `json:"locationIds" doc:"Eligible locations; empty for all."`
	OfferingIDs     []uuid.UUID        `json:"offeringIds" doc:"Eligible offerings; empty for all. Products are not affected."`
	PlanIDs         []uuid.UUID        `json:"planIds" doc:"Plans whose members have it; empty for all customers. A membership that is frozen or past due does not count."`
	Weekdays        []int              `json:"weekdays" doc:"Eligible weekdays of the booked date: 0 is Sunday. Empty for all. Products are not affected."`
	FirstDay        *string            `json:"firstDay" doc:"First day of use, on the location's wall clock; null for no start."`
	LastDay         *string            `json:"lastDay" doc:"Last day of use; null for no end."`
	UsesMax         int                `json:"usesMax" doc:"Maximum number of orders; 0 for no limit."`
	CustomerUsesMax int                `json:"customerUsesMax" doc:"Maximum number of orders of one customer; 0 for no limit."`
	FirstTime       bool               `json:"firstTime" doc:"Whether it is only for customers without an earlier booking."`
	Position        int                `json:"position" doc:"Order of application; lower values first. Codes apply after automatic discounts."`
	Combines        bool               `json:"combines" doc:"Whether it combines with other combinable discounts. A discount that does not combine applies alone, if it takes off more than those together."`
	Uses            int                `json:"uses" doc:"Number of orders with this discount."`
	ArchivedAt      *time.Time         `json:"archivedAt"`
	Version         int64              `json:"version"`
	CreatedAt       time.Time          `json:"createdAt"`
	UpdatedAt       time.Time          `json:"updatedAt"`
}

type createDiscountBody struct {
	Name            string             `json:"name" minLength:"1" maxLength:"80" example:"Spring offer"`
	Code            string             `json:"code,omitempty" maxLength:"40" doc:"Letters, digits and hyphens, unique among the codes in use. Without a code the discount is automatic." example:"SPRING20"`
	PPM             int64              `json:"ppm,omitempty" minimum:"0" maximum:"1000000" doc:"Percentage in parts per million: 200000 is 20 %. Send this or amount."`
	Amount          int64              `json:"amount,omitempty" minimum:"0" maximum:"99999999" doc:"Amount in minor units. Send this or ppm."`
	Currency        money.Currency     `json:"currency,omitempty" minLength:"3" maxLength:"3" doc:"Currency of the amounts. The default is the business's." example:"USD"`
	LeastAmount     int64              `json:"leastAmount,omitempty" minimum:"0" maximum:"99999999" doc:"Minimum listed price of the eligible lines."`
	AppliesTo       discount.AppliesTo `json:"appliesTo,omitempty" doc:"Eligible lines: bookings, goods (products), or all of these. The default is bookings."`
	LocationIDs     []uuid.UUID        `json:"locationIds,omitempty" maxItems:"200" doc:"Eligible locations. The default is all."`
	OfferingIDs     []uuid.UUID        `json:"offeringIds,omitempty" maxItems:"200" doc:"Eligible offerings. The default is all."`
	PlanIDs         []uuid.UUID        `json:"planIds,omitempty" maxItems:"200" doc:"Only for members of these plans, in carts that they hold. The default is all customers."`
	Weekdays        []int              `json:"weekdays,omitempty" minimum:"0" maximum:"6" maxItems:"7" uniqueItems:"true" doc:"Eligible weekdays of the booked date: 0 is Sunday. The default is all."`
	FirstDay        *civil.Date        `json:"firstDay,omitempty" format:"date" doc:"First day of use, on the location's wall clock."`
	LastDay         *civil.Date        `json:"lastDay,omitempty" format:"date" doc:"Last day of use."`
	UsesMax         int                `json:"usesMax,omitempty" minimum:"0" maximum:"1000000" doc:"Maximum number of orders. The default is no limit."`
	CustomerUsesMax int                `json:"customerUsesMax,omitempty" minimum:"0" maximum:"1000000" doc:"Maximum number of orders of one customer. The default is no limit."`
	FirstTime       bool               `json:"firstTime,omitempty" doc:"Whether it is only for customers without an earlier booking."`
	Position        int                `json:"position,omitempty" minimum:"0" maximum:"1000" doc:"Order of application; lower values first."`
	Combines        *bool              `json:"combines,omitempty" doc:"Whether it combines with other combinable discounts. The default is true."`
}

// DiscountPath is the path of a discount.
type DiscountPath struct {
	DiscountID uuid.UUID `path:"discountId" doc:"The discount."`
}

func (p *DiscountPath) id() uuid.UUID { return p.DiscountID }

type listDiscountsIn struct {
	op.Page
	Archived bool      `query:"archived" json:",omitzero" doc:"Only archived discounts. The default is discounts in use."`
	PlanID   uuid.UUID `query:"planId" json:",omitzero" doc:"Only discounts for members of this plan."`
}

type updateDiscountIn struct {
	DiscountPath
	Body updateDiscountBody
}

type updateDiscountBody struct {
	Version         int64                   `json:"version" minimum:"1" doc:"Version of the discount that was read."`
	Name            *string                 `json:"name,omitempty" minLength:"1" maxLength:"80"`
	Code            *string                 `json:"code,omitempty" maxLength:"40" doc:"Promo code. Empty makes the discount automatic."`
	PPM             *int64                  `json:"ppm,omitempty" minimum:"0" maximum:"1000000" doc:"Percentage in parts per million. Replaces an amount."`
	Amount          *int64                  `json:"amount,omitempty" minimum:"0" maximum:"99999999" doc:"Amount in minor units. Replaces a percentage."`
	Currency        *money.Currency         `json:"currency,omitempty" minLength:"3" maxLength:"3" doc:"Currency of the amounts."`
	LeastAmount     *int64                  `json:"leastAmount,omitempty" minimum:"0" maximum:"99999999" doc:"Minimum listed price of the eligible lines; 0 for none."`
	AppliesTo       *discount.AppliesTo     `json:"appliesTo,omitempty" doc:"Eligible lines: bookings, goods (products), or all of these."`
	LocationIDs     *[]uuid.UUID            `json:"locationIds,omitempty" maxItems:"200" doc:"Eligible locations. Replaces the whole list; empty for all."`
	OfferingIDs     *[]uuid.UUID            `json:"offeringIds,omitempty" maxItems:"200" doc:"Eligible offerings. Replaces the whole list; empty for all."`
	PlanIDs         *[]uuid.UUID            `json:"planIds,omitempty" maxItems:"200" doc:"Only for members of these plans. Replaces the whole list; empty for all customers."`
	Weekdays        *[]int                  `json:"weekdays,omitempty" minimum:"0" maximum:"6" maxItems:"7" uniqueItems:"true" doc:"Eligible weekdays. Replaces the whole list; empty for all."`
	FirstDay        op.Nullable[civil.Date] `json:"firstDay,omitzero" format:"date" doc:"First day of use; null for no start."`
	LastDay         op.Nullable[civil.Date] `json:"lastDay,omitzero" format:"date" doc:"Last day of use; null for no end."`
	UsesMax         *int                    `json:"usesMax,omitempty" minimum:"0" maximum:"1000000" doc:"Maximum number of orders, at least the current number of uses."`
	CustomerUsesMax *int                    `json:"customerUsesMax,omitempty" minimum:"0" maximum:"1000000" doc:"Maximum number of orders of one customer; 0 for no limit."`
	FirstTime       *bool                   `json:"firstTime,omitempty" doc:"Whether it is only for customers without an earlier booking."`
	Position        *int                    `json:"position,omitempty" minimum:"0" maximum:"1000" doc:"Order of application; lower values first."`
	Combines        *bool                   `json:"combines,omitempty" doc:"Whether it combines with other combinable discounts."`
}

func (a *surface) discounts() {
	const list = "/businesses/{businessId}/discounts"
	declare(a, op.Spec{
		ID: "listDiscounts", Method: "GET", Path: list, Tag: "catalog", Feature: "catalog.manage",
		Summary:     "List discounts",
		Description: "Returns the discounts in use or, with archived, the archived ones, each with its number of uses.",
	}, wire.Filtered(a.Cursors, "discounts", a.Discount.List, showDiscount,
		func(_ tenancy.Scope, in *listDiscountsIn, page paging.In[uuid.UUID]) discount.ListInput {
			return discount.ListInput{In: page, Archived: in.Archived, PlanID: in.PlanID}
		}))
	declare(a, op.Spec{
		ID: "createDiscount", Method: "POST", Path: list, Tag: "catalog", Feature: "catalog.manage", Success: 201,
		Summary: "Create a discount", Description: "Applies from then on: automatically, or to carts with its code.",
	}, a.createDiscount)
	declare(a, op.Spec{
		ID: "getDiscount", Method: "GET", Path: list + "/{discountId}", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Get a discount", Description: "Returns a discount, archived or not.",
	}, wire.ByName(a.Discount.Get, (*DiscountPath).id, showDiscount))
	declare(a, op.Spec{
		ID: "updateDiscount", Method: "PATCH", Path: list + "/{discountId}", Tag: "catalog", Feature: "catalog.manage", Versioned: true,
		Summary:     "Update a discount",
		Description: "Applies to carts whose payment has not begun. Existing orders do not change.",
	}, a.updateDiscount)
	declare(a, op.Spec{
		ID: "archiveDiscount", Method: "POST", Path: list + "/{discountId}/archive", Tag: "catalog", Feature: "catalog.manage",
		Summary: "Archive a discount", Description: "Takes it out of use and frees its code. Carts lose it; orders keep it.",
	}, wire.ByName(a.Discount.Archive, (*DiscountPath).id, showDiscount))
	declare(a, op.Spec{
		ID: "restoreDiscount", Method: "POST", Path: list + "/{discountId}/restore", Tag: "catalog", Feature: "catalog.manage",
		Summary:     "Restore a discount",
		Description: "Restores it with its number of uses. Refused while another discount has its code.",
	}, wire.ByName(a.Discount.Restore, (*DiscountPath).id, showDiscount))
}

func (a *surface) createDiscount(ctx context.Context, sc tenancy.Scope, in *wire.Body[createDiscountBody]) (Discount, error) {
	b := in.Body
	d, err := a.Discount.Create(ctx, sc, discount.CreateInput{
		Name: b.Name, Code: b.Code, PPM: b.PPM, Amount: b.Amount, LeastAmount: b.LeastAmount, Currency: b.Currency,
		AppliesTo: b.AppliesTo, LocationIDs: b.LocationIDs,
		OfferingIDs: b.OfferingIDs, PlanIDs: b.PlanIDs,
		Weekdays: wire.Show(b.Weekdays, weekday), FirstDay: b.FirstDay, LastDay: b.LastDay, UsesMax: b.UsesMax,
		CustomerUsesMax: b.CustomerUsesMax, FirstTime: b.FirstTime, Position: b.Position, Combines: b.Combines == nil || *b.Combines,
	})
	return showDiscount(d), err
}

func (a *surface) updateDiscount(ctx context.Context, sc tenancy.Scope, in *updateDiscountIn) (Discount, error) {
	b := in.Body
	d, err := a.Discount.Update(ctx, sc, discount.UpdateInput{
		ID: in.DiscountID, Version: b.Version, Name: b.Name, Code: b.Code, PPM: b.PPM, Amount: b.Amount, LeastAmount: b.LeastAmount, Currency: b.Currency,
		AppliesTo: b.AppliesTo, LocationIDs: b.LocationIDs, OfferingIDs: b.OfferingIDs,
		PlanIDs: b.PlanIDs, FirstDay: b.FirstDay.Field, LastDay: b.LastDay.Field, UsesMax: b.UsesMax,
		CustomerUsesMax: b.CustomerUsesMax, FirstTime: b.FirstTime, Position: b.Position, Combines: b.Combines,
		Weekdays: wire.OrNil(b.Weekdays, func(days []int) []time.Weekday { return wire.Show(days, weekday) }),
	})
	return showDiscount(d), err
}

func showDiscount(d discount.Discount) Discount {
	return Discount{
		ID: d.ID, Name: d.Name, Code: d.Code, PPM: d.PPM, Amount: d.Amount, Currency: string(d.Currency), LeastAmount: d.LeastAmount,
		AppliesTo: d.AppliesTo, LocationIDs: wire.Show(d.LocationIDs, same), OfferingIDs: wire.Show(d.OfferingIDs, same),
		PlanIDs:  wire.Show(d.PlanIDs, same),
		Weekdays: wire.Show(d.Weekdays, func(day time.Weekday) int { return int(day) }),
		FirstDay: wire.DateOrNull(d.FirstDay), LastDay: wire.DateOrNull(d.LastDay), UsesMax: d.UsesMax, CustomerUsesMax: d.CustomerUsesMax,
		FirstTime: d.FirstTime, Position: d.Position, Combines: d.Combines, Uses: d.Uses, ArchivedAt: d.ArchivedAt, Version: d.Version,
		CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt,
	}
}

func same(id uuid.UUID) uuid.UUID { return id }
