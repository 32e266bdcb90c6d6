-- The open orders of a customer, which are few, are read with every cart.

-- +goose Up
CREATE INDEX "orders_open_of_customer" ON "orders" ("business_id", "customer_id") WHERE state = 'open';
