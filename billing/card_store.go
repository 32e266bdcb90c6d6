package billing

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/billing/processor"
)

const cardColumns = `s.id, s.customer_id, s.env, s.account, s.method, s.brand, s.last4, s.wallet, s.exp_month, s.exp_year, s.consent_text,
	s.consent_version, s.consented_at, s.created_at`

// chargeableCards returns the saved cards of a customer on the account that accepts cards in this world.
func chargeableCards(ctx context.Context, r pg.Reader, env processor.Env, customer uuid.UUID) ([]SavedCard, error) {
	return pg.All[SavedCard](ctx, r, `select `+cardColumns+` from saved_cards s
		join processor_accounts a on a.business_id = s.business_id and a.env = s.env and a.external_id = s.account
		where s.business_id = $1 and s.customer_id = $2 and s.env = $3 and s.removed_at is null
		order by s.created_at desc, s.id desc limit $4`, r.Business(), customer, env, cardsMost)
}

// payers returns the customers of a list with a saved card that can pay a fee off session: with consent for that, not
// expired, and on the account that accepts cards. Currency is the account's; empty: any.
func payers(ctx context.Context, r pg.Reader, env processor.Env, customers []uuid.UUID) ([]payer, error) {
	return pg.All[payer](ctx, r, `select distinct s.customer_id, a.default_currency as currency from saved_cards s
		join processor_accounts a on a.business_id = s.business_id and a.env = s.env and a.external_id = s.account
			and a.state in ('active', 'active_payouts_paused')
		where s.business_id = $1 and s.customer_id = any($2) and s.env = $3 and s.removed_at is null and s.consent_version = $4
			and make_date(s.exp_year, s.exp_month, 1) + interval '1 month' > $5::timestamptz at time zone 'UTC'`,
		r.Business(), customers, env, ConsentVersion, r.Now())
}

func cardsOf(ctx context.Context, r pg.Reader, customer uuid.UUID) ([]SavedCard, error) {
	return pg.All[SavedCard](ctx, r, `select `+cardColumns+` from saved_cards s
		where s.business_id = $1 and s.customer_id = $2 and s.removed_at is null order by s.created_at desc, s.id desc limit $3`,
		r.Business(), customer, cardsMost)
}

// mustKnow returns a not found error for a customer that the business does not have.
func mustKnow(ctx context.Context, r pg.Reader, customer uuid.UUID) error {
	_, found, err := pg.Find[uuid.UUID](ctx, r, `select id from customers where business_id = $1 and id = $2`, r.Business(), customer)
	return fault.When(!found, fault.Missing(), err)
}

// shareCard reads the saved card of a payment about to be made, and locks it against removal.
func shareCard(ctx context.Context, tx *pg.Tx, p Payment, card uuid.UUID) (bool, error) {
	_, found, err := pg.Find[uuid.UUID](ctx, tx, `select id from saved_cards where business_id = $1 and id = $2 and customer_id = $3
		and env = $4 and account = $5 and removed_at is null for share`, tx.Business(), card, p.CustomerID, p.Env, p.AccountID)
	return found, err
}

func methodOf(ctx context.Context, r pg.Reader, card uuid.UUID) (method string, found bool, err error) {
	return pg.Find[string](ctx, r, `select method from saved_cards where business_id = $1 and id = $2 and removed_at is null`,
		r.Business(), card)
}

func cardsOfPerson(ctx context.Context, db *pg.DB, person uuid.UUID, most int) ([]pg.Keyed, error) {
	return pg.All[pg.Keyed](ctx, db.View(uuid.Nil), `select business_id, id, created_at as at from app.cards_of($1, $2)`, person, most)
}

func businessOfCard(ctx context.Context, db *pg.DB, person, card uuid.UUID) (uuid.UUID, error) {
	return pg.Found(pg.One[uuid.UUID](ctx, db.View(uuid.Nil), `select business_id from app.card_of($1, $2)`, person, card))
}

func ownCards(ctx context.Context, v *pg.View, ids []uuid.UUID) ([]OwnCard, error) {
	return pg.All[OwnCard](ctx, v, `select `+cardColumns+`, s.business_id, b.name as business_name from saved_cards s
		join businesses b on b.business_id = s.business_id
		where s.business_id = $1 and s.id = any($2) and s.removed_at is null`, v.Business(), ids)
}

// removeCard removes a saved card, of a customer or, with uuid.Nil, of any. found is false if it is not saved.
func removeCard(ctx context.Context, tx *pg.Tx, customer, card uuid.UUID, by RemovedBy) (found bool, err error) {
	n, err := tx.Exec(ctx, `update saved_cards set removed_at = $4, removed_by = $5, updated_at = $4
		where business_id = $1 and id = $2 and ($3::uuid is null or customer_id = $3) and removed_at is null`,
		tx.Business(), card, pg.OrNull(customer), tx.Now(), by)
	return n > 0, err
}

// cardToDetach reads a removed card that the processor has not detached.
func cardToDetach(ctx context.Context, r pg.Reader, card uuid.UUID) (SavedCard, bool, error) {
	return pg.Find[SavedCard](ctx, r, `select `+cardColumns+` from saved_cards s
		where s.business_id = $1 and s.id = $2 and s.removed_at is not null and s.detached_at is null`, r.Business(), card)
}

func markDetached(ctx context.Context, tx *pg.Tx, card uuid.UUID) error {
	_, err := tx.Exec(ctx, `update saved_cards set detached_at = $3 where business_id = $1 and id = $2 and detached_at is null`,
		tx.Business(), card, tx.Now())
	return err
}

