package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/patch"
	wares "foyer/app/product"
	"foyer/app/schedule"
)

// shelf is two offerings, with their unused seats and times, and a product.
type shelf struct {
	mat         uuid.UUID // a variant of which there are enough
	appointment uuid.UUID
	dates       []uuid.UUID // of the class: one seat each
}

// slot is how long an appointment takes; on each day one follows the other.
const (
	slot      = 15 * time.Minute
	slotsADay = int(16 * time.Hour / slot) // the studio is open from six to ten
)

// publish makes a class, an appointment and a product at these prices.
func (s *killStudio) publish(ctx context.Context, class, appointment, mat int64) (*shelf, error) {
	at, minutes := s.locations[0].ID, int(slot/time.Minute)
	c, err := s.x.Catalog.Create(ctx, s.owner, catalog.CreateInput{
		LocationID: at, Kind: catalog.Class, Name: fmt.Sprint("Class at ", class), DurationMinutes: minutes, PriceAmount: &class,
		TaxRateID: patch.Some(s.taxRate), Capacity: 1,
	})
	if err != nil {
		return nil, err
	}
	tomorrow := civil.LocalDate(s.clock.Now(), time.UTC).AddDays(1)
	for hour := 9; hour < 12; hour++ { // half a year of dates at each hour
		_, err := s.x.Schedule.CreateSeries(ctx, s.owner, schedule.CreateSeriesInput{OfferingID: c.ID, Rule: schedule.Rule{
			Weekdays: everyDay, Start: tomorrow, At: civil.NewClock(hour, 0), Minutes: minutes,
		}})
		if err != nil {
			return nil, err
		}
	}
	a, err := s.x.Catalog.Create(ctx, s.owner, catalog.CreateInput{
		LocationID: at, Kind: catalog.Appointment, Name: fmt.Sprint("Appointment at ", appointment), Capacity: 1, PriceAmount: &appointment,
		TaxRateID: patch.Some(s.taxRate),
		Settings:  catalog.Settings{GridMinutes: &minutes, Durations: []catalog.Duration{{Minutes: minutes, PriceAmount: appointment}}},
	})
	if err != nil {
		return nil, err
	}
	if _, err := s.x.Catalog.PutStaff(ctx, s.owner, catalog.PutLinksInput{ID: a.ID, Links: s.instructors}); err != nil {
		return nil, err
	}
	for _, id := range []uuid.UUID{c.ID, a.ID} {
		if _, err := s.x.Catalog.Publish(ctx, s.owner, id); err != nil {
			return nil, err
		}
	}
	out := &shelf{appointment: a.ID}
	if out.mat, err = s.stock(ctx, mat); err != nil {
		return nil, err
	}
	rows, err := s.past.Query(ctx, "select id from occurrences where offering_id = $1 order by starts_at", c.ID)
	if err != nil {
		return nil, err
	}
	out.dates, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	return out, err
}

// stock makes a product at a price, and returns its variant, of which there are 999.
func (s *killStudio) stock(ctx context.Context, price int64) (uuid.UUID, error) {
	p, err := s.x.Products.Create(ctx, s.owner, wares.CreateInput{
		Name: fmt.Sprint("Mat at ", price), TaxRateID: &s.taxRate,
	})
	if err != nil {
		return uuid.Nil, err
	}
	v, err := s.x.Products.CreateVariant(ctx, s.owner, wares.CreateVariantInput{
		ProductID: p.ID, PriceAmount: price, Track: true,
	})
	if err != nil {
		return uuid.Nil, err
	}
	_, err = s.x.Products.Receive(ctx, s.owner, wares.ReceiveInput{
		StockInput: wares.StockInput{ProductID: p.ID, VariantID: v.ID, LocationID: s.locations[0].ID}, Quantity: 999,
	})
	if err != nil {
		return uuid.Nil, err
	}
	published := wares.Published
	_, err = s.x.Products.Update(ctx, s.owner, wares.UpdateInput{ID: p.ID, Version: p.Version, State: &published})
	return v.ID, err
}

// goods is the content of one cart: the seat of a date, a time of the appointment, and one of the product.
type goods struct {
	paid                   bool
	date, appointment, mat uuid.UUID
	startsAt               time.Time
}

// take returns unused goods.
func (s *killStudio) take(paid bool) (goods, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from := s.free
	if paid {
		from = s.dear
	}
	if len(from.dates) == 0 {
		return goods{}, errors.New("the class has no date left")
	}
	g := goods{paid: paid, date: from.dates[0], appointment: from.appointment, mat: from.mat}
	from.dates = from.dates[1:]
	day, nth := s.slots/slotsADay, s.slots%slotsADay
	opens := s.clock.Now().Truncate(24*time.Hour).AddDate(0, 0, 1+day).Add(6 * time.Hour)
	g.startsAt = opens.Add(time.Duration(nth) * slot)
	s.slots++
	return g, nil
}
