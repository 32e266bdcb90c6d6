package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"foyer/app/availability"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// growing is one size: a database with so many businesses, and a server on it.
type growing struct {
	*bench
	businesses int
	random     *rand.Rand
	fresh      int          // businesses without a request so far
	drawn      atomic.Int64 // numbers that pgbench has drawn a business for
}

// draw draws a business: each of them once, and then any, each as likely as another.
func (g *growing) draw() int {
	if g.fresh > 0 {
		g.fresh--
		return g.fresh
	}
	return g.random.IntN(g.businesses)
}

// RunGrowth creates and seeds a database of each size, a number of businesses, and measures the same requests on all
// of them in turns, one request at a time, each of a business drawn at random. The others are compared with the first
// size. A missed aim is no error.
func RunGrowth(ctx context.Context, o Options, counts ...int) (r Report, err error) {
	if len(counts) < 2 {
		return Report{}, errors.New("bench: growth needs two sizes at least")
	}
	load := loadAverage()
	var sizes []*growing
	defer func() {
		for _, g := range sizes {
			err = errors.Join(err, g.close(ctx))
		}
	}()
	for _, n := range counts {
		g, err := o.openGrowing(ctx, n)
		if g != nil {
			sizes = append(sizes, g)
		}
		if err != nil {
			return Report{}, err
		}
	}
	for _, w := range growths {
		rows, err := o.grow(ctx, w, sizes)
		if err != nil {
			return Report{}, err
		}
		r.Rows = append(r.Rows, rows...)
	}
	r.Machine, err = sizes[0].machine(ctx, fmt.Sprintf("%d businesses, one request at a time", counts), load)
	return r, err
}

// openGrowing makes and seeds the database of a size, and starts a server on it.
func (o Options) openGrowing(ctx context.Context, businesses int) (*growing, error) {
	name, say := fmt.Sprintf("growth_%d", businesses), o.Say
	if err := o.create(ctx, name); err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(1, uint64(businesses))) //nolint:gosec // the same at every run
	o.Database, o.Clients = name, 1
	o.Say = func(line string) { say(fmt.Sprintf("%d businesses: %s", businesses, line)) }
	g := &growing{businesses: businesses, random: random, bench: &bench{Options: o, timing: timing{o.Warm, o.Window}}}
	g.carts = 5 + int64(o.Rounds)*2*2000*g.seconds()
	err := g.connect(ctx)
	g.floor.latencies = true
	if err == nil {
		err = seedGrowth(ctx, g.super, businesses, int(g.carts), g.Say)
	}
	if err == nil {
		err = g.serve(ctx)
	}
	return g, err
}

func (o Options) create(ctx context.Context, name string) error {
	conn, err := pgx.Connect(ctx, o.URL("postgres", "postgres"))
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, fmt.Sprintf("create database %s template %s", name, o.Database))
	return errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
}

// growth is a request with its growing cost.
type growth struct {
	name  string
	carts bool // each takes a cart
	// request returns the next one; nil when there are no more.
	request func(g *growing) []byte
	// floor is the script of the product's statements for one, with the values drawn in each iteration.
	floor func(ctx context.Context, g *growing) (script, error)
}

var growths = []growth{
	{"schedule", false, growingSchedule, readFloor(growthScheduleTrips)},
	{"search", false, growingSearch, readFloor(growthSearchTrips)},
	{"hold", true, growingHold, holdFloor},
}

// grow measures one request on all sizes.
func (o Options) grow(ctx context.Context, w growth, sizes []*growing) ([]Row, error) {
	for _, g := range sizes {
		if err := g.meetAll(w); err != nil {
			return nil, err
		}
	}
	var cs []contender
	for _, g := range sizes {
		c, err := dial(g.server.address)
		if err != nil {
			return nil, err
		}
		defer c.conn.Close()
		floor, err := w.floor(ctx, g)
		if err != nil {
			return nil, err
		}
		cs = append(cs, oneAtATime(fmt.Sprintf("foyer %d", g.businesses), func(context.Context, int) error { return g.ask(c, w) }),
			g.flooringOne(floor, w.carts))
	}
	turns := &bench{Options: Options{Rounds: o.Rounds, Say: o.Say}, timing: timing{o.Warm, o.Window}}
	rounds, err := turns.compare(ctx, w.name, cs...)
	if err != nil {
		return nil, err
	}
	var rows []Row
	for i, g := range sizes[1:] {
		rows = append(rows, growthRows(w.name, g.businesses, rounds[0], rounds[1], rounds[2*i+2], rounds[2*i+3])...)
	}
	return rows, nil
}

