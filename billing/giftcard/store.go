package giftcard

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/policy"
)

// cardColumns are those of cards g.
const cardColumns = `g.id, g.location_id, g.currency, g.state, g.amount, g.balance, g.last4, g.recipient_name,
	g.recipient_email, g.sender_name, g.message, g.locale, g.deliver_at, g.issued_at, g.sent_at, g.expires_at,
	g.version, g.created_at`

func find(ctx context.Context, r pg.Reader, id uuid.UUID) (Card, error) {
	return pg.Found(pg.One[Card](ctx, r, `select `+cardColumns+` from gift_cards g
		where g.business_id = $1 and g.id = $2 and g.state = 'active'`, r.Business(), id))
}

// byCode reads the card of a hashed code.
func byCode(ctx context.Context, r pg.Reader, hash []byte) (Card, bool, error) {
	return pg.Find[Card](ctx, r, `select `+cardColumns+` from gift_cards g
		where g.business_id = $1 and g.code_hash = $2`, r.Business(), hash)
}

// lockOne locks a card that was sold, and reads it and the part of its balance that is not reserved.
func lockOne(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Card, int64, error) {
	var row struct {
		Card
		Free int64
	}
	var found bool
	b := tx.Batch()
	lockIn(b, tx, []uuid.UUID{id})
	pg.QueueOne(b, &row, &found, `select `+cardColumns+`, g.balance - `+reserved("$3")+` as free
		from gift_cards g where g.business_id = $1 and g.id = $2 and g.state = 'active'`, tx.Business(), id, tx.Now())
	err := b.Send(ctx)
	if err == nil && !found {
		err = pg.ErrNoRow
	}
	_, err = pg.Found(0, err)
	return row.Card, row.Free, err
}

// list reads cards that were sold, the latest first.
func list(ctx context.Context, r pg.Reader, in ListInput, cover, full policy.Cover) ([]Card, error) {
	after := in.Page.From()
	return pg.All[Card](ctx, r, `select `+cardColumns+` from gift_cards g
		join locations l on l.business_id = @business and l.id = g.location_id
		where g.business_id = @business and g.issued_at is not null and (@last4 = '' or g.last4 = @last4)
			and (@location::uuid is null or g.location_id = @location) and (@everywhere or g.location_id = any(@locations))
			and (@full or g.location_id = any(@full_at)
				or (g.issued_at at time zone l.zone)::date = (@now::timestamptz at time zone l.zone)::date)
			and (not @on or (g.issued_at, g.id) < (@after, @after_id))
		order by g.issued_at desc, g.id desc limit @most`, pg.Named{
		"business": r.Business(), "last4": strings.ToUpper(in.Last4), "location": pg.OrNull(in.Location),
		"everywhere": cover.Everywhere, "locations": cover.Locations, "full": full.Everywhere, "full_at": full.Locations,
		"now": r.Now(), "on": in.Page.After != nil, "after": after.At, "after_id": after.ID, "most": in.Page.Size() + 1,
	})
}

func transactions(
	ctx context.Context, r pg.Reader, id uuid.UUID, in paging.In[paging.Moment],
) ([]Transaction, error) {
	after := in.From()
	return pg.All[Transaction](ctx, r, `select id, gift_card_id, location_id, kind, amount, balance, order_line_id,
			tender_id, refund_id, note, actor_kind, actor_name, created_at
		from gift_card_transactions
		where business_id = $1 and gift_card_id = $2 and (not $3 or (created_at, id) < ($4, $5))
		order by created_at desc, id desc limit $6`,
		r.Business(), id, in.After != nil, after.At, after.ID, in.Size()+1)
}

// recode replaces the code of a locked card, to be mailed at once.
func recode(ctx context.Context, tx *pg.Tx, c Card, hash, sealed []byte) error {
	_, err := tx.Exec(ctx, `update gift_cards set code_hash = $3, last4 = $4, sealed_code = $5, recipient_email = $6,
			due_at = greatest($7, deliver_at), sent_at = null, updated_at = $7, version = version + 1
		where business_id = $1 and id = $2`, tx.Business(), c.ID, hash, c.Last4, sealed, c.RecipientEmail, tx.Now())
	return err
}
