package upstream

// Notice is something a shop did otherwise than desired, or wants decided.
type Notice struct {
	Code NoticeCode
	// Line is the key of the line it is about, if it is about one.
	Line string
	// Discount is the discount code it is about, if it is about one.
	Discount string
	// Text says it to a buyer, in plain words of the adapter, without figures
	// that the fields hold.
	Text string
	// Options are what is left to choose, for NoticeOptionNeeded, with the
	// variants that each full choice leads to.
	Options  []Option
	Variants []Variant
	// Available is how many there are, for NoticeQuantityLowered, where known.
	Available *int64
}

// NoticeCode says what a notice is about.
type NoticeCode string

// The notices.
const (
	// NoticeNotFound: no such product or variant; the line is not in the basket.
	NoticeNotFound NoticeCode = "not_found"
	// NoticeOptionNeeded: the line names a product with several variants; it is
	// not in the basket.
	NoticeOptionNeeded NoticeCode = "option_needed"
	// NoticeOutOfStock: there is none; the line is not in the basket.
	NoticeOutOfStock NoticeCode = "out_of_stock"
	// NoticeQuantityLowered: there are fewer; the line holds what there is.
	NoticeQuantityLowered NoticeCode = "quantity_lowered"
	// NoticeNotBuyable: the shop does not sell this one, for another reason.
	NoticeNotBuyable NoticeCode = "not_buyable"
	// NoticeDiscountUnknown: no such code.
	NoticeDiscountUnknown NoticeCode = "discount_unknown"
	// NoticeDiscountExpired: the code was valid once, or is used up.
	NoticeDiscountExpired NoticeCode = "discount_expired"
	// NoticeDiscountNotMet: the basket does not fulfil the code's conditions.
	NoticeDiscountNotMet NoticeCode = "discount_not_met"
	// NoticeDiscountNotCombinable: the code does not go with another one.
	NoticeDiscountNotCombinable NoticeCode = "discount_not_combinable"
	// NoticeAddressRefused: the shop does not take the address as it stands.
	NoticeAddressRefused NoticeCode = "address_refused"
	// NoticeNoDelivery: the shop does not deliver there.
	NoticeNoDelivery NoticeCode = "no_delivery"
	// NoticeDeliveryUnknown: the chosen way of delivery is not on offer.
	NoticeDeliveryUnknown NoticeCode = "delivery_unknown"
	// NoticeBuyerRefused: the shop does not take the buyer's data as it stands.
	NoticeBuyerRefused NoticeCode = "buyer_refused"
	// NoticeBasketRenewed: the shop had dropped the basket; this is a new one
	// with the same content.
	NoticeBasketRenewed NoticeCode = "basket_renewed"
)
