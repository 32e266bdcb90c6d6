package giftcard

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Terms are the terms of the gift cards that a location sells.
type Terms struct {
	LocationID    uuid.UUID
	Currency      money.Currency // of the location
	Country       string         // of the location
	Zone          string         // of the location
	SoldOnline    bool
	Amounts       []int64 // to choose from, in minor units; empty: any between the two bounds
	LeastAmount   int64   // that can be chosen
	MostAmount    int64
	ExpiresMonths *int // after the sale; nil: never
	Version       int64
}

// The bounds of amounts without terms, in units of the currency.
const (
	leastUnits = 5
	mostUnits  = 500
)

// unit returns the unit of a currency in minor units; a hundred of one without any.
func unit(cur money.Currency) int64 {
	info, _ := money.Lookup(cur)
	if info.Digits == 3 {
		return 1000
	}
	return 100
}

// amountsMax is the largest number of amounts to choose from.
const amountsMax = 12

// shortest are the shortest times, in months, after which the law of a country lets a gift card expire. In a country
// that is not listed no gift card expires. It is no legal advice: the page of the settings says so.
var shortest = map[string]int{
	"AU": 36,  // Competition and Consumer Amendment (Gift Cards) Act 2018
	"DE": 36,  // § 195, § 199 BGB
	"FR": 12,  // no statute: common practice
	"GB": 12,  // no statute: Consumer Rights Act 2015, fairness
	"IE": 60,  // Consumer Protection (Gift Vouchers) Act 2019
	"NL": 24,  // case law on fairness
	"NZ": 36,  // Fair Trading (Gift Card Expiry) Amendment Act 2024
	"CH": 120, // Art. 127 OR
}

// ShortestExpiry returns the least number of months after which gift cards may expire in a country; ok is false if they
// may not at all.
func ShortestExpiry(country string) (months int, ok bool) {
	months, ok = shortest[country]
	return months, ok
}

// expiryMax is the largest number of months.
const expiryMax = 240

// TermsOf returns the terms of a location, with defaults if it has set none: then none are sold online. It needs
// location.view there. It returns a not found error.
func (s *Service) TermsOf(ctx context.Context, sc tenancy.Scope, location uuid.UUID) (Terms, error) {
	if err := policy.RequireAt(sc, policy.LocationView, location); err != nil {
		return Terms{}, err
	}
	return ReadTerms(ctx, s.db.View(sc.Tenant), location)
}

// SetTermsInput replaces the terms of a location.
type SetTermsInput struct {
	LocationID  uuid.UUID
	Version     int64 // of the terms that were read
	SoldOnline  bool
	Amounts     []int64
	LeastAmount int64
	MostAmount  int64
	// ExpiresMonths applies to cards that are sold from now on. It must be lawful in the country of the location.
	ExpiresMonths *int
}

// Validate checks the input. The error names every wrong field.
func (in *SetTermsInput) Validate() error {
	var c fault.Checks
	c.That(in.LeastAmount >= 1 && in.LeastAmount <= AmountMax, "leastAmount", "Enter an amount above zero.")
	c.That(in.MostAmount <= AmountMax, "mostAmount", "This amount is too large.")
	c.That(in.MostAmount >= in.LeastAmount, "mostAmount", "Enter at least the smallest amount.")
	c.That(len(in.Amounts) <= amountsMax, "amounts", "Enter at most 12 amounts.")
	slices.Sort(in.Amounts)
	in.Amounts = slices.Compact(in.Amounts)
	for _, n := range in.Amounts {
		c.That(n >= in.LeastAmount && n <= in.MostAmount, "amounts", "Enter amounts between the smallest and the largest.")
	}
	return c.Err()
}

