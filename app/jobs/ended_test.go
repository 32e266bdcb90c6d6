package jobs_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/jobs"
)

// Ended jobs leave the table: finished ones after a day, failed ones after a week. Waiting ones stay for ever.
// River's clock is the machine's, so the test makes jobs old, and sets their states.
func TestEndedJobsGo(t *testing.T) {
	t.Parallel()
	w := apptest.Open(t)
	for _, name := range []string{"completed", "cancelled", "discarded"} {
		for _, age := range []string{"23 hours", "25 hours", "167 hours", "169 hours"} {
			enqueue(t, w, name+" "+age, nil)
			w.SQL(t, `update river.river_job set state = $1::river.river_job_state, finalized_at = now() - $2::interval where args ->> 'text' = $1 || ' ' || $2`, name, age)
		}
	}
	enqueue(t, w, "planned", nil)
	w.SQL(t, `update river.river_job set state = 'scheduled', scheduled_at = now() + interval '1 hour', created_at = now() - interval '1 year'
		where args ->> 'text' = 'planned'`)
	r := jobs.NewRegistry()
	jobs.Handle(r, func(context.Context, note) error { return nil })
	start(t, w, r)
	want := []string{"cancelled 23 hours", "completed 23 hours", "discarded 167 hours", "discarded 23 hours", "discarded 25 hours", "planned"}
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) { // real time
		left := apptest.Values[string](t, w, "select args ->> 'text' from river.river_job order by 1")
		if slices.Equal(left, want) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("left are %q, want %q", left, want)
		}
	}
}
