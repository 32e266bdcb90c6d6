package bench

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestAim(t *testing.T) {
	for _, c := range []struct {
		aim    Aim
		figure float64
		met    bool
		text   string
	}{
		{Aim{Least: 0.5}, 0.5, true, "≥ 0.50"},
		{Aim{Least: 0.5}, 0.499, false, "≥ 0.50"},
		{Aim{Most: 1.1}, 1.1, true, "≤ 1.10"},
		{Aim{Most: 1.1}, 1.11, false, "≤ 1.10"},
		{Aim{Most: 40}, math.NaN(), false, "≤ 40.0"},
		{Aim{}, 7, true, ""},
		{Aim{Least: 1, Most: 1}, 1, true, "1.00"},
		{Aim{Least: 1, Most: 1}, 1.2, false, "1.00"},
		{Aim{None: true}, 0, true, "none"},
		{Aim{None: true}, 0.5, false, "none"},
		{Aim{None: true}, math.NaN(), false, "none"},
	} {
		if got := c.aim.Met(c.figure); got != c.met {
			t.Errorf("%+v met by %v: %v", c.aim, c.figure, got)
		}
		if got := c.aim.text(""); got != c.text {
			t.Errorf("%+v reads %q, want %q", c.aim, got, c.text)
		}
	}
	if got := (Aim{Most: 100}).text("ms"); got != "≤ 100 ms" {
		t.Errorf("an aim with a unit reads %q", got)
	}
}

func TestNumbers(t *testing.T) {
	for v, want := range map[float64]string{0: "0.00", 0.456: "0.46", 9.994: "9.99", 10: "10.0", 99.94: "99.9", 100: "100", 2112.4: "2112", -250: "-250"} {
		if got := plain(v); got != want {
			t.Errorf("%v reads %q, want %q", v, got, want)
		}
	}
	if got := plain(math.NaN()); got != "" {
		t.Errorf("what is not known reads %q", got)
	}
}

const wantTable = `| workload | foyer | floor | ratio (rounds) | aim | met |
|---|---:|---:|---:|---:|---|
| schedule, per second | 2112 | 5218 | 0.40 (0.38 to 0.45) | ≥ 0.50 | no |
| booking, per second | 520 | 750 | 0.69 | ≥ 0.60 | yes |
| memory, MB | 39.1 |  | 39.1 MB | ≤ 40.0 MB | yes |
| schedule, CPU µs each | 801 | 381 | 2.11 (2.00 to 2.22) |  |  |
| nothing | 1.00 |  |  | ≤ 2.00 | no |

a machine
`

func TestMarkdown(t *testing.T) {
	r := Report{Machine: "a machine", Rows: []Row{
		{Workload: "schedule, per second", Foyer: 2112, Floor: 5218, Figure: []float64{0.45, 0.38, 0.4}, Aim: Aim{Least: 0.5}},
		{Workload: "booking, per second", Foyer: 520, Floor: 750, Figure: []float64{0.69}, Aim: Aim{Least: 0.6}},
		{Workload: "memory, MB", Foyer: 39.1, Floor: math.NaN(), Figure: []float64{39.1}, Unit: "MB", Aim: Aim{Most: 40}},
		{Workload: "schedule, CPU µs each", Foyer: 801, Floor: 381, Figure: []float64{2, 2.22}},
		{Workload: "nothing", Foyer: 1, Floor: math.NaN(), Aim: Aim{Most: 2}}, // no round: no figure, and no aim is met
	}}
	if got := r.Markdown(); got != wantTable {
		t.Errorf("got\n%s\nwant\n%s", got, wantTable)
	}
}

const wantCompared = `| workload | foyer | floor | ratio (rounds) | aim | met | other | foyer over other |
|---|---:|---:|---:|---:|---|---:|---:|
| schedule, per second | 2112 | 5218 | 0.40 | ≥ 0.50 | no | 1056 | 2.00 (1.90 to 2.10) |
| one through a View | 1.00 |  | 1.00 | ≤ 2.00 | yes |  |  |

a machine
`

