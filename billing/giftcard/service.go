package giftcard

import "foyer/app/pg"

// Service manages gift cards. It is safe for concurrent use.
type Service struct{ db *pg.DB }

// New returns a Service.
func New(db *pg.DB) *Service { return &Service{db} }
