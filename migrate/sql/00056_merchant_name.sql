-- +goose Up
ALTER TABLE "payments" ADD COLUMN "merchant_name" character varying NOT NULL DEFAULT '';
