package rules

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
)

// NewPrice is a price of the billing periods of a membership that begin on a day or later, in place of the one that it
// was sold at. The day on which a period begins decides, so that a freeze that postpones a period past that day changes
// its price.
type NewPrice struct {
	ID        uuid.UUID  `json:"id"` // of the change of the plan's price for members
	Amount    int64      `json:"amount"`
	On        civil.Date `json:"on"`
	NoticedAt *time.Time `json:"noticedAt"` // when its customer was mailed; nil: they have no address
}

// PriceOn returns the price of a billing period that begins on a day: the latest of a membership's new prices, which
// are in the order of their days; without one, the price that it was sold at.
func PriceOn(sold int64, list []NewPrice, day civil.Date) int64 {
	for _, p := range list {
		if !day.Before(p.On) {
			sold = p.Amount
		}
	}
	return sold
}

// PriceSQL is PriceOn of what a membership keeps of its plan, which has the price and the new prices, on a day;
// both are expressions.
func PriceSQL(sold, day string) string {
	return `coalesce((select (e ->> 'amount')::bigint from jsonb_array_elements(` + sold + ` -> 'prices') e
		where (e ->> 'on')::date <= ` + day + ` order by e ->> 'on' desc limit 1), (` + sold + ` ->> 'price')::bigint)`
}
