package catalog

// SoldAs is what the price of a rental buys.
type SoldAs string

// A seat in the space, or the whole of it.
const (
	PerPerson  SoldAs = "person"
	WholeSpace SoldAs = "space"
)

// All lists them.
func (SoldAs) All() []SoldAs { return []SoldAs{PerPerson, WholeSpace} }

// Duration is one of the lengths that an appointment or a rental can have.
type Duration struct {
	Minutes     int   `json:"minutes"`
	PriceAmount int64 `json:"priceAmount"` // minor units, for this length
}

// Lengths is how long something takes and what that costs: the offering's own length and price, or a choice of several.
type Lengths struct {
	Kind      Kind
	SoldAs    SoldAs
	Minutes   int    // the offering's own length
	Amount    *int64 // its price; nil: not set yet
	Durations []Duration
}

// Price is what a party pays for a time of that length; false when the offering has no such length or no price. A rental
// sold by the person is paid for each; an appointment and a whole space once.
func (l Lengths) Price(minutes, party int) (int64, bool) {
	amount, ok := l.price(minutes)
	if l.Kind == Rental && l.SoldAs != WholeSpace {
		amount *= int64(party)
	}
	return amount, ok
}

func (l Lengths) price(minutes int) (int64, bool) {
	for _, d := range l.Durations {
		if d.Minutes == minutes {
			return d.PriceAmount, true
		}
	}
	if len(l.Durations) > 0 || minutes != l.Minutes || l.Amount == nil {
		return 0, false
	}
	return *l.Amount, true
}

// Default is the length that is meant when none is named.
func (l Lengths) Default() int {
	if len(l.Durations) > 0 {
		return l.Durations[0].Minutes
	}
	return l.Minutes
}
