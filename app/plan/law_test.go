package plan_test

import (
	"testing"

	"foyer/app/plan"
)

func TestLawOf(t *testing.T) {
	for _, c := range []struct {
		country, region string
		want            plan.Law
	}{
		{"", "", plan.Law{ReminderDays: 21, PriceNoticeDays: 30}},
		{"JP", "", plan.Law{ReminderDays: 21, PriceNoticeDays: 30}},
		{"US", "Oregon", plan.Law{ReminderDays: 21, PriceNoticeDays: 30}},
		{"US", " California", plan.Law{ReminderDays: 21, PriceNoticeDays: 30, WithdrawalDays: 7}},
		{"US", "NY", plan.Law{ReminderDays: 21, PriceNoticeDays: 30, WithdrawalDays: 3}},
		{"CA", "ON", plan.Law{ReminderDays: 21, PriceNoticeDays: 30, WithdrawalDays: 10}},
		{"GB", "", plan.Law{ReminderDays: 21, PriceNoticeDays: 30, WithdrawalDays: 14}},
		{"FR", "", plan.Law{ReminderDays: 45, PriceNoticeDays: 30, WithdrawalDays: 14}},
		{"DE", "Bayern", plan.Law{
			ReminderDays: 21, PriceNoticeDays: 30, AnyDayAfterTerm: true, FreeMonths: 1, WithdrawalDays: 14,
		}},
		{"BE", "", plan.Law{
			ReminderDays: 21, PriceNoticeDays: 30, AnyDayAfterTerm: true, FreeMonths: 2, WithdrawalDays: 14,
		}},
	} {
		if got := plan.LawOf(c.country, c.region); got != c.want {
			t.Errorf("%s %s: %+v, want %+v", c.country, c.region, got, c.want)
		}
	}
}
