package wire

import (
	"bytes"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/web/op"
)

// PlanBenefit is what a plan gives: credits, or any number of bookings of what it covers.
type PlanBenefit struct {
	Credits     *int           `json:"credits" doc:"Number of credits; null for any number of bookings."`
	OfferingIDs []uuid.UUID    `json:"offeringIds" doc:"Offerings that it covers. With kinds, either is enough; without both, it covers everything."`
	Kinds       []catalog.Kind `json:"kinds" doc:"Kinds of offerings that it covers."`
	LocationIDs []uuid.UUID    `json:"locationIds" doc:"Locations where it pays; empty for all of them."`
	ExcludedIDs []uuid.UUID    `json:"excludedIds" doc:"Offerings that it does not cover."`
	Costs       []PlanCost     `json:"costs" doc:"Credits for a booking of some offerings; a booking of any other one costs 1."`
	ForGuests   bool           `json:"forGuests" doc:"Whether it also pays for attendees other than the customer."`
	GuestsOnly  bool           `json:"guestsOnly" doc:"Whether its credits are guest passes, which pay only for attendees other than the customer."`
	DayMax      int            `json:"dayMax" doc:"Maximum number of bookings on a day; 0 for any number."`
	WeekMax     int            `json:"weekMax" doc:"Maximum number of bookings in a week, from Monday; 0 for any number."`
	UpcomingMax int            `json:"upcomingMax" doc:"Maximum number of upcoming bookings at once; 0 for any number."`
	RolloverMax int            `json:"rolloverMax" doc:"Maximum number of unused credits that go on into the next billing period, once; 0 for none."`
}

// PlanCost is the credits for a booking of an offering.
type PlanCost struct {
	OfferingID uuid.UUID `json:"offeringId"`
	Credits    int       `json:"credits" minimum:"1" maximum:"100" doc:"Credits for a booking."`
}

// PlanValidity is the time for which a plan is valid.
type PlanValidity struct {
	Count        *int        `json:"validCount" doc:"Length of the time for which it is valid, in validUnit; null if it has no end."`
	Unit         *rules.Unit `json:"validUnit" doc:"Unit of validCount; null without an end."`
	FromFirstUse bool        `json:"fromFirstUse" doc:"Whether that time begins with the first class, not with the purchase."`
}

// PlanRenewal is how a membership is paid by the billing period, which is validCount and validUnit.
type PlanRenewal struct {
	IntroAmount  int64 `json:"introAmount" doc:"Price of each of the first introPeriods billing periods, in minor units."`
	IntroPeriods int   `json:"introPeriods" doc:"Number of billing periods with that price; 0 for none."`
	MinPeriods   int   `json:"minPeriods" doc:"Number of billing periods before which it cannot be ended; 0 for none."`
	Ends         bool  `json:"ends" doc:"Whether it ends by itself after minPeriods."`
	NoticeDays   int   `json:"noticeDays" doc:"Days of notice of a cancellation, which is for the end of a billing period; 0 for none."`
	BillingDay   int   `json:"billingDay" doc:"Day of the month on which billing periods begin; 0 for the day of joining. With another one, the first period is a part of a whole one, and costs as much of its price."`

	DowngradePeriods int `json:"downgradePeriods" doc:"Number of paid billing periods before a customer can change to a membership with a lower price; 0 for none."`
}

// PlanFreeze are the rules for customers who freeze a plan. The studio is not bound by them.
type PlanFreeze struct {
	MinDays      int  `json:"minDays,omitempty" minimum:"0" maximum:"366" doc:"Least number of days. The default is any."`
	MaxDays      int  `json:"maxDays,omitempty" minimum:"0" maximum:"366" doc:"Maximum number of days. The default is any, and no end."`
	WholePeriods bool `json:"wholePeriods,omitempty" doc:"Whether it begins and ends with billing periods. The default is no."`
	OnFirst      bool `json:"onFirst,omitempty" doc:"Whether it begins on the first day of a month. The default is no."`
	PerYear      int  `json:"perYear,omitempty" minimum:"0" maximum:"12" doc:"Maximum number in twelve months. The default is any."`
	Apart        int  `json:"apart,omitempty" minimum:"0" maximum:"366" doc:"Least number of days between two. The default is any."`
	PaidPeriods  int  `json:"paidPeriods,omitempty" minimum:"0" maximum:"120" doc:"Number of paid billing periods before the first one. The default is none."`
	NoticeDays   int  `json:"noticeDays,omitempty" minimum:"0" maximum:"366" doc:"Days of notice. The default is none."`
}

// Rules returns the rules as package plan has them; nil allows no freeze.
func (f *PlanFreeze) Rules() (out rules.Freeze) {
	if f == nil {
		return out
	}
	return rules.Freeze{
		Allowed: true, MinDays: f.MinDays, MaxDays: f.MaxDays, WholePeriods: f.WholePeriods, OnFirst: f.OnFirst,
		PerYear: f.PerYear, Apart: f.Apart, PaidPeriods: f.PaidPeriods, NoticeDays: f.NoticeDays,
	}
}

