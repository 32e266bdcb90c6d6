package view

import "foyer/app/walkin"

// WalkinStatusOf returns the walk-in status of a location: open, closed, or its free spots. It returns nil if the
// location has no walk-ins, or if they are closed without a known end.
func WalkinStatusOf(w Words, in walkin.Walkins) *WalkinStatus {
	switch in.Hidden {
	case walkin.Paused:
		if in.Until == nil {
			return nil
		}
		return &WalkinStatus{Words: w.T("Walk-ins are paused"), Until: w.T("until {when}", "when", w.Soon(*in.Until))}
	case "":
	default:
		return nil
	}
	until := ""
	if in.Until != nil {
		until = w.T("Open until {when}", "when", w.Soon(*in.Until))
	}
	switch in.State {
	case walkin.Open, walkin.Busy:
		return &WalkinStatus{Open: true, Words: w.N(in.Spots, "Walk in now: {n} spot free", "Walk in now: {n} spots free"), Until: until}
	case walkin.Full:
		return &WalkinStatus{Words: w.noSpots(), Until: until}
	}
	if in.Until == nil {
		return nil
	}
	return &WalkinStatus{Words: w.T("Closed to walk-ins now"), Until: w.T("Opens {when}", "when", w.Soon(*in.Until))}
}

func (w Words) noSpots() string { return w.T("No spots for walk-ins right now") }

// spotsFree returns "1 spot free" or "7 spots free".
func (w Words) spotsFree(n int) string { return w.N(n, "{n} spot free", "{n} spots free") }
