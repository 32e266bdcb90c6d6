package demo

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"foyer/media"
)

// photoPlan is a photo and its subject. The number is an index of the studio's list of that kind.
type photoPlan struct {
	kind       media.Kind
	of         int
	title, alt string
	tags       []string
	scene      scene
}

// photos uploads the studio's photos, and makes the sizes at once: the first page shows them.
func (s *seeding) photos(ctx context.Context) error {
	for _, plan := range s.plan.photos {
		if err := s.photo(ctx, plan); err != nil {
			return fmt.Errorf("%s: %w", plan.title, err)
		}
	}
	return nil
}

func (s *seeding) photo(ctx context.Context, plan photoPlan) error {
	accent, err := parseColour(s.plan.look.Accent)
	if err != nil {
		return err
	}
	data, err := plan.scene.paint(accent)
	if err != nil {
		return err
	}
	up, err := s.Media.Upload(ctx, s.owner, media.UploadInput{Data: data, Title: plan.title, Alt: plan.alt, Tags: plan.tags})
	if err != nil {
		return err
	}
	subject := media.Subject{Kind: plan.kind, ID: s.subject(plan)}
	if _, err := s.Media.Place(ctx, s.owner, media.PlaceInput{AssetID: up.Asset.ID, Subject: subject}); err != nil {
		return err
	}
	return s.Media.MakeSizes(ctx, media.SizesJob{Business: s.owner.Tenant, Asset: up.Asset.ID})
}

// subject returns the id of a photo's subject.
func (s *seeding) subject(plan photoPlan) uuid.UUID {
	switch plan.kind {
	case media.OfLocation:
		return s.locations[plan.of].ID
	case media.OfMember:
		return s.instructors[plan.of]
	case media.OfProduct:
		return s.products[plan.of]
	}
	return s.offerings[plan.of]
}

func parseColour(text string) (colour, error) {
	var r, g, b uint8
	_, err := fmt.Sscanf(text, "#%02x%02x%02x", &r, &g, &b)
	return colour{float64(r), float64(g), float64(b)}, err
}

// portrait is a head and shoulders in front of a sun.
func portrait(skin, hair, shirt shade) scene {
	return scene{wide: 640, high: 640, above: shade{light: 0.82}, below: shade{light: 0.6}, shapes: []shape{
		{x: 0.5, y: 0.46, w: 0.4, h: 0.4, soft: 0.01, is: shade{light: 0.9, tilt: 0.2}},
		{x: 0.5, y: 0.4, w: 0.185, h: 0.21, is: hair},
		{x: 0.5, y: 1.05, w: 0.34, h: 0.38, is: shirt},
		{x: 0.5, y: 0.66, w: 0.07, h: 0.12, is: skin},
		{x: 0.5, y: 0.45, w: 0.14, h: 0.18, is: skin},
		{x: 0.5, y: 0.3, w: 0.15, h: 0.08, soft: 0.01, is: hair},
	}}
}

