package audit

import (
	"bytes"
	"context"
	"encoding/hex"
	"math"
	"strconv"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// Break is a place where the log is not what was sealed.
type Break struct {
	Seal     uuid.UUID
	Expected string // what the seal says
	Found    string // what the events say
}

// verifySize is how many seals are read at once.
const verifySize = 50

// Verify recomputes the seals of the reader's business and returns where they do not hold: an event was changed, added or
// taken away under a seal, or a seal is missing. What a broken seal is followed by is held against the seal as it stands,
// so that one change breaks one seal.
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
