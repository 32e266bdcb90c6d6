package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/pg"
)

type feeCommand struct {
	Studio  string   `arg:"" help:"First part of the studio's public address, or of one of its locations'."`
	Percent *percent `help:"Platform fee of new card payments in percent, such as 1.5; at most 30."`
}

// Run prints the platform fee of a business's card payments, after setting it if a new one is given.
func (f feeCommand) Run(p *program) error {
	return p.withDatabase(func(_ Config, db *pg.DB) error {
		b, err := business.AtAddress(p.ctx, db, f.Studio)
		if fault.IsKind(err, fault.NotFound) {
			return fmt.Errorf("no studio has the address %q", f.Studio)
		}
		if err == nil && f.Percent != nil {
			b, err = business.SetFeeRate(p.ctx, db, b.ID, int64(*f.Percent))
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.stdout, "%s (%s) pays %s of each card payment\n", b.Name, b.Slug, percent(b.FeePPM))
		return err
	})
}

// percent is a share, stored as parts per million.
type percent int64

const ppmOfPercent = 10_000

// UnmarshalText parses a number with at most four decimals.
func (p *percent) UnmarshalText(text []byte) error {
	n, err := strconv.ParseFloat(string(text), 64)
	ppm := math.Round(n * ppmOfPercent)
	if err != nil || !(n >= 0 && ppm <= business.MaxFeePPM) || math.Abs(n*ppmOfPercent-ppm) > 1e-6 {
		return errors.New("use a number from 0 to 30 with at most four decimals, like 1.5")
	}
	*p = percent(ppm)
	return nil
}

// String is "1.5 %".
func (p percent) String() string {
	return strconv.FormatFloat(float64(p)/ppmOfPercent, 'f', -1, 64) + " %"
}
