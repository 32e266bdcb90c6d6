-- Jobs about orders and amounts due are named after the packages that do them now. One that waits is done under its new name; without
-- this no worker would know it, and a confirmation or a charge were lost.

-- +goose Up
UPDATE river.river_job SET kind = case kind
		when 'checkout.confirmation' then 'order.confirmation'
		when 'checkout.late_refund' then 'order.late_refund'
		when 'checkout.charge_fee' then 'owed.charge'
		else 'owed.charge_mail' end
	WHERE kind in ('checkout.confirmation', 'checkout.late_refund', 'checkout.charge_fee', 'checkout.fee');
