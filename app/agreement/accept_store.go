package agreement

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// insertAcceptances writes acceptances of the current copy, in the current round. Existing ones stay: the constraints
// agreement_acceptances_cart_key, _booking_key and _paper_key define duplicates.
func insertAcceptances(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, row acceptanceRow) error {
	bookings, attendees := make([]*uuid.UUID, len(row.For)), make([]*string, len(row.For))
	for i, f := range row.For {
		bookings[i], attendees[i] = f.Booking, f.Attendee
	}
	_, err := tx.Exec(ctx, `insert into agreement_acceptances (id, business_id, customer_id, document_id, copy_id, round, source, shown, language, cart_id,
			booking_id, attendee, person_id, actor_kind, actor_id, actor_name, ip, user_agent, created_at)
		select n.id, @business, @customer, @document, @copy, @round, @source, @shown, (select case when k.translations @> jsonb_build_array(jsonb_build_object('language', @language::text)) then @language else '' end
			from agreement_copies k where k.business_id = @business and k.id = @copy), @cart, n.booking_id, n.attendee, @person, @actor_kind, @actor, @actor_name,
			@ip, @agent, @now
		from unnest(@ids::uuid[], @bookings::uuid[], @attendees::text[]) as n (id, booking_id, attendee)
		on conflict do nothing`, pg.Named{
		"ids": pg.NewIDs(len(row.For)), "bookings": bookings, "attendees": attendees, "business": tx.Business(), "customer": row.Customer, "document": row.ID,
		"copy": row.Copy.ID, "round": row.Round, "source": row.Source, "shown": row.Shown, "language": row.Language, "cart": row.Cart, "person": row.Person,
		"actor_kind": sc.Actor.Kind, "actor": actorID(sc.Actor), "actor_name": sc.Actor.Name, "ip": sc.Visitor, "agent": row.UserAgent, "now": tx.Now(),
	})
	return err
}

// documentsOfCopies finds the documents of copies, by copy.
func documentsOfCopies(ctx context.Context, tx *pg.Tx, copies []uuid.UUID) (map[uuid.UUID]uuid.UUID, error) {
	rows, err := pg.All[struct{ ID, DocumentID uuid.UUID }](ctx, tx, `select id, document_id from agreement_copies where business_id = $1 and id = any($2)`,
		tx.Business(), copies)
	of := map[uuid.UUID]uuid.UUID{}
	for _, r := range rows {
		of[r.ID] = r.DocumentID
	}
	return of, err
}
