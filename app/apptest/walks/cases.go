package walks

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Cases holds a property of pure code against 2,000 random cases, or 50,000 in a long walk. When one fails, rapid makes it small and says
// how to run it again.
func Cases(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	const each = 100 // what rapid.Check tries
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