// ShowPlanFreeze shows the rules for a freeze; null if customers cannot freeze the plan.
func ShowPlanFreeze(f rules.Freeze) op.Nullable[PlanFreeze] {
	if !f.Allowed {
		return op.Null[PlanFreeze]()
	}
	return op.Some(PlanFreeze{
		MinDays: f.MinDays, MaxDays: f.MaxDays, WholePeriods: f.WholePeriods, OnFirst: f.OnFirst, PerYear: f.PerYear,
		Apart: f.Apart, PaidPeriods: f.PaidPeriods, NoticeDays: f.NoticeDays,
	})
}

// PlanChangeDue is a change of a customer's membership to another plan, which is to come or to be paid.
type PlanChangeDue struct {
	ID          uuid.UUID  `json:"id" doc:"The change, as periodId in createSale while it is due."`
	PlanID      uuid.UUID  `json:"planId" doc:"The new plan."`
	Name        string     `json:"name" doc:"Name of the new plan."`
	PriceAmount int64      `json:"priceAmount" doc:"Price of a billing period of the new plan, in minor units."`
	StartsOn    civil.Date `json:"startsOn" format:"date" doc:"First day of the new plan; of a change that is due, the day of the request."`
	Amount      int64      `json:"amount" doc:"Amount that is charged for the change, in minor units."`
	Due         bool       `json:"due" doc:"Whether it waits for its payment. It is given up when the next billing period begins."`
	Failed      *string    `json:"failureCode" doc:"Code of the failed charge of the saved card; null if none failed."`
	OrderID     *uuid.UUID `json:"orderId" doc:"The order to pay; null for none."`
}

// PlanChangeQuote is what a change of a membership to another plan would do.
type PlanChangeQuote struct {
	PlanID     uuid.UUID      `json:"planId" doc:"The new plan."`
	Currency   money.Currency `json:"currency" example:"USD"`
	Now        bool           `json:"now" doc:"Whether it begins now, not with the next billing period."`
	StartsOn   civil.Date     `json:"startsOn" format:"date" doc:"First day of the new plan."`
	Amount     int64          `json:"amount" doc:"Amount to pay now, in minor units: the part of the new price, less what is not used of the present plan."`
	RenewsOn   civil.Date     `json:"renewsOn" format:"date" doc:"Day of the next payment."`
	NextAmount int64          `json:"nextAmount" doc:"Amount of the next payment, in minor units."`
	Credits    []*int         `json:"credits" doc:"Credits left of each benefit of the new plan until then; null for any number of bookings."`
}

// ShowPlanChangeQuote shows what a change of a membership would do.
func ShowPlanChangeQuote(c plan.Changing) PlanChangeQuote {
	return PlanChangeQuote{
		PlanID: c.To.ID, Currency: c.Currency, Now: c.Now, StartsOn: c.On, Amount: c.Amount, RenewsOn: c.RenewsOn,
		NextAmount: c.NextAmount, Credits: append([]*int{}, c.Credits...),
	}
}

func showPlanChangeDue(h *plan.PlanChange) op.Nullable[PlanChangeDue] {
	if h == nil {
		return op.Null[PlanChangeDue]()
	}
	return op.Some(PlanChangeDue{
		ID: h.ID, PlanID: h.PlanID, Name: h.Name, PriceAmount: h.Price, StartsOn: h.On, Amount: h.Amount, Due: h.Due,
		Failed: Optional(h.Failed), OrderID: h.OrderID,
	})
}

// FrozenPlan is a time for which a customer's plan pays for nothing, and nothing is charged for it.
type FrozenPlan struct {
	StartsOn civil.Date `json:"startsOn" format:"date" doc:"First day."`
	LastDay  *string    `json:"lastDay" format:"date" doc:"Last day; null if no end is known."`
}

// OwnedRenewal is how a membership of a customer is paid, as it was sold.
type OwnedRenewal struct {
	PriceAmount int64 `json:"priceAmount" doc:"Price of a billing period, in minor units."`
	PlanRenewal
	AgreedAt   *time.Time              `json:"agreedAt" doc:"When the customer agreed that their card is charged for each billing period; null if they did not, and pay by a link or at the studio."`
	CanceledAt *time.Time              `json:"canceledAt" doc:"When it was canceled, for lastDay; null if it was not."`
	Next       op.Nullable[PlanPeriod] `json:"next" doc:"The billing period that is to be paid next; null for none."`
}

