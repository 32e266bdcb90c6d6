package ledgersim

import (
	"errors"
	"net/http"
	"slices"
	"time"
)

// FaultKind is the kind of a failure.
type FaultKind string

// The kinds of faults. The request is carried out with Lost, Silent, Slow, Truncated and ForgetID, and not with the
// others.
const (
	Throttle    FaultKind = "throttle"  // 429
	ServerError FaultKind = "error"     // 500 with a fault in JSON
	HTML        FaultKind = "html"      // 503 with a page of a gateway
	In200       FaultKind = "in200"     // a fault with status 200
	Cut         FaultKind = "cut"       // the connection ends before the request is carried out
	Lost        FaultKind = "lost"      // the connection ends after the request was carried out
	Silent      FaultKind = "silent"    // no answer until the client gives up
	Slow        FaultKind = "slow"      // an answer after Fault.Delay
	Truncated   FaultKind = "truncated" // half of the answer
	ForgetID    FaultKind = "forget-id" // the request id is neither looked up nor stored
)

// faultKinds lists all kinds.
var faultKinds = []FaultKind{Throttle, ServerError, HTML, In200, Cut, Lost, Silent, Slow, Truncated, ForgetID}

// Fault makes requests fail.
type Fault struct {
	Kind  FaultKind
	Times int           // number of requests; 0 for one
	Realm string        // only of this company; empty for all
	Op    string        // only of this operation, as in Calls; empty for all
	Delay time.Duration // of Slow, by the machine's clock
}

// Fail makes the next requests fail that the fault describes. Faults apply in the order of the calls, one
// to a request.
func (s *Server) Fail(f Fault) error {
	if !slices.Contains(faultKinds, f.Kind) {
		return errors.New("ledgersim: no such fault: " + string(f.Kind))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f.Times = max(f.Times, 1)
	s.faults = append(s.faults, &f)
	return nil
}

// Heal removes all faults.
func (s *Server) Heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// takeFault counts a request and returns the fault that it meets. The caller holds mu.
func (s *Server) takeFault(realm, op string) Fault {
	if s.calls[realm] == nil {
		s.calls[realm] = map[string]int{}
	}
	s.calls[realm][op]++
	for i, f := range s.faults {
		if f.Realm != "" && f.Realm != realm || f.Op != "" && f.Op != op {
			continue
		}
		out := *f
		if f.Times--; f.Times == 0 {
			s.faults = slices.Delete(s.faults, i, i+1)
		}
		return out
	}
	return Fault{}
}

// before answers a request that fails before it is carried out; ok is false for one that is carried out.
func (s *Server) before(f Fault) (a answer, ok bool) {
	switch f.Kind {
	case Throttle:
		return s.gatewayFault(http.StatusTooManyRequests, "SERVICE", "003001",
			"message=ThrottleExceeded; errorCode=003001; statusCode=429", ""), true
	case ServerError:
		return s.fault(http.StatusInternalServerError, "SystemFault", "10000",
			"An application error has occurred while processing your request",
			"System Failure Error: Unexpected Internal Error"), true
	case In200:
		return s.fault(http.StatusOK, "SystemFault", "10000",
			"An application error has occurred while processing your request",
			"System Failure Error: Could not obtain a lock"), true
	case HTML:
		return answer{Status: http.StatusServiceUnavailable, Type: "text/html", Body: []byte("<html>\r\n<head><title>503 " +
			"Service Temporarily Unavailable</title></head>\r\n<body>\r\n<center><h1>503 Service Temporarily Unavailable" +
			"</h1></center>\r\n</body>\r\n</html>\r\n")}, true
	}
	return answer{}, false
}

// after writes an answer, unless the fault is that it does not arrive.
func after(w http.ResponseWriter, r *http.Request, f Fault, a answer) {
	switch f.Kind {
	case Cut, Lost:
		panic(http.ErrAbortHandler)
	case Silent:
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	case Slow:
		t := time.NewTimer(f.Delay)
		defer t.Stop()
		select {
		case <-t.C:
		case <-r.Context().Done():
			panic(http.ErrAbortHandler)
		}
	case Truncated:
		a.Body = a.Body[:len(a.Body)/2]
	}
	a.write(w)
}
