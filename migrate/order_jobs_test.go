package migrate_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/migrate"
)

// TestOrderJobs: migration 57 gives jobs that wait, and those that were given up, the names that the worker of today
// knows, and leaves the others alone.
func TestOrderJobs(t *testing.T) {
	t.Parallel()
	d := apptest.EmptyDatabase(t)
	if err := migrate.UpTo(t.Context(), d.URL("foyer_owner"), 56); err != nil {
		t.Fatal(err)
	}
	db := open(t, d.URL("postgres"))
	if _, err := db.ExecContext(t.Context(), `
		insert into river.river_job (kind, args, max_attempts, queue, state, finalized_at)
		select x.kind, '{}', 10, x.kind, x.state::river.river_job_state,
			case x.state when 'discarded' then now() end
		from (values ('checkout.confirmation', 'available'), ('checkout.late_refund', 'retryable'),
			('checkout.charge_fee', 'discarded'), ('checkout.fee', 'available'), ('billing.refund', 'available'))
			x (kind, state)`); err != nil {
		t.Fatal(err)
	}
	if _, err := migrate.Up(t.Context(), d.URL("foyer_owner"), nil); err != nil {
		t.Fatal(err)
	}
	for was, is := range map[string]string{
		"checkout.confirmation": order.ConfirmationJob{}.Kind(),
		"checkout.late_refund":  order.LateRefundJob{}.Kind(),
		"checkout.charge_fee":   owed.ChargeJob{}.Kind(),
		"checkout.fee":          owed.ChargeMailJob{}.Kind(),
		"billing.refund":        "billing.refund",
	} {
		var got string
		err := db.QueryRowContext(t.Context(), "select kind from river.river_job where queue = $1", was).Scan(&got)
		if err != nil || got != is {
			t.Errorf("%s became %q, want %q (%v)", was, got, is, err)
		}
	}
}
