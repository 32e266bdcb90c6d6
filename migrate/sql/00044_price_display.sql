-- How the lists of a location show prices to which tax and fees are added; null is as usual in its country (app/business/price_display.go).

-- +goose Up
ALTER TABLE "locations"
	ADD COLUMN "price_display" character varying NULL,
	ADD CONSTRAINT "locations_price_display" CHECK (price_display in ('full', 'plus_tax'));
