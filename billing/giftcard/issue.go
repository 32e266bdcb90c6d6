package giftcard

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/ledger"
)

// NewDraft is a gift card to be sold.
type NewDraft struct {
	ID         uuid.UUID
	LocationID uuid.UUID
	Currency   money.Currency
	Amount     int64
	Delivery
}

// InsertDraft writes a gift card that is not sold yet. Its input was checked.
func InsertDraft(ctx context.Context, tx *pg.Tx, d NewDraft) error {
	return tx.Ent().GiftCard.Create().SetID(d.ID).SetBusinessID(tx.Business()).SetLocationID(d.LocationID).
		SetCurrency(string(d.Currency)).SetState(string(Draft)).SetAmount(d.Amount).
		SetRecipientName(d.RecipientName).SetRecipientEmail(d.RecipientEmail).SetSenderName(d.SenderName).
		SetMessage(d.Message).SetLocale(d.Locale).SetNillableDeliverAt(pg.OrNull(d.DeliverAt)).
		SetVersion(1).SetCreatedAt(tx.Now()).SetUpdatedAt(tx.Now()).Exec(ctx)
}

// Offered is a draft as its buyer is offered it.
type Offered struct {
	ID       uuid.UUID
	Amount   int64
	Currency money.Currency
	Sold     bool // it is active already
	Delivery
	// What the location sells now.
	SoldOnline              bool
	LeastAmount, MostAmount int64
}

// Drafts queues the reading of drafts, by their ids; other ids have none.
func Drafts(b *pg.Batch, r pg.Reader, ids []uuid.UUID) *[]Offered {
	rows := new([]Offered)
	pg.QueueAll(b, rows, `select g.id, g.amount, g.currency, g.state = 'active' as sold, g.recipient_name,
			g.recipient_email,
			g.sender_name, g.message, g.locale, g.deliver_at, coalesce(t.sold_online, false) as sold_online,
			coalesce(t.least_amount, 0) as least_amount, coalesce(t.most_amount, 0) as most_amount
		from gift_cards g
		left join gift_card_terms t on t.business_id = $1 and t.location_id = g.location_id
		where g.business_id = $1 and g.id = any($2)`, r.Business(), ids)
	return rows
}

// Issued is a gift card that an order has sold.
type Issued struct {
	CardID, LineID uuid.UUID
	Code           Code
}

// IssueIn queues that drafts are sold by lines of an order: they get their codes and their balances. One with an
// address is mailed once it can be used; of another one the code is in the result alone.
func (s *Service) IssueIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, cards []Issued) []Issued {
	n := len(cards)
	ids, lines := make([]uuid.UUID, n), make([]uuid.UUID, n)
	hashes, sealed, lasts := make([][]byte, n), make([][]byte, n), make([]string, n)
	for i := range cards {
		cards[i].Code = newCode()
		ids[i], lines[i] = cards[i].CardID, cards[i].LineID
		hashes[i], lasts[i] = cards[i].Code.hash(s.key), cards[i].Code.Last4()
		sealed[i] = s.seal.Hide(cards[i].Code.chars)
	}
	pg.QueueExec(b, `with issued as (
			update gift_cards g set state = 'active', balance = g.amount, code_hash = x.hash, last4 = x.last4,
				sealed_code = case when g.recipient_email <> '' then x.sealed end,
				due_at = case when g.recipient_email <> '' then greatest(@now::timestamptz, g.deliver_at) end,
				issued_at = @now, updated_at = @now,
				expires_at = ((greatest(@now::timestamptz, g.deliver_at) at time zone l.zone)::date + 1
					+ make_interval(months => t.expires_months)) at time zone l.zone
			from unnest(@ids::uuid[], @hashes::bytea[], @lasts::varchar[], @sealed::bytea[]) as x (id, hash, last4, sealed),
				locations l left join gift_card_terms t on t.business_id = @business and t.location_id = l.id
			where g.business_id = @business and g.id = x.id and g.state = 'draft'
				and l.business_id = @business and l.id = g.location_id
			returning g.id, g.location_id, g.amount
		)
		insert into gift_card_transactions (id, business_id, gift_card_id, location_id, kind, amount, balance, order_line_id,
			actor_kind, actor_id, actor_name, created_at)
		select x.id, @business, i.id, i.location_id, 'sold', i.amount, i.amount, x.line, @actor_kind, @actor, @actor_name,
			@now
		from issued i join unnest(@rows::uuid[], @ids::uuid[], @lines::uuid[]) as x (id, card, line) on x.card = i.id`,
		pg.Named{
			"business": tx.Business(), "now": tx.Now(), "ids": ids, "hashes": hashes, "lasts": lasts, "sealed": sealed,
			"rows": pg.NewIDs(n), "lines": lines, "actor_kind": by.Kind, "actor": pg.OrNull(by.ID), "actor_name": by.Name,
		})
	return cards
}

