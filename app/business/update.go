package business

import (
	"context"
	"fmt"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// UpdateInput changes a business. A nil field is unchanged. It does not have the rate of the platform fee.
type UpdateInput struct {
	Version         int64 // of the business that was read
	Name            *string
	Slug            *string         // another root address; the old one becomes a redirect
	Currency        *money.Currency // for new locations
	Zone            *string         // for new locations
	FeeMode         *FeeMode        // "absorb", "split" or "customer"
	SplitPPM        *int64          // the customer's share of a split fee; existing orders keep theirs
	ClassWord       *string
	AppointmentWord *string
	RentalWord      *string
}

// Validate trims and checks what was given.
func (in *UpdateInput) Validate() error {
	var c fault.Checks
	checkLine(&c, "name", in.Name, MaxName)
	checkLine(&c, "classWord", in.ClassWord, MaxWord)
	checkLine(&c, "appointmentWord", in.AppointmentWord, MaxWord)
	checkLine(&c, "rentalWord", in.RentalWord, MaxWord)
	if in.Slug != nil {
		under(&c, "slug", tenancy.CheckSlug(*in.Slug))
	}
	if in.Currency != nil {
		checkCurrency(&c, "currency", *in.Currency)
	}
	if in.Zone != nil {
		checkZone(&c, "zone", *in.Zone)
	}
	if in.FeeMode != nil {
		m := *in.FeeMode
		c.That(m == FeeAbsorb || m == FeeSplit || m == FeeCustomer, "feeMode",
			"Use absorb, split or customer.")
	}
	if in.SplitPPM != nil {
		c.That(*in.SplitPPM >= 0 && *in.SplitPPM <= MaxSplitPPM, "splitPpm", fmt.Sprintf("Use 0 to %d parts per million.", MaxSplitPPM))
	}
	return c.Err()
}

// Update changes the business and returns it. Errors:
//
//   - policy.ErrMissingFeature (business.manage)
//   - Validation
//   - fault.ErrStale
//   - ErrCurrencyFrozen, ErrSlugTaken, ErrTooManySlugs
func (s *Service) Update(ctx context.Context, sc tenancy.Scope, in UpdateInput) (Business, error) {
	return change(ctx, s, sc, policy.Require(sc, policy.BusinessManage), in.Validate, func(tx *pg.Tx) (Business, error) {
		b, err := lockBusiness(ctx, tx)
		if err != nil {
			return Business{}, err
		}
		if err := fault.Stale(in.Version, b.Version); err != nil {
			return Business{}, err
		}
		if in.Currency != nil && *in.Currency != b.Currency {
			if err := currencyFree(ctx, tx, nil); err != nil {
				return Business{}, err
			}
		}
		if in.Slug != nil && *in.Slug != b.Slug {
			if err := moveSlug(ctx, tx, nil, *in.Slug); err != nil {
				return Business{}, err
			}
		}
		in.apply(&b)
		return saveBusiness(ctx, tx, b)
	})
}

func (in UpdateInput) apply(b *Business) {
	patch.Set(&b.Name, in.Name)
	patch.Set(&b.Slug, in.Slug)
	patch.Set(&b.Currency, in.Currency)
	patch.Set(&b.Zone, in.Zone)
	patch.Set(&b.FeeMode, in.FeeMode)
	patch.Set(&b.SplitPPM, in.SplitPPM)
	patch.Set(&b.ClassWord, in.ClassWord)
	patch.Set(&b.AppointmentWord, in.AppointmentWord)
	patch.Set(&b.RentalWord, in.RentalWord)
}