// SetTerms replaces the terms of the gift cards of a location. It needs location.manage there. It returns:
//
//   - policy.ErrMissingFeature
//   - a validation error, also on expiresMonths if the law of the country does not allow it
//   - a not found error
//   - fault.ErrStale
func (s *Service) SetTerms(ctx context.Context, sc tenancy.Scope, in SetTermsInput) (Terms, error) {
	if err := policy.RequireAt(sc, policy.LocationManage, in.LocationID); err != nil {
		return Terms{}, err
	}
	if err := in.Validate(); err != nil {
		return Terms{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Terms, error) {
		if err := lockTerms(ctx, tx, in.LocationID); err != nil {
			return Terms{}, err
		}
		t, err := ReadTerms(ctx, tx, in.LocationID)
		if err == nil {
			err = fault.Stale(in.Version, t.Version)
		}
		if err == nil {
			err = lawful(in.ExpiresMonths, t.Country)
		}
		if err != nil {
			return Terms{}, err
		}
		t.SoldOnline, t.Amounts, t.ExpiresMonths = in.SoldOnline, in.Amounts, in.ExpiresMonths
		t.LeastAmount, t.MostAmount, t.Version = in.LeastAmount, in.MostAmount, t.Version+1
		return t, saveTerms(ctx, tx, t)
	})
}

func lawful(months *int, country string) error {
	if months == nil {
		return nil
	}
	least, ok := ShortestExpiry(country)
	var c fault.Checks
	c.That(ok, "expiresMonths", "Gift cards must not expire in the country of this location.")
	c.That(!ok || *months >= least && *months <= expiryMax, "expiresMonths",
		"Enter a number of months that the law of the country of this location allows, and at most 240.")
	return c.Err()
}

// Takes reports whether a gift card of this amount is sold online.
func (t Terms) Takes(amount int64) bool {
	return t.SoldOnline && amount >= t.LeastAmount && amount <= t.MostAmount
}

// SoldAtIn reads whether a location sells gift cards online, as part of the caller's batch.
func SoldAtIn(business, location uuid.UUID, yes *bool) func(*pg.Batch) {
	return func(b *pg.Batch) {
		var found bool
		pg.QueueOne(b, yes, &found, `select exists (select from gift_card_terms
			where business_id = $1 and location_id = $2 and sold_online)`, business, location)
	}
}

// ReadTerms reads the terms of a location. It returns a not found error.
func ReadTerms(ctx context.Context, r pg.Reader, location uuid.UUID) (Terms, error) {
	t, err := pg.Found(pg.One[Terms](ctx, r, `select l.id as location_id, l.currency, l.country, l.zone,
			coalesce(t.sold_online, false) as sold_online, coalesce(t.amounts, '[]') as amounts,
			coalesce(t.least_amount, 0) as least_amount, coalesce(t.most_amount, 0) as most_amount, t.expires_months,
			coalesce(t.version, 1) as version
		from locations l left join gift_card_terms t on t.business_id = $1 and t.location_id = l.id
		where l.business_id = $1 and l.id = $2`, r.Business(), location))
	if err == nil && t.MostAmount == 0 { // it has set none
		t.LeastAmount, t.MostAmount = leastUnits*unit(t.Currency), mostUnits*unit(t.Currency)
	}
	return t, err
}

// lockTerms locks the terms of a location by the location itself: two first settings wait for each other.
func lockTerms(ctx context.Context, tx *pg.Tx, location uuid.UUID) error {
	_, err := tx.Exec(ctx, `select from locations where business_id = $1 and id = $2 for no key update`, tx.Business(),
		location)
	return err
}

func saveTerms(ctx context.Context, tx *pg.Tx, t Terms) error {
	_, err := tx.Exec(ctx, `insert into gift_card_terms (id, business_id, location_id, sold_online, amounts, least_amount,
			most_amount, expires_months, version, created_at, updated_at)
		values (@id, @business, @location, @online, to_jsonb(@amounts::bigint[]), @least, @most, @months, @version, @now,
			@now)
		on conflict (business_id, location_id) do update set sold_online = @online, amounts = to_jsonb(@amounts::bigint[]),
			least_amount = @least, most_amount = @most, expires_months = @months, version = @version, updated_at = @now`,
		pg.Named{
			"id": pg.NewID(), "business": tx.Business(), "location": t.LocationID, "online": t.SoldOnline,
			"amounts": append([]int64{}, t.Amounts...), "least": t.LeastAmount, "most": t.MostAmount,
			"months": t.ExpiresMonths, "version": t.Version, "now": tx.Now(),
		})
	return err
}
