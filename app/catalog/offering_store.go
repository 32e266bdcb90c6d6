package catalog

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/ent/offering"
	"foyer/ent/predicate"
)

const offeringColumns = `o.id, o.location_id, o.kind, o.slug, o.name, o.description, o.heading, ` + word + ` as word, o.state,
	o.duration_minutes, o.price_amount, l.currency, o.tax_rate_id, o.revenue_category_id, o.capacity, o.online_capacity,
	o.position, o.published_at, o.version, o.created_at, o.updated_at, o.policy_id, o.buffer_before_minutes,
	o.buffer_after_minutes, o.grid_minutes, o.last_start_minute, o.compact, o.approval, o.enrolment, o.sold_as,
	o.durations, o.needs_member, o.walkins,
	array(select x.member_id from offering_members x where x.business_id = o.business_id and x.offering_id = o.id
		order by x.position, x.id) as member_ids,
	array(select x.space_id from offering_spaces x where x.business_id = o.business_id and x.offering_id = o.id
		order by x.position, x.id) as space_ids`

// word is the group of an offering.
const word = `case when o.heading <> '' then o.heading when o.kind = 'class' then b.class_word
	when o.kind = 'appointment' then b.appointment_word else b.rental_word end`

const offeringFrom = ` from offerings o
	join locations l on l.business_id = o.business_id and l.id = o.location_id
	join businesses b on b.business_id = o.business_id `

func find(ctx context.Context, r pg.Reader, id uuid.UUID) (Offering, error) {
	return pg.Found(pg.One[Offering](ctx, r, `select `+offeringColumns+offeringFrom+`where o.business_id = $1 and o.id = $2`,
		r.Business(), id))
}

// findLocked reads an offering and locks its row until the transaction ends.
func findLocked(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Offering, error) {
	return pg.Found(pg.One[Offering](ctx, tx, `select `+offeringColumns+offeringFrom+
		`where o.business_id = $1 and o.id = $2 for update of o`, tx.Business(), id))
}

// lockOfferingsAt is findLocked for those of a location that are not archived, in the order of their ids.
func lockOfferingsAt(ctx context.Context, tx *pg.Tx, location uuid.UUID) ([]Offering, error) {
	return pg.All[Offering](ctx, tx, `select `+offeringColumns+offeringFrom+
		`where o.business_id = $1 and o.location_id = $2 and o.state <> 'archived' order by o.id for update of o`, tx.Business(), location)
}

// insert writes a new offering, or returns ErrSlugTaken and leaves the transaction alive.
func insert(ctx context.Context, tx *pg.Tx, o Offering) error {
	n, err := tx.Exec(ctx, `insert into offerings (id, business_id, location_id, kind, slug, name, description, heading, state,
			duration_minutes, price_amount, tax_rate_id, revenue_category_id, capacity, online_capacity, position, version,
			created_at, updated_at,
			policy_id, buffer_before_minutes, buffer_after_minutes, grid_minutes, last_start_minute, compact, approval,
			enrolment, sold_as, durations, needs_member, walkins)
		values (@id, @business, @location_id, @kind, @slug, @name, @description, @heading, @state, @duration_minutes,
			@price_amount, @tax_rate_id, @revenue_category_id, @capacity, @online_capacity, @position, @version,
			@created_at, @created_at,
			@policy_id, @buffer_before_minutes, @buffer_after_minutes, @grid_minutes, @last_start_minute, @compact,
			@approval, @enrolment, @sold_as, @durations, @needs_member, @walkins)
		on conflict (business_id, location_id, slug) do nothing`, pg.Named{
		"id": o.ID, "business": tx.Business(), "location_id": o.LocationID, "kind": o.Kind, "slug": o.Slug, "name": o.Name,
		"description": o.Description, "heading": o.Heading, "state": o.State, "duration_minutes": o.DurationMinutes,
		"price_amount": o.PriceAmount, "tax_rate_id": o.TaxRateID, "revenue_category_id": o.RevenueCategoryID,
		"capacity": o.Capacity, "online_capacity": o.OnlineCapacity, "position": o.Position, "version": o.Version,
		"created_at": o.CreatedAt, "policy_id": o.PolicyID,
		"buffer_before_minutes": o.BufferBeforeMinutes, "buffer_after_minutes": o.BufferAfterMinutes,
		"grid_minutes": o.GridMinutes, "last_start_minute": o.LastStartMinute, "compact": o.Compact, "approval": o.Approval,
		"enrolment": o.Enrolment, "sold_as": o.SoldAs, "durations": o.Durations, "needs_member": o.NeedsMember,
		"walkins": o.Walkins,
	})
	if err == nil && n == 0 {
		return ErrSlugTaken
	}
	return err
}

