package bench

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		of   series
		want float64
	}{
		{series{3}, 3}, {series{5, 1}, 3}, {series{9, 1, 2}, 2}, {series{4, 1, 100, 2}, 3},
	} {
		if got := c.of.median(); got != c.want {
			t.Errorf("median of %v is %v, want %v", c.of, got, c.want)
		}
	}
	if got := (series{}).median(); !math.IsNaN(got) {
		t.Errorf("median of nothing is %v", got)
	}
}

// TestMedianIsInTheMiddle: as many figures are not above it as are not below it, and it does not sort what it is given.
func TestMedianIsInTheMiddle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := series(rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 20).Draw(t, "figures"))
		before := append(series(nil), s...)
		m := s.median()
		below, above := 0, 0
		for i, v := range s {
			if v != before[i] {
				t.Fatal("the rounds changed places")
			}
			if v <= m {
				below++
			}
			if v >= m {
				above++
			}
		}
		if 2*below < len(s) || 2*above < len(s) {
			t.Fatalf("median %v of %v", m, s)
		}
	})
}

// TestRatioOfRounds: a ratio is worked out round by round, and is not the ratio of the medians.
func TestRatioOfRounds(t *testing.T) {
	foyer := []sample{{rate: 100, cpu: 20 * time.Microsecond}, {rate: 30, cpu: 60 * time.Microsecond}, {rate: 50, cpu: 90 * time.Microsecond}}
	floor := []sample{{rate: 200, cpu: 10 * time.Microsecond}, {rate: 100, cpu: 15 * time.Microsecond}, {rate: 50, cpu: 30 * time.Microsecond}}
	rows := against("work", foyer, floor, Aim{Least: 0.5}, Aim{Most: 2.5})
	if len(rows) != 2 {
		t.Fatalf("%d rows", len(rows))
	}
	speed, cpu := rows[0], rows[1]
	if speed.Workload != "work, per second" || speed.Foyer != 50 || speed.Floor != 100 || speed.Aim.Least != 0.5 {
		t.Errorf("speed is %+v", speed)
	}
	if got := series(speed.Figure); got[0] != 0.5 || got[1] != 0.3 || got[2] != 1 || got.median() != 0.5 {
		t.Errorf("ratios of speed are %v", got)
	}
	if cpu.Workload != "work, CPU µs each" || cpu.Foyer != 60 || cpu.Floor != 15 || series(cpu.Figure).median() != 3 || cpu.Aim.Most != 2.5 {
		t.Errorf("CPU is %+v", cpu)
	}
}

// TestWithoutCPU: where the CPU cannot be known there is no row of it.
func TestWithoutCPU(t *testing.T) {
	if rows := against("work", []sample{{rate: 1}}, []sample{{rate: 2}}, Aim{}, Aim{}); len(rows) != 1 {
		t.Errorf("%d rows", len(rows))
	}
}

func TestSum(t *testing.T) {
	if got := (series{1, 2.5, 4}).sum(); got != 7.5 {
		t.Errorf("the sum is %v", got)
	}
}

// TestSampleReads: p50 where it is followed, else the rate and the CPU.
func TestSampleReads(t *testing.T) {
	if got := (sample{rate: 12.6, cpu: 34 * time.Microsecond}).String(); got != "13/s 34 µs" {
		t.Errorf("a rate reads %q", got)
	}
	s := sample{p50: 1234 * time.Microsecond}
	if got := s.String(); got != "1.234 ms" || s.millis() != 1.234 {
		t.Errorf("a p50 reads %q and is %v", got, s.millis())
	}
}
