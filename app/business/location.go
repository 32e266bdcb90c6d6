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

// TaxMode says whether listed prices include tax.
type TaxMode string

// The modes.
const (
	TaxExclusive TaxMode = "exclusive" // tax is added at the checkout
	TaxInclusive TaxMode = "inclusive" // tax is inside the price
)

// All lists them.
func (TaxMode) All() []TaxMode { return []TaxMode{TaxExclusive, TaxInclusive} }

// Location is a place: a wall clock, a currency, an address and a look.
type Location struct {
	ID        uuid.UUID
	Slug      string // its root address
	Name      string
	Zone      string // IANA: the wall clock of everything that happens here
	Currency  money.Currency
	TaxMode   TaxMode
	TaxRateID *uuid.UUID // for new offerings; nil: untaxed
	// PriceDisplay is how lists show prices; nil: as is usual in its country, see Display.
	PriceDisplay *PriceDisplay
	Address
	Website    string   // the studio's own, with scheme; empty when it has none
	OtherSites []string // further addresses that are the studio's own website, each as Website is
	Speech
	Branding
	DailyCap *int // most appointments and rentals a day; nil: no limit
	// RefundCapAmount is how much of one payment those may give back, in all, whose payment.refund is limited; in minor units. 0: nothing.
	RefundCapAmount int64
	Reminders       []int // how many minutes before a booking begins its customer is reminded, the most first; none: never
	ArchivedAt      *time.Time
	// HasStylesheet reports whether its embeds wear a sheet of its own. See Stylesheet.
	HasStylesheet bool
	Version       int64
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// Address is where a location is; any part may be empty. Country is an ISO 3166 code of two capital letters.
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

// Site is what a studio's own website shows of a location beside what can be booked there.
type Site struct {
	Studio   string // the business's name
	Name     string // the location's
	Slug     string // its root address of today
	Zone     string // IANA
	Currency money.Currency
	Open     bool // the public sees it
	Styled   bool // its embeds wear a stylesheet of their own
	Language string
	Address
}

// LocationInput is a new location.
type LocationInput struct {
	Name       string
	Slug       string         // empty: made from SlugFrom
	SlugFrom   string         // the name that the address is proposed from; empty: Name
	Zone       string         // empty: the business's
	Currency   money.Currency // empty: the business's
	TaxMode    TaxMode        // empty: exclusive
	TaxRateID  *uuid.UUID     // for new offerings; nil: untaxed
	Display    *PriceDisplay  // nil: as is usual in its country
	Address    Address
	Website    string
	OtherSites []string // each once; at most MaxOtherSites
	Reminders  *[]int   // nil: a day and two hours before
	Language   string   // empty: that of the business's first location, or English
}

// TaxModeIn is how prices are listed in a country, by its ISO code: before tax in the United States and Canada, and with it everywhere
// else, where the law wants the price that a consumer pays.
func TaxModeIn(country string) TaxMode {
	switch country {
	case "US", "CA", "PR", "GU", "VI", "AS", "MP":
		return TaxExclusive
	}
	return TaxInclusive
}

// check trims and checks the input, whose defaults are filled in; prefix is where it stands in the request.
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

// checkOtherSites checks a list of addresses and leaves each once.
func checkOtherSites(c *fault.Checks, field string, list *[]string) {
	if len(*list) > MaxOtherSites {
		c.That(false, field, fmt.Sprintf("Name at most %d addresses.", MaxOtherSites))
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

// Locations lists the locations the caller may see, archived ones left out. Errors: policy.ErrMissingFeature
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

// seen reads a location for somebody who needs feature there. An id the business does not have is not found, whatever
// the caller may do; one it has is refused where the caller has no role (A47).
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

// atPlace is change of a location, or of what belongs to it: the right to make one somewhere comes first, and the one to
// make it here once the location is known, whose row stays locked.
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