// TestMarkdownCompared: the other binary has columns of its own, empty where it was not measured.
func TestMarkdownCompared(t *testing.T) {
	r := Report{Machine: "a machine", Rows: []Row{
		Row{Workload: "schedule, per second", Foyer: 2112, Floor: 5218, Figure: []float64{0.4}, Aim: Aim{Least: 0.5}}.
			beside(series{1995, 2205}, series{1050, 1050}),
		{Workload: "one through a View", Foyer: 1, Floor: math.NaN(), Figure: []float64{1}, Aim: Aim{Most: 2}},
	}}
	r.Rows[0].Other = 1056
	if got := r.Markdown(); got != wantCompared {
		t.Errorf("got\n%s\nwant\n%s", got, wantCompared)
	}
}

// TestBesides: the other binary's results are beside the rows of the same figure, if there are any.
func TestBesides(t *testing.T) {
	foyer, other := []sample{{rate: 300, cpu: 2 * time.Millisecond}}, []sample{{rate: 100, cpu: 8 * time.Millisecond}}
	rows := append(against("work", foyer, foyer, Aim{}, Aim{}), costing("work", foyer, Aim{Most: 3})...)
	if alone := besides(rows, foyer, nil); len(alone) != 3 || alone[0].Beside != nil {
		t.Errorf("alone %+v", alone)
	}
	rows = besides(rows, foyer, other)
	for i, want := range []struct{ other, ratio float64 }{{100, 3}, {8000, 0.25}, {8, 0.25}} {
		if rows[i].Other != want.other || len(rows[i].Beside) != 1 || rows[i].Beside[0] != want.ratio {
			t.Errorf("row %+v, want %+v", rows[i], want)
		}
	}
	if cost := rows[2]; cost.Foyer != 2 || cost.Figure[0] != 2 || cost.Unit != "ms" || !cost.Aim.Met(cost.Figure[0]) || !math.IsNaN(cost.Floor) {
		t.Errorf("cost %+v", cost)
	}
	if rows := costing("work", []sample{{rate: 1}}, Aim{}); len(rows) != 0 {
		t.Errorf("without CPU it costs %+v", rows)
	}
}

// TestBookingRows: the product is compared with both floors, and with the other binary if there is one.
func TestBookingRows(t *testing.T) {
	at := func(rate float64, ms int) []sample {
		return []sample{{rate: rate, cpu: time.Duration(ms) * time.Millisecond}}
	}
	rounds := [][]sample{at(100, 9), at(150, 6), at(200, 4), at(400, 2), at(50, 36)}
	find := func(rows []Row, name string) *Row {
		for i := range rows {
			if rows[i].Workload == name {
				return &rows[i]
			}
		}
		return nil
	}
	rows := bookingRows(rounds)
	for name, want := range map[string]float64{
		"booking a free class over HTTP, per second":                          0.5,
		"booking a free class over HTTP, CPU ms each":                         9,
		"booking a free class over HTTP, least floor, per second":             0.25,
		"booking a free class by the verbs, per second":                       0.75,
		"booking a free class by the verbs, least floor, per second":          0.375,
		"booking a free class over HTTP, floor the other binary, CPU µs each": 0.25,
	} {
		if row := find(rows, name); row == nil || row.Figure[0] != want {
			t.Errorf("%s: %+v, want %v", name, row, want)
		}
	}
	if alone := bookingRows(rounds[:4]); len(alone) != len(rows)-1 || alone[0].Beside != nil {
		t.Errorf("alone there are %d rows, compared %d", len(alone), len(rows))
	}
}

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

// TestMedianIsInTheMiddle: as many figures are above it as below it, and the input is not sorted.
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

func TestPercentile(t *testing.T) {
	var hundred []time.Duration
	for i := range 100 {
		hundred = append(hundred, time.Duration(100-i)) // the order does not matter
	}
	for _, c := range []struct {
		of      []time.Duration
		percent int
		want    time.Duration
	}{
		{hundred, 99, 99}, {hundred, 50, 50}, {hundred, 100, 100}, {hundred[:1], 99, 100}, {hundred[:3], 50, 99}, {nil, 99, 0},
	} {
		if got := percentile(c.of, c.percent); got != c.want {
			t.Errorf("p%d of %d is %d, want %d", c.percent, len(c.of), got, c.want)
		}
	}
	if hundred[0] != 100 {
		t.Error("it sorts what it is given")
	}
}