// PlanPeriod is a billing period that is to be paid.
type PlanPeriod struct {
	ID       uuid.UUID  `json:"id" doc:"The billing period, as periodId in createSale."`
	StartsOn civil.Date `json:"startsOn" format:"date" doc:"First day, on which it is to be paid."`
	LastDay  civil.Date `json:"lastDay" format:"date" doc:"Last day."`
	Amount   int64      `json:"amount" doc:"Price in minor units."`
	Due      bool       `json:"due" doc:"Whether it is to be paid now."`
	PastDue  bool       `json:"pastDue" doc:"Whether it is so late that the membership pays for no bookings."`
	Failed   *string    `json:"failureCode" doc:"Code of the failed charge of the saved card; null if none failed."`
	OrderID  *uuid.UUID `json:"orderId" doc:"The order to pay; null until it is due."`
}

// PlanGrant is a benefit of a customer's plan, with its balance.
type PlanGrant struct {
	ID      uuid.UUID   `json:"id" doc:"The credits, as grantId in other operations."`
	Balance *int        `json:"balance" doc:"Number of credits left; null for any number of bookings."`
	Benefit PlanBenefit `json:"benefit" doc:"The benefit, as it was sold."`
}

// LinePlan is the plan that pays for a seat.
type LinePlan struct {
	GrantID uuid.UUID `json:"grantId" doc:"Credits of the plan, or its unlimited bookings."`
	Name    string    `json:"name" doc:"Name of the plan."`
	Credits *int      `json:"credits" doc:"Credits that the seat costs; null for a plan with any number of bookings."`
}

// OwnedPlan is what every view of a customer's plan has.
type OwnedPlan struct {
	ID           uuid.UUID            `json:"id" doc:"The customer's plan, as membershipId in other operations."`
	PlanID       uuid.UUID            `json:"planId"`
	LocationID   uuid.UUID            `json:"locationId" doc:"Location that sold it."`
	LocationName string               `json:"locationName"`
	Name         string               `json:"name" doc:"Name of the plan at the time of the sale."`
	Kind         plan.Kind            `json:"kind" doc:"Kind of the plan."`
	State        plan.MembershipState `json:"state" doc:"State of the plan: active, ended after its last day, or canceled."`
	StartsOn     civil.Date           `json:"startsOn" format:"date" doc:"First day of classes that it pays for."`
	LastDay      *string              `json:"lastDay" format:"date" doc:"Last day of classes that it pays for; null if it has no end, or begins with the first class."`
	PlanValidity
	Renewal     op.Nullable[OwnedRenewal] `json:"renewal" doc:"How a membership is paid by the billing period; null for other plans."`
	FreezeRules op.Nullable[PlanFreeze]   `json:"freezeRules" doc:"The rules for freezing it, as it was sold; null if the customer cannot."`
	Freezes     []FrozenPlan              `json:"freezes" doc:"Times for which it is or was frozen, in their order."`

	Change op.Nullable[PlanChangeDue] `json:"change" doc:"The change to another plan that is scheduled or has to be paid; null for none."`

	CreatedAt time.Time `json:"createdAt" doc:"When it was sold or given."`
}

// PlanChange is what every view of a change of the credits of a customer's plan has.
type PlanChange struct {
	ID        uuid.UUID  `json:"id"`
	GrantID   uuid.UUID  `json:"grantId" doc:"Credits of the plan, or its unlimited bookings."`
	Kind      string     `json:"kind" enum:"granted,used,returned,adjusted,expired,refunded,restored,ended,carried,changed" doc:"Kind of transaction. carried: into the next billing period. changed: by a change of the plan. granted: sold or given. used: by a booking. returned: such a booking was cancelled. adjusted: by staff. expired: the plan ended. refunded: its purchase was refunded. restored: such a refund failed. ended: by staff."`
	Credits   int        `json:"credits" doc:"Number of credits; negative if it reduces the balance, 0 for any number of bookings."`
	Balance   *int       `json:"balance" doc:"Balance after the transaction; null for any number of bookings."`
	BookingID *uuid.UUID `json:"bookingId" doc:"The booking; null without one."`
	Offering  string     `json:"offeringName" doc:"Name of the offering of the booking; empty without one."`
	StartsAt  *time.Time `json:"startsAt" doc:"When the booking starts; null without one."`
	Zone      string     `json:"zone" doc:"Time zone of the location."`
	Attendee  string     `json:"attendee" doc:"Name of the attendee, if it is not the customer."`
	Cancelled bool       `json:"cancelled" doc:"Whether the booking is cancelled."`
	CreatedAt time.Time  `json:"createdAt"`
}

