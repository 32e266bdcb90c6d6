package business

import (
	"context"
	"time"

	entsql "entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/ent"
	entlocation "foyer/ent/location"
	"foyer/ent/locationhours"
	"foyer/policy"
)

func locationFrom(row *ent.Location) Location {
	return Location{
		ID: row.ID, Slug: row.Slug, Name: row.Name, Zone: row.Zone, Currency: money.Currency(row.Currency),
		TaxMode: TaxMode(row.TaxMode), TaxRateID: row.TaxRateID,
		Address: Address{Street: row.Street, City: row.City, Region: row.Region, PostalCode: row.PostalCode, Country: row.Country},
		Website: row.Website, OtherSites: row.OtherSites, HasStylesheet: hasStylesheet(row),
		Look: Look{Accent: row.Accent, Ground: row.Ground, Type: row.Type, Corners: row.Corners}, DailyCap: row.DailyCap,
		Version: row.Version, ArchivedAt: row.ArchivedAt, CreatedAt: row.CreatedAt, UpdatedAt: row.UpdatedAt,
	}
}

// each makes every row of a list into what it is about.
func each[R, T any](rows []R, of func(R) T) []T {
	list := make([]T, len(rows))
	for i, row := range rows {
		list[i] = of(row)
	}
	return list
}

// withStylesheet reads the mark that a location has a stylesheet in the same trip.
func withStylesheet(q *ent.LocationQuery) *ent.LocationQuery {
	q.Modify(func(s *entsql.Selector) {
		s.AppendSelectExprAs(entsql.P(func(b *entsql.Builder) {
			b.WriteString("exists (select from stylesheets c where c.business_id = ").Ident(s.C(entlocation.FieldBusinessID)).
				WriteString(" and c.location_id = ").Ident(s.C(entlocation.FieldID)).WriteString(" and c.css <> '')")
		}), stylesheetMark)
	})
	return q
}

const stylesheetMark = "has_stylesheet"

func hasStylesheet(row *ent.Location) bool {
	mark, _ := row.Value(stylesheetMark) // a row that was read without it has none to show
	has, _ := mark.(bool)
	return has
}

func oneLocation(ctx context.Context, q *ent.LocationQuery) (Location, error) {
	row, err := pg.Found(withStylesheet(q).Only(ctx))
	if err != nil {
		return Location{}, err
	}
	return locationFrom(row), nil
}

// LocationOf reads a location of the business that r acts for; fault.Missing when there is none.
func LocationOf(ctx context.Context, r pg.Reader, id uuid.UUID) (Location, error) {
	return oneLocation(ctx, r.Ent().Location.Query().Where(entlocation.ID(id)))
}

// lockLocation locks in the strongest way: also rows that are about to refer to the location wait, a payment for one.
func lockLocation(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Location, error) {
	return oneLocation(ctx, tx.Ent().Location.Query().Where(entlocation.ID(id)).ForUpdate())
}

// listLocations lists the locations that cover opens, but for archived ones.
func listLocations(ctx context.Context, r pg.Reader, cover policy.Cover, in paging.In[uuid.UUID]) ([]Location, error) {
	q := withStylesheet(r.Ent().Location.Query()).
		Where(entlocation.BusinessID(r.Business()), entlocation.ArchivedAtIsNil(), entlocation.IDGT(in.From()))
	if !cover.Everywhere {
		q.Where(entlocation.IDIn(cover.Locations...))
	}
	rows, err := q.Order(entlocation.ByID()).Limit(in.Size() + 1).All(ctx)
	return each(rows, locationFrom), err
}

// countLive counts which of the ids are locations in use.
func countLive(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) (int, error) {
	return tx.Ent().Location.Query().Where(entlocation.IDIn(ids...), entlocation.ArchivedAtIsNil()).Count(ctx)
}

// insertLocation writes the row without an address, which takeSlug gives it.
func insertLocation(ctx context.Context, tx *pg.Tx, l Location) error {
	return tx.Ent().Location.Create().SetID(l.ID).SetBusinessID(tx.Business()).SetSlug("").SetName(l.Name).SetZone(l.Zone).
		SetCurrency(string(l.Currency)).SetTaxMode(string(l.TaxMode)).SetNillableTaxRateID(l.TaxRateID).
		SetStreet(l.Address.Street).SetCity(l.Address.City).SetRegion(l.Address.Region).
		SetPostalCode(l.Address.PostalCode).SetCountry(l.Address.Country).SetWebsite(l.Website).SetOtherSites(l.OtherSites).
		SetAccent(l.Look.Accent).SetGround(l.Look.Ground).SetType(l.Look.Type).SetCorners(l.Look.Corners).
		SetVersion(l.Version).SetCreatedAt(l.CreatedAt).SetUpdatedAt(l.UpdatedAt).Exec(ctx)
}

