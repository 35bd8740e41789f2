// Package photo reads off a product's picture what a picture can show: the colours
// of what stands on it. Nothing else: neither pattern nor shape, which take a
// model, and never a claim, a measure or a certificate.
//
// A picture is decoded here, on this machine, from JPEG, PNG or WebP. Its
// background is what its border is made of, where that is all of one colour; what
// differs from it is the thing itself, and each of its pixels is given one of a
// few names by its lightness, chroma and hue in the OKLab space. A name stands for
// what most people would say from across a room, so that a picture says "brown"
// where a merchant records "chestnut".
package photo
