package bench

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

//go:embed names.sql seed.sql seed_salon.sql seed_rush.sql growth.sql
var seeds embed.FS

// size says how much there is. Business 0 is measured, and has ten times the bookings and customers of another.
type size struct {
	businesses   int // at least 1
	bookings     int // of classes of business 0
	appointments int // of business 0, over two weeks or more: a multiple of 120
	carts        int // ready to be held; each serves one booking
	rush         int // carts that want a person, and as many that want a room; a multiple of 32
	races        int // for the last seat of a class
}

// seed fills a migrated database, as the superuser. say hears one line a step.
func seed(ctx context.Context, super *pgx.Conn, s size, say func(string)) error {
	settings := map[string]int{
		"businesses": s.businesses, "bookings": s.bookings, "appointments": s.appointments, "carts": s.carts, "rush": s.rush,
		"races": s.races,
	}
	return fill(ctx, super, settings, say, "names.sql", "seed.sql", "seed_salon.sql", "seed_rush.sql")
}

// seedGrowth fills a migrated database with businesses that are all alike, and with carts in businesses drawn at random.
func seedGrowth(ctx context.Context, super *pgx.Conn, businesses, carts int, say func(string)) error {
	return fill(ctx, super, map[string]int{"businesses": businesses, "carts": carts}, say, "names.sql", "growth.sql")
}

// fill runs the steps of seeds without triggers: nothing is checked, and nothing is written down in the audit trail. The
// settings are there as bench.<name>.
func fill(ctx context.Context, super *pgx.Conn, settings map[string]int, say func(string), files ...string) error {
	before := "set session_replication_role = replica;"
	for name, value := range settings {
		before += fmt.Sprintf(" set bench.%s = %d;", name, value)
	}
	if _, err := super.Exec(ctx, before); err != nil {
		return err
	}
	for _, file := range files {
		text, err := seeds.ReadFile(file)
		if err != nil {
			return err
		}
		for _, step := range strings.Split(string(text), "\n-- ## ")[1:] {
			title, sql, _ := strings.Cut(step, "\n")
			say("seeding: " + title)
			if _, err := super.Exec(ctx, sql); err != nil {
				return fmt.Errorf("bench: %s, %s: %w", file, title, err)
			}
		}
	}
	if _, err := super.Exec(ctx, "reset session_replication_role"); err != nil {
		return err
	}
	say("seeding: statistics")
	_, err := super.Exec(ctx, "vacuum analyze")
	return err
}

// place is where the measured rows are.
type place struct {
	Business, Location uuid.UUID
	Owner              string // session token
	Bookers            int
}

func placeOf(ctx context.Context, super *pgx.Conn) (p place, err error) {
	err = super.QueryRow(ctx, `select bench.business(0), bench.location(0), bench.session_token(1000), bench.bookers()`).
		Scan(&p.Business, &p.Location, &p.Owner, &p.Bookers)
	return p, err
}
