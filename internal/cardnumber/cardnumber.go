package cardnumber

import "strings"

// In reports whether a text holds a card number. Digits that stand right beside a
// letter or an underscore are a part of some other name.
func In(text string) bool { return find(text, func([]byte) bool { return true }) }

// InID is In for the id of a thing that a shop sells. Shops count their things
// with numbers of up to 14 digits, and some of these look like a card of Diners
// Club or an old one of Visa.
func InID(id string) bool { return find(id, func(digits []byte) bool { return len(digits) > 14 }) }

// InPhone is In for a telephone number: up to 15 digits behind a plus sign are one
// (ITU-T E.164).
func InPhone(number string) bool {
	plus := strings.HasPrefix(strings.TrimSpace(number), "+")
	return find(number, func(digits []byte) bool { return !plus || len(digits) > 15 })
}

// most is how many digits a card number has at most.
const most = 19

// find reports whether a text holds a card number that counts: any digits that
// stand together, or any groups of them one after the other.
func find(text string, counts func(digits []byte) bool) bool {
	for at := 0; at < len(text); at++ {
		begins := isDigit(text[at]) && (at == 0 || !isDigit(text[at-1]) && !isName(text[at-1]))
		if begins && begin(text[at:], counts) {
			return true
		}
	}
	return false
}

// begin reports whether a text begins with a card number that counts.
func begin(text string, counts func(digits []byte) bool) bool {
	var digits []byte
	for i := 0; i < len(text) && len(digits) < most; i++ {
		if !isDigit(text[i]) {
			separates := text[i] == ' ' || text[i] == '-'
			if !separates || i+1 == len(text) || !isDigit(text[i+1]) {
				return false
			}
			continue
		}
		digits = append(digits, text[i]-'0')
		ends := i+1 == len(text) || !isDigit(text[i+1]) && !isName(text[i+1])
		if ends && isCard(digits) && counts(digits) {
			return true
		}
	}
	return false
}

// networks are how the numbers of card networks begin, as four digits from and to,
// and how many digits they have.
var networks = []struct{ from, to, least, most int }{
	{4000, 4999, 13, 19}, // Visa
	{5100, 5599, 16, 16}, // Mastercard
	{2221, 2720, 16, 16},
	{3400, 3499, 15, 15}, // American Express
	{3700, 3799, 15, 15},
	{3000, 3059, 14, 19}, // Diners Club
	{3095, 3095, 14, 19},
	{3600, 3699, 14, 19},
	{3800, 3999, 14, 19},
	{3528, 3589, 16, 19}, // JCB
	{6000, 6999, 13, 19}, // Discover, UnionPay, RuPay, Maestro
	{5000, 5099, 13, 19}, // Maestro, Elo
	{5600, 5899, 13, 19},
	{2200, 2204, 16, 19}, // Mir
	{8100, 8299, 16, 19}, // UnionPay, RuPay
	{9792, 9792, 16, 16}, // Troy
}

func isCard(digits []byte) bool {
	if len(digits) < 13 {
		return false
	}
	prefix := 0
	for _, d := range digits[:4] {
		prefix = 10*prefix + int(d)
	}
	for _, n := range networks {
		if n.from <= prefix && prefix <= n.to && n.least <= len(digits) && len(digits) <= n.most {
			return luhn(digits)
		}
	}
	return false
}

// luhn reports whether the last digit is the check digit of the others.
func luhn(digits []byte) bool {
	sum := 0
	for i, d := range digits {
		n := int(d)
		if (len(digits)-i)%2 == 0 {
			if n *= 2; n > 9 {
				n -= 9
			}
		}
		sum += n
	}
	return sum%10 == 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isName reports whether a byte is one of a name's: a letter of any script, or an
// underscore.
func isName(c byte) bool {
	return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80
}
