package plan_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/owed"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/sales"
	"foyer/billing/processor"
	"foyer/billing/tender"
)

// unpaidChange returns a membership whose change waits for its payment.
func (y *years) unpaidChange(t *testing.T, m *member) (plan.Membership, bool) {
	t.Helper()
	p, found := y.renewing(t, m)
	return p, found && p.Change != nil && p.Change.Due
}

func (y *years) paysChange(t *testing.T, m *member) bool {
	p, found := y.unpaidChange(t, m)
	return found && y.paysLink(t, *p.Change.OrderID)
}

func (y *years) paysChangeAtDesk(t *testing.T, m *member) bool {
	p, found := y.unpaidChange(t, m)
	return found && y.paysCash(t, p.Change.ID)
}

// paysLink pays an order by the link that was mailed.
func (y *years) paysLink(t *testing.T, id uuid.UUID) bool {
	t.Helper()
	token := y.Orders.ReceiptToken(id)
	pay, err := y.Owed.Pay(t.Context(), y.Visitor(), token)
	if !y.done(t, err) {
		return false
	}
	y.types(t, pay.ClientSecret, apptest.CardGood)
	must(t, 0, y.Owed.Paid(t.Context(), y.Visitor(), token))
	return true
}

func (y *years) paysCash(t *testing.T, period uuid.UUID) bool {
	t.Helper()
	_, err := y.Owed.RecordPayment(t.Context(), y.Owner,
		owed.PaymentInput{PeriodID: period, Tenders: owed.Pays(tender.Cash)})
	return y.done(t, err)
}

func (y *years) pays(t *testing.T, m *member) bool {
	p, found := y.coming(t, m)
	return found && p.Next.Due && y.paysLink(t, *p.Next.OrderID)
}

// paysAtDesk pays a period that is due, or begins soon.
func (y *years) paysAtDesk(t *testing.T, m *member) bool {
	p, found := y.coming(t, m)
	return found && p.Next.Amount > 0 && y.today().DaysUntil(p.Next.StartsOn) < 4 && y.paysCash(t, p.Next.ID)
}

// paysTwice has a customer pay by the link while the desk takes the payment.
func (y *years) paysTwice(t *testing.T, m *member) bool {
	p, found := y.coming(t, m)
	if !found || !p.Next.Due {
		return false
	}
	pay, err := y.Owed.Pay(t.Context(), y.Visitor(), y.Orders.ReceiptToken(*p.Next.OrderID))
	if !y.done(t, err) || !y.paysCash(t, p.Next.ID) {
		return false
	}
	y.types(t, pay.ClientSecret, apptest.CardGood)
	return true
}

// changesCard has the bank block the cards of a member, or lift that.
func (y *years) changesCard(t *testing.T, m *member, number string) bool {
	t.Helper()
	methods := apptest.Values[string](t, y.w, `select s.method from saved_cards s join customers c on c.id = s.customer_id
		where c.person_id = $1 and s.removed_at is null`, m.who.Person())
	for _, method := range methods {
		must(t, 0, y.Sim.ChangeCard(y.Account, method, number))
	}
	m.card = number
	return len(methods) > 0
}

func (y *years) works(m *member) bool { return m.card != cardShort && m.card != cardLost }

func (y *years) runsShort(t *testing.T, m *member) bool {
	return y.works(m) && y.changesCard(t, m, cardShort)
}

func (y *years) losesCard(t *testing.T, m *member) bool {
	return y.works(m) && y.changesCard(t, m, cardLost)
}

func (y *years) recovers(t *testing.T, m *member) bool {
	return !y.works(m) && y.changesCard(t, m, apptest.CardGood)
}

// payment returns a payment of a member by card: the latest, or one of the last two months.
func (y *years) payment(t *testing.T, m *member, latest bool) (id uuid.UUID, intent string, found bool) {
	t.Helper()
	type row struct {
		ID     uuid.UUID
		Intent string
	}
	list, err := pg.All[row](t.Context(), y.w.DB.View(y.Owner.Tenant), `select p.id, p.intent from payments p
		join orders o on o.business_id = $1 and o.id = p.order_id
		join customers c on c.business_id = $1 and c.id = o.customer_id
		where p.business_id = $1 and c.person_id = $2 and p.outcome = 'fulfilled' and p.created_at > $3
		order by p.created_at`, y.Owner.Tenant, m.who.Person(), y.w.Clock.Now().AddDate(0, 0, -60))
	if len(must(t, list, err)) == 0 {
		return id, "", false
	}
	p := list[y.r.IntN(len(list))]
	if latest {
		p = list[len(list)-1]
	}
	return p.ID, p.Intent, true
}

func (y *years) disputes(t *testing.T, m *member) bool {
	_, intent, found := y.payment(t, m, false)
	if !found {
		return false
	}
	_, err := y.Sim.Dispute(y.Account, intent, "fraudulent") // an error: it is refunded or disputed already
	return err == nil
}

func (y *years) wins(t *testing.T, _ *member) bool { return y.decides(t, y.Sim.WinDispute) }

func (y *years) loses(t *testing.T, _ *member) bool { return y.decides(t, y.Sim.LoseDispute) }

func (y *years) decides(t *testing.T, end func(account, id string) error) bool {
	t.Helper()
	ids, err := y.Sim.OpenDisputes(y.Account)
	if len(must(t, ids, err)) == 0 {
		return false
	}
	must(t, 0, end(y.Account, ids[0]))
	return true
}

func (y *years) refundsPart(t *testing.T, m *member) bool { return y.refunds(t, m, 2) }

func (y *years) refundsAll(t *testing.T, m *member) bool { return y.refunds(t, m, 1) }

// refunds refunds a part of what can be refunded of a payment: 1 by of.
func (y *years) refunds(t *testing.T, m *member, of int64) bool {
	t.Helper()
	id, _, found := y.payment(t, m, of == 1)
	if !found {
		return false
	}
	p, err := y.Services.Sales.Get(t.Context(), y.Owner, id)
	amount := must(t, p, err).Refundable
	for range 2 {
		if amount < 100 {
			return false
		}
		in := amount / of
		_, err = y.Services.Sales.Refund(t.Context(), y.Owner, sales.RefundInput{PaymentID: id, Amount: &in})
		if !errors.Is(err, processor.ErrRefundTooLarge) {
			break
		}
		amount, _ = fault.From(err).Details["refundable"].(int64)
	}
	return y.done(t, err)
}

// offSession is a charge of a saved card that the processor was asked for.
type offSession struct {
	intent   string
	declined bool
	at       time.Time
}

// confirms passes requests to confirm a payment on to the processor, and keeps what it says to the charges of saved
// cards: Sales.Instead.
func (y *years) confirms(r *http.Request) (status int, body string) {
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/confirm") {
		return 0, ""
	}
	form, err := io.ReadAll(r.Body)
	if err != nil {
		return http.StatusInternalServerError, err.Error()
	}
	r.Body = io.NopCloser(bytes.NewReader(form))
	res, err := y.Sim.RoundTrip(r)
	if err != nil {
		return http.StatusInternalServerError, err.Error()
	}
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return http.StatusInternalServerError, err.Error()
	}
	if strings.Contains(string(form), "off_session=true") {
		intent := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/v1/payment_intents/"), "/confirm")
		y.charges = append(y.charges, offSession{intent, res.StatusCode == http.StatusPaymentRequired, y.w.Clock.Now()})
	}
	return res.StatusCode, string(answer)
}
