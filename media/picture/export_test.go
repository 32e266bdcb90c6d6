package picture

// JPEGQuality is what JPEGs are written with.
const JPEGQuality = jpegQuality
