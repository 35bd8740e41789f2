package language

// Role is what a word can do in a question. Most words can do several things
// ("max" stands before and after an amount), so roles are bits of a set, and the
// grammar decides by what stands around.
type Role uint64

// The roles.
const (
	// Max and Min stand before an amount: "under", "at least". MaxAfter and
	// MinAfter stand behind it: "or less", "以上".
	Max Role = 1 << iota
	MaxAfter
	Min
	MinAfter
	// Around and AroundAfter make an amount an approximate one.
	Around
	AroundAfter
	// Between opens a range, From too where a second amount follows To.
	Between
	From
	To
	// Price says that money is talked about: "priced", "costs". Budget says so
	// and makes a bare amount the upper bound.
	Price
	Budget
	// Filler may stand between such a word and its amount: "max price of about".
	Filler
	// NotMoney behind an amount makes it no price: "$20 gift card", "5 dollar bill".
	NotMoney
	// Weighing makes pounds a weight.
	Weighing
	// Review is what counts of reviews and stars are of.
	Review
	// Person is people and ages: behind "over 50" or before it, it is an age.
	Person

	// Not denies what follows, NotAfter what precedes: "without", "なし". Deny
	// is a verb that does: "don't". Allow looks like a denial and is none: "not only".
	Not
	NotAfter
	Deny
	Allow
	// But ends a denial: "not for hair but for skis".
	But
	// Or joins alternatives, And joins things or properties.
	Or
	And
	// Ordinal opens one of several things: "first", "lastly".
	Ordinal
	// Each says that there are several: "each under 50".
	Each

	// Article stands before a thing of its own: "a", "some", "two".
	Article
	// With opens a clause about a property, For one about a purpose. Purpose
	// closes one, where it stands behind: "用".
	With
	For
	Purpose
	// Preposition ends a noun phrase otherwise.
	Preposition
	// Container stands before "of" and what is wanted: "a pair of". Vague is a
	// noun that names little without the word before it: "case", "set".
	Container
	Vague
	// Garment is a material that names a thing too: "jeans".
	Garment
	// Paired is a noun that is used in the plural for one thing: "gloves".
	Paired
	// Size stands before a size.
	Size
	// Stock wishes for what can be had now.
	Stock
	// Soft is a wish that no filter can hold: "cheap", "on sale".
	Soft
	// Noise says nothing about what is wanted: "I am looking for".
	Noise
	// Shade varies a colour: "dark".
	Shade
	// Device is what accessories are made for, Model tells its models apart, and
	// Accessory is what is made for one: "case", "charger".
	Device
	Model
	Accessory
	// Thousand multiplies the number before it by 1,000, Myriad by 10,000.
	Thousand
	Myriad
)

// Has reports whether r holds any of the roles.
func (r Role) Has(roles Role) bool { return r&roles != 0 }
