package stripesim

import "encoding/json"

// emit records that something happened to an object and puts the event into the outbox. The event holds the object as it
// is now; that it may be another by the time it is read is the reader's business. The caller holds mu.
func (s *Server) emit(account, kind string, object any, from eventRequest) {
	s.dirty = true
	now := s.now()
	e := &event{
		ID: s.st.newID("evt"), Object: "event", APIVersion: APIVersion, Account: account, Created: now.Unix(),
		Data: eventData{Object: wire(object)}, PendingWebhooks: 1, Request: from, Type: kind,
	}
	w := s.st.Worlds[account]
	w.Events = append(w.Events, e)
	if extra := len(w.Events) - keptEvents; extra > 0 {
		w.Events = append([]*event(nil), w.Events[extra:]...)
	}
	if s.opt.WebhookURL == "" {
		return
	}
	body, err := json.Marshal(e)
	if err != nil {
		panic(err) // made of JSON values
	}
	copies := 1
	if s.opt.Duplicate {
		copies = 2
	}
	for range copies {
		s.st.Counter++
		s.st.Outbox = append(s.st.Outbox, delivery{Number: s.st.Counter, Event: e.ID, Body: body, At: s.dueAt(now)})
	}
}
