package picture

import "math"

// shown is the picture w x h, upright and in sRGB.
func (r *raster) shown(w, h int, head header) pixels {
	if head.turned() {
		w, h = h, w
	}
	out := r.resize(w, h).turn(head.orientation)
	head.colours.apply(out)
	return out
}

func (r *raster) resized(w, h int) pixels { return r.resize(w, h) }

// resize makes a picture of w x h with Lanczos' filter of three lobes, in the colours' own planes. The result has a
// quarter of colour, like the written formats. A plane of the right size is reused.
func (r *raster) resize(w, h int) *raster {
	scaleX, scaleY := r.wide/float64(w), r.high/float64(h)
	out := whole(w, h, 2, 2)
	out.planes = make([]plane, 3)
	out.planes[0] = r.planes[0].resize(w, h, scaleX, scaleY)
	for i := 1; i < 3; i++ { // a colour sample lies in the middle of its pixels, so the distance alone changes
		out.planes[i] = r.planes[i].resize((w+1)/2, (h+1)/2, 2*scaleX/float64(r.subX), 2*scaleY/float64(r.subY))
	}
	return out
}

// Weights have 14 fractional bits. Values between the two passes have 4 more bits than a byte.
const (
	weightBits = 14
	extraBits  = 4
)

// resize makes a plane of w x h with pixels scaleX and scaleY of this one's apart. Rows are combined first, then the
// result across, so that only two rows are in memory.
func (p plane) resize(w, h int, scaleX, scaleY float64) plane {
	if w == p.w && h == p.h && scaleX == 1 && scaleY == 1 {
		return p
	}
	out := newPlane(w, h)
	across, down := lanczos(w, p.w, scaleX), lanczos(h, p.h, scaleY)
	line := make([]int32, p.w)
	for y := range h {
		p.mixRows(line, down[y])
		mixAcross(out.row(y), line, across)
	}
	return out
}

// taps are the weights of neighbours from the first on; their number is a multiple of four.
type taps struct {
	first   int
	weights []int32
}

// mixRows adds up rows, four at a time.
func (p plane) mixRows(line []int32, t taps) {
	clear(line)
	n := len(line)
	for k := 0; k < len(t.weights); k += 4 {
		a, b, c, d := p.tapRow(t.first + k)[:n], p.tapRow(t.first + k + 1)[:n], p.tapRow(t.first + k + 2)[:n], p.tapRow(t.first + k + 3)[:n]
		wa, wb, wc, wd := t.weights[k], t.weights[k+1], t.weights[k+2], t.weights[k+3]
		for i := range line {
			line[i] += wa*int32(a[i]) + wb*int32(b[i]) + wc*int32(c[i]) + wd*int32(d[i])
		}
	}
	const half = 1 << (weightBits - extraBits - 1)
	for i, v := range line {
		line[i] = (v + half) >> (weightBits - extraBits)
	}
}

// tapRow is a row; after the last one, with weights of zero, the last one.
func (p plane) tapRow(y int) []byte { return p.row(min(y, p.h-1)) }

const across = weightBits + extraBits

func mixAcross(out []byte, line []int32, all []taps) {
	for x := range out {
		t := all[x]
		from := line[t.first:]
		sum := int32(1 << (across - 1))
		if len(from) >= len(t.weights) {
			from = from[:len(t.weights)]
			for k, w := range t.weights {
				sum += w * from[k]
			}
		} else { // the padding hangs over the edge
			for k, v := range from {
				sum += t.weights[k] * v
			}
		}
		out[x] = byte(min(max(sum>>across, 0), 255))
	}
}

// box averages by times by pixels into one.
func (r *raster) box(by int) *raster {
	out := whole((r.w+by-1)/by, (r.h+by-1)/by, r.subX, r.subY)
	out.wide, out.high = r.wide/float64(by), r.high/float64(by)
	for _, p := range r.planes {
		out.planes = append(out.planes, p.box(by))
	}
	return out
}

func (p plane) box(by int) plane {
	out := newPlane((p.w+by-1)/by, (p.h+by-1)/by)
	sums := make([]int, out.w)
	for y := range out.h {
		clear(sums)
		rows := min(by, p.h-y*by)
		for dy := range rows {
			p.addRow(sums, y*by+dy, by)
		}
		for i := range sums {
			n := rows * min(by, p.w-i*by)
			out.row(y)[i] = byte((sums[i] + n/2) / n)
		}
	}
	return out
}

// addRow adds the pixels of a row to the sums of by neighbours each.
func (p plane) addRow(sums []int, y, by int) {
	row := p.row(y)
	for x := 0; len(row) > 0; x++ {
		n := min(by, len(row))
		for _, v := range row[:n] {
			sums[x] += int(v)
		}
		row = row[n:]
	}
}

// lanczos is the weights of n pixels that are scale of the old ones' apart.
func lanczos(n, old int, scale float64) []taps {
	const lobes = 3
	wide := max(scale, 1)
	out := make([]taps, n)
	sums := make([]float64, 0, 64)
	for i := range out {
		centre := (float64(i)+0.5)*scale - 0.5
		first := max(int(math.Ceil(centre-lobes*wide)), 0)
		last := min(int(math.Floor(centre+lobes*wide)), old-1)
		first = min(first, last)
		sums = sums[:0]
		total := 0.0
		for at := first; at <= last; at++ {
			w := sinc((float64(at)-centre)/wide) * sinc((float64(at)-centre)/wide/lobes)
			sums, total = append(sums, w), total+w
		}
		out[i] = taps{first, integers(sums, total)}
	}
	return out
}

// integers rounds weights so that their sum is exactly one: a plain area stays as it is.
func integers(sums []float64, total float64) []int32 {
	weights := make([]int32, (len(sums)+3)/4*4)
	left, most := int32(1<<weightBits), 0
	for i, s := range sums {
		weights[i] = int32(math.Round(s / total * (1 << weightBits)))
		left -= weights[i]
		if weights[i] > weights[most] {
			most = i
		}
	}
	weights[most] += left
	return weights
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	return math.Sin(math.Pi*x) / (math.Pi * x)
}
