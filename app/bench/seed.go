package bench

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

//go:embed seed.sql
var seedSQL string

// size says how much there is. Business 0 is measured, and has ten times the bookings and customers of another.
type size struct {
	businesses int // at least 1
	bookings   int // of business 0
	carts      int // ready to be held; each serves one booking
}

// seed fills a migrated database, as the superuser. say hears one line a step.
func seed(ctx context.Context, super *pgx.Conn, s size, say func(string)) error {
	settings := fmt.Sprintf(`set session_replication_role = replica; set bench.businesses = %d; set bench.bookings = %d;
		set bench.carts = %d`, s.businesses, s.bookings, s.carts)
	if _, err := super.Exec(ctx, settings); err != nil {
		return err
	}
	for _, step := range strings.Split(seedSQL, "\n-- ## ")[1:] {
		title, sql, _ := strings.Cut(step, "\n")
		say("seeding: " + title)
		if _, err := super.Exec(ctx, sql); err != nil {
			return fmt.Errorf("bench: seed %s: %w", title, err)
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
