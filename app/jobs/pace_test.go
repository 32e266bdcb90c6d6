package jobs

import (
	"testing"
	"time"
)

// A job of a killed process runs again within a minute; a job of a living one is not recovered, and ends before a
// supervisor kills a process that was told to end. Rules 52 and 53 of security.md.
func TestPace(t *testing.T) {
	slowest := time.Duration(0)
	workers := 0
	for name, q := range queues {
		slowest = max(slowest, q.FetchPollInterval)
		workers += q.MaxWorkers
		if q.FetchPollInterval <= 0 {
			t.Errorf("nobody looks into %s", name)
		}
	}
	if again := Usual.DeadAfter + Usual.PollInterval + slowest; again > time.Minute {
		t.Errorf("the job of a killed process runs again after %s", again)
	}
	if Usual.DeadAfter < Usual.Timeout+10*time.Second {
		t.Errorf("a job may run for %s and is taken over after %s", Usual.Timeout, Usual.DeadAfter)
	}
	if Usual.Timeout >= 25*time.Second {
		t.Errorf("a process that is told to end may be at a job for %s", Usual.Timeout)
	}
	if workers > 13 {
		t.Errorf("%d jobs at once want a connection of 16", workers)
	}
	for kind, of := range map[string]Terms{"mail": Mail(Day), "money": Money(), "webhook": Webhook(), "upkeep": Upkeep()} {
		if _, ok := queues[of.queue]; !ok {
			t.Errorf("nobody works the queue of %s", kind)
		}
		if (of.queue == queueMail) != (of.life > 0) {
			t.Errorf("%s lives for %s: mails end, and nothing else does", kind, of.life)
		}
		if !of.hold() {
			t.Errorf("the terms of %s do not hold", kind)
		}
	}
	for name, of := range map[string]Terms{"no terms": {}, "a mail for ever": Mail(0), "money with an end": {queueMoney, Day}, "an unknown queue": {queue: "other"}} {
		if of.hold() {
			t.Errorf("%s hold", name)
		}
	}
}
