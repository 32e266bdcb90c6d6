package accounting

import (
	"context"

	"foyer/app/pg"
)

// Status is the status of a posting. A146.
type Status string

// The statuses.
const (
	Pending Status = "pending"
	Posted  Status = "posted"
	Failed  Status = "failed"
	Skipped Status = "skipped"
)

// All returns all statuses.
func (Status) All() []Status { return []Status{Pending, Posted, Failed, Skipped} }

// SkipReason is the reason that a batch is not posted; empty: it is not skipped. A147, A150.
type SkipReason string

// The reasons, in the order in which they are looked for. The first ones do not resolve themselves, so the reason
// shown is the one that remains.
const (
	BeforeStartDate SkipReason = "before_start_date"
	CurrencyNotHome SkipReason = "currency_not_home"
	MapIncomplete   SkipReason = "map_incomplete"
	NotConnected    SkipReason = "disconnected"
)

// All returns all reasons.
func (SkipReason) All() []SkipReason {
	return []SkipReason{BeforeStartDate, CurrencyNotHome, MapIncomplete, NotConnected}
}

// assessTx decides for every batch whether it is posted over the connection: it adds a posting for each batch without
// one since the start date, takes over postings of an earlier connection that are not posted, and sets each pending or
// skipped one to pending, or to skipped with its reason. It is called after every change of the facts: a batch, the
// map, the start date, the connection.
func assessTx(ctx context.Context, tx *pg.Tx, c Connection) error {
	missing, err := batchesWithoutPosting(ctx, tx, c)
	if err != nil {
		return err
	}
	b := tx.Batch()
	takeOverIn(b, tx, c)
	insertPostingsIn(b, tx, c, missing)
	reassessIn(b, tx, c)
	wakeIn(b, tx, c)
	return b.Send(ctx)
}
