package bench

import (
	"testing"
	"time"
)

// TestAccounting: the workload runs on a small scale. Each of its parts checks its own result: all entries are in
// batches, a batch has its lines, and each document is made once, also beside a silent company.
func TestAccounting(t *testing.T) {
	b := seeded(t)
	b.Clients, b.Say = 2, func(line string) { t.Log(line) }
	x, err := b.openAccounting(t.Context(), booksSize{companies: 3, days: 2, entries: 60, pending: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer x.db.Close()
	rows, err := x.batches(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if batch, line, err := x.batch(t.Context()); err != nil || len(batch.Lines) != 9 || batch.Lines[line].Amount <= 0 {
		t.Errorf("%d lines, %d, %v", len(batch.Lines), line, err)
	}
	more, err := x.posted(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range append(rows, more...) {
		if len(row.Figure) != 1 || row.Figure[0] <= 0 {
			t.Errorf("%s: %v", row.Workload, row.Figure)
		}
	}
}

// TestWatchHeap: what is allocated meanwhile counts, and what was there before does not.
func TestWatchHeap(t *testing.T) {
	before := make([]byte, 64<<20)
	h := watchHeap()
	kept := make([]byte, 4<<20)
	time.Sleep(50 * time.Millisecond)
	if mb := h.stop(); mb < 4 || mb > 60 {
		t.Errorf("%.1f MB of growth", mb)
	}
	_, _ = before[0], kept[0]
}
