package picture

// JPEGQuality is what JPEGs are written with.
const JPEGQuality = jpegQuality

// ProfileOfAPhone is the profile that phones write, of Display P3.
func ProfileOfAPhone() []byte { return iccOf(displayP3, srgbCurve) }
