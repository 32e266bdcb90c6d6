package report

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"time"

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
		out = append(out, []string{
			period(r.By, f.Date), text(f.LocationName), string(f.Currency), id(f.PaymentID), strconv.Itoa(f.Payments),
			amount(f.CardAmount, f.Currency), amount(f.ProcessorFee, f.Currency), amount(f.PlatformFee, f.Currency),
			amount(f.PlatformFeeRefunded, f.Currency), amount(f.DisputeFee, f.Currency),
			amount(f.OtherFee, f.Currency), amount(f.ManualFee, f.Currency), amount(f.Total(), f.Currency),
		})
	}
	return table(out)
}

// CSV returns the report as a table, with a line of headings; amounts in major units, with a point.
func (r RevenueReport) CSV() []byte {
	out := [][]string{{"date", "location", "currency", "category", "category_name", "payments", "gross", "refunds", "net"}}
	for _, c := range r.Rows {
		out = append(out, []string{
			period(r.By, c.Date), text(c.LocationName), string(c.Currency), c.Category, text(c.Name), strconv.Itoa(c.Payments),
			amount(c.Gross, c.Currency), amount(c.Refunds, c.Currency), amount(c.Net(), c.Currency),
		})
	}
	return table(out)
}

// CSV returns the report as a table, with a line of headings; amounts in major units, with a point. It has a row for
// each line, and one for an amount without lines, so that net adds up to the amount of a payout: "unlisted" for unknown
// lines, "other_locations" in a report of one location.
func (r PayoutReport) CSV() []byte {
	out := [][]string{{"payout_date", "payout", "payout_status", "currency", "payout_amount", "type", "time", "location",
		"customer", "item", "order", "payment", "transaction", "gross", "processor_fee", "platform_fee", "net"}}
	for _, p := range r.Payouts {
		other := "unlisted"
		if p.Known && r.LocationID != uuid.Nil {
			other = "other_locations"
		}
		of := []string{
			p.Date.String(), text(p.ExternalID), string(p.Status), string(p.Currency), amount(p.Amount, p.Currency),
		}
		for _, l := range p.Lines {
			out = append(out, slices.Concat(of, []string{
				string(l.Category), l.HappenedAt.UTC().Format(time.RFC3339), text(l.LocationName), text(l.CustomerName),
				text(l.Label), id(l.OrderID), id(l.PaymentID), text(l.ExternalID), amount(l.Gross, l.Currency),
				amount(l.ProcessorFee, l.Currency), amount(l.PlatformFee, l.Currency), amount(l.Net, l.Currency),
			}))
		}
		if p.Other != 0 {
			out = append(out, slices.Concat(of, []string{other}, make([]string, 10), []string{amount(p.Other, p.Currency)}))
		}
	}
	return table(out)
}

// CSV returns the report as a table, with a line of headings; amounts in major units, with a point.
func (r LiabilityReport) CSV() []byte {
	out := [][]string{{"date", "location", "currency", "account", "account_name", "rate_percent", "opening_balance",
		"added", "used", "closing_balance"}}
	for _, l := range r.Rows {
		rate := ""
		if l.Category == SalesTax {
			rate = percent(l.PPM)
		}
		out = append(out, []string{
			period(r.By, l.Date), text(l.LocationName), string(l.Currency), l.Category, text(l.Name), rate,
			amount(l.Opening, l.Currency), amount(l.Added, l.Currency), amount(l.Used, l.Currency),
			amount(l.Closing(), l.Currency),
		})
	}
	return table(out)
}

// CSV returns the report as a table, with a line of headings; amounts in major units, with a point.
func (r MembershipReport) CSV() []byte {
	out := [][]string{{"month", "location", "currency", "plan", "active_at_start", "joined", "canceled", "ended_unpaid",
		"completed", "active_at_end", "churn_percent", "payments", "income"}}
	for _, m := range r.Rows {
		line := []string{period(ByMonth, m.Date), text(m.LocationName), string(m.Currency), text(m.PlanName)}
		for _, n := range []int{m.Opening, m.Joined, m.Canceled, m.Unpaid, m.Completed, m.Closing()} {
			line = append(line, strconv.Itoa(n))
		}
		out = append(out, append(line, percent(m.ChurnPPM()), strconv.Itoa(m.Payments), amount(m.Income, m.Currency)))
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

// id returns an id; nothing for none.
func id(of uuid.UUID) string {
	if of == uuid.Nil {
		return ""
	}
	return of.String()
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
