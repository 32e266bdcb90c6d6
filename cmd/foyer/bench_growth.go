package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"time"

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
	dir, d, say, end, err := benchDatabase(p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	o := bench.GrowthOptions{
		URL:      func(role, database string) string { return inDatabase(asRole(d.app, role), database) },
		Template: databaseName, Dir: dir, Say: say, Sizes: b.Sizes, Rounds: b.Rounds, Warm: time.Second, Window: 2 * time.Second,
		Serve: func(ctx context.Context, database string) *exec.Cmd {
			return serveOn(ctx, self, inDatabase(d.app, database))
		},
	}
	if b.Quick {
		o.Rounds, o.Window = 2, time.Second
	}
	r, err := bench.RunGrowth(p.ctx, o)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(p.stdout, "\n", r.Markdown())
	return err
}

// inDatabase is the address of another database on the same server.
func inDatabase(address, database string) string {
	u, err := url.Parse(address)
	if err != nil {
		panic(err) // it is made by the embedded server
	}
	u.Path = "/" + database
	return u.String()
}
