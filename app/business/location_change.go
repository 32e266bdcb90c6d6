package business

import (
	"cmp"
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// CreateLocation adds a location. Zone and currency default to the business's. Errors:
//
//   - policy.ErrMissingFeature (business.manage)
//   - Validation
//   - ErrSlugTaken
//   - fault.Missing for an unknown tax rate
func (s *Service) CreateLocation(ctx context.Context, sc tenancy.Scope, in LocationInput) (Location, error) {
	return change(ctx, s, sc, policy.Require(sc, policy.BusinessManage), nil, func(tx *pg.Tx) (Location, error) {
		b, err := BusinessOf(ctx, tx)
		if err != nil {
			return Location{}, err
		}
		in.Zone, in.Currency = cmp.Or(in.Zone, b.Zone), cmp.Or(in.Currency, b.Currency)
		var c fault.Checks
		in.check(&c, "")
		if err := c.Err(); err != nil {
			return Location{}, err
		}
		return openLocation(ctx, tx, in)
	})
}

// openLocation writes a checked location and sets its address.
func openLocation(ctx context.Context, tx *pg.Tx, in LocationInput) (Location, error) {
	if err := rateInUse(ctx, tx, in.TaxRateID); err != nil {
		return Location{}, err
	}
	if in.Language == "" {
		first, err := firstLanguage(ctx, tx)
		if err != nil {
			return Location{}, err
		}
		in.Language = first
	}
	l := Location{
		ID: pg.NewID(), Name: in.Name, Zone: in.Zone, Currency: in.Currency, TaxMode: in.TaxMode, TaxRateID: in.TaxRateID,
		PriceDisplay: in.Display,
		Address:      in.Address, Website: in.Website, OtherSites: in.OtherSites, Branding: defaultLook,
		Reminders: usualReminders(), Speech: Speech{Language: in.Language, OtherLanguages: true}, Version: 1, CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
	patch.Set(&l.Reminders, in.Reminders)
	if err := insertLocation(ctx, tx, l); err != nil {
		return Location{}, err
	}
	var err error
	l.Slug, err = takeSlug(ctx, tx, &l.ID, in.Slug, cmp.Or(in.SlugFrom, in.Name), in.Address.City)
	return l, err
}

// rateInUse returns an error for a tax rate that is unknown or archived. It holds a shared lock, so the rate is not
// replaced meanwhile.
func rateInUse(ctx context.Context, tx *pg.Tx, id *uuid.UUID) error {
	if id == nil {
		return nil
	}
	rate, err := shareRate(ctx, tx, *id)
	return fault.When(rate.ArchivedAt != nil, fault.Missing(), err)
}

// UpdateLocationInput changes a location. A nil field is unchanged.
type UpdateLocationInput struct {
	LocationID uuid.UUID
	Version    int64 // of the location that was read
	Slug       *string
	Name       *string
	Zone       *string
	Currency   *money.Currency
	TaxMode    *TaxMode
	TaxRateID  patch.Field[uuid.UUID]
	// PriceDisplay is the display of prices in lists; none: the default of its country.
	PriceDisplay patch.Field[PriceDisplay]
	Address      *Address // as a whole
	Website      *string
	OtherSites   *[]string // as a whole
	Language     *string
	// OtherLanguages allows customers other languages than the location's.
	OtherLanguages *bool
	Reminders      *[]int // as a whole
	DailyCap       patch.Field[int]
	// RefundCapAmount needs business.manage, too: a location does not set its own refund limit.
	RefundCapAmount *int64
}

// Validate trims and checks what was given.
func (in *UpdateLocationInput) Validate() error {
	var c fault.Checks
	checkLine(&c, "name", in.Name, MaxName)
	if in.Slug != nil {
		under(&c, "slug", tenancy.CheckSlug(*in.Slug))
	}
	if in.Zone != nil {
		checkZone(&c, "zone", *in.Zone)
	}
	if in.Currency != nil {
		checkCurrency(&c, "currency", *in.Currency)
	}
	if in.TaxMode != nil {
		checkTaxMode(&c, "taxMode", *in.TaxMode)
	}
	checkDisplayChange(&c, "priceDisplay", in.PriceDisplay)
	if in.Address != nil {
		in.Address.check(&c, "address.")
	}
	if in.Website != nil {
		checkWebsite(&c, "website", in.Website)
	}
	if in.OtherSites != nil {
		checkOtherSites(&c, "otherSites", in.OtherSites)
	}
	if in.Language != nil {
		c.That(*in.Language != "", "language", "Enter a language, such as en.")
		checkLanguage(&c, "language", *in.Language)
	}
	checkCap(&c, "dailyCap", in.DailyCap, MaxCap)
	checkReminders(&c, "reminders", in.Reminders)
	if in.RefundCapAmount != nil {
		c.That(*in.RefundCapAmount >= 0 && *in.RefundCapAmount <= MaxRefundCap, "refundCap", "Enter an amount, or 0 for none.")
	}
	return c.Err()
}

// UpdateLocation changes a location and returns it. A former address stays as a redirect. Errors:
//
//   - fault.Missing for an unknown location or tax rate
//   - policy.ErrMissingFeature (location.manage there; business.manage for RefundCapAmount)
//   - Validation
//   - fault.ErrStale
//   - ErrCurrencyFrozen, ErrZoneInUse, ErrSlugTaken, ErrTooManySlugs
func (s *Service) UpdateLocation(ctx context.Context, sc tenancy.Scope, in UpdateLocationInput) (Location, error) {
	return atPlace(ctx, s, sc, in.LocationID, in.Validate, func(tx *pg.Tx, l Location) (Location, error) {
		if in.RefundCapAmount != nil {
			if err := policy.Require(sc, policy.BusinessManage); err != nil {
				return Location{}, err
			}
		}
		if err := fault.Stale(in.Version, l.Version); err != nil {
			return Location{}, err
		}
		if in.Currency != nil && *in.Currency != l.Currency {
			if err := currencyFree(ctx, tx, &l.ID); err != nil {
				return Location{}, err
			}
		}
		if in.Zone != nil && *in.Zone != l.Zone {
			busy, err := s.o.HasDatesTx(ctx, tx, l.ID)
			if err := fault.When(busy, ErrZoneInUse, err); err != nil {
				return Location{}, err
			}
		}
		if err := rateInUse(ctx, tx, in.TaxRateID.Value); err != nil {
			return Location{}, err
		}
		if in.Slug != nil && *in.Slug != l.Slug {
			if err := moveSlug(ctx, tx, &l.ID, *in.Slug); err != nil {
				return Location{}, err
			}
		}
		in.apply(&l)
		return saveLocation(ctx, tx, l)
	})
}

// ErrZoneInUse is returned for a new time zone while there are upcoming dates: their wall-clock times would change.
var ErrZoneInUse = fault.New(fault.Conflict, "zone_in_use",
	"This location has upcoming dates in its time zone. End them first.")

func (in UpdateLocationInput) apply(l *Location) {
	patch.Set(&l.Slug, in.Slug)
	patch.Set(&l.Name, in.Name)
	patch.Set(&l.Zone, in.Zone)
	patch.Set(&l.Currency, in.Currency)
	patch.Set(&l.TaxMode, in.TaxMode)
	patch.Set(&l.Address, in.Address)
	patch.Set(&l.Website, in.Website)
	patch.Set(&l.OtherSites, in.OtherSites)
	patch.Set(&l.Reminders, in.Reminders)
	patch.Set(&l.Language, in.Language)
	patch.Set(&l.OtherLanguages, in.OtherLanguages)
	in.DailyCap.To(&l.DailyCap)
	patch.Set(&l.RefundCapAmount, in.RefundCapAmount)
	in.TaxRateID.To(&l.TaxRateID)
	in.PriceDisplay.To(&l.PriceDisplay)
}
