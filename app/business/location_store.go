package business

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/ent"
	entlocation "foyer/ent/location"
	"foyer/ent/locationhours"
	"foyer/policy"
)

const selectLocations = `select l.id, l.slug, l.name, l.zone, l.currency, l.tax_mode, l.tax_rate_id, l.price_display, l.street, l.city, l.region,
		l.postal_code, l.country, l.website, l.other_sites, l.language, l.other_languages, l.accent, l.background, l.type, l.corners, l.daily_cap, l.refund_cap_amount, l.reminders, l.archived_at,
		exists (select from stylesheets s where s.business_id = l.business_id and s.location_id = l.id and s.css <> '') as has_stylesheet,
		l.version, l.created_at, l.updated_at
	from locations l where l.business_id = $1 and `

// LocationOf reads a location of the business of r. It returns fault.Missing when there is none.
func LocationOf(ctx context.Context, r pg.Reader, id uuid.UUID) (Location, error) {
	return pg.Found(pg.One[Location](ctx, r, selectLocations+"l.id = $2", r.Business(), id))
}

// StudioOf reads in one trip the data of a location's pages: its business, the location in any state, and the
// business's open locations. It returns fault.Missing when there is no such location.
func StudioOf(ctx context.Context, v *pg.View, location uuid.UUID) (b Business, l Location, open []Location, err error) {
	var r StudioRead
	batch := v.Batch()
	r.In(v.Business(), location)(batch)
	if err = batch.Send(ctx); err != nil {
		return b, l, nil, err
	}
	return r.Studio()
}

// StudioRead is StudioOf as part of another read's trip: In, then Studio.
type StudioRead struct {
	location  uuid.UUID
	business  Business
	known     bool
	locations []Location
}

// In adds the read to a batch.
func (r *StudioRead) In(business, location uuid.UUID) func(*pg.Batch) {
	r.location = location
	return func(b *pg.Batch) {
		pg.QueueOne(b, &r.business, &r.known, selectBusiness, business)
		pg.QueueAll(b, &r.locations, selectLocations+`(l.archived_at is null or l.id = $2)
			order by l.id = $2 desc, l.id limit $3`, business, location, paging.Max)
	}
}

// Studio returns what was read, as StudioOf does.
func (r *StudioRead) Studio() (b Business, l Location, open []Location, err error) {
	for _, row := range r.locations {
		if row.ID == r.location {
			l = row
		}
		if row.ArchivedAt == nil {
			open = append(open, row)
		}
	}
	if !r.known || l.ID == uuid.Nil {
		return b, l, nil, fault.Missing()
	}
	return r.business, l, open, nil
}

// lockLocation takes the strongest lock: rows that are about to refer to the location wait too, such as a payment.
func lockLocation(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Location, error) {
	return pg.Found(pg.One[Location](ctx, tx, selectLocations+"l.id = $2 for update", tx.Business(), id))
}

// listLocations lists the locations in cover, without archived ones.
func listLocations(ctx context.Context, r pg.Reader, cover policy.Cover, in paging.In[uuid.UUID]) ([]Location, error) {
	s := pg.NewShape(selectLocations+`l.archived_at is null and l.id > $2`, r.Business(), in.From())
	s.AndIf(!cover.Everywhere, `l.id = any(?)`, cover.Locations)
	s.Add(` order by l.id limit ?`, in.Size()+1)
	return pg.All[Location](ctx, r, s.SQL(), s.Args()...)
}

// countLive counts which of the ids are locations in use.
func countLive(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) (int, error) {
	return tx.Ent().Location.Query().Where(entlocation.IDIn(ids...), entlocation.ArchivedAtIsNil()).Count(ctx)
}

// insertLocation writes the row without its address, which takeSlug sets.
func insertLocation(ctx context.Context, tx *pg.Tx, l Location) error {
	return tx.Ent().Location.Create().SetID(l.ID).SetBusinessID(tx.Business()).SetSlug("").SetName(l.Name).SetZone(l.Zone).
		SetCurrency(string(l.Currency)).SetTaxMode(string(l.TaxMode)).SetNillableTaxRateID(l.TaxRateID).
		SetNillablePriceDisplay((*string)(l.PriceDisplay)).
		SetStreet(l.Address.Street).SetCity(l.Address.City).SetRegion(l.Address.Region).
		SetPostalCode(l.Address.PostalCode).SetCountry(l.Address.Country).SetWebsite(l.Website).SetOtherSites(l.OtherSites).
		SetLanguage(l.Language).SetOtherLanguages(l.OtherLanguages).SetReminders(l.Reminders).
		SetAccent(l.Branding.Accent).SetBackground(l.Branding.Background).SetType(l.Branding.Type).SetCorners(l.Branding.Corners).
		SetVersion(l.Version).SetCreatedAt(l.CreatedAt).SetUpdatedAt(l.UpdatedAt).Exec(ctx)
}

