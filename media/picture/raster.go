package picture

import (
	"image"
	"image/color"
	"image/draw"
)

// plane is pixels of n values each, row after row.
type plane struct {
	pix             []byte
	w, h, stride, n int
}

func newPlane(w, h, n int) plane { return plane{make([]byte, w*h*n), w, h, w * n, n} }

func (p plane) row(y int) []byte { return p.pix[y*p.stride : y*p.stride+p.w*p.n] }

// raster is a picture while it is worked on. What hides nothing is brightness and twice colour, as a JPEG and a WebP have it, so that
// neither is turned into red, green and blue and back. What one can see through is red, green, blue and alpha, multiplied.
type raster struct {
	w, h       int
	planes     []plane // three, or one of four values
	subX, subY int     // how many pixels one of colour stands for
	wide, high float64 // what of w and h is the photo's: one that is decoded smaller may end within its last pixel
}

func (r *raster) opaque() bool { return len(r.planes) == 3 }

var ratios = map[image.YCbCrSubsampleRatio][2]int{
	image.YCbCrSubsampleRatio444: {1, 1}, image.YCbCrSubsampleRatio422: {2, 1}, image.YCbCrSubsampleRatio420: {2, 2},
	image.YCbCrSubsampleRatio440: {1, 2}, image.YCbCrSubsampleRatio411: {4, 1}, image.YCbCrSubsampleRatio410: {4, 2},
}

// newRaster takes a decoded picture over; its pixels are then the raster's.
func newRaster(m image.Image) *raster {
	b := m.Bounds()
	switch m := m.(type) {
	case *image.YCbCr:
		if sub, ok := ratios[m.SubsampleRatio]; ok && b.Min == (image.Point{}) {
			cw, ch := (b.Dx()+sub[0]-1)/sub[0], (b.Dy()+sub[1]-1)/sub[1]
			r := whole(b.Dx(), b.Dy(), sub[0], sub[1])
			r.planes = []plane{{m.Y, r.w, r.h, m.YStride, 1}, {m.Cb, cw, ch, m.CStride, 1}, {m.Cr, cw, ch, m.CStride, 1}}
			return r
		}
	case *image.Gray:
		return grey(m)
	}
	if o, ok := m.(interface{ Opaque() bool }); ok && o.Opaque() {
		return rasterOfOpaque(m)
	}
	var rgba *image.RGBA
	switch m := m.(type) {
	case *image.RGBA:
		rgba = m
	case *image.NRGBA:
		rgba = multiplied(m)
	default:
		rgba = image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
		draw.Draw(rgba, rgba.Rect, m, b.Min, draw.Src)
	}
	r := whole(b.Dx(), b.Dy(), 1, 1)
	r.planes = []plane{{rgba.Pix, r.w, r.h, rgba.Stride, 4}}
	return r
}

// whole is a picture that has no pixels yet.
func whole(w, h, subX, subY int) *raster {
	return &raster{w: w, h: h, subX: subX, subY: subY, wide: float64(w), high: float64(h)}
}

// multiplied multiplies the colours by alpha where they are: a second copy of 40 megapixels is what there is no room for.
func multiplied(m *image.NRGBA) *image.RGBA {
	for i := 0; i+3 < len(m.Pix); i += 4 {
		p := m.Pix[i:][:4]
		if a := uint32(p[3]); a != 255 {
			p[0], p[1], p[2] = byte((uint32(p[0])*a+127)/255), byte((uint32(p[1])*a+127)/255), byte((uint32(p[2])*a+127)/255)
		}
	}
	return &image.RGBA{Pix: m.Pix, Stride: m.Stride, Rect: m.Rect}
}

func newOpaque(w, h int) *raster {
	cw, ch := (w+1)/2, (h+1)/2
	r := whole(w, h, 2, 2)
	r.planes = []plane{newPlane(w, h, 1), newPlane(cw, ch, 1), newPlane(cw, ch, 1)}
	return r
}

func grey(m *image.Gray) *raster {
	b := m.Bounds()
	r := newOpaque(b.Dx(), b.Dy())
	r.planes[0] = plane{m.Pix[m.PixOffset(b.Min.X, b.Min.Y):], b.Dx(), b.Dy(), m.Stride, 1}
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
	r := newOpaque(b.Dx(), b.Dy())
	strip := image.NewRGBA(image.Rect(0, 0, r.w, 2))
	for y := 0; y < r.h; y += 2 {
		rows := strip.Rect
		rows.Max.Y = min(2, r.h-y)
		draw.Draw(strip, rows, m, b.Min.Add(image.Pt(0, y)), draw.Src)
		r.takeRows(y, strip, rows.Max.Y)
	}
	return r
}

// takeRows writes one or two rows of RGBA at y. A pixel of colour is the mean of the two or four that it stands for.
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

// upright turns a picture as EXIF says that it is meant.
func (r *raster) upright(orientation int) *raster {
	if orientation <= 1 {
		return r
	}
	out := whole(r.w, r.h, r.subX, r.subY)
	if orientation >= 5 {
		out = whole(r.h, r.w, r.subY, r.subX)
	}
	for _, p := range r.planes {
		out.planes = append(out.planes, p.upright(orientation))
	}
	return out
}

func (p plane) upright(orientation int) plane {
	out := newPlane(p.w, p.h, p.n)
	if orientation >= 5 {
		out = newPlane(p.h, p.w, p.n)
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
			copy(to[x*p.n:(x+1)*p.n], p.pix[fy*p.stride+fx*p.n:])
		}
	}
	return out
}
