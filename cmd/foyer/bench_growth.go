package main

import (
	"errors"
	"fmt"

	"foyer/app/bench"
)

type benchGrowthCommand struct {
	Quick  bool  `help:"Few and short rounds: to see that it works, not to compare."`
	Rounds int   `default:"5" help:"Rounds of each request; the table has their medians."`
	Sizes  []int `default:"1,100,10000" help:"Numbers of businesses. The first is what the others are compared with."`
}

// Run measures how the cost of a request grows with the number of businesses, on an embedded server of its own in a temporary
// directory, and prints the second table of docs/performance.md. An aim that is missed is told and is no error.
func (b benchGrowthCommand) Run(p *program) (err error) {
	if b.Rounds < 1 {
		return errors.New("rounds must be at least 1")
	}
	o, end, err := benchOptions(p, b.Quick, b.Rounds)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	r, err := bench.RunGrowth(p.ctx, o, b.Sizes...)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(p.stdout, "\n", r.Markdown())
	return err
}