var harbourPhotos = []photoPlan{
	{kind: media.OfLocation, title: "Sun over the water", alt: "A pale sun stands low over three long waves of warm red water", tags: []string{"outside", "water"},
		scene: scene{wide: 1280, high: 720, above: shade{light: 0.9}, below: shade{light: 0.55, tilt: 0.1}, shapes: []shape{
			{x: 1.2, y: 0.42, w: 0.34, h: 0.34, soft: 0.2, is: shade{light: 0.8, tilt: 0.1}},
			{x: 1.2, y: 0.42, w: 0.17, h: 0.17, is: shade{light: 0.95}},
			{waves: 1.2, x: 0.1, y: 0.56, h: 0.03, is: shade{light: 0.35}},
			{waves: 1.7, x: 0.55, y: 0.7, h: 0.035, is: shade{light: 0.1}},
			{waves: 2.3, x: 0.3, y: 0.86, h: 0.03, is: shade{light: -0.3}},
		}}},
	{kind: media.OfOffering, of: 0, title: "Sunrise", alt: "The sun comes up behind soft hills, the nearest of them dark", tags: []string{"outside", "morning"},
		scene: scene{wide: 960, high: 640, above: shade{light: 0.75, tilt: 0.25}, below: shade{light: 0.9, tilt: 0.05}, shapes: []shape{
			{x: 0.75, y: 0.55, w: 0.5, h: 0.5, soft: 0.3, is: shade{light: 0.88, tilt: 0.1}},
			{x: 0.75, y: 0.55, w: 0.2, h: 0.2, is: shade{light: 0.3}},
			{waves: 1, x: 0.2, y: 0.58, h: 0.07, is: shade{light: 0.6, tilt: 0.3}},
			{waves: 1.4, x: 0.7, y: 0.7, h: 0.08, is: shade{light: 0.25, tilt: 0.2}},
			{waves: 0.9, x: 0.45, y: 0.86, h: 0.06, is: shade{light: -0.55}},
		}}},
	{kind: media.OfOffering, of: 3, title: "Low light", alt: "Rings of dim light lie one inside the other around a bright middle", tags: []string{"inside", "evening"},
		scene: scene{wide: 960, high: 640, above: shade{light: -0.75}, below: shade{light: -0.6}, shapes: []shape{
			{x: 0.75, y: 0.5, w: 0.62, h: 0.62, soft: 0.1, is: shade{light: -0.5}},
			{x: 0.75, y: 0.5, w: 0.46, h: 0.46, soft: 0.06, is: shade{light: -0.3}},
			{x: 0.75, y: 0.5, w: 0.32, h: 0.32, soft: 0.04, is: shade{light: 0}},
			{x: 0.75, y: 0.5, w: 0.19, h: 0.19, soft: 0.03, is: shade{light: 0.4}},
			{x: 0.75, y: 0.5, w: 0.08, h: 0.08, soft: 0.02, is: shade{light: 0.85}},
		}}},
	{kind: media.OfMember, of: 0, title: "Ana Ruiz", alt: "Ana Ruiz, drawn in plain shapes, with dark hair and a red shirt", tags: []string{"team"},
		scene: portrait(shade{light: 0.55, tilt: 0.12}, shade{light: -0.8}, shade{light: 0})},
	{kind: media.OfProduct, of: 0, title: "Cork mat",
		alt: "A rolled mat of light cork stands beside a dark one", tags: []string{"shop"},
		scene: scene{wide: 960, high: 640, above: shade{light: 0.92}, below: shade{light: 0.8, tilt: 0.1}, shapes: []shape{
			{waves: 0.4, x: 0.3, y: 0.8, h: 0.01, is: shade{light: 0.6, tilt: 0.1}},
			{x: 0.55, y: 0.56, w: 0.2, h: 0.36, soft: 0.01, is: shade{light: 0.62, tilt: 0.16}},
			{x: 0.55, y: 0.26, w: 0.13, h: 0.07, soft: 0.01, is: shade{light: 0.45, tilt: 0.16}},
			{x: 0.98, y: 0.6, w: 0.18, h: 0.32, soft: 0.01, is: shade{light: -0.55}},
			{x: 0.98, y: 0.33, w: 0.11, h: 0.06, soft: 0.01, is: shade{light: -0.75}},
		}}},
	{kind: media.OfProduct, of: 1, title: "Grip socks",
		alt: "Two socks with round dots on their soles lie side by side", tags: []string{"shop"},
		scene: scene{wide: 960, high: 640, above: shade{light: 0.9, tilt: 0.05}, below: shade{light: 0.82}, shapes: []shape{
			{x: 0.5, y: 0.5, w: 0.17, h: 0.4, soft: 0.01, is: shade{light: -0.6}},
			{x: 1, y: 0.5, w: 0.17, h: 0.4, soft: 0.01, is: shade{light: 0.2}},
			{x: 0.5, y: 0.32, w: 0.045, h: 0.045, is: shade{light: 0.7}},
			{x: 0.5, y: 0.52, w: 0.045, h: 0.045, is: shade{light: 0.7}},
			{x: 1, y: 0.32, w: 0.045, h: 0.045, is: shade{light: 0.85}},
			{x: 1, y: 0.52, w: 0.045, h: 0.045, is: shade{light: 0.85}},
		}}},
	{kind: media.OfProduct, of: 2, title: "Coconut water",
		alt: "A bright can stands on a dark shelf, half a coconut beside it", tags: []string{"shop"},
		scene: scene{wide: 960, high: 640, above: shade{light: 0.7, tilt: 0.2}, below: shade{light: 0.5}, shapes: []shape{
			{waves: 0.4, x: 0.1, y: 0.84, h: 0.01, is: shade{light: -0.4}},
			{x: 0.62, y: 0.52, w: 0.15, h: 0.34, soft: 0.01, is: shade{light: 0.92}},
			{x: 0.62, y: 0.2, w: 0.12, h: 0.03, is: shade{light: 0.3}},
			{x: 1.02, y: 0.74, w: 0.2, h: 0.14, soft: 0.01, is: shade{light: -0.5, tilt: 0.15}},
			{x: 1.02, y: 0.7, w: 0.16, h: 0.09, soft: 0.01, is: shade{light: 0.97}},
		}}},
}

