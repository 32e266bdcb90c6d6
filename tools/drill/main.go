package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// drill is one bad thing that happens.
type drill struct {
	name string
	goal string // of its figures that name none
	star bool
	run  func(ctx context.Context, p *place) ([]figure, error)
}

// drills are in the order in which they run: those first that need the machine for themselves.
var drills = []drill{
	{"reads", "L1", false, inTown("reads", reads)},
	{"bookings", "L2", false, inTown("bookings", bookings)},
	{"overload", "L3", false, inTown("overload", overload)},
	{"worst-page", "rule 49", false, inTown("worst-page", worstPage)},
	{"locked-row", "rule 49", false, inTown("locked-row", lockedRow)},
	{"postgres-stopped", "rule 49", false, inTown("postgres-stopped", postgresStopped)},
	{"rolling", "rule 53", true, rolling},
	{"sigterm", "F8", false, sigterm},
	{"assistants", "F8", false, assistants},
	{"connections-cut", "rule 49", false, inTown("connections-cut", connectionsCut)},
	{"server-killed", "F1", true, serverKilled},
	{"versions", "K2", true, versions},
	{"postgres-killed", "F2", true, postgresKilled},
	{"disk-full", "F7", false, diskFull},
	{"processor-hangs", "rule 51", false, processorHangs},
}

func main() { os.Exit(live()) }

func live() int {
	var names []string
	for _, d := range drills {
		names = append(names, d.name)
	}
	p := &place{}
	flag.StringVar(&p.foyer, "foyer", "bin/foyer", "the program")
	flag.StringVar(&p.old, "old", "", "the program of before the newest migration, for the drill \"versions\"")
	flag.StringVar(&p.operations, "operations", "docs/operations.md", "has the balancer's configuration")
	flag.IntVar(&p.size.studios, "studios", 200, "studios of the town")
	flag.IntVar(&p.size.listings, "listings", 50, "classes of each")
	flag.IntVar(&p.size.customers, "customers", 120, "people who are signed in")
	only := flag.String("only", "", "these drills alone, with commas between: "+strings.Join(names, " "))
	flag.Parse()

	chosen := names
	if *only != "" {
		chosen = strings.Split(*only, ",")
	}
	for _, name := range chosen {
		if !slices.Contains(names, name) {
			fmt.Fprintf(os.Stderr, "drill: there is no %q, only %s\n", name, strings.Join(names, " "))
			return 2
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	list, err := p.runAll(ctx, chosen)
	fmt.Printf("\n%s\n%s\n", markdown(list), circumstances()) //nolint:forbidigo // the table is what it prints
	if err != nil {
		fmt.Fprintln(os.Stderr, "drill:", err)
		return 1
	}
	all, starred := missed(list)
	fmt.Fprintf(os.Stderr, "%d figures, %d missed, %d of them of a goal that allows no exception\n", len(list), all, starred)
	if starred > 0 {
		return 1
	}
	return 0
}

// runAll runs the chosen drills. One that could not be carried out ends the run; what was measured before is returned.
func (p *place) runAll(ctx context.Context, chosen []string) (list []figure, err error) {
	began := time.Now() // real time: somebody waits
	p.say = func(format string, args ...any) {
		fmt.Fprintf(os.Stderr, "%5.0f s  "+format+"\n", append([]any{time.Since(began).Seconds()}, args...)...)
	}
	if err := p.open(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			p.say("the logs stay in %s", p.dir)
			return
		}
		err = p.close(context.WithoutCancel(ctx))
	}()
	for _, d := range drills {
		if !slices.Contains(chosen, d.name) {
			continue
		}
		p.say("%s", d.name)
		figures, err := d.run(ctx, p)
		if err != nil {
			return list, fmt.Errorf("%s: %w", d.name, err)
		}
		for _, f := range figures {
			if f.goal == "" {
				f.goal, f.star = d.goal, d.star
			}
			p.say("  %s: %s (%s)", f.what, f.measured, f.aim)
			list = append(list, f)
		}
	}
	return list, nil
}

// circumstances is what the figures depend on.
func circumstances() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		text = []byte("unknown")
	}
	return fmt.Sprintf("%s, %d cores, shared by product, Postgres and load; the machine's load at the end: %s",
		time.Now().UTC().Format(time.DateTime), runtime.NumCPU(), strings.TrimSpace(string(text))) // real time: of the run
}
