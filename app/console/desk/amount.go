package desk

import (
	"foyer/app/fault"
	"foyer/app/money"
)

// Amount returns a field of ui.Money in minor units; nil when it is empty. Text that is no amount of the currency is
// an error at the field.
func (c *Call) Amount(name string, cur money.Currency) (*int64, error) {
	text := c.Value(name)
	if text == "" {
		return nil, nil
	}
	info, ok := money.Lookup(cur)
	minor, err := info.Parse(text)
	if !ok || err != nil {
		return nil, fault.Invalid(name, c.UI.T("Enter an amount such as {example}.", "example", info.Decimal(2250)))
	}
	return &minor, nil
}