// save writes a changed offering as its next version. The row is locked by findLocked.
func save(ctx context.Context, tx *pg.Tx, o *Offering) error {
	o.Version, o.UpdatedAt = o.Version+1, tx.Now()
	_, err := tx.Exec(ctx, `update offerings set slug = @slug, name = @name, description = @description,
			heading = @heading, state = @state, duration_minutes = @duration_minutes, price_amount = @price_amount, tax_rate_id = @tax_rate_id,
			revenue_category_id = @revenue_category_id, capacity = @capacity, online_capacity = @online_capacity,
			position = @position, published_at = @published_at, version = @version, updated_at = @updated_at,
			policy_id = @policy_id, buffer_before_minutes = @buffer_before_minutes,
			buffer_after_minutes = @buffer_after_minutes, grid_minutes = @grid_minutes, last_start_minute = @last_start_minute,
			compact = @compact, approval = @approval, enrolment = @enrolment, sold_as = @sold_as, durations = @durations,
			needs_member = @needs_member, walkins = @walkins
		where business_id = @business and id = @id`, pg.Named{
		"business": tx.Business(), "id": o.ID, "slug": o.Slug, "name": o.Name, "description": o.Description, "heading": o.Heading,
		"state": o.State, "duration_minutes": o.DurationMinutes, "price_amount": o.PriceAmount, "tax_rate_id": o.TaxRateID,
		"revenue_category_id": o.RevenueCategoryID, "capacity": o.Capacity, "online_capacity": o.OnlineCapacity,
		"position": o.Position, "published_at": o.PublishedAt,
		"version": o.Version, "updated_at": o.UpdatedAt, "policy_id": o.PolicyID, "buffer_before_minutes": o.BufferBeforeMinutes,
		"buffer_after_minutes": o.BufferAfterMinutes, "grid_minutes": o.GridMinutes, "last_start_minute": o.LastStartMinute,
		"compact": o.Compact, "approval": o.Approval, "enrolment": o.Enrolment, "sold_as": o.SoldAs, "durations": o.Durations,
		"needs_member": o.NeedsMember, "walkins": o.Walkins,
	})
	return pg.Map(err, map[string]error{"offerings_slug_key": ErrSlugTaken})
}

func ofBusiness(r pg.Reader) predicate.Offering { return offering.BusinessID(r.Business()) }

// slugsLike lists the slugs of a location that are base or begin with base and a hyphen.
func slugsLike(ctx context.Context, tx *pg.Tx, location uuid.UUID, base string) ([]string, error) {
	return tx.Ent().Offering.Query().
		Where(ofBusiness(tx), offering.LocationID(location), offering.Or(offering.Slug(base), offering.SlugHasPrefix(base+"-"))).
		Select(offering.FieldSlug).Strings(ctx)
}

func rateInUse(ctx context.Context, tx *pg.Tx, id uuid.UUID) (bool, error) {
	return pg.One[bool](ctx, tx, `select exists (select from tax_rates where business_id = $1 and id = $2 and archived_at is null)`,
		tx.Business(), id)
}

func categoryInUse(ctx context.Context, tx *pg.Tx, id uuid.UUID) (bool, error) {
	return pg.One[bool](ctx, tx, `select exists (select from revenue_categories
		where business_id = $1 and id = $2 and archived_at is null)`, tx.Business(), id)
}

// ReplaceTaxRateTx replaces a tax rate by its successor on every offering: business.Ports.ReplaceTaxRateTx. It is an
// edit: versions go up.
func ReplaceTaxRateTx(ctx context.Context, tx *pg.Tx, old, successor uuid.UUID) error {
	return tx.Ent().Offering.Update().Where(ofBusiness(tx), offering.TaxRateID(old)).
		SetTaxRateID(successor).AddVersion(1).SetUpdatedAt(tx.Now()).Exec(ctx)
}

