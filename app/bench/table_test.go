package bench

import (
	"math"
	"testing"
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
