-- What the reads of the storefront look for.

-- +goose Up
-- The public schedule of a location (schedule.timetable): dates of classes by their start. Appointments lie between them in
-- occurrences_by_location, by the dozen a day, and each would be fetched only to be left out. It has no counters: taking a
-- seat does not write to it.
create index occurrences_on_sale on occurrences (business_id, location_id, starts_at, id)
	where series_id is not null and state = 'scheduled';
