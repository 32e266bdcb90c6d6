package report

// Holding is a service whose reports are put together of so many sums of postings at most.
func (s *Service) Holding(sums int) *Service { return &Service{db: s.db, cards: s.cards, sums: sums} }
