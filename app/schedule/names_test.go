package schedule_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// TestInstructorAndSpace: a date names its own instructor and space, independent of its series, and still names a
// former member as instructor of past dates; without either the names are empty.
func TestInstructorAndSpace(t *testing.T) {
	s := open(t)
	mia, lee, room := s.AddMember(t, "Mia").ID, s.AddMember(t, "Lee").ID, s.AddSpace(t, "Loft").ID
	person := s.w.Person(t, "mia@example.com").Person()
	s.w.SQL(t, "update members set person_id = $1 where id = $2", person, mia)
	o := s.AddOffering(t)
	at := s.w.Clock.Now().Add(time.Hour)
	taught := s.AddOccurrence(t, o, at, func(o *apptest.OccurrenceRow) { o.Member, o.Space = &mia, &room })
	alone := s.AddOccurrence(t, o, at.Add(time.Hour))
	s.w.SQL(t, "update series set member_id = $1, space_id = null where id = any($2)", lee, []uuid.UUID{taught.Series, alone.Series})

	type names struct {
		Instructor, Space string
		Own               bool
	}
	read := func(x apptest.OccurrenceRow) names {
		n, err := pg.One[names](t.Context(), s.w.DB.View(s.Business.ID), `select `+schedule.InstructorAndSpaceSQL+`, `+schedule.TaughtBySQL("$3")+` as own
			from occurrences o`+schedule.InstructorAndSpaceJoinSQL("$1", "o")+` where o.business_id = $1 and o.id = $2`, s.Business.ID, x.ID, person)
		if err != nil {
			t.Fatal(err)
		}
		d, err := schedule.OccurrenceOf(t.Context(), s.w.DB.View(s.Business.ID), x.ID)
		if err != nil || d.Instructor != n.Instructor || d.Space != n.Space {
			t.Errorf("the date names %q in %q, its detail %q in %q (%v)", n.Instructor, n.Space, d.Instructor, d.Space, err)
		}
		return n
	}
	if got, want := read(taught), (names{"Mia", "Loft", true}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := read(alone), (names{}); got != want {
		t.Errorf("without either: %+v", got)
	}
	s.w.SQL(t, "update members set deactivated_at = now() where id = $1", mia)
	if got, want := read(taught), (names{"Mia", "Loft", false}); got != want {
		t.Errorf("after the instructor has left: %+v, want %+v", got, want)
	}
}
