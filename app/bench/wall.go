package bench

import (
	"context"
	"os"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// customerRow is a row of this file's reads.
type customerRow struct {
	ID                 uuid.UUID
	Name, Email, Phone string
	Version            int64
	CreatedAt          time.Time
}

const customerSelect = "select id, name, email, phone, version, created_at from customers where business_id = $1"

// wall compares reads through a View, which set the business and pass the policies, with the same statements on a
// copy of the table that has no policies, by a View of no business, which sets nothing. The code and the indexes are
// the same. A View of the business on the copy, which sets it for nothing, shows how much of the difference is the
// policies' own.
func (b *bench) wall(ctx context.Context) ([]Row, error) {
	bare, err := pg.Open(ctx, pg.Config{URL: b.url("foyer_app") + "&search_path=bare", MaxConns: max(16, b.Clients)})
	if err != nil {
		return nil, err
	}
	defer bare.Close()
	var one uuid.UUID
	if err := b.super.QueryRow(ctx, "select bench.id(15, 77)").Scan(&one); err != nil {
		return nil, err
	}
	rows, err := b.wallRead(ctx, "one customer through pg.View", bare, func(ctx context.Context, v *pg.View) error {
		_, err := pg.One[customerRow](ctx, v, customerSelect+" and id = $2", b.place.Business, one)
		return err
	})
	if err != nil {
		return nil, err
	}
	more, err := b.wallRead(ctx, "50 customers through pg.View", bare, func(ctx context.Context, v *pg.View) error {
		_, err := pg.All[customerRow](ctx, v, customerSelect+" order by created_at desc, id desc limit 50", b.place.Business)
		return err
	})
	return append(rows, more...), err
}

func (b *bench) wallRead(ctx context.Context, name string, bare *pg.DB, read func(context.Context, *pg.View) error) ([]Row, error) {
	run := func(name string, db *pg.DB, business uuid.UUID) contender {
		return b.loading(name, b.cpu.and(os.Getpid()), func(ctx context.Context, _ int) error {
			return read(ctx, db.View(business))
		})
	}
	rounds, err := b.compare(ctx, name, run("walled", b.db, b.place.Business), run("bare", bare, uuid.Nil),
		run("set only", bare, b.place.Business))
	if err != nil {
		return nil, err
	}
	rows := against(name, rounds[0], rounds[1], Aim{}, Aim{Most: 1.30})
	return append(rows, against(name+", policies alone", rounds[0], rounds[2], Aim{}, Aim{})...), nil
}