// HandOverTx returns a card that this transaction has sold, and unless it is mailed, a new code of it, sealed: Reveal
// shows it once to whoever hands it over.
func (s *Service) HandOverTx(ctx context.Context, tx *pg.Tx, id uuid.UUID) (c Card, sealed []byte, err error) {
	if c, err = find(ctx, tx, id); err != nil || c.RecipientEmail != "" {
		return c, nil, err
	}
	code := newCode()
	c.Last4 = code.Last4()
	_, err = tx.Exec(ctx, `update gift_cards set code_hash = $3, last4 = $4 where business_id = $1 and id = $2`,
		tx.Business(), id, code.hash(s.key), c.Last4)
	return c, s.seal.Hide(code.chars), err
}

// Reveal returns a sealed code as it is handed over; empty for none.
func (s *Service) Reveal(sealed []byte) (string, error) {
	if sealed == nil {
		return "", nil
	}
	chars, err := s.seal.Show(sealed)
	return Code{chars}.Reveal(), err
}

// Mail is a gift card whose code is to be mailed.
type Mail struct {
	Card
	Code Code

	sealed []byte // the code as the database has it
}

// DueNow returns cards of a business whose mail is due, in the order of their ids: their mails are no longer due then,
// as each has a job that the caller enqueues in the same transaction.
func DueNow(ctx context.Context, tx *pg.Tx) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `update gift_cards set due_at = null
		where business_id = $1 and id in (select id from gift_cards where business_id = $1 and due_at <= $2
			order by id limit 200 for no key update skip locked)
		returning id`, tx.Business(), tx.Now())
}

// ToMail returns the mail of a card; found is false if it was sent.
func (s *Service) ToMail(ctx context.Context, r pg.Reader, id uuid.UUID) (m Mail, found bool, err error) {
	row, found, err := pg.Find[struct {
		Card
		SealedCode []byte
	}](ctx, r, `select `+cardColumns+`, g.sealed_code from gift_cards g
		where g.business_id = $1 and g.id = $2 and g.sealed_code is not null`, r.Business(), id)
	if err != nil || !found {
		return Mail{}, false, err
	}
	chars, err := s.seal.Show(row.SealedCode)
	return Mail{row.Card, Code{chars}, row.SealedCode}, true, err
}

// SentTx records that the mail of a card was sent: its code is in the database no more. A code that has taken the
// place of the one in the mail stays.
func SentTx(ctx context.Context, tx *pg.Tx, m Mail) error {
	_, err := tx.Exec(ctx, `update gift_cards set sealed_code = null, sent_at = $4
		where business_id = $1 and id = $2 and sealed_code = $3`, tx.Business(), m.ID, m.sealed, tx.Now())
	return err
}

// draftsKept is the time after which a draft in no cart and no order is deleted. Carts go after a week.
const draftsKept = 14 * 24 * time.Hour

// DeleteDrafts is the sweep giftcard.drafts: drafts that nobody bought are deleted.
func (s *Service) DeleteDrafts(ctx context.Context) error {
	before := s.db.Clock().Now().Add(-draftsKept)
	return s.db.EachOf(ctx, "select business_id from app.gift_card_drafts($3, $1, $2)",
		func(ctx context.Context, business uuid.UUID) error {
			return pg.Do(ctx, s.db, business, func(tx *pg.Tx) error {
				_, err := tx.Exec(ctx,
					`delete from gift_cards g where g.business_id = $1 and g.state = 'draft' and g.created_at < $2
					and not exists (select from cart_items i where i.business_id = $1 and i.gift_card_id = g.id)
					and not exists (select from order_lines x where x.business_id = $1 and x.gift_card_id = g.id)`,
					tx.Business(), before)
				return err
			})
		}, before)
}

// Expire is the sweep giftcard.expire: what is left of cards that have expired is income.
func (s *Service) Expire(ctx context.Context) error {
	now := s.db.Clock().Now()
	return s.db.EachOf(ctx, "select business_id from app.gift_cards_expired($3, $1, $2)",
		func(ctx context.Context, business uuid.UUID) error {
			due, err := pg.All[uuid.UUID](ctx, s.db.View(business), `select id from gift_cards
				where business_id = $1 and balance > 0 and expires_at <= $2 order by expires_at, id limit 200`, business, now)
			for _, id := range due {
				err = errors.Join(err, s.expire(ctx, business, id))
			}
			return err
		}, now)
}

// expire takes what is not reserved off a card that has expired.
func (s *Service) expire(ctx context.Context, business, id uuid.UUID) error {
	return pg.Do(ctx, s.db, business, func(tx *pg.Tx) error {
		c, free, err := lockOne(ctx, tx, id)
		if err != nil || free <= 0 || !c.Expired(tx.Now()) {
			return err
		}
		t := Transaction{ID: pg.NewID(), CardID: c.ID, LocationID: c.LocationID, Kind: Expired, Amount: -free}
		b := tx.Batch()
		recordIn(b, tx, tenancy.Actor{Kind: tenancy.ActorSystem}, t)
		if err := ledger.PostIn(b, tx, ledger.GiftCardExpired(placeOf(tx, c), t.ID, free)); err != nil {
			return err
		}
		return b.Send(ctx)
	})
}
