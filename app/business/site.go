package business

import (
	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/pg"
)

// Site is what a studio's own website shows of a location beside what can be booked there.
type Site struct {
	Studio   string // the business's name
	Name     string // the location's
	Slug     string // its root address of today
	Zone     string // IANA
	Currency money.Currency
	Open     bool // the public sees it
	Styled   bool // its embeds wear a stylesheet of their own
	Address
}

// SiteOf reads the site of a location in a trip of somebody else's, who finds out whether the public sees it: site stays as
// it is when there is no such location.
func SiteOf(business, location uuid.UUID, site *Site) func(*pg.Batch) {
	return func(b *pg.Batch) { queueSite(b, business, location, site) }
}
