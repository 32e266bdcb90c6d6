package operator

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"foyer/app/api/wire"
	"foyer/app/availability"
	"foyer/app/web/op"
)

// TestAvailabilityWritesItself: the output of WriteJSON matches the document.
func TestAvailabilityWritesItself(t *testing.T) {
	ints := rapid.SliceOfN(rapid.IntRange(0, 30), 0, 5)
	id := func(t *rapid.T) uuid.UUID { return uuid.UUID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id")) }
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "at"), 0).UTC()
		slot := AvailableSlot{
			StartsAt: at, EndsAt: at.Add(time.Hour), Available: rapid.Bool().Draw(t, "available"), Bookable: rapid.Bool().Draw(t, "bookable"),
			Reasons: availability.Codes(rapid.IntRange(0, 255).Draw(t, "reasons")).List(), Seats: rapid.Int().Draw(t, "seats"),
			Members: ints.Draw(t, "members"), Spaces: ints.Draw(t, "spaces"),
		}
		a := Availability{
			TimeZone: "Europe/Lisbon", Members: []wire.Named{{ID: id(t), Name: rapid.String().Draw(t, "name")}}, Spaces: []wire.Named{},
			Days: []AvailableDay{{Date: "2026-06-11", Slots: []AvailableSlot{slot}}},
		}
		if rapid.Bool().Draw(t, "more") {
			slot.OccurrenceID, a.NextCursor = new(id(t)), new("abc")
			slot.Then = []AvailableService{{at, at.Add(time.Minute), ints.Draw(t, "then"), []int{}}}
			a.Days = append(a.Days, AvailableDay{Date: "2026-06-12", Slots: []AvailableSlot{slot, slot}})
		}
		var j op.JSON
		a.WriteJSON(&j)
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(a); err != nil || !bytes.Equal(j.Bytes(), bytes.TrimSpace(want.Bytes())) {
			t.Fatalf("%v\nwrote %s\nwant  %s", err, j.Bytes(), want.Bytes())
		}
	})
}
