package pg

import (
	"time"

	"github.com/google/uuid"
)

// Keyed is a row found by a look-up across businesses.
type Keyed struct {
	BusinessID, ID uuid.UUID
	At             time.Time // sort key of a list; zero for an unordered one
}

// ByBusiness groups the ids of keys by business.
func ByBusiness(keys []Keyed) map[uuid.UUID][]uuid.UUID {
	out := map[uuid.UUID][]uuid.UUID{}
	for _, k := range keys {
		out[k.BusinessID] = append(out[k.BusinessID], k.ID)
	}
	return out
}

// Across reads rows of many businesses, those of one business at a time, and returns them in the order of keys. Rows
// that read does not return are left out.
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
