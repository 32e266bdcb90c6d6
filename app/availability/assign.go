package availability

// Several services are placed at once: those of a visit follow each other, those of a cart are independent. The
// assignment is found by backtracking, first choices first, so that a person named by one of them is left to it when
// another can have another person. Where two services of a visit follow each other with the same person or in the
// same space, there is no buffer between them.

// task is one service at a fixed time.
type task struct {
	part           *readyPart
	from, to       int64
	day            int
	follows        bool        // it begins where the task before it ends
	people, spaces []*resource // candidates; nil when none is needed
}

// taken is a person and a space for a task.
type taken struct {
	person, space *resource // nil: none
	from, to      int64     // with the buffers
}

// assigner tries.
type assigner struct {
	f       *Facts
	cal     *calendar
	tasks   []task
	chosen  []taken
	steps   int
	deepest int // the last task that was tried: the one that is refused
}

// stepsMax bounds the trying. A cart has some lines; nothing honest comes near.
const stepsMax = 50_000

// assign finds a person and a space for every task, or returns the first task without one.
func (f *Facts) assign(cal *calendar, tasks []task) (chosen []taken, failed int) {
	a := assigner{f: f, cal: cal, tasks: tasks, chosen: make([]taken, 0, len(tasks))}
	if !a.rest() {
		return nil, a.deepest
	}
	return a.chosen, -1
}

// nobody stands for a person or a space that is not needed.
var nobody = []*resource{nil}

// rest assigns the remaining tasks.
func (a *assigner) rest() bool {
	k := len(a.chosen)
	if k == len(a.tasks) {
		return true
	}
	a.deepest = max(a.deepest, k)
	people, spaces := a.tasks[k].people, a.tasks[k].spaces
	if !a.tasks[k].part.offer.NeedsPerson {
		people = nobody
	}
	if !a.tasks[k].part.offer.NeedsSpace {
		spaces = nobody
	}
	for _, person := range people {
		for _, space := range spaces {
			if a.steps++; a.steps > stepsMax {
				return false
			}
			if a.try(k, taken{person: person, space: space}) {
				return true
			}
		}
	}
	return false
}

// try assigns task k and goes on with the remaining ones; it undoes its change when that fails.
func (a *assigner) try(k int, c taken) bool {
	t := &a.tasks[k]
	stays := t.follows && k > 0 && a.stays(a.chosen[k-1], c)
	c.from, c.to = t.from, t.to
	if !stays {
		c.from -= t.part.before
	}
	if k+1 == len(a.tasks) || !a.tasks[k+1].follows {
		c.to += t.part.after
	}
	if !a.free(k, c, c.from, c.to, k) {
		return false
	}
	keeps := t.follows && k > 0 && !stays // the one before keeps its buffer
	if keeps {
		last := &a.chosen[k-1]
		until := last.to + a.tasks[k-1].part.after
		if !a.free(k-1, *last, last.to, until, k-1) || a.clash(c, taken{last.person, last.space, last.from, until}, k, k-1) {
			return false
		}
		last.to = until
	}
	a.chosen = append(a.chosen, c)
	if a.rest() {
		return true
	}
	a.chosen = a.chosen[:k]
	if keeps {
		a.chosen[k-1].to -= a.tasks[k-1].part.after
	}
	return false
}

// stays reports whether a visit stays with the same person or in the same space.
func (a *assigner) stays(before, now taken) bool {
	return before.person != nil && now.person != nil && before.person.index == now.person.index ||
		before.space != nil && now.space != nil && before.space.index == now.space.index
}

// free reports whether the person and the space of task k are free for a stretch, besides the first so many tasks.
func (a *assigner) free(k int, c taken, from, to int64, tasks int) bool {
	t := &a.tasks[k]
	if c.person != nil {
		today, thisWeek := a.given(c.person, t.day, tasks)
		if c.person.busy.meets(from, to) || c.person.capped(t.day, today, thisWeek) {
			return false
		}
	}
	if c.space != nil {
		seats, busy := c.space.vacant(from, to)
		if busy || seats < t.part.Party {
			return false
		}
	}
	c.from, c.to = from, to
	for i, other := range a.chosen[:tasks] {
		if a.clash(c, other, k, i) {
			return false
		}
	}
	return true
}

// given counts the tasks of a person among the first ones.
func (a *assigner) given(r *resource, day, tasks int) (today, thisWeek int) {
	week := mondayOf(a.cal.days[day].date)
	for i, c := range a.chosen[:tasks] {
		if c.person == nil || c.person.index != r.index {
			continue
		}
		if a.tasks[i].day == day {
			today++
		}
		if mondayOf(a.cal.days[a.tasks[i].day].date) == week {
			thisWeek++
		}
	}
	return today, thisWeek
}

// clash reports whether two tasks cannot have their persons and spaces both.
func (a *assigner) clash(x, y taken, i, j int) bool {
	if x.from >= y.to || y.from >= x.to {
		return false
	}
	if x.person != nil && y.person != nil && x.person.index == y.person.index {
		return true
	}
	if x.space == nil || y.space == nil || !a.f.related(x.space.index, y.space.index) {
		return false
	}
	if !a.tasks[i].part.offer.Shared() || !a.tasks[j].part.offer.Shared() {
		return true
	}
	return x.space.index == y.space.index && !a.seated(x, i)
}

// seated reports whether the parties of all tasks that share a space with task i have seats in it.
func (a *assigner) seated(x taken, i int) bool {
	seats, _ := x.space.vacant(x.from, x.to)
	seats -= a.tasks[i].part.Party
	for j, y := range a.chosen {
		if j != i && y.space != nil && y.space.index == x.space.index && y.from < x.to && x.from < y.to {
			seats -= a.tasks[j].part.Party
		}
	}
	return seats >= 0
}
