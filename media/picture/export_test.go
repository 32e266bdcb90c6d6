package picture

// JPEGQuality is the quality of written JPEGs.
const JPEGQuality = jpegQuality

// ProfileOfAPhone is the profile that phones write, of Display P3.
func ProfileOfAPhone() []byte { return iccOf(displayP3, srgbCurve) }
