package wire

import "foyer/media"

// AssetVariant is a photo at one width.
type AssetVariant struct {
	Width   int    `json:"width" doc:"Width in pixels."`
	Height  int    `json:"height" doc:"Height in pixels."`
	JPEGURL string `json:"jpegUrl" doc:"URL as JPEG."`
	WebPURL string `json:"webpUrl" doc:"URL as WebP. WebP is smaller and keeps transparency."`
}

// ShowAssetVariants returns a photo at its widths. base is the product's address.
func ShowAssetVariants(base string, p media.Photo) []AssetVariant {
	return Show(p.Sizes, func(width int) AssetVariant {
		return AssetVariant{
			Width: width, Height: p.HeightAt(width),
			JPEGURL: base + p.Path(width, media.JPEG), WebPURL: base + p.Path(width, media.WebP),
		}
	})
}
