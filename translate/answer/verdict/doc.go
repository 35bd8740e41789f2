// Package verdict says of a product, for each thing that was asked for, whether it
// is so, on what evidence, and where nobody knows.
//
// # Evidence
//
// Prices and stock are those that the product was read with, just now. All else is
// what the merchant has recorded: options and attributes, of the variant before
// those of the product; tags; and statements in the merchant's own title and
// description, read with their negations. "Water-resistant" is no statement about
// waterproof, and neither is silence. Colours that a photograph shows come last,
// and for nothing but colours.
//
// A record that is more specific than the wish meets it: navy is blue. One that is
// less specific does not, and does not fail it either: the verdict is not_assessed
// and carries what was found, so that the buyer can be asked.
//
// # Variants
//
// What is asked for has to be true of one thing that can be bought: a boot that
// comes in brown, and in size 9, and for less than £100 is no answer if those are
// three boots. Every verdict of a product is about the one variant that meets most.
//
// The names are those of the answers page: https://storeware.ai/docs/agents/answers.
package verdict