var northsidePhotos = []photoPlan{
	{kind: media.OfLocation, title: "The main wall", alt: "A tall green wall with round holds in many sizes, under a bright strip of sky", tags: []string{"inside", "wall"},
		scene: scene{wide: 1280, high: 720, above: shade{light: 0.9}, below: shade{light: 0.7}, shapes: []shape{
			{waves: 0.5, x: 0.4, y: 0.12, h: 0.04, is: shade{light: 0.4}},
			{waves: 0.5, x: 0.9, y: 0.45, h: 0.25, is: shade{light: 0.15}},
			{waves: 0.5, x: 0.15, y: 0.9, h: 0.2, is: shade{light: -0.3}},
			{x: 0.25, y: 0.6, w: 0.07, h: 0.05, is: shade{light: 0.5, tilt: 0.9}},
			{x: 0.5, y: 0.36, w: 0.05, h: 0.06, is: shade{light: 0.2, tilt: 0.6}},
			{x: 0.72, y: 0.66, w: 0.09, h: 0.06, is: shade{light: 0.75}},
			{x: 0.95, y: 0.33, w: 0.06, h: 0.05, is: shade{light: 0.45, tilt: 0.75}},
			{x: 1.15, y: 0.58, w: 0.04, h: 0.05, is: shade{light: 0.85, tilt: 0.3}},
			{x: 1.38, y: 0.4, w: 0.08, h: 0.07, is: shade{light: -0.5}},
			{x: 1.6, y: 0.7, w: 0.06, h: 0.05, is: shade{light: 0.3, tilt: 0.9}},
		}}},
	{kind: media.OfOffering, of: 0, title: "First routes", alt: "Green mountain ridges behind each other, the farthest almost white", tags: []string{"outside"},
		scene: scene{wide: 960, high: 640, above: shade{light: 0.95}, below: shade{light: 0.8, tilt: 0.3}, shapes: []shape{
			{x: 1.15, y: 0.22, w: 0.1, h: 0.1, soft: 0.01, is: shade{light: 0.85, tilt: 0.95}},
			{waves: 2.1, x: 0.3, y: 0.4, h: 0.09, is: shade{light: 0.7}},
			{waves: 1.6, x: 0.8, y: 0.55, h: 0.11, is: shade{light: 0.4}},
			{waves: 1.2, x: 0.1, y: 0.72, h: 0.1, is: shade{light: 0.1}},
			{waves: 0.8, x: 0.5, y: 0.92, h: 0.08, is: shade{light: -0.5}},
		}}},
	{kind: media.OfOffering, of: 1, title: "In the cave", alt: "Three great round boulders lie on each other in a dim cave", tags: []string{"inside", "boulder"},
		scene: scene{wide: 960, high: 640, above: shade{light: -0.7}, below: shade{light: -0.35}, shapes: []shape{
			{x: 0.75, y: 0.4, w: 0.7, h: 0.5, soft: 0.3, is: shade{light: -0.2}},
			{x: 0.8, y: 0.4, w: 0.3, h: 0.24, soft: 0.01, is: shade{light: 0.45}},
			{x: 0.42, y: 0.74, w: 0.4, h: 0.28, soft: 0.01, is: shade{light: 0.1}},
			{x: 1.12, y: 0.78, w: 0.38, h: 0.3, soft: 0.01, is: shade{light: 0.25, tilt: 0.15}},
			{waves: 0.7, x: 0.2, y: 0.96, h: 0.02, is: shade{light: -0.8}},
		}}},
	{kind: media.OfMember, of: 0, title: "Dan Frost", alt: "Dan Frost, drawn in plain shapes, with light hair and a dark green shirt", tags: []string{"team"},
		scene: portrait(shade{light: 0.75, tilt: 0.85}, shade{light: 0.5, tilt: 0.7}, shade{light: -0.45})},
	{kind: media.OfProduct, of: 0, title: "Chalk bag",
		alt: "A round bag with a bright rim and a belt, white with chalk inside", tags: []string{"shop"},
		scene: scene{wide: 960, high: 640, above: shade{light: 0.88}, below: shade{light: 0.75, tilt: 0.2}, shapes: []shape{
			{waves: 0.3, x: 0.2, y: 0.38, h: 0.01, is: shade{light: 0.6, tilt: 0.3}},
			{x: 0.75, y: 0.58, w: 0.28, h: 0.34, soft: 0.01, is: shade{light: 0.15}},
			{x: 0.75, y: 0.3, w: 0.26, h: 0.08, soft: 0.01, is: shade{light: 0.55, tilt: 0.8}},
			{x: 0.75, y: 0.3, w: 0.2, h: 0.05, soft: 0.02, is: shade{light: 0.97}},
		}}},
	{kind: media.OfProduct, of: 1, title: "Loose chalk",
		alt: "A white heap of chalk on a green table", tags: []string{"shop"},
		scene: scene{wide: 960, high: 640, above: shade{light: 0.8, tilt: 0.4}, below: shade{light: 0.3}, shapes: []shape{
			{x: 0.75, y: 0.78, w: 0.48, h: 0.12, soft: 0.04, is: shade{light: 0.93}},
			{x: 0.75, y: 0.68, w: 0.3, h: 0.16, soft: 0.04, is: shade{light: 0.96}},
			{x: 0.72, y: 0.56, w: 0.13, h: 0.12, soft: 0.04, is: shade{light: 0.99}},
		}}},
	{kind: media.OfProduct, of: 2, title: "Climbing shoes",
		alt: "Two narrow shoes stand toe to toe on a bright floor", tags: []string{"shop"},
		scene: scene{wide: 960, high: 640, above: shade{light: 0.95}, below: shade{light: 0.85, tilt: 0.3}, shapes: []shape{
			{x: 0.46, y: 0.66, w: 0.26, h: 0.13, soft: 0.01, is: shade{light: -0.4}},
			{x: 0.3, y: 0.54, w: 0.11, h: 0.2, soft: 0.01, is: shade{light: 0.1}},
			{x: 1.04, y: 0.66, w: 0.26, h: 0.13, soft: 0.01, is: shade{light: -0.4}},
			{x: 1.2, y: 0.54, w: 0.11, h: 0.2, soft: 0.01, is: shade{light: 0.45, tilt: 0.8}},
		}}},
}
