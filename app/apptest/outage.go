package apptest

import "testing"

// Outage makes the test's database unreachable for all but the superuser while fn runs: connections are cut, and new
// ones refused.
func (w *World) Outage(t testing.TB, fn func()) {
	t.Helper()
	run := func(limit string) {
		t.Helper()
		w.SQL(t, "do $$ begin execute format('alter database %I connection limit "+limit+"', current_database()); end $$")
	}
	run("0")
	w.Cut(t)
	fn()
	run("-1")
}

// Cut ends every connection to the test's database but the superuser's own, as an administrator or a failover does.
func (w *World) Cut(t testing.TB) {
	t.Helper()
	w.SQL(t, `select pg_terminate_backend(pid, 10000) from pg_stat_activity
		where datname = current_database() and usename <> 'postgres'`)
}
