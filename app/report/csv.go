package report

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/money"
)

// CSV returns the report as a table, with a line of headings; amounts in major units, with a point.
func (r TaxReport) CSV() []byte {
	out := [][]string{{"date", "location", "currency", "tax", "rate_percent", "taxable", "tax_amount", "taxable_refunded", "tax_refunded", "taxable_net", "tax_due"}}
	for _, t := range r.Rows {
		out = append(out, []string{
			period(r.By, t.Date), text(t.LocationName), string(t.Currency), text(t.Name), percent(t.PPM), amount(t.Taxable, t.Currency), amount(t.Tax, t.Currency),
			amount(t.TaxableRefunded, t.Currency), amount(t.TaxRefunded, t.Currency), amount(t.Net(), t.Currency), amount(t.Due(), t.Currency),
		})
	}
	return table(out)
}

// CSV returns the report as a table, with a line of headings; amounts in major units, with a point.
func (r FeeReport) CSV() []byte {
	out := [][]string{{"date", "location", "currency", "payment", "payments", "card_amount", "processor_fee", "platform_fee", "platform_fee_returned",
		"dispute_fee", "other_processor_fee", "elsewhere_fee", "total"}}
	for _, f := range r.Rows {
		id := ""
		if f.PaymentID != uuid.Nil {
			id = f.PaymentID.String()
		}
		out = append(out, []string{
			period(r.By, f.Date), text(f.LocationName), string(f.Currency), id, strconv.Itoa(f.Payments), amount(f.CardAmount, f.Currency),
			amount(f.ProcessorFee, f.Currency), amount(f.PlatformFee, f.Currency), amount(f.PlatformFeeRefunded, f.Currency), amount(f.DisputeFee, f.Currency),
			amount(f.OtherFee, f.Currency), amount(f.ManualFee, f.Currency), amount(f.Total(), f.Currency),
		})
	}
	return table(out)
}

func table(rows [][]string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	_ = w.WriteAll(rows) // a buffer takes everything
	return b.Bytes()
}

// period returns a day, or a month without one.
func period(by Unit, d civil.Date) string {
	if by == ByMonth {
		return d.String()[:7]
	}
	return d.String()
}

func amount(minor int64, cur money.Currency) string {
	if info, ok := money.Lookup(cur); ok {
		return info.Decimal(minor)
	}
	return strconv.FormatInt(minor, 10)
}

// percent returns a rate in parts per million as a percentage: 88750 is 8.875.
func percent(ppm int64) string {
	s := strconv.FormatInt(ppm/10_000, 10) + "." + strconv.FormatInt(10_000+ppm%10_000, 10)[1:]
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// text keeps entered text from being a formula of the program that opens the table.
func text(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
