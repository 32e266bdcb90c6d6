package jobs

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/riverqueue/river"
)

// The queues, by purpose. Each has workers of its own, so that a stuck job in one delays nothing in another. Rule 52
// of security.md.
const (
	queueMoney    = "money"    // refunds and other calls to the card processor
	queueWebhooks = "webhooks" // events of the processor
	queueMail     = "mail"
	queueUpkeep   = "upkeep" // everything else: not time-critical
)

// queues sets how many jobs of each queue a process runs at once, and how often it polls for jobs. A job holds a
// connection only while it talks to the database, so that 13 of them, River's own and the sweeps find room in 16.
// Calls to the processor and the mail server hold none.
//
// River's default queue was the only one in older binaries, and it is still worked: jobs of an old server beside a
// new worker are done. The other way round, an old worker works only that queue, and jobs of a new server wait for
// the first new worker, without a try lost; so workers are replaced before servers (docs/operations.md), and "serve
// --with-worker" works the jobs that it enqueues.
var queues = map[string]river.QueueConfig{
	queueMoney:         {MaxWorkers: 3, FetchPollInterval: 2 * time.Second},
	queueWebhooks:      {MaxWorkers: 3, FetchPollInterval: 2 * time.Second},
	queueMail:          {MaxWorkers: 4, FetchPollInterval: time.Second}, // people sit and wait for codes
	queueUpkeep:        {MaxWorkers: 2, FetchPollInterval: pollSlowest},
	river.QueueDefault: {MaxWorkers: 1, FetchPollInterval: pollSlowest},
}

const pollSlowest = 5 * time.Second

// Terms are the queue and the lifetime of all jobs of a kind. Create them with Mail, Money, Webhook or Upkeep.
type Terms struct {
	queue string
	life  time.Duration // by the injected clock; the job is dropped afterwards; 0: never
}

// Mail returns the terms of a mail, with a lifetime as long as it is worth reading. The facts are checked again when
// it is written.
func Mail(life time.Duration) Terms { return Terms{queueMail, life} }

// Money returns the terms of a call to the card processor. It does not expire: sweeps continue jobs that were given
// up.
func Money() Terms { return Terms{queue: queueMoney} }

// Webhook returns the terms of an event of the processor.
func Webhook() Terms { return Terms{queue: queueWebhooks} }

// Upkeep returns the terms of all other jobs.
func Upkeep() Terms { return Terms{queue: queueUpkeep} }

// Day is 24 hours, of a mail's life.
const Day = 24 * time.Hour

// hold reports whether the queue has workers, and whether exactly mails expire.
func (t Terms) hold() bool {
	_, worked := queues[t.queue]
	return worked && (t.queue == queueMail) == (t.life > 0)
}

// tag is our metadata of a job in River.
type tag struct {
	Until time.Time `json:"until,omitzero"` // by the injected clock
}

// tagOf is the tag of a job that is enqueued now.
func (t Terms) tagOf(now time.Time) ([]byte, error) {
	if t.life == 0 {
		return []byte("{}"), nil
	}
	return json.Marshal(tag{now.Add(t.life).UTC()})
}

// endOf is when a job is dropped that has this tag; zero: never.
func endOf(metadata []byte) (time.Time, error) {
	var t tag
	if err := json.Unmarshal(metadata, &t); err != nil {
		return t.Until, fmt.Errorf("jobs: metadata of a job: %w", err)
	}
	return t.Until, nil
}
