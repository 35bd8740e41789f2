// Package cardnumber finds payment card numbers in JSON, so that they can be
// refused before anything keeps or logs them: nothing here may ever hold one.
//
// A card number is 13 to 19 digits, written together or in groups with single
// spaces or hyphens between them, that begin as the numbers of a card network do
// (ISO/IEC 7812-1) and end with the right check digit (its Annex B, the Luhn
// formula). It is found in texts, among other words too, in numbers and in the
// names of members.
package cardnumber
