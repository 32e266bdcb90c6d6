package journeys_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
)

var update = flag.Bool("update", false, "write what jobs take into the table of docs/console.md")

// The table of docs/console.md, between two comments: a row for each job, with its counts on a desktop and on a
// phone.
const (
	countsFile           = "../../../docs/console.md"
	countsFrom, countsTo = "<!-- taps and inputs -->", "<!-- /taps and inputs -->"
)

var countsLock sync.Mutex

// anyInputs is the limit of a job without one in its design.
const anyInputs = -1

// takes does a job, fails when it takes more taps or inputs than the design allows, and compares the counts with
// docs/console.md. A tap is a click by the rule of this package; an input is a field filled in, a list chosen from or
// a box ticked.
func (p *person) takes(job string, taps, inputs int, do func()) {
	p.t.Helper()
	clicks, filled := p.clicks, p.inputs
	do()
	clicks, filled = p.clicks-clicks, p.inputs-filled
	if clicks > taps || inputs != anyInputs && filled > inputs {
		p.t.Errorf("%s: %s takes %d taps and %d inputs, at most %d and %d", p.way, job, clicks, filled, taps, inputs)
	}
	column := slices.Index([]way{{Width: desktop, NoScript: false}, {Width: phone, NoScript: true}}, way{Width: p.way.Width, NoScript: p.way.NoScript})
	if column < 0 || p.keys { // the table has the two columns that every run counts
		return
	}
	row := []string{job, fmt.Sprintf("%d, %d", taps, inputs), "–", "–"}
	if inputs == anyInputs {
		row[1] = fmt.Sprintf("%d", taps)
	}
	got := fmt.Sprintf("%d, %d", clicks, filled)
	if err := counted(row, 2+column, got); err != nil {
		p.t.Error(err)
	}
}

// counted compares a cell of the table with a count, or writes it there.
func counted(row []string, cell int, got string) error {
	countsLock.Lock()
	defer countsLock.Unlock()
	text, err := os.ReadFile(countsFile)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(text), countsFrom+"\n")
	table, after, closed := strings.Cut(rest, countsTo)
	if !found || !closed {
		return fmt.Errorf("docs/console.md has no table %s", countsFrom)
	}
	lines := strings.Split(strings.TrimRight(table, "\n"), "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "| "+row[0]+" |") })
	if at >= 0 {
		was := cells(lines[at])
		for i := 2; i < len(row) && i < len(was); i++ {
			row[i] = was[i]
		}
		if row[cell] == got && was[1] == row[1] {
			return nil
		}
	}
	if !*update {
		return fmt.Errorf("docs/console.md does not say %q of %q: go test ./app/console/journeys -update writes it", got, row[0])
	}
	row[cell] = got
	line := "| " + strings.Join(row, " | ") + " |"
	if at >= 0 {
		lines[at] = line
	} else {
		lines = append(lines, line)
	}
	return os.WriteFile(countsFile, []byte(before+countsFrom+"\n"+strings.Join(lines, "\n")+"\n"+countsTo+after), 0o600)
}

// cells returns the cells of a row of a table.
func cells(line string) (out []string) {
	for _, c := range strings.Split(strings.Trim(line, "|"), "|") {
		out = append(out, strings.TrimSpace(c))
	}
	return out
}