// list reads a part of a location's offerings; ok reports whether the business has that location.
func list(ctx context.Context, v *pg.View, in ListInput) (rows []Offering, ok bool, err error) {
	s := pg.NewShape(`select `+offeringColumns+offeringFrom+`where o.business_id = $1 and o.location_id = $2`, v.Business(), in.LocationID)
	s.AndIf(in.Kind != "", `o.kind = ?`, in.Kind)
	s.AndIf(in.State != "", `o.state = ?`, in.State)
	addHeading(s, in.Heading)
	like := pattern(in.Query)
	s.AndIf(like != "", `(o.name ilike ? or o.slug ilike ?)`, like, like)
	addPage(s, in.Page)
	var place int
	b := v.Kept().Batch()
	pg.QueueOne(b, &place, &ok, `select 1 from locations where business_id = $1 and id = $2`, v.Business(), in.LocationID)
	pg.QueueAll(b, &rows, s.SQL(), s.Args()...)
	return rows, ok, b.Send(ctx)
}

// addHeading adds the condition of a heading in any of its forms; none for no heading.
func addHeading(s *pg.Shape, heading string) {
	forms := headingForms(heading)
	s.AndIf(forms != nil, `lower(`+word+`) = any(?)`, forms)
}

// addPage limits the list, which is in the studio's own order.
func addPage(s *pg.Shape, page paging.In[Key]) {
	key := page.From() // before every offering on the first page
	s.And(`(o.position, lower(o.name), o.id) > (?, lower(?), ?)`, key.Position, key.Name, key.ID)
	s.Add(` order by o.position, lower(o.name), o.id limit ?`, page.Size()+1)
}

// pattern is the LIKE pattern for text that contains q; empty for no q.
func pattern(q string) string {
	if q = strings.TrimSpace(q); q == "" {
		return ""
	}
	return "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(q) + "%"
}

var listingColumns = `o.id, o.location_id, o.kind, o.slug, o.name, o.description, ` + word + ` as word,
	o.duration_minutes, o.price_amount, l.currency, o.position, o.durations, o.grid_minutes, o.approval, o.enrolment,
	o.sold_as, o.needs_member, o.walkins, ` + PricingSQL("o", "l", "b")

// public is the condition of a public offering.
const public = `o.state = 'published' and l.archived_at is null and b.status <> 'closed' `

// listed reads a part of a location's public list; ok reports whether the public sees the location.
func listed(ctx context.Context, v *pg.View, in ListedInput, also []func(*pg.Batch)) (rows []Listing, ok bool, err error) {
	s := pg.NewShape(`select `+listingColumns+offeringFrom+`where o.business_id = $1 and o.location_id = $2 and `+public, v.Business(), in.LocationID)
	s.AndIf(in.Kind != "", `o.kind = ?`, in.Kind)
	addHeading(s, in.Heading)
	addPage(s, in.Page)
	var place int
	b := v.Batch()
	pg.QueueOne(b, &place, &ok, `select 1 from locations l join businesses b on b.business_id = l.business_id
		where l.business_id = $1 and l.id = $2 and l.archived_at is null and b.status <> 'closed'`, v.Business(), in.LocationID)
	pg.QueueAll(b, &rows, s.SQL(), s.Args()...)
	for _, add := range also {
		add(b)
	}
	return rows, ok, b.Send(ctx)
}

// HasPublished queues, in a trip of the caller's, a check for a public offering with that slug at a location of a
// business.
func HasPublished(business, location uuid.UUID, slug string, yes *bool) func(*pg.Batch) {
	return func(b *pg.Batch) {
		var one int
		pg.QueueOne(b, &one, yes, `select 1`+offeringFrom+`where o.business_id = $1 and o.location_id = $2 and o.slug = $3 and `+public,
			business, location, slug)
	}
}

func publicByID(ctx context.Context, r pg.Reader, id uuid.UUID) (Listing, error) {
	return pg.Found(pg.One[Listing](ctx, r, `select `+listingColumns+offeringFrom+`where o.business_id = $1 and o.id = $2 and `+public,
		r.Business(), id))
}
