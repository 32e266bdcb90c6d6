package desk

import (
	"foyer/app/fault"
	"foyer/app/money"
)

// Amount is a field of ui.Money in minor units: nil when it is empty. What is no amount of the currency is a refusal at the field.
func (c *Call) Amount(name string, cur money.Currency) (*int64, error) {
	text := c.Value(name)
	if text == "" {
		return nil, nil
	}
	info, ok := money.Lookup(cur)
	minor, err := info.Parse(text)
	if !ok || err != nil {
		return nil, fault.Invalid(name, c.UI.T("Write an amount like {example}.", "example", info.Decimal(2250)))
	}
	return &minor, nil
}