// ask sends the next request.
func (g *growing) ask(c *client, w growth) error {
	request := w.request(g)
	if request == nil {
		return errDone
	}
	_, err := c.do(request)
	return err
}

// meetAll sends a request for every business once, as a running server has cached the place of all of them. It takes
// minutes for many, longer than the idle timeout of another size's server: so it has a connection of its own.
func (g *growing) meetAll(w growth) error {
	if w.carts {
		return nil
	}
	c, err := dial(g.server.address)
	if err != nil {
		return err
	}
	defer c.conn.Close()
	g.Say("asking each for its " + w.name)
	for g.fresh = g.businesses; g.fresh > 0; {
		if err := g.ask(c, w); err != nil {
			return err
		}
	}
	return nil
}

// flooringOne is pgbench with the statements of one request. A run begins at the number at which the one before has
// ended, so that no cart is held twice.
func (g *growing) flooringOne(s script, carts bool) contender {
	next := &g.drawn
	if carts {
		next = &g.cart
	}
	return contender{fmt.Sprintf("pgbench %d", g.businesses), func(ctx context.Context, t timing) (sample, error) {
		out, done, err := g.floor.run(ctx, t, s, fmt.Sprintf("first=%d", next.Load()), "range=0")
		if next.Add(done) > g.carts && carts && err == nil {
			err = errors.New("bench: there are too few carts")
		}
		return out, err
	}}
}

// growthMost is how much a request may cost more among so many businesses than alone.
func growthMost(businesses int) float64 {
	switch {
	case businesses <= 100:
		return 1.1
	case businesses <= 1000:
		return 1.2
	}
	return 1.3
}

// growthRows compares a size with the first, and how the product grows with how its statements alone do.
func growthRows(name string, businesses int, first, firstFloor, there, floor []sample) []Row {
	ms := func(s []sample) series { return of(s, sample.millis) }
	own, bare := ms(there).over(ms(first)), ms(floor).over(ms(firstFloor))
	name = fmt.Sprintf("%s among %d businesses", name, businesses)
	return []Row{
		{Workload: name + ", p50 ms over that of one", Foyer: ms(there).median(), Floor: ms(first).median(), Figure: own,
			Aim: Aim{Most: growthMost(businesses)}},
		{Workload: name + ", growth over that of its statements", Foyer: own.median(), Floor: bare.median(), Figure: own.over(bare),
			Aim: Aim{Most: 1.1}},
	}
}

// growthID is bench.id.
func growthID(tag, n int) uuid.UUID {
	return uuid.MustParse(fmt.Sprintf("%08x-%04x-7%03x-8000-000000000000", n>>16, n&0xffff, tag))
}

// machine describes the machine of a run.
func (b *bench) machine(ctx context.Context, what, load string) (string, error) {
	var version string
	if err := b.super.QueryRow(ctx, "show server_version").Scan(&version); err != nil {
		return "", err
	}
	version, _, _ = strings.Cut(version, " ")
	return fmt.Sprintf("%s: %d × %s, %s, PostgreSQL %s, %s; %s, %d rounds of %s; load average %s before, %s after",
		time.Now().Format(time.DateOnly), // real time: when it was measured
		runtime.NumCPU(), cpuModel(runtime.GOARCH), runtime.GOOS, version, runtime.Version(),
		what, b.Rounds, b.Window, load, loadAverage()), nil
}

// growingSchedule requests two weeks of a drawn location.
func growingSchedule(g *growing) []byte {
	return head("GET", "/storefront/locations/"+growthID(2, g.draw()).String()+"/schedule", "", "")
}

func growthScheduleTrips(ctx context.Context, g *growing) ([]trip, error) {
	return g.listen(ctx, func(db *pg.DB) error {
		t, err := services(db, nil).Schedule.Schedule(ctx, growthID(1, 0), growthID(2, 0), civil.Date{}, 0)
		if err == nil && len(t.Days) == 0 {
			err = errors.New("bench: there is no date")
		}
		return err
	})
}

// growingSearch requests two weeks of an appointment of a drawn business, as its owner with a session.
func growingSearch(g *growing) []byte {
	b := g.draw()
	return searchRequest(growthSearch(b), sessionToken(int64(b)))
}

func growthSearchTrips(ctx context.Context, g *growing) ([]trip, error) {
	return g.listen(ctx, func(db *pg.DB) error {
		sc := tenancy.Scope{Tenant: growthID(1, 0), Grants: tenancy.Grants{All: tenancy.NewFeatureSet(policy.LocationView)}}
		page, err := services(db, nil).Availability.Search(ctx, sc, growthSearch(0))
		if err == nil && len(page.Days) < searchDays {
			err = errors.New("bench: there are no times")
		}
		return err
	})
}

