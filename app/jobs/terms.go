package jobs

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/riverqueue/river"
)

// The queues, by purpose. Each has workers of its own, so that what hangs in one delays nothing in another. Rule 52 of
// security.md.
const (
	queueMoney    = "money"    // refunds and what else is asked of the card processor
	queueWebhooks = "webhooks" // what the processor has told
	queueMail     = "mail"
	queueUpkeep   = "upkeep" // the rest: nobody sits and waits for it
)

// queues says how many jobs of each queue a process runs at once, and how often it looks for one that nothing woke it for.
// A job holds a connection only while it talks to the database, so that 13 of them, River's own and the sweeps find room in 16.
// The processor and the mail server are waited for without one.
//
// River's own queue is where binaries put everything before there were queues, and it is still worked: what an old server puts
// in beside a new worker is done. The other way round an old worker knows no queue but that one, and what a new server puts in
// waits for the first new worker, without a try lost; so workers are replaced before servers (docs/operations.md), and
// "serve --with-worker" works what it puts in.
var queues = map[string]river.QueueConfig{
	queueMoney:         {MaxWorkers: 3, FetchPollInterval: 2 * time.Second},
	queueWebhooks:      {MaxWorkers: 3, FetchPollInterval: 2 * time.Second},
	queueMail:          {MaxWorkers: 4, FetchPollInterval: time.Second}, // people sit and wait for codes
	queueUpkeep:        {MaxWorkers: 2, FetchPollInterval: pollSlowest},
	river.QueueDefault: {MaxWorkers: 1, FetchPollInterval: pollSlowest},
}

const pollSlowest = 5 * time.Second

// Terms are what holds for all jobs of a kind: how long they live, and which workers run them, so that what hangs in one queue
// delays nothing in another. Make them with Mail, Money, Webhook or Upkeep.
type Terms struct {
	queue string
	life  time.Duration // by the injected clock; what is not done by then is dropped; 0: it never is
}

// Mail are the terms of a mail, which lives as long as it is worth reading; whether its words still hold is looked at besides,
// when it is written.
func Mail(life time.Duration) Terms { return Terms{queueMail, life} }

// Money are the terms of what is asked of the card processor. It has no end: sweeps go on with what jobs gave up.
func Money() Terms { return Terms{queue: queueMoney} }

// Webhook are the terms of what the processor has told.
func Webhook() Terms { return Terms{queue: queueWebhooks} }

// Upkeep are the terms of the rest.
func Upkeep() Terms { return Terms{queue: queueUpkeep} }

// Day is 24 hours, of a mail's life.
const Day = 24 * time.Hour

// hold reports whether somebody works the queue, and whether mails end and nothing else does.
func (t Terms) hold() bool {
	_, worked := queues[t.queue]
	return worked && (t.queue == queueMail) == (t.life > 0)
}

// tag is what River keeps beside the arguments of a job for us.
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
		return t.Until, fmt.Errorf("jobs: what is kept beside a job: %w", err)
	}
	return t.Until, nil
}
