package business

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// RevenueCategory is an income category of a business, such as workshops. The sales of an offering with one have an
// income account of their own, in place of the account of the offering's kind.
type RevenueCategory struct {
	ID         uuid.UUID
	Name       string
	ArchivedAt *time.Time
	Version    int64
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// ErrCategoryName means that another revenue category in use has this name.
var ErrCategoryName = fault.New(fault.Conflict, "revenue_category_name_taken",
	"Another revenue category has this name.").
	And("name", "Another revenue category has this name.")

// RevenueCategoryInput creates a revenue category.
type RevenueCategoryInput struct {
	Name string
}

// Validate trims and checks the input.
func (in *RevenueCategoryInput) Validate() error {
	var c fault.Checks
	checkLine(&c, "name", &in.Name, MaxCategory)
	return c.Err()
}

// CreateRevenueCategory adds a revenue category to the business. Errors:
//
//   - policy.ErrMissingFeature (business.manage)
//   - Validation
//   - ErrCategoryName
func (s *Service) CreateRevenueCategory(ctx context.Context, sc tenancy.Scope, in RevenueCategoryInput) (
	RevenueCategory, error) {
	may := policy.Require(sc, policy.BusinessManage)
	return change(ctx, s, sc, may, in.Validate, func(tx *pg.Tx) (RevenueCategory, error) {
		c := RevenueCategory{ID: pg.NewID(), Name: in.Name, Version: 1, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
		return c, insertCategory(ctx, tx, c)
	})
}

// RevenueCategoriesInput selects a page of the revenue categories in use, or of the archived ones.
type RevenueCategoriesInput struct {
	paging.In[uuid.UUID]
	Archived bool
}

// RevenueCategories lists the revenue categories in the order of their creation. Errors: policy.ErrMissingFeature
// (location.view), Validation on limit.
func (s *Service) RevenueCategories(ctx context.Context, sc tenancy.Scope, in RevenueCategoriesInput) (
	page paging.Page[RevenueCategory, uuid.UUID], err error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return page, err
	}
	if err := in.Validate(); err != nil {
		return page, err
	}
	rows, err := listCategories(ctx, s.o.DB.View(sc.Tenant), in)
	return paging.Of(rows, in.Size(), func(c RevenueCategory) uuid.UUID { return c.ID }), err
}

// RevenueCategory returns one of them, archived or not. Errors: policy.ErrMissingFeature (location.view),
// fault.Missing.
func (s *Service) RevenueCategory(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (RevenueCategory, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return RevenueCategory{}, err
	}
	return findCategory(ctx, s.o.DB.View(sc.Tenant), id)
}

// UpdateRevenueCategoryInput changes a revenue category. A nil field is unchanged.
type UpdateRevenueCategoryInput struct {
	RevenueCategoryID uuid.UUID
	Version           int64 // of the category that was read
	Name              *string
	Archived          *bool
}

// Validate trims and checks what was given.
func (in *UpdateRevenueCategoryInput) Validate() error {
	var c fault.Checks
	checkLine(&c, "name", in.Name, MaxCategory)
	return c.Err()
}

// UpdateRevenueCategory renames a revenue category, archives or restores it. An archived one cannot be chosen any
// more. An offering that has it keeps it until another is chosen, and its sales keep the income account. Errors:
//
//   - fault.Missing
//   - policy.ErrMissingFeature (business.manage)
//   - Validation
//   - fault.ErrStale
//   - ErrCategoryName, also for restoring one whose name is in use by now
func (s *Service) UpdateRevenueCategory(ctx context.Context, sc tenancy.Scope, in UpdateRevenueCategoryInput) (
	RevenueCategory, error) {
	may := policy.Require(sc, policy.BusinessManage)
	return change(ctx, s, sc, may, in.Validate, func(tx *pg.Tx) (RevenueCategory, error) {
		c, err := lockCategory(ctx, tx, in.RevenueCategoryID)
		if err != nil {
			return RevenueCategory{}, err
		}
		if err := fault.Stale(in.Version, c.Version); err != nil {
			return RevenueCategory{}, err
		}
		patch.Set(&c.Name, in.Name)
		if in.Archived != nil && *in.Archived != (c.ArchivedAt != nil) {
			c.ArchivedAt = nil
			if *in.Archived {
				c.ArchivedAt = new(tx.Now())
			}
		}
		return saveCategory(ctx, tx, c)
	})
}