// cardOfMethod finds a card by the processor's id, saved or removed.
func cardOfMethod(ctx context.Context, r pg.Reader, env processor.Env, account, method string) (SavedCard, bool, error) {
	return pg.Find[SavedCard](ctx, r, `select `+cardColumns+` from saved_cards s
		where s.business_id = $1 and s.env = $2 and s.account = $3 and s.method = $4`, r.Business(), env, account, method)
}

// renewCard writes the bank's changes of a card.
func renewCard(ctx context.Context, tx *pg.Tx, card uuid.UUID, now processor.Card) error {
	_, err := tx.Exec(ctx, `update saved_cards set brand = $3, last4 = $4, exp_month = $5, exp_year = $6, fingerprint = $7, updated_at = $8
		where business_id = $1 and id = $2 and removed_at is null and (brand, last4, exp_month, exp_year) <> ($3, $4, $5, $6)
			and not exists (select from saved_cards o where o.business_id = $1 and o.id <> $2 and o.fingerprint = $7 and o.removed_at is null)`,
		tx.Business(), card, now.Brand, now.Last4, now.ExpMonth, now.ExpYear, hashOf(now.Fingerprint), tx.Now())
	return err
}

// replaceCard writes a card and removes the customer's other cards with the same number, returning their ids. A card
// that is written already stays as it is.
func replaceCard(ctx context.Context, tx *pg.Tx, c SavedCard, fingerprint string) (old []uuid.UUID, err error) {
	old, err = pg.All[uuid.UUID](ctx, tx, `update saved_cards set removed_at = $6, removed_by = 'replaced', updated_at = $6
		where business_id = $1 and env = $2 and account = $3 and customer_id = $4 and fingerprint = $5 and fingerprint <> ''
			and removed_at is null and method <> $7 returning id`,
		tx.Business(), c.Env, c.AccountID, c.CustomerID, fingerprint, tx.Now(), c.Method)
	if err != nil {
		return nil, err
	}
	_, err = tx.Exec(ctx, `insert into saved_cards (id, business_id, customer_id, env, account, method, brand, last4, wallet, exp_month, exp_year,
			fingerprint, consent_text, consent_version, consented_at, created_at, updated_at)
		values (@id, @business, @customer, @env, @account, @method, @brand, @last4, @wallet, @month, @year, @fingerprint, @text, @version, @consented, @now, @now)
		on conflict (business_id, env, account, method) do nothing`, pg.Named{
		"id": c.ID, "business": tx.Business(), "customer": c.CustomerID, "env": c.Env, "account": c.AccountID, "method": c.Method,
		"brand": c.Brand, "last4": c.Last4, "wallet": c.Wallet, "month": c.ExpMonth, "year": c.ExpYear, "fingerprint": fingerprint, "text": c.ConsentText,
		"version": c.ConsentVersion, "consented": c.ConsentedAt, "now": tx.Now(),
	})
	return old, err
}

// processorCustomer returns the processor's customer of a payment's customer on an account.
func processorCustomer(ctx context.Context, r pg.Reader, p Payment) (external string, found bool, err error) {
	return pg.Find[string](ctx, r, `select external_id from processor_customers
		where business_id = $1 and env = $2 and account = $3 and customer_id = $4`, r.Business(), p.Env, p.AccountID, p.CustomerID)
}

// writeProcessorCustomer writes the processor's id of a customer. The first one stays.
func writeProcessorCustomer(ctx context.Context, tx *pg.Tx, p Payment, external string) (string, error) {
	_, err := tx.Exec(ctx, `insert into processor_customers (id, business_id, customer_id, env, account, external_id, created_at)
		values ($1, $2, $3, $4, $5, $6, $7) on conflict (business_id, env, account, customer_id) do nothing`,
		pg.NewID(), tx.Business(), p.CustomerID, p.Env, p.AccountID, external, tx.Now())
	if err != nil {
		return "", err
	}
	external, _, err = processorCustomer(ctx, tx, p)
	return external, err
}

// choose writes the payment method of a payment. Its row is locked.
func choose(ctx context.Context, tx *pg.Tx, p *Payment) error {
	p.UpdatedAt = tx.Now()
	_, err := tx.Exec(ctx, `update payments set customer_id = @customer, card_id = @card, choices = @choices, consent_text = @text,
			consent_version = @version, consent_at = @keep, updated_at = @now
		where business_id = @business and id = @id and `+OpenSQL("payments"), pg.Named{
		"business": tx.Business(), "id": p.ID, "customer": pg.OrNull(p.CustomerID), "card": pg.OrNull(p.CardID), "choices": p.Choices,
		"text": p.ConsentText, "version": p.ConsentVersion, "keep": pg.OrNull(p.ConsentAt), "now": p.UpdatedAt,
	})
	return err
}

// RenewalCardSQL is an expression of when the card was saved that pays the renewals of a customer of business $1: the
// latest of SavedCards that has not expired; null for none, and for a customer with Disputes. The arguments are
// expressions: the customer, the environment and the time.
func RenewalCardSQL(customer, env, now string) string {
	return `(select s.created_at from saved_cards s
			join processor_accounts a on a.business_id = s.business_id and a.env = s.env and a.external_id = s.account
			where s.business_id = $1 and s.customer_id = ` + customer + ` and s.env = ` + env + ` and s.removed_at is null
				and make_date(s.exp_year, s.exp_month, 1) + interval '1 month' > ` + now + `::timestamptz at time zone 'UTC'
				and not exists (select from disputes d
					join payments p on p.business_id = $1 and p.id = d.payment_id
					join orders o on o.business_id = $1 and o.id = p.order_id
					where d.business_id = $1 and o.customer_id = s.customer_id and d.status in ` + withdrawnStates + `)
			order by s.created_at desc, s.id desc limit 1)`
}
