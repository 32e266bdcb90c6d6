package hosted_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
)

// massage is an appointment with two instructors, in two lengths; Ana comes first.
func (s *shop) massage(t testing.TB, changes ...func(*apptest.ServiceRow)) (apptest.ServiceRow, business.Member, business.Member) {
	t.Helper()
	ana, jo := s.AddMember(t, "Ana Ruiz"), s.AddMember(t, "Jo Park")
	change := func(r *apptest.ServiceRow) {
		r.Name, r.Slug, r.Heading = "Deep tissue massage", "massage", "Massages"
		r.Durations = []apptest.Duration{{Minutes: 60, PriceAmount: 6000}, {Minutes: 90, PriceAmount: 8500}}
	}
	return s.AddAppointment(t, []uuid.UUID{ana.ID, jo.ID}, append([]func(*apptest.ServiceRow){change}, changes...)...), ana, jo
}

// sauna is a room that people share, for up to six.
func (s *shop) sauna(t testing.TB, changes ...func(*apptest.ServiceRow)) (apptest.ServiceRow, business.Space) {
	t.Helper()
	s.AddHours(t)
	room := s.AddSpace(t, "Sauna")
	change := func(r *apptest.ServiceRow) {
		price := int64(1500)
		r.Name, r.Slug, r.SoldAs, r.Price, r.Capacity, r.Online = "Sauna by the sea", "sauna", "person", &price, 6, 6
		r.Durations = []apptest.Duration{{Minutes: 60, PriceAmount: 1500}, {Minutes: 120, PriceAmount: 2500}}
	}
	return s.AddRental(t, []uuid.UUID{room.ID}, append([]func(*apptest.ServiceRow){change}, changes...)...), room
}

// ten is ten in the morning of the day after the tests begin, on the studio's clock.
var ten = time.Date(2026, 6, 11, 14, 0, 0, 0, time.UTC)