// ShowPlanBenefit shows a benefit of a plan.
func ShowPlanBenefit(b plan.Benefit) PlanBenefit {
	out := PlanBenefit{
		Credits: b.Credits, OfferingIDs: append([]uuid.UUID{}, b.OfferingIDs...),
		Kinds:       append([]catalog.Kind{}, b.Kinds...),
		LocationIDs: append([]uuid.UUID{}, b.LocationIDs...), ExcludedIDs: append([]uuid.UUID{}, b.ExcludedIDs...),
		Costs: []PlanCost{}, ForGuests: b.ForGuests, GuestsOnly: b.GuestsOnly, DayMax: b.DayMax, WeekMax: b.WeekMax,
		UpcomingMax: b.UpcomingMax, RolloverMax: b.RolloverMax,
	}
	byID := func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }
	for _, id := range slices.SortedFunc(maps.Keys(b.Costs), byID) {
		out.Costs = append(out.Costs, PlanCost{id, b.Costs[id]})
	}
	return out
}

// ShowPlanValidity shows the time for which a plan is valid.
func ShowPlanValidity(count int, unit rules.Unit, fromFirstUse bool) PlanValidity {
	return PlanValidity{Count: Optional(count), Unit: Optional(unit), FromFirstUse: fromFirstUse}
}

// ShowPlanRenewal shows how a plan is paid by the billing period; null if it is not a membership.
func ShowPlanRenewal(p plan.Plan) op.Nullable[PlanRenewal] {
	if p.Kind != plan.Renewing {
		return op.Null[PlanRenewal]()
	}
	return op.Some(PlanRenewal(p.Renewal))
}

func showOwnedRenewal(m plan.Membership) op.Nullable[OwnedRenewal] {
	if m.Kind != plan.Renewing {
		return op.Null[OwnedRenewal]()
	}
	out := OwnedRenewal{
		PriceAmount: m.PriceAmount, PlanRenewal: PlanRenewal(m.Renewal), AgreedAt: m.ConsentedAt,
		CanceledAt: m.CanceledAt, Next: op.Null[PlanPeriod](),
	}
	if n := m.Next; n != nil {
		out.Next = op.Some(PlanPeriod{
			ID: n.ID, StartsOn: n.StartsOn, LastDay: n.EndsOn.AddDays(-1), Amount: n.Amount, Due: n.Due, PastDue: n.PastDue,
			Failed: Optional(n.Failed), OrderID: n.OrderID,
		})
	}
	return op.Some(out)
}

// ShowPlanGrant shows a benefit of a customer's plan.
func ShowPlanGrant(g plan.Grant) PlanGrant {
	return PlanGrant{ID: g.ID, Balance: number(g.Balance, !g.Unlimited), Benefit: ShowPlanBenefit(g.Benefit)}
}

// ShowOwnedPlan shows what every view of a customer's plan has.
func ShowOwnedPlan(m plan.Membership) OwnedPlan {
	out := OwnedPlan{
		ID: m.ID, PlanID: m.PlanID, LocationID: m.LocationID, LocationName: m.LocationName, Name: m.Name, Kind: m.Kind,
		State: m.State, StartsOn: m.StartsOn, CreatedAt: m.CreatedAt,
		PlanValidity: ShowPlanValidity(m.Count, rules.Unit(m.Unit), m.FromFirstUse), Renewal: showOwnedRenewal(m),
		FreezeRules: ShowPlanFreeze(m.FreezeRules), Freezes: Show(m.Freezes, showFrozen),
		Change: showPlanChangeDue(m.Change),
	}
	if last := m.LastDay(); !last.IsZero() {
		out.LastDay = DateOrNull(&last)
	}
	return out
}

func showFrozen(f plan.Frozen) FrozenPlan {
	out := FrozenPlan{StartsOn: f.StartsOn}
	if f.EndsOn != nil {
		last := f.EndsOn.AddDays(-1)
		out.LastDay = DateOrNull(&last)
	}
	return out
}

// ShowPlanChange shows what every view of a change of credits has.
func ShowPlanChange(t plan.Transaction) PlanChange {
	return PlanChange{
		ID: t.ID, GrantID: t.GrantID, Kind: t.Kind, Credits: t.Credits, Balance: number(t.Balance, !t.Unlimited),
		BookingID: t.BookingID, Offering: t.Item, StartsAt: t.StartsAt, Zone: t.LocationTZ, Attendee: t.BookedFor,
		Cancelled: t.BookingGone, CreatedAt: t.CreatedAt,
	}
}

// ShowLinePlan shows the plan that pays for a line of a cart.
func ShowLinePlan(c order.Cover) LinePlan {
	return LinePlan{GrantID: c.GrantID, Name: c.Name, Credits: Optional(c.Credits)}
}

// PlanOf returns the plan that a line of a cart or a receipt sells; nil for another kind.
func PlanOf(kind order.Kind, subject uuid.UUID) *uuid.UUID {
	if kind != order.Plan {
		return nil
	}
	return &subject
}

// number returns n if there is such a number, and otherwise nil.
func number(n int, is bool) *int {
	if !is {
		return nil
	}
	return &n
}
