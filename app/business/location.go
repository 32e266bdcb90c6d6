package business

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// TaxMode determines whether listed prices include tax.
type TaxMode string

// Tax modes.
const (
	TaxExclusive TaxMode = "exclusive" // tax is added at the checkout
	TaxInclusive TaxMode = "inclusive" // tax is inside the price
)

// All returns all values.
func (TaxMode) All() []TaxMode { return []TaxMode{TaxExclusive, TaxInclusive} }

// Location is a site of the business, with a time zone, a currency, an address and a branding.
type Location struct {
	ID        uuid.UUID
	Slug      string // its root address
	Name      string
	Zone      string // IANA: the time zone of all dates here
	Currency  money.Currency
	TaxMode   TaxMode
	TaxRateID *uuid.UUID // for new offerings; nil: untaxed
	// PriceDisplay is the display of prices in lists; nil: the default of its country, see Display.
	PriceDisplay *PriceDisplay
	Address
	Website    string   // the studio's own, with scheme; may be empty
	OtherSites []string // further addresses of the studio's own website, each like Website
	Speech
	Branding
	DailyCap *int // most appointments and rentals a day; nil: no limit
	// RefundCapAmount is the maximum refund of one payment, in total, by a member with a limited payment.refund; in
	// minor units. 0: none.
	RefundCapAmount int64
	Reminders       []int // minutes before the start, descending; empty: no reminders
	ArchivedAt      *time.Time
	// HasStylesheet reports whether its embeds have a stylesheet of their own. See Stylesheet.
	HasStylesheet bool
	Version       int64
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// Address is the postal address of a location; any part may be empty. Country is an ISO 3166 code of two capital
// letters.
type Address struct {
	Street     string
	City       string
	Region     string
	PostalCode string
	Country    string
}

var countryShape = regexp.MustCompile(`^[A-Z]{2}$`)

func (a *Address) check(c *fault.Checks, prefix string) {
	checkMaybe(c, prefix+"street", &a.Street, MaxStreet)
	checkMaybe(c, prefix+"city", &a.City, MaxCity)
	checkMaybe(c, prefix+"region", &a.Region, MaxRegion)
	checkMaybe(c, prefix+"postalCode", &a.PostalCode, MaxPostalCode)
	a.Country = strings.ToUpper(strings.TrimSpace(a.Country))
	c.That(a.Country == "" || countryShape.MatchString(a.Country), prefix+"country", "Write the country's two letters, like PT.")
}

// Site is a location as a studio's own website shows it, beside its offerings.
type Site struct {
	Studio   string // the business's name
	Name     string // the location's
	Slug     string // its current root address
	Zone     string // IANA
	Currency money.Currency
	Open     bool // visible to the public
	Styled   bool // its embeds have a stylesheet of their own
	Language string
	Address
}

// LocationInput is a new location.
type LocationInput struct {
	Name       string
	Slug       string         // empty: derived from SlugFrom
	SlugFrom   string         // name from which the address is derived; empty: Name
	Zone       string         // empty: the business's
	Currency   money.Currency // empty: the business's
	TaxMode    TaxMode        // empty: exclusive
	TaxRateID  *uuid.UUID     // for new offerings; nil: untaxed
	Display    *PriceDisplay  // nil: the default of its country
	Address    Address
	Website    string
	OtherSites []string // without duplicates; at most MaxOtherSites
	Reminders  *[]int   // nil: a day and two hours before
	Language   string   // empty: that of the business's first location, or English
}

// TaxModeIn returns the usual tax mode of a country, by its ISO code: exclusive in the United States and Canada,
// inclusive elsewhere, as consumer law requires there.
func TaxModeIn(country string) TaxMode {
	switch country {
	case "US", "CA", "PR", "GU", "VI", "AS", "MP":
		return TaxExclusive
	}
	return TaxInclusive
}

// check trims and checks the input after its defaults are filled in; prefix is its field in the request.
func (in *LocationInput) check(c *fault.Checks, prefix string) {
	checkLine(c, prefix+"name", &in.Name, MaxName)
	if in.Slug != "" {
		under(c, prefix+"slug", tenancy.CheckSlug(in.Slug))
	}
	checkZone(c, prefix+"zone", in.Zone)
	checkCurrency(c, prefix+"currency", in.Currency)
	in.TaxMode = cmp.Or(in.TaxMode, TaxExclusive)
	checkTaxMode(c, prefix+"taxMode", in.TaxMode)
	checkDisplay(c, prefix+"priceDisplay", in.Display)
	in.Address.check(c, prefix+"address.")
	checkWebsite(c, prefix+"website", &in.Website)
	checkOtherSites(c, prefix+"otherSites", &in.OtherSites)
	checkReminders(c, prefix+"reminders", in.Reminders)
	checkLanguage(c, prefix+"language", in.Language)
}

func checkTaxMode(c *fault.Checks, field string, m TaxMode) {
	c.That(m == TaxExclusive || m == TaxInclusive, field, "Use exclusive or inclusive.")
}

func checkWebsite(c *fault.Checks, field string, s *string) {
	clean, ok := parseWebsite(*s)
	c.That(ok, field, "Write the address of a website, like https://example.com.")
	*s = clean
}

// checkOtherSites checks a list of addresses and removes duplicates.
func checkOtherSites(c *fault.Checks, field string, list *[]string) {
	if len(*list) > MaxOtherSites {
		c.That(false, field, fmt.Sprintf("Enter at most %d addresses.", MaxOtherSites))
		return
	}
	kept := []string{}
	for i, site := range *list {
		at := fmt.Sprintf("%s[%d]", field, i)
		checkWebsite(c, at, &site)
		c.That(strings.TrimSpace((*list)[i]) != "", at, "Write the address of a website, like https://shop.example.com.")
		if !slices.Contains(kept, site) {
			kept = append(kept, site)
		}
	}
	*list = kept
}

// Locations lists the locations visible to the caller, without archived ones. Errors: policy.ErrMissingFeature
// (location.view), Validation on limit.
func (s *Service) Locations(ctx context.Context, sc tenancy.Scope, in paging.In[uuid.UUID]) (page paging.Page[Location, uuid.UUID], err error) {
	cover, err := policy.Where(sc, policy.LocationView)
	if err != nil {
		return page, err
	}
	if err := in.Validate(); err != nil {
		return page, err
	}
	rows, err := listLocations(ctx, s.o.DB.View(sc.Tenant), cover, in)
	return paging.Of(rows, in.Size(), func(l Location) uuid.UUID { return l.ID }), err
}

// Location returns one location, archived or not. Errors: fault.Missing, policy.ErrMissingFeature (location.view there).
func (s *Service) Location(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Location, error) {
	return seen(ctx, sc, s.o.DB.View(sc.Tenant), policy.LocationView, id)
}

// seen reads a location for a caller with feature there. An id that the business does not have is not found, whatever
// the caller may do; an existing one is refused where the caller has no role (A47).
func seen(ctx context.Context, sc tenancy.Scope, r pg.Reader, feature tenancy.Feature, id uuid.UUID) (Location, error) {
	if err := policy.RequireAny(sc, feature); err != nil {
		return Location{}, err
	}
	l, err := LocationOf(ctx, r, id)
	if err != nil {
		return Location{}, err
	}
	return l, policy.RequireAt(sc, feature, id)
}

// atPlace is change for a location, or a part of it: it checks the right to make the change anywhere first, and the
// right to make it here once the location is read and locked.
func atPlace[T any](ctx context.Context, s *Service, sc tenancy.Scope, location uuid.UUID, valid func() error,
	do func(*pg.Tx, Location) (T, error)) (T, error) {
	return change(ctx, s, sc, policy.RequireAny(sc, policy.LocationManage), valid, func(tx *pg.Tx) (out T, err error) {
		l, err := lockLocation(ctx, tx, location)
		if err != nil {
			return out, err
		}
		if err := policy.RequireAt(sc, policy.LocationManage, location); err != nil {
			return out, err
		}
		return do(tx, l)
	})
}
