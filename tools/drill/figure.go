package main

import (
	"fmt"
	"strings"
	"time"
)

// figure is one thing that was measured.
type figure struct {
	goal     string // the goal's name in the list of goals; empty for one that has none
	star     bool   // must be met, no exception
	what     string
	aim      string
	measured string
	met      bool
}

// none is a figure whose aim is that something never happens.
func none(what string, n int, of string) figure {
	return figure{what: what, aim: "0", measured: fmt.Sprintf("%d of %s", n, of), met: n == 0}
}

// atMost is a figure of time with an upper bound.
func atMost(what string, most, measured time.Duration) figure {
	return figure{what: what, aim: "≤ " + short(most), measured: short(measured), met: measured <= most}
}

// holds is a figure that is right or not; measured says what was found.
func holds(what, aim, measured string, met bool) figure {
	return figure{what: what, aim: aim, measured: measured, met: met}
}

// short is a duration with as many digits as anybody reads.
func short(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/1e6)
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// markdown is the table of docs/reliability.md.
func markdown(list []figure) string {
	var b strings.Builder
	b.WriteString("| Goal | Measurement | Aim | Measured | |\n|---|---|---|---|---|\n")
	for _, f := range list {
		goal, verdict := f.goal, "met"
		if f.star {
			goal += "★"
		}
		if !f.met {
			verdict = "**missed**"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", goal, f.what, f.aim, f.measured, verdict)
	}
	return b.String()
}

// missed is how many figures miss their aim, and how many of those must not.
func missed(list []figure) (all, starred int) {
	for _, f := range list {
		if !f.met {
			all++
			if f.star {
				starred++
			}
		}
	}
	return all, starred
}
