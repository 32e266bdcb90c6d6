package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
)

// pageMost limits the names on a page.
const pageMost = 200

// policyJoin is the policy p that holds for an offering o at a location l.
const policyJoin = `left join policies p on p.business_id = o.business_id and p.id = coalesce(o.policy_id, l.policy_id) `

// PageOf returns a published offering by the location's id and its slug, in one round trip. One that is not public is
// not found.
func PageOf(ctx context.Context, v *pg.View, location uuid.UUID, slug string) (Page, error) {
	if !ValidSlug(slug) {
		return Page{}, fault.Missing()
	}
	var p Page
	var ok bool
	of := ` where k.business_id = $1 and k.offering_id = (select id from offerings where business_id = $1 and location_id = $2 and slug = $3) `
	b := v.Batch()
	pg.QueueOne(b, &p, &ok, `select `+listingColumns+`, o.capacity, coalesce(p.rules, 'null') as rules`+offeringFrom+policyJoin+
		`where o.business_id = $1 and o.location_id = $2 and o.slug = $3 and `+public, v.Business(), location, slug)
	pg.QueueAll(b, &p.Members, `select m.id, m.name from offering_members k
		join members m on m.business_id = k.business_id and m.id = k.member_id`+of+`and m.deactivated_at is null and m.bookable
		order by k.position, m.id limit $4`, v.Business(), location, slug, pageMost)
	pg.QueueAll(b, &p.Spaces, `select s.id, s.name from offering_spaces k
		join spaces s on s.business_id = k.business_id and s.id = k.space_id`+of+`and s.archived_at is null
		order by k.position, s.id limit $4`, v.Business(), location, slug, pageMost)
	if err := b.Send(ctx); err != nil {
		return Page{}, err
	}
	if !ok {
		return Page{}, fault.Missing()
	}
	return p, nil
}

// ComputedIn reads the published offerings of a location with computed times, in the storefront's order, as part of
// the caller's batch.
func ComputedIn(business, location uuid.UUID, list *[]Listing) func(*pg.Batch) {
	return func(b *pg.Batch) {
		pg.QueueAll(b, list, `select `+listingColumns+offeringFrom+`where o.business_id = $1 and o.location_id = $2
			and o.kind <> 'class' and `+public+`order by o.position, lower(o.name), o.id limit $3`, business, location, pageMost)
	}
}

// TermsOf returns the present terms of offerings. It is one statement; an unknown offering is not in the answer.
func TermsOf(ctx context.Context, r pg.Reader, offerings []uuid.UUID) (map[uuid.UUID]Terms, error) {
	if len(offerings) == 0 {
		return nil, nil
	}
	type row struct {
		ID        uuid.UUID
		Kind      Kind
		SoldAs    SoldAs
		Approval  bool
		Enrolment Enrolment
		Rules     Rules
	}
	rows, err := pg.All[row](ctx, r, `select o.id, o.kind, o.sold_as, o.approval, o.enrolment, coalesce(p.rules, 'null') as rules`+offeringFrom+policyJoin+
		`where o.business_id = $1 and o.id = any($2)`, r.Business(), offerings)
	out := make(map[uuid.UUID]Terms, len(rows))
	for _, o := range rows {
		each := o.Kind == Class || o.Kind.ByTheHead(o.SoldAs)
		out[o.ID] = Terms{Approval: o.Approval, Each: each, Course: o.Enrolment == BySeries, Rules: o.Rules}
	}
	return out, err
}

// RulesOf returns the present rules of offerings: those of the offering's own policy, else of its location's, else
// StandardRules. It is one statement; an unknown offering is not in the answer.
func RulesOf(ctx context.Context, r pg.Reader, offerings []uuid.UUID) (map[uuid.UUID]Rules, error) {
	known, err := TermsOf(ctx, r, offerings)
	out := make(map[uuid.UUID]Rules, len(known))
	for id, t := range known {
		out[id] = t.Rules
	}
	return out, err
}
