package money

// Step returns the unit, in minor units, of which every card payment or refund in a currency is a multiple: 10 in
// BHD, where the last of the three decimals is always 0, and 1 in most. It is 1 for an unknown code.
func (c Currency) Step() int64 {
	if info, ok := Lookup(c); ok {
		return info.ChargeMultiple
	}
	return 1
}

// Floor returns the largest amount not above n that a card can pay or get back in the currency. n is not negative.
func (c Currency) Floor(n int64) int64 { return n - n%c.Step() }

// Ceil returns the least amount not below n that a card can pay or get back in the currency. n is not negative.
func (c Currency) Ceil(n int64) int64 { return c.Floor(n + c.Step() - 1) }