// saveLocation writes everything but the address, which only slug_store.go writes.
func saveLocation(ctx context.Context, tx *pg.Tx, l Location) (Location, error) {
	l.Version, l.UpdatedAt = l.Version+1, tx.Now()
	u := tx.Ent().Location.Update().Where(entlocation.ID(l.ID)).
		SetName(l.Name).SetZone(l.Zone).SetCurrency(string(l.Currency)).SetTaxMode(string(l.TaxMode)).
		SetStreet(l.Address.Street).SetCity(l.Address.City).SetRegion(l.Address.Region).
		SetPostalCode(l.Address.PostalCode).SetCountry(l.Address.Country).SetWebsite(l.Website).SetOtherSites(l.OtherSites).
		SetAccent(l.Look.Accent).SetGround(l.Look.Ground).SetType(l.Look.Type).SetCorners(l.Look.Corners).
		SetNillableTaxRateID(l.TaxRateID).SetNillableDailyCap(l.DailyCap).SetVersion(l.Version).SetUpdatedAt(l.UpdatedAt)
	if l.TaxRateID == nil {
		u.ClearTaxRateID()
	}
	if l.DailyCap == nil {
		u.ClearDailyCap()
	}
	return l, u.Exec(ctx)
}

// moveDefaultRate points locations at the successor of a tax rate.
func moveDefaultRate(ctx context.Context, tx *pg.Tx, old, successor uuid.UUID) error {
	return tx.Ent().Location.Update().Where(entlocation.TaxRateID(old)).SetTaxRateID(successor).
		AddVersion(1).SetUpdatedAt(tx.Now()).Exec(ctx)
}

func readHours(ctx context.Context, r pg.Reader, location uuid.UUID) ([]Interval, error) {
	rows, err := r.Ent().LocationHours.Query().Where(locationhours.LocationID(location)).
		Order(locationhours.ByWeekday(), locationhours.ByOpens(), locationhours.ByID()).Limit(MaxIntervals).All(ctx)
	return each(rows, func(row *ent.LocationHours) Interval {
		return Interval{Weekday: time.Weekday(row.Weekday), Opens: row.Opens, Closes: row.Closes}
	}), err
}

func replaceHours(ctx context.Context, tx *pg.Tx, in Hours) error {
	if _, err := tx.Ent().LocationHours.Delete().Where(locationhours.LocationID(in.LocationID)).Exec(ctx); err != nil {
		return err
	}
	rows := make([]*ent.LocationHoursCreate, len(in.Intervals))
	for i, v := range in.Intervals {
		rows[i] = tx.Ent().LocationHours.Create().SetID(pg.NewID()).SetBusinessID(tx.Business()).
			SetLocationID(in.LocationID).SetWeekday(int(v.Weekday)).SetOpens(v.Opens).SetCloses(v.Closes)
	}
	return tx.Ent().LocationHours.CreateBulk(rows...).Exec(ctx)
}

// SetPolicyTx gives a location another policy, or none. It is an edit of the location: its version goes up.
func SetPolicyTx(ctx context.Context, tx *pg.Tx, location uuid.UUID, policy *uuid.UUID) error {
	_, err := tx.Exec(ctx, `update locations set policy_id = $3, version = version + 1, updated_at = $4
		where business_id = $1 and id = $2`, tx.Business(), location, policy, tx.Now())
	return err
}

// SetWalkinsTx switches a location's walk-ins on or off, and pauses them until an instant or ends a pause; what is
// not given stays as it is. It is an edit of the location.
func SetWalkinsTx(ctx context.Context, tx *pg.Tx, location uuid.UUID, on *bool, pause patch.Field[time.Time]) error {
	_, err := tx.Exec(ctx, `update locations set walkins_off = coalesce(not $3::boolean, walkins_off),
			walkins_paused_until = case when $4 then $5::timestamptz else walkins_paused_until end,
			version = version + 1, updated_at = $6
		where business_id = $1 and id = $2`, tx.Business(), location, on, pause.Set, pause.Value, tx.Now())
	return err
}

// SiteOf reads the site of a location in a trip of somebody else's, who finds out whether the public sees it: site stays as
// it is when there is no such location.
func SiteOf(business, location uuid.UUID, site *Site) func(*pg.Batch) {
	return func(b *pg.Batch) {
		var found bool
		pg.QueueOne(b, site, &found, `select b.name as studio, l.name, l.slug, l.zone, l.currency, l.street, l.city, l.region, l.postal_code, l.country,
				l.archived_at is null and b.status <> 'closed' as open,
				exists (select from stylesheets s where s.business_id = l.business_id and s.location_id = l.id and s.css <> '') as styled
			from locations l join businesses b on b.business_id = l.business_id where l.business_id = $1 and l.id = $2`, business, location)
	}
}