// saveLocation writes every column but the address, which only slug_store.go writes.
func saveLocation(ctx context.Context, tx *pg.Tx, l Location) (Location, error) {
	l.Version, l.UpdatedAt = l.Version+1, tx.Now()
	_, err := tx.Exec(ctx, `update locations set name = @name, zone = @zone, currency = @currency, tax_mode = @tax_mode, tax_rate_id = @tax_rate_id, price_display = @price_display,
			street = @street, city = @city, region = @region, postal_code = @postal_code, country = @country,
				website = @website, other_sites = @other_sites, language = @language, other_languages = @other_languages,
			accent = @accent, background = @background, type = @type, corners = @corners, daily_cap = @daily_cap, refund_cap_amount = @refund_cap, reminders = @reminders,
			archived_at = @archived_at, version = @version, updated_at = @updated_at
		where business_id = @business and id = @id`, pg.Named{
		"business": tx.Business(), "id": l.ID, "name": l.Name, "zone": l.Zone, "currency": l.Currency, "tax_mode": l.TaxMode,
		"tax_rate_id": l.TaxRateID, "price_display": l.PriceDisplay, "street": l.Street, "city": l.City, "region": l.Region, "postal_code": l.PostalCode,
		"country": l.Country, "website": l.Website, "other_sites": l.OtherSites,
		"language": l.Language, "other_languages": l.OtherLanguages, "accent": l.Accent, "background": l.Background,
		"type": l.Type, "corners": l.Corners, "daily_cap": l.DailyCap, "refund_cap": l.RefundCapAmount, "reminders": l.Reminders, "archived_at": l.ArchivedAt, "version": l.Version, "updated_at": l.UpdatedAt,
	})
	return l, err
}

// moveDefaultRate points locations at the successor of a tax rate.
func moveDefaultRate(ctx context.Context, tx *pg.Tx, old, successor uuid.UUID) error {
	return tx.Ent().Location.Update().Where(entlocation.TaxRateID(old)).SetTaxRateID(successor).
		AddVersion(1).SetUpdatedAt(tx.Now()).Exec(ctx)
}

// HoursOf reads the opening week of a location of the business of r. It is empty for a location without hours and for
// an unknown one.
func HoursOf(ctx context.Context, r pg.Reader, location uuid.UUID) (Hours, error) {
	week, err := pg.All[Interval](ctx, r, `select weekday, opens, closes from location_hours where business_id = $1 and location_id = $2
		order by weekday, opens, id limit $3`, r.Business(), location, MaxIntervals)
	return Hours{LocationID: location, Intervals: week}, err
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

// SetPolicyTx assigns a location another policy, or none, and increments its version.
func SetPolicyTx(ctx context.Context, tx *pg.Tx, location uuid.UUID, policy *uuid.UUID) error {
	_, err := tx.Exec(ctx, `update locations set policy_id = $3, version = version + 1, updated_at = $4
		where business_id = $1 and id = $2`, tx.Business(), location, policy, tx.Now())
	return err
}

// SetWalkinsTx enables or disables a location's walk-ins, pauses them until an instant, or ends a pause. Fields that
// are not set are unchanged. It increments the location's version.
func SetWalkinsTx(ctx context.Context, tx *pg.Tx, location uuid.UUID, on *bool, pause patch.Field[time.Time]) error {
	_, err := tx.Exec(ctx, `update locations set walkins_off = coalesce(not $3::boolean, walkins_off),
			walkins_paused_until = case when $4 then $5::timestamptz else walkins_paused_until end,
			version = version + 1, updated_at = $6
		where business_id = $1 and id = $2`, tx.Business(), location, on, pause.Set, pause.Value, tx.Now())
	return err
}

// SiteOf reads the site of a location as part of the caller's batch; the caller checks whether it is public. site is
// unchanged when there is no such location.
func SiteOf(business, location uuid.UUID, site *Site) func(*pg.Batch) {
	return func(b *pg.Batch) {
		var found bool
		pg.QueueOne(b, site, &found, `select b.name as studio, l.name, l.slug, l.zone, l.currency, l.street, l.city, l.region, l.postal_code, l.country, l.language,
				l.archived_at is null and b.status <> 'closed' as open,
				exists (select from stylesheets s where s.business_id = l.business_id and s.location_id = l.id and s.css <> '') as styled
			from locations l join businesses b on b.business_id = l.business_id where l.business_id = $1 and l.id = $2`, business, location)
	}
}
