package picture

import (
	"image"
	"image/color"
	"image/draw"
)

// plane is one value of each pixel, row after row.
type plane struct {
	pix          []byte
	w, h, stride int
}

func newPlane(w, h int) plane { return plane{make([]byte, w*h), w, h, w} }

func (p plane) row(y int) []byte { return p.pix[y*p.stride : y*p.stride+p.w] }

// raster is a picture without transparency during processing: brightness and twice colour, as in a JPEG and a WebP,
// so that neither is converted to red, green and blue and back.
type raster struct {
	w, h       int
	planes     []plane // three
	subX, subY int     // number of pixels per colour sample
	wide, high float64 // the photo's part of w and h: a reduced one may end within its last pixel
}

var ratios = map[image.YCbCrSubsampleRatio][2]int{
	image.YCbCrSubsampleRatio444: {1, 1}, image.YCbCrSubsampleRatio422: {2, 1}, image.YCbCrSubsampleRatio420: {2, 2},
	image.YCbCrSubsampleRatio440: {1, 2}, image.YCbCrSubsampleRatio411: {4, 1}, image.YCbCrSubsampleRatio410: {4, 2},
}

// newRaster makes a raster of a decoded picture without transparency, and uses its pixels.
func newRaster(m image.Image) *raster {
	b := m.Bounds()
	switch m := m.(type) {
	case *image.YCbCr:
		if sub, ok := ratios[m.SubsampleRatio]; ok && b.Min == (image.Point{}) {
			cw, ch := (b.Dx()+sub[0]-1)/sub[0], (b.Dy()+sub[1]-1)/sub[1]
			r := whole(b.Dx(), b.Dy(), sub[0], sub[1])
			r.planes = []plane{{m.Y, r.w, r.h, m.YStride}, {m.Cb, cw, ch, m.CStride}, {m.Cr, cw, ch, m.CStride}}
			return r
		}
	case *image.Gray:
		return grey(m)
	}
	return rasterOfOpaque(m)
}

// whole is an empty picture.
func whole(w, h, subX, subY int) *raster {
	return &raster{w: w, h: h, subX: subX, subY: subY, wide: float64(w), high: float64(h)}
}

func newRasterOf(w, h int) *raster {
	cw, ch := (w+1)/2, (h+1)/2
	r := whole(w, h, 2, 2)
	r.planes = []plane{newPlane(w, h), newPlane(cw, ch), newPlane(cw, ch)}
	return r
}

func grey(m *image.Gray) *raster {
	b := m.Bounds()
	r := newRasterOf(b.Dx(), b.Dy())
	r.planes[0] = plane{m.Pix[m.PixOffset(b.Min.X, b.Min.Y):], b.Dx(), b.Dy(), m.Stride}
	for _, p := range r.planes[1:] {
		for i := range p.pix {
			p.pix[i] = 128
		}
	}
	return r
}

// rasterOfOpaque goes over a picture two rows at a time, so that no second copy of it is made.
func rasterOfOpaque(m image.Image) *raster {
	b := m.Bounds()
	r := newRasterOf(b.Dx(), b.Dy())
	strip := image.NewRGBA(image.Rect(0, 0, r.w, 2))
	for y := 0; y < r.h; y += 2 {
		rows := strip.Rect
		rows.Max.Y = min(2, r.h-y)
		draw.Draw(strip, rows, m, b.Min.Add(image.Pt(0, y)), draw.Src)
		r.takeRows(y, strip, rows.Max.Y)
	}
	return r
}

// takeRows writes one or two rows of RGBA at y. A colour sample is the mean of its two or four pixels.
func (r *raster) takeRows(y int, strip *image.RGBA, rows int) {
	cbs, crs := r.planes[1].row(y/2), r.planes[2].row(y/2)
	for cx := range cbs {
		var cb, cr, n int
		for dy := range rows {
			luma := r.planes[0].row(y + dy)
			for x := 2 * cx; x < min(2*cx+2, r.w); x++ {
				p := strip.Pix[dy*strip.Stride+4*x:][:4]
				yy, u, v := color.RGBToYCbCr(p[0], p[1], p[2])
				luma[x] = yy
				cb, cr, n = cb+int(u), cr+int(v), n+1
			}
		}
		cbs[cx], crs[cx] = byte((cb+n/2)/n), byte((cr+n/2)/n)
	}
}

// turn turns a picture by its EXIF orientation.
func (r *raster) turn(orientation int) *raster {
	if orientation <= 1 {
		return r
	}
	out := whole(r.w, r.h, r.subX, r.subY)
	if orientation >= 5 {
		out = whole(r.h, r.w, r.subY, r.subX)
	}
	for _, p := range r.planes {
		out.planes = append(out.planes, p.turn(orientation))
	}
	return out
}

func (p plane) turn(orientation int) plane {
	out := newPlane(p.w, p.h)
	if orientation >= 5 {
		out = newPlane(p.h, p.w)
	}
	for y := range out.h {
		to := out.row(y)
		for x := range out.w {
			fx, fy := x, y
			switch orientation {
			case 2:
				fx = p.w - 1 - x
			case 3:
				fx, fy = p.w-1-x, p.h-1-y
			case 4:
				fy = p.h - 1 - y
			case 5:
				fx, fy = y, x
			case 6:
				fx, fy = y, p.h-1-x
			case 7:
				fx, fy = p.w-1-y, p.h-1-x
			case 8:
				fx, fy = p.w-1-y, x
			}
			to[x] = p.pix[fy*p.stride+fx]
		}
	}
	return out
}
