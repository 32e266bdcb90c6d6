package walks

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Scenarios checks a property of pure code with 2,000 random cases, or 50,000 in a long walk. After a failure, rapid
// minimizes the case and prints the command to run it again.
func Scenarios(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	const each = 100 // cases of one rapid.Check
	for range Steps(2_000, 50_000) / each {
		rapid.Check(quiet{t}, property)
	}
}

// quiet keeps rapid from saying of every hundred cases that they passed.
type quiet struct{ *testing.T }

func (q quiet) Logf(format string, args ...any) {
	q.Helper()
	if !strings.HasPrefix(format, "[rapid] OK") {
		q.T.Logf(format, args...)
	}
}
