package pg

import (
	"time"

	"github.com/google/uuid"
)

// Keyed is what a look-up across businesses finds of a row.
type Keyed struct {
	BusinessID, ID uuid.UUID
	At             time.Time // by which a list is in order; zero where there is none
}

// ByBusiness puts the ids of keys together by their businesses.
func ByBusiness(keys []Keyed) map[uuid.UUID][]uuid.UUID {
	out := map[uuid.UUID][]uuid.UUID{}
	for _, k := range keys {
		out[k.BusinessID] = append(out[k.BusinessID], k.ID)
	}
	return out
}

// Across reads rows of many businesses, those of one business at a time, and returns them in the order of keys. What read
// leaves out is left out.
func Across[T any](keys []Keyed, id func(T) uuid.UUID, read func(business uuid.UUID, ids []uuid.UUID) ([]T, error)) ([]T, error) {
	byID := map[uuid.UUID]T{}
	for business, ids := range ByBusiness(keys) {
		rows, err := read(business, ids)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			byID[id(r)] = r
		}
	}
	out := make([]T, 0, len(byID))
	for _, k := range keys {
		if r, found := byID[k.ID]; found {
			out = append(out, r)
		}
	}
	return out, nil
}
