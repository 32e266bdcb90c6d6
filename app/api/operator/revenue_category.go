package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/business"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// RevenueCategory is an income category of a business.
type RevenueCategory struct {
	ID         uuid.UUID  `json:"id"`
	Name       string     `json:"name" example:"Workshops"`
	ArchivedAt *time.Time `json:"archivedAt"`
	Version    int64      `json:"version"`
	CreatedAt  time.Time  `json:"createdAt"`
	UpdatedAt  time.Time  `json:"updatedAt"`
}

type listRevenueCategoriesIn struct {
	op.Page
	Archived bool `query:"archived" json:",omitzero" doc:"Only archived revenue categories. The default is those in use."`
}

type createRevenueCategoryBody struct {
	Name string `json:"name" minLength:"1" maxLength:"60" doc:"Name, unique among those in use." example:"Workshops"`
}

type updateRevenueCategoryIn struct {
	RevenueCategoryID uuid.UUID `path:"revenueCategoryId" doc:"The revenue category."`
	Body              updateRevenueCategoryBody
}

type updateRevenueCategoryBody struct {
	Version  int64   `json:"version" minimum:"1" doc:"Version of the revenue category that was read."`
	Name     *string `json:"name,omitempty" minLength:"1" maxLength:"60"`
	Archived *bool   `json:"archived,omitempty" doc:"Whether it is archived: true archives it, false restores it."`
}

func (a *surface) revenueCategories() {
	const list = "/businesses/{businessId}/revenue-categories"
	declare(a, op.Spec{
		ID: "listRevenueCategories", Method: "GET", Path: list, Tag: "commerce", Feature: "location.view",
		Summary:     "List revenue categories",
		Description: "Returns the revenue categories in use or, with archived, the archived ones.",
	}, wire.Filtered(a.Cursors, "revenue-categories", a.Business.RevenueCategories, showRevenueCategory,
		func(_ tenancy.Scope, in *listRevenueCategoriesIn, page paging.In[uuid.UUID]) business.RevenueCategoriesInput {
			return business.RevenueCategoriesInput{In: page, Archived: in.Archived}
		}))
	declare(a, op.Spec{
		ID: "createRevenueCategory", Method: "POST", Path: list, Tag: "commerce", Feature: "business.manage", Success: 201,
		Summary: "Create a revenue category",
		Description: "Adds a revenue category that offerings of the business can use. Their sales have an income account " +
			"of their own instead of that of their kind.",
	}, func(ctx context.Context, sc tenancy.Scope, in *wire.Body[createRevenueCategoryBody]) (RevenueCategory, error) {
		c, err := a.Business.CreateRevenueCategory(ctx, sc, business.RevenueCategoryInput(in.Body))
		return showRevenueCategory(c), err
	})
	declare(a, op.Spec{
		ID: "updateRevenueCategory", Method: "PATCH", Path: list + "/{revenueCategoryId}", Tag: "commerce",
		Summary: "Update a revenue category",
		Description: "Renames, archives or restores it. An archived one cannot be chosen; an offering that has it keeps it " +
			"until another is chosen. Sales keep the income account they were made with.",
		Feature: "business.manage", Versioned: true,
	}, a.updateRevenueCategory)
}

func (a *surface) updateRevenueCategory(ctx context.Context, sc tenancy.Scope, in *updateRevenueCategoryIn) (
	RevenueCategory, error) {
	c, err := a.Business.UpdateRevenueCategory(ctx, sc, business.UpdateRevenueCategoryInput{
		RevenueCategoryID: in.RevenueCategoryID, Version: in.Body.Version, Name: in.Body.Name, Archived: in.Body.Archived,
	})
	return showRevenueCategory(c), err
}

func showRevenueCategory(c business.RevenueCategory) RevenueCategory { return RevenueCategory(c) }