// start is how a button names a time.
func start(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// TestTimesOfAnAppointment shows the choices as links, the free times as buttons, and only those that are free.
func TestTimesOfAnAppointment(t *testing.T) {
	t.Parallel()
	s := open(t)
	m, ana, jo := s.massage(t)
	s.AddBusy(t, m, ten) // Ana's
	v := s.visit(t)
	p := v.get("/harbour/massage?from=2026-06-11").want(200, "Deep tissue massage", "Price $60", "Length 60 min", "Any instructor", "Ana Ruiz", "Jo Park", "90 min $85",
		"Choose a time", "New York time", "Tomorrow Jun 11", "Morning", "9:00 am", "Good to know", "Cancel until 24 hours before the start and the price is refunded. After that there is no refund.", "More")
	for _, at := range []time.Time{ten, ten.Add(15 * time.Minute)} {
		if !strings.Contains(p.Body, `name="start" value="`+start(at)+`"`) {
			t.Errorf("%s is not offered, and Jo is free", at)
		}
	}
	withAna := v.get(p.link("Ana Ruiz")).want(200, "Tomorrow")
	if strings.Contains(withAna.Body, start(ten)+`"`) {
		t.Error("Ana is offered while she is busy")
	}
	if !strings.Contains(withAna.Body, `name="with" value="`+ana.ID.String()+`"`) {
		t.Error("the form forgets with whom")
	}
	long := v.get(withAna.link("90 min")).want(200, "Price $85", "Length 90 min")
	if !strings.Contains(long.Body, `name="minutes" value="90"`) || strings.Contains(long.Body, start(ten.Add(-time.Hour))+`"`) {
		t.Error("the length is not kept, or ninety minutes fit where sixty are free")
	}
	v.get(long.link("Jo Park")).want(200, "Price $85")
	later := v.get(p.link("Later times")).want(200).lacks("Tomorrow Jun 11")
	if later.url.Query().Get("from") == "" {
		t.Errorf("later times are at %s", later.url)
	}
	for _, odd := range []string{"?minutes=7", "?with=nobody", "?with=" + uuid.NewString(), "?party=99", "?party=-3", "?minutes=x&from=nonsense&after=never"} {
		v.get("/harbour/massage"+odd).want(200, "Price $60", "Today Jun 10")
	}
	v.get("/harbour/massage?from=2026-06-18").want(200, "Thursday Jun 18").lacks("Tomorrow")
	s.SQL(t, "delete from member_hours where member_id = $1", jo.ID)
	s.AddTimeOff(t, ana.ID, apptest.Start, apptest.Start.AddDate(0, 0, 90))
	v.get("/harbour/massage?with="+ana.ID.String()).want(200, "No times available for this choice", "See times with anyone")
}

// TestTimesOfARental has a field for the number of people, and shows their price together.
func TestTimesOfARental(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.sauna(t)
	v := s.visit(t)
	p := v.get("/harbour/sauna").want(200, "Price $15 each", "Room Sauna", "People 1 2 3 4 5 6").lacks("×", "Any instructor")
	four := v.get(p.link("4")).want(200, "4 people × $15.00 = $60.00")
	two := v.get(four.link("2 h")).want(200, "4 people × $25.00 = $100.00", "Length 2 h")
	pay := two.form("/sauna").post("start", start(ten)).wantTo("/cart/").follow().want(200, "Your e-mail", "Sauna by the sea", "4 people", "$100.00")
	_ = pay
	cart := v.get(v.get("/"+s.Location.Slug).want(200, "1 booking").link("Continue")).want(200, "4 people × $25.00", "10:00 am to 12:00 pm")
	cart.lacks("with any available instructor")
}

// TestManyWaysBecomeAField: a party of up to forty is no row of forty links.
func TestManyWaysBecomeAField(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.sauna(t, func(r *apptest.ServiceRow) { r.Capacity, r.Online = 40, 40 })
	s.SQL(t, "update spaces set capacity = 40")
	v := s.visit(t)
	p := v.get("/harbour/sauna?party=12").want(200, "12 people × $15.00 = $180.00")
	if !strings.Contains(p.Body, `<select`) || !strings.Contains(p.Body, `<option value="12" selected`) {
		t.Error("there is no field for so many people")
	}
	if !strings.Contains(p.Body, `name="party" value="12"`) {
		t.Error("the form that books forgets for how many")
	}
}

// TestAppointmentWithAnyone books without script: the time, the code, the name, the card, the receipt with its
// deadlines.
func TestAppointmentWithAnyone(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.massage(t)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	f := v.get("/harbour/massage").form("/massage")
	pay := f.post("start", start(ten)).wantTo("/cart/").follow().want(200, "Pay $60.00", "Deep tissue massage", "10:00 to 11:00 am", "With Ana Ruiz",
		"1 appointment", "Free cancellation until Wed, Jun 10, 10:00 am; after that you lose")
	again := f.post("start", start(ten)).wantTo("/cart/").follow().want(200, "Pay $60.00", "1 appointment")
	if n := s.count(t, "cart_items"); n != 1 {
		t.Fatalf("%d items after the same form twice", n)
	}
	_ = again
	receipt := pay.pay(apptest.CardGood).follow().want(200, "You’re booked", "Confirmed", "Deep tissue massage", "With Ana Ruiz", "1 appointment $60.00",
		"Free cancellation until Wed, Jun 10, 10:00 am; after that you lose", "You can reschedule until Wed, Jun 10, 10:00 am", "Add to calendar")
	v.get(receipt.link("Add to calendar")).want(200, "DTSTART;TZID=America/New_York:20260611T100000")
	v.get("/my").want(200, "Deep tissue massage", "Thu 11 Jun")
	v.get("/"+s.Location.Slug).want(200, "Book a time", "Massages", "60 to 90 min", "from $60", "Next: Today").lacks("Schedule", "Thursday", "Ana Ruiz")
}

// TestTakenTime has a message on the page with up to three times near it, whether it was booked before or during the
// hold.
func TestTakenTime(t *testing.T) {
	t.Parallel()
	for _, signedIn := range []bool{false, true} {
		t.Run(map[bool]string{true: "signed in", false: "a stranger"}[signedIn], func(t *testing.T) {
			t.Parallel()
			s := open(t)
			m, _, jo := s.massage(t)
			v := s.visit(t)
			if signedIn {
				v = s.signedIn(t, "ana@example.com", "Ana Ruiz")
			}
			f := v.get("/harbour/massage?from=2026-06-11&with=" + jo.ID.String()).form("/massage")
			s.AddBusy(t, m, ten, func(b *apptest.BusyRow) { b.Members = []uuid.UUID{jo.ID} })
			taken := f.post("start", start(ten)).want(400, "This time is no longer available", "nothing was booked", "Still available", "Thu, Jun 11, 11:00 am", "Thu, Jun 11, 9:00 am", "Jo Park")
			if n := strings.Count(strings.Split(taken.Body, "</form>")[0], `name="start"`); n != 3 {
				t.Errorf("%d times are offered in its place", n)
			}
			if n := s.count(t, "cart_items"); n != 0 {
				t.Errorf("%d items stay in the cart", n)
			}
			taken.form("/massage").post("start", start(ten.Add(time.Hour))).wantTo("/cart/")
		})
	}
}

// TestTimeGoesDuringSignIn comes to the cart, which offers the nearest times at the line itself.
func TestTimeGoesDuringSignIn(t *testing.T) {
	t.Parallel()
	s := open(t)
	m, _, jo := s.massage(t)
	v := s.visit(t)
	v.get("/harbour/massage?with="+jo.ID.String()).form("/massage").post("start", start(ten)).wantTo("/cart/")
	cart := v.get("/"+s.Location.Slug).want(200, "1 appointment").link("Continue")
	s.AddBusy(t, m, ten, func(b *apptest.BusyRow) { b.Members = []uuid.UUID{jo.ID} })
	token, _ := s.session(t, "ana@example.com", "Ana Ruiz")
	v.setCookie("foyer_session", token)
	gone := v.get(cart).want(200, "Deep tissue massage").form(cart).post().wantTo(cart+"?").follow().
		want(200, "A time is no longer available", "This time is no longer available", "Change to another", "Thu, Jun 11, 9:00 am", "Thu, Jun 11, 11:00 am")
	moved := gone.form("/move").post().wantTo(cart).follow().want(200, "Deep tissue massage").lacks("This time is no longer available")
	moved.form(cart).post().wantTo(cart+"/pay").follow().want(200, "Pay $60.00", "With Jo Park").pay(apptest.CardGood).follow().want(200, "You’re booked")
}

// TestClickingATimeTenTimes makes one cart with one appointment.
func TestClickingATimeTenTimes(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.massage(t)
	v := s.visit(t)
	f := v.get("/harbour/massage").form("/massage")
	done := make(chan int, 10)
	for range 10 {
		go func() { done <- f.post("start", start(ten)).Status }()
	}
	for range 10 {
		if status := <-done; status != 303 {
			t.Errorf("a click answers %d", status)
		}
	}
	if carts, items := s.count(t, "carts"), s.count(t, "cart_items"); carts != 1 || items != 1 {
		t.Errorf("%d carts, %d items", carts, items)
	}
	v.get(v.get("/"+s.Location.Slug).link("Continue")).form("/remove").post().follow().want(200, "Your cart is empty")
	f.post("start", start(ten)).wantTo("/cart/") // back, and the same button again
	if items := s.count(t, "cart_items"); items != 1 {
		t.Errorf("%d items after it was taken out and chosen again", items)
	}
}

// TestRequests: pages show before paying that the studio approves, and the receipt lists the requests.
func TestRequests(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.massage(t, func(r *apptest.ServiceRow) { r.Approval = true })
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	p := v.get("/harbour/massage").want(200, "Harbour Yoga approves each booking", "Request a time")
	pay := p.form("/massage").post("start", start(ten)).follow().want(200, "Pay $60.00", "Harbour Yoga approves each booking. Your card is authorized now, and charged only when they approve.")
	receipt := pay.pay(apptest.CardGood).follow().want(200, "Your request was sent", "Requested", "Harbour Yoga answers every request by e-mail. $60.00 is authorized on your card").lacks("You’re booked", "Confirmed")
	if strings.Contains(receipt.Body, "calendar.ics") {
		t.Error("a request goes into no calendar")
	}
	v.get("/my").want(200, "Requested")
	v.get("/my/payments").want(200, "Authorized on your card until the studio responds")
}

// TestOddPosts of a time have a message on the page and change nothing.
func TestOddPosts(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.massage(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.visit(t)
	f := v.get("/harbour/massage").form("/massage")
	f.post("start", "nonsense").want(400, "not offered any more")
	f.post("start", start(ten.Add(7*time.Minute))).want(400, "This time is no longer available")
	f.post("start", start(ten.AddDate(0, 0, -30))).want(400)
	f.post("start", start(ten.AddDate(4, 0, 0))).want(400, "This cannot be booked")
	v.get(s.path(yoga, &yoga.Dates[0])).form("/sunrise-vinyasa").post("start", start(ten)).want(400, "not offered any more")
	if n := s.count(t, "cart_items"); n != 0 {
		t.Errorf("%d items", n)
	}
	s.Pause(t)
	paused := v.get("/harbour/massage").want(200, "is not taking online bookings at the moment", "9:00 am")
	if paused.hasForm("/massage") {
		t.Error("a paused studio offers to book")
	}
	f.post("start", start(ten)).want(400, "This cannot be booked")
}

// TestHostileNames are words on the page, whatever is in them.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	s := open(t)
	const bad = `<img src=x onerror=alert(1)>"'&amp;`
	m, ana, _ := s.massage(t)
	s.SQL(t, "update offerings set name = $2, description = $2, heading = $2 where id = $1", m.ID, bad)
	s.SQL(t, "update members set name = $2 where id = $1", ana.ID, bad)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	for _, path := range []string{"/harbour", "/harbour/massage", "/harbour/massage?with=" + ana.ID.String() + "&from=%22%3E%3Cscript%3E"} {
		p := v.get(path).want(200, bad)
		if strings.Contains(p.Body, "<img") || strings.Contains(p.Body, `"><script>`) {
			t.Errorf("%s is broken out of", path)
		}
	}
	pay := v.get("/harbour/massage").form("/massage").post("start", start(ten)).follow().want(200, bad)
	receipt := pay.pay(apptest.CardGood).follow().want(200, "You’re booked", bad)
	for _, p := range []*page{pay, receipt, v.get("/my").want(200, bad)} {
		if strings.Contains(p.Body, "<img") {
			t.Errorf("%s is broken out of", p.url)
		}
	}
}

// TestFrontPageTakesFewTrips, however many appointments and rentals stand on it.
func TestFrontPageTakesFewTrips(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.massage(t)
	v := s.visit(t)
	few := v.trips("/" + s.Location.Slug)
	ana := s.AddMember(t, "Sam Okafor")
	for i := range 12 {
		s.AddAppointment(t, []uuid.UUID{ana.ID}, func(r *apptest.ServiceRow) { r.Name = fmt.Sprint("Treatment ", i) })
	}
	if many := v.trips("/" + s.Location.Slug); many != few || many > 7 {
		t.Errorf("%d trips for one appointment, %d for thirteen", few, many)
	}
}

// TestServicePageTakesFewTrips, however many people give it and however busy they are.
func TestServicePageTakesFewTrips(t *testing.T) {
	t.Parallel()
	s := open(t)
	m, _, _ := s.massage(t)
	v := s.visit(t)
	few := v.trips("/harbour/massage")
	for i := range 9 {
		who := s.AddMember(t, fmt.Sprint("Giver ", i))
		s.SQL(t, `insert into offering_members (id, business_id, location_id, offering_id, member_id, position)
			values (gen_random_uuid(), $1, $2, $3, $4, $5)`, s.Business.ID, s.Location.ID, m.ID, who.ID, i+5)
		s.AddBusy(t, m, ten.Add(time.Duration(i)*time.Hour), func(b *apptest.BusyRow) { b.Members = []uuid.UUID{who.ID} })
	}
	if many := v.trips("/harbour/massage"); many != few || many > 6 {
		t.Errorf("%d trips for two people, %d for eleven", few, many)
	}
}

// TestServicePagesAreSmall over the wire, with a quarter-hour grid and many people: 14 KB, the size of a first trip.
func TestServicePagesAreSmall(t *testing.T) {
	t.Parallel()
	s := open(t)
	var who []uuid.UUID
	for i := range 10 {
		who = append(who, s.AddMember(t, fmt.Sprint("Somebody with a rather long name ", i), apptest.Daily(6*60, 22*60)...).ID)
	}
	s.AddAppointment(t, who, func(r *apptest.ServiceRow) { r.Slug, r.Grid = "all-day", 15 })
	v := s.visit(t)
	v.headers.Set("Accept-Encoding", "gzip")
	if p := v.get("/harbour/all-day"); p.Status != 200 || len(p.Body) > 14<<10 {
		t.Errorf("%d, %d bytes", p.Status, len(p.Body))
	}
}
