package audit

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// sealAge is the age of an event when it is sealed. Sequence numbers are assigned before transactions commit: a
// younger event may still get a neighbor with a lower one.
const sealAge = 10 * time.Minute

// sealSize is the most events of one seal.
const sealSize = 5000

// Seal seals the events that are old enough, of every business. An error of one business does not stop the others.
func (s *Service) Seal(ctx context.Context) error {
	return s.db.EachOf(ctx, "select business_id from app.due_seals($3, $1, $2)", func(ctx context.Context, business uuid.UUID) error {
		for {
			n, err := s.sealOne(ctx, business)
			if err != nil {
				return fmt.Errorf("audit: seal %s: %w", business, err)
			}
			if n < sealSize {
				return nil
			}
		}
	}, s.db.Clock().Now().Add(-sealAge))
}

// sealOne makes the next seal of a business and returns how many events it covers. Two at the same time make the same
// seal; the second one finds it there.
func (s *Service) sealOne(ctx context.Context, business uuid.UUID) (int, error) {
	return pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (int, error) { return seal(ctx, tx) })
}

// Break is a seal that does not match the log.
type Break struct {
	Seal     uuid.UUID
	Expected string // hash in the seal
	Found    string // hash of the events
}

// verifySize is how many seals are read at once.
const verifySize = 50

// Verify recomputes the seals of the reader's business and returns those that do not match: an event was changed,
// added or deleted under a seal, or a seal is missing. A seal after a broken one is compared with the broken one as
// it is stored, so that one change breaks one seal.
func Verify(ctx context.Context, r pg.Reader) ([]Break, error) {
	breaks := []Break{}
	last := sealRow{Hash: []byte{}, ToSeq: math.MinInt64}
	for {
		page, err := recompute(ctx, r, last, verifySize)
		if err != nil {
			return nil, err
		}
		for _, s := range page {
			switch {
			case s.Position != last.Position+1:
				breaks = append(breaks, Break{s.ID, numbered(last.Position + 1), numbered(s.Position)})
			case s.Found != s.Events || !bytes.Equal(s.Hash, s.Now):
				breaks = append(breaks, Break{s.ID, content(s.Events, s.Hash), content(s.Found, s.Now)})
			}
			last = s
		}
		if len(page) < verifySize {
			return breaks, nil
		}
	}
}

func numbered(position int64) string { return "seal " + strconv.FormatInt(position, 10) }

func content(events int, hash []byte) string {
	return strconv.Itoa(events) + " events, " + hex.EncodeToString(hash)
}
