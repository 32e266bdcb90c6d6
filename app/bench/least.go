package bench

import (
	"context"
	_ "embed"
	"encoding/json"
	"strings"

	"github.com/jackc/pgx/v5"

	"foyer/app/catalog"
)

// The least floor of a booking are the statements that the strongest of our competitors would send for the same
// guarantees. It is written by hand in least.sql, once: the recorded floor follows the product, and so hides
// unnecessary statements. It runs on the same tables with their constraints, keys, indexes and policies, as
// foyer_app, and commits twice, durably.
//
// It keeps: the guard of the seats and their counter; that the offering is published, not dearer than before, not too
// late, and not booked twice by one customer; five holds for each person; a hold of ten minutes that only its person
// confirms; the booking with the policy as it was, its two transitions, the order and its line with a receipt; that a
// cart is ordered once; the audit events; the job. An event is written by a trigger if the table has one, and by the
// statement otherwise.
//
// It leaves out: the reason of a refusal, rereading the receipt, taxes and fees, carts of more than one line,
// courses, groups and approvals, and a customer's first visit. Each of them would be another statement.

//go:embed least.sql
var leastSQL string

// leastEvents are the tables with audit events of a booking.
var leastEvents = []string{"bookings", "orders"}

// leastScript is the least floor as a script of pgbench.
func (b *bench) leastScript(ctx context.Context) (script, error) {
	told, err := b.toldByTriggers(ctx)
	if err != nil {
		return script{}, err
	}
	return leastScriptOf(leastSteps(), b.leastDefines(), told), nil
}

func leastSteps() map[string]string { return stepsOf(leastSQL) }

// stepsOf are the steps of a floor by their titles.
func stepsOf(floor string) map[string]string {
	steps := map[string]string{}
	for _, step := range strings.Split(floor, "\n-- ## ")[1:] {
		title, sql, _ := strings.Cut(step, "\n")
		steps[title] = strings.TrimSpace(sql)
	}
	return steps
}

// leastScriptOf is two pipelines, each of them a transaction that Postgres commits with the trip. told are the tables
// with triggers that write their events.
func leastScriptOf(steps map[string]string, defines []string, told map[string]bool) script {
	var events []string
	for _, table := range leastEvents {
		if !told[table] {
			events = append(events, "told_of_"+table+" as (\n"+steps["event of "+table]+"\n)")
		}
	}
	confirm := steps["confirm"]
	if none := "told as (\n\tselect where false /* audit events */\n)"; len(events) > 0 {
		confirm = strings.Replace(confirm, none, strings.Join(events, ", "), 1)
	} else {
		confirm = strings.Replace(confirm, ", "+none, "", 1)
	}
	text := "\\set i :i + 1\n\\set n :first + :client_id * :range + :i\n"
	for i, sql := range []string{steps["hold"], confirm} {
		text += "\\startpipeline\n" + steps[[]string{"set lazily", "set"}[i]] + "\n" + sql + "\n\\endpipeline\n"
	}
	return script{text, append(defines, "i=-1")}
}

// leastDefines are the variables of a client.
func (b *bench) leastDefines() []string {
	rules, err := json.Marshal(catalog.StandardRules())
	if err != nil {
		panic(err) // it is a struct of numbers
	}
	return []string{
		"business=" + b.place.Business.String(), "name=Somebody", "rules=" + string(rules),
		`actor={"kind": "person", "name": "Somebody", "surface": "api"}`,
	}
}

// toldByTriggers returns the tables with a trigger that writes their events. A trigger that is missed or wrongly
// counted changes the rows of a booking, and audited reports it.
func (b *bench) toldByTriggers(ctx context.Context) (told map[string]bool, err error) {
	rows, err := b.super.Query(ctx, `select distinct tgrelid::regclass::text from pg_trigger
		where not tgisinternal and tgname like 'audit%' and tgrelid::regclass::text = any($1)`, leastEvents)
	if err != nil {
		return nil, err
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	told = map[string]bool{}
	for _, table := range tables {
		told[table] = true
	}
	return told, err
}