// growthSearch is the input for two weeks, from the next hour on.
func growthSearch(business int) availability.SearchInput {
	from := time.Now().UTC().Truncate(time.Hour).Add(time.Hour) // real time: the seeds are about it
	return availability.SearchInput{
		LocationID: growthID(2, business), From: from, To: from.AddDate(0, 0, searchDays),
		Segments: []availability.Segment{{OfferingID: growthID(12, business*4+3)}},
	}
}

// readFloor records the statements of a read of business 0, and replays them for those that are drawn.
func readFloor(trips func(context.Context, *growing) ([]trip, error)) func(context.Context, *growing) (script, error) {
	return func(ctx context.Context, g *growing) (script, error) {
		heard, err := trips(ctx, g)
		if err != nil {
			return script{}, err
		}
		return drawnScript{drawBusiness, namesOfBusiness()}.write(ctx, g.super, heard, nil)
	}
}

// drawBusiness turns :n into the ids of a business; namesOfBusiness has their columns for business 0.
const drawBusiness = `select bench.business(b) as business, bench.location(b) as location, bench.id(12, b * 4 + 3) as offering,
	array[bench.id(12, b * 4 + 3)] as offerings from (select bench.growth_business(:n) as b) d`

func namesOfBusiness() map[string]string {
	offering := growthID(12, 3).String()
	return map[string]string{
		growthID(1, 0).String(): "business", growthID(2, 0).String(): "location", offering: "offering", "{" + offering + "}": "offerings",
	}
}

// growingHold holds the next cart.
func growingHold(g *growing) []byte {
	n := g.cart.Add(1) - 1
	if n >= g.carts {
		return nil
	}
	return head("POST", "/storefront/carts/"+cartToken(n)+"/hold", sessionToken(growthSession+n), "")
}

// growthSession is the token number of the owner of cart 0, as in growth.sql.
const growthSession = 1_000_000_000

// holdFloor has the product hold some carts.
func holdFloor(ctx context.Context, g *growing) (script, error) {
	trips, n, err := g.shortest(ctx, func(db *pg.DB, n int64) error {
		c, err := g.growthCart(ctx, n)
		if err == nil {
			_, err = services(db, nil).Checkout.Hold(ctx, tenancy.Visitor(c.who, c.business, tenancy.SurfaceAPI), cartToken(n), checkout.HoldInput{})
		}
		return err
	})
	if err != nil {
		return script{}, err
	}
	c, err := g.growthCart(ctx, n)
	if err != nil {
		return script{}, err
	}
	return drawnScript{drawCart, c.names()}.write(ctx, g.super, trips, c.stands().of)
}

// growthCart is a cart with its records.
type growthCart struct {
	business, location, cart, customer, date uuid.UUID
	who                                      tenancy.Principal
	hash                                     []byte
}

func (g *growing) growthCart(ctx context.Context, n int64) (growthCart, error) {
	var c growthCart
	c.who.Kind = tenancy.ActorPerson
	err := g.super.QueryRow(ctx, `select c.business_id, c.location_id, c.id, bench.growth_customer($1), i.occurrence_id, p.id, p.name, p.email,
			c.token_hash
		from carts c join cart_items i on i.cart_id = c.id join persons p on p.id = bench.growth_person($1) where c.id = bench.growth_cart($1)`, n).
		Scan(&c.business, &c.location, &c.cart, &c.customer, &c.date, &c.who.ID, &c.who.Name, &c.who.Email, &c.hash)
	return c, err
}

// drawCart turns :n into the records of a cart.
const drawCart = `select bench.business(b) as business, bench.location(b) as location, bench.growth_cart(:n) as cart,
	bench.growth_customer(:n) as customer, bench.growth_person(:n) as person, d as date, array[d] as dates
	from (select bench.growth_business(:n) as b, bench.growth_date(:n) as d) w`

// names are the values of drawCart's columns for this cart.
func (c growthCart) names() map[string]string {
	date := c.date.String()
	return map[string]string{
		c.business.String(): "business", c.location.String(): "location", c.cart.String(): "cart", c.customer.String(): "customer",
		c.who.ID.String(): "person", date: "date", "{" + date + "}": "dates",
	}
}

// stands returns the named values, so that all others are new values of the product.
func (c growthCart) stands() *stands {
	return &stands{hash: string(c.hash), known: map[uuid.UUID]string{
		c.business: "", c.location: "", c.cart: "", c.customer: "", c.who.ID: "", c.date: "",
	}}
}
