// Package picture draws the products of the demo shop: flat shapes in the colour
// of what is sold, as PNG, so that nothing has to be loaded from elsewhere and
// what looks at photographs has some to look at.
package picture
