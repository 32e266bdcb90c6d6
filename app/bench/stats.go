package bench

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// sample is what one contender did in one round.
type sample struct {
	rate float64       // operations a second
	cpu  time.Duration // of one operation; 0 where it cannot be known
	p50  time.Duration // of one operation, where it is followed
}

func (s sample) perSecond() float64 { return s.rate }
func (s sample) micros() float64    { return float64(s.cpu.Nanoseconds()) / 1e3 }
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
