package sales_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/pg"
	"foyer/app/sales"
	"foyer/billing"
	"foyer/billing/processor"
)

// stands is all the data that determines the state of a payment, with the states that SQL reports for it.
type stands struct {
	Status              processor.Status
	FailureCode         string
	Outcome             billing.Outcome
	Back                int64
	Released, Card, Bad bool // Card: paid by card; Bad: a mistake at the desk
	States              string
}

// TestStatesInSQL: for all that decides about how a payment stands, exactly one state is true in SQL, and it is the
// one of Go.
func TestStatesInSQL(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	const amount = 2200
	in := func(condition func(sales.State) string) string {
		var each []string
		for _, s := range sales.State("").All() {
			each = append(each, `case when `+condition(s)+` then '`+string(s)+`' end`)
		}
		return `concat_ws(' ', ` + strings.Join(each, ", ") + `) as states`
	}
	statuses := []processor.Status{
		billing.StatusNew, billing.StatusFailed, processor.StatusAwaitingMethod, processor.StatusAwaitingCustomer, processor.StatusProcessing,
		processor.StatusAuthorized, processor.StatusSucceeded, processor.StatusCanceled,
	}
	rows, err := pg.All[stands](t.Context(), w.DB.View(uuid.Nil), `
		select status, failure_code, outcome, back, `+billing.ReleasedSQL("p")+` as released, true as card, false as bad, `+
		in(func(s sales.State) string { return sales.CardStateSQL(s, "p.back") })+`
		from (select status, failure_code, outcome, back, $2::bigint as amount from unnest($1::text[]) status, unnest(array['', 'card_declined']) failure_code,
			unnest(array['', 'fulfilled', 'refunded']) outcome, unnest(array[0, 1, $2 - 1, $2]) back where status <> 'new' or outcome = '') p
		union all select 'succeeded', '', '', back, false, false, void, `+
		in(func(s sales.State) string { return sales.ManualPaymentStateSQL(s, "t.back") })+`
		from (select back, void, case when void then 'void' else 'captured' end as state, $2::bigint as amount
			from unnest(array[0, 1, $2 - 1, $2]) back, unnest(array[false, true]) void) t`, statuses,
		int64(amount))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range rows {
		want := string(sales.StateOf(r.Status, r.FailureCode, r.Released, amount, r.Back, r.Bad))
		if r.States != want {
			t.Errorf("%+v: %s in Go", r, want)
		}
		seen[want] = true
	}
	missing := slices.DeleteFunc(sales.State("").All(), func(s sales.State) bool { return seen[string(s)] })
	if len(missing) > 0 || len(rows) != (7*3+1)*2*4+8 {
		t.Errorf("%d rows, none of them %v", len(rows), missing)
	}
}
