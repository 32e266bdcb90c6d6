package stripesim

import (
	"encoding/json"
	"fmt"
	"slices"
)

// eventsKept is the number of latest events that can be read and sent again.
const eventsKept = 300

// happened is an event that was made.
type happened struct {
	ID      string          `json:"id"`
	Account string          `json:"account"`
	Created int64           `json:"created"`
	Body    json.RawMessage `json:"body"`
}

// keepEvent stores an event, and drops the oldest of too many. The caller holds mu.
func (s *Server) keepEvent(e event, body []byte) {
	s.st.Events = append(s.st.Events, happened{e.ID, e.Account, e.Created, body})
	if more := len(s.st.Events) - eventsKept; more > 0 {
		s.st.Events = slices.Delete(s.st.Events, 0, more)
	}
}

// Replay sends an event once more, as it was, to where events go.
func (s *Server) Replay(event string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.st.Events, func(e happened) bool { return e.ID == event })
	if i < 0 || s.opt.WebhookURL == "" {
		return fmt.Errorf("stripesim: no event %q that could be sent", event)
	}
	s.sendOut(event, s.st.Events[i].Body)
	s.commit()
	return nil
}

func getEvent(c *call) (any, *problem) {
	for _, e := range c.st.Events {
		if e.ID == c.id && e.Account == c.account {
			return e.Body, nil
		}
	}
	return nil, missing("event", c.id)
}

func listEvents(c *call) (any, *problem) {
	var rows []row
	for _, e := range c.st.Events {
		if e.Account == c.account {
			rows = append(rows, row{e.ID, e.Created, e.Body})
		}
	}
	return c.pageOf("/v1/events", rows)
}
