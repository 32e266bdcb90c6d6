package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// Row is one line of the table.
type Row struct {
	Workload string
	Foyer    float64 // median
	Floor    float64 // median; NaN where there is none
	Figure   []float64
	Unit     string // of Figure and Aim; empty for a ratio
	Aim      Aim

	Other  float64   // median of the other binary
	Beside []float64 // Foyer over Other; none where nothing is compared
}

// beside adds the results of the other binary in the same rounds.
func (r Row) beside(foyer, other series) Row {
	r.Other, r.Beside = other.median(), foyer.over(other)
	return r
}

// Aim is the target of the median of a row's figure.
type Aim struct {
	Least, Most float64 // 0: no bound
	None        bool    // it should be 0
}

// Met reports whether a figure reaches the aim.
func (a Aim) Met(figure float64) bool {
	if a.None {
		return figure == 0
	}
	return !math.IsNaN(figure) && (a.Least == 0 || figure >= a.Least) && (a.Most == 0 || figure <= a.Most)
}

func (a Aim) text(unit string) string {
	switch {
	case a.None:
		return "none"
	case a.Least > 0 && a.Least == a.Most:
		return number(a.Least, unit)
	case a.Least > 0:
		return "≥ " + number(a.Least, unit)
	case a.Most > 0:
		return "≤ " + number(a.Most, unit)
	}
	return ""
}

// Report is the outcome of a run.
type Report struct {
	Rows    []Row
	Machine string // the machine of the run, in one line
}

// Markdown is the table with the machine's line below it. The other binary has its columns when there is one.
func (r Report) Markdown() string {
	var b strings.Builder
	others := slices.ContainsFunc(r.Rows, func(row Row) bool { return len(row.Beside) > 0 })
	titles, rule := "| workload | foyer | floor | ratio (rounds) | aim | met |", "|---|---:|---:|---:|---:|---|"
	if others {
		titles, rule = titles+" other | foyer over other |", rule+"---:|---:|"
	}
	fmt.Fprintf(&b, "%s\n%s\n", titles, rule)
	for _, row := range r.Rows {
		aim, met := row.Aim.text(row.Unit), ""
		if aim != "" {
			met = "no"
			if row.Aim.Met(series(row.Figure).median()) {
				met = "yes"
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |", row.Workload, plain(row.Foyer), plain(row.Floor), figure(row.Figure, row.Unit), aim, met)
		switch {
		case len(row.Beside) > 0:
			fmt.Fprintf(&b, " %s | %s |", plain(row.Other), figure(row.Beside, ""))
		case others:
			b.WriteString("  |  |")
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\n%s\n", r.Machine)
	return b.String()
}

// figure is the median with the lowest and highest round behind it.
func figure(rounds []float64, unit string) string {
	if len(rounds) == 0 {
		return ""
	}
	text := number(series(rounds).median(), unit)
	if len(rounds) > 1 {
		text += fmt.Sprintf(" (%s to %s)", number(slices.Min(rounds), ""), number(slices.Max(rounds), ""))
	}
	return text
}

func number(v float64, unit string) string { return strings.TrimSpace(plain(v) + " " + unit) }

// plain writes three digits and no more: the others are noise.
func plain(v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case math.Abs(v) >= 100:
		return fmt.Sprintf("%.0f", v)
	case math.Abs(v) >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// sample is the result of one contender in one round.
type sample struct {
	rate float64       // operations a second
	cpu  time.Duration // of one operation; 0 where it cannot be known
	p50  time.Duration // of one operation, where it is followed
}

func (s sample) perSecond() float64 { return s.rate }
func (s sample) micros() float64    { return float64(s.cpu.Nanoseconds()) / 1e3 }
func (s sample) costMs() float64    { return float64(s.cpu.Nanoseconds()) / 1e6 }
func (s sample) millis() float64    { return float64(s.p50.Nanoseconds()) / 1e6 }

func (s sample) String() string {
	if s.p50 > 0 {
		return fmt.Sprintf("%.3f ms", s.millis())
	}
	return fmt.Sprintf("%.0f/s %.0f µs", s.rate, s.micros())
}

// series is one figure over the rounds.
type series []float64

// of takes a figure out of every round.
func of(rounds []sample, figure func(sample) float64) series {
	out := make(series, len(rounds))
	for i, r := range rounds {
		out[i] = figure(r)
	}
	return out
}

// median is the middle figure, or the mean of the two in the middle; NaN of nothing.
func (s series) median() float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(s))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

func (s series) sum() (sum float64) {
	for _, v := range s {
		sum += v
	}
	return sum
}

// over divides round by round.
func (s series) over(floor series) series {
	out := make(series, min(len(s), len(floor)))
	for i := range out {
		out[i] = s[i] / floor[i]
	}
	return out
}

// percentile is the smallest of the times that so many percent of them are not above; 0 of nothing.
func percentile(took []time.Duration, percent int) time.Duration {
	if len(took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(took))
	return sorted[(len(sorted)*percent+99)/100-1]
}
