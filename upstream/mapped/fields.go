package mapped

// Product says where things stand in a product. ID and Title must be mapped, and
// a variant's price.
type Product struct {
	ID          Value `json:"id,omitzero"`
	Handle      Value `json:"handle,omitzero"`
	Title       Value `json:"title,omitzero"`
	Description Value `json:"description,omitzero"`
	// URL is the product's page.
	URL   Value `json:"url,omitzero"`
	Brand Value `json:"brand,omitzero"`
	// Categories is a list, each from the widest to the narrowest: "Women/Jackets".
	Categories Value `json:"categories,omitzero"`
	Tags       Value `json:"tags,omitzero"`
	// Images is a list of addresses, the main one first.
	Images Value `json:"images,omitzero"`
	// Rating is the mean, RatingScale the best there is (5 if not mapped) and
	// RatingCount how many gave one.
	Rating      Value `json:"rating,omitzero"`
	RatingScale Value `json:"rating_scale,omitzero"`
	RatingCount Value `json:"rating_count,omitzero"`
	Updated     Value `json:"updated,omitzero"`
	// Attributes are recorded facts.
	Attributes []Pairs `json:"attributes,omitempty"`
	// Variants is where the variants stand; where there are none, the product is
	// its own.
	Variants Variants `json:"variants,omitzero"`
}

// Variants says where things stand in each variant. A path that begins with ^ is
// read from the product.
type Variants struct {
	At Value `json:"in,omitzero"`
	// ID is what a basket's line names. SKU is.
	ID      Value `json:"id,omitzero"`
	SKU     Value `json:"sku,omitzero"`
	Barcode Value `json:"barcode,omitzero"`
	Title   Value `json:"title,omitzero"`
	URL     Value `json:"url,omitzero"`
	// Currency is that of the prices; the mapping's first one if not mapped.
	Currency Value `json:"currency,omitzero"`
	Price    Value `json:"price,omitzero"`
	// ListPrice is what it cost before a sale.
	ListPrice Value `json:"list_price,omitzero"`
	// Availability is, after a table if need be, one of in_stock, low_stock,
	// out_of_stock, backorder, preorder, discontinued, true and false.
	Availability Value `json:"availability,omitzero"`
	// Stock is how many there are.
	Stock  Value `json:"stock,omitzero"`
	Images Value `json:"images,omitzero"`
	// Choices are the options that make the variant.
	Choices []Pairs `json:"choices,omitempty"`
	// Attributes are facts of this variant alone.
	Attributes []Pairs `json:"attributes,omitempty"`
}

// Pairs are names with values: a list of things that have both.
type Pairs struct {
	// In is where the list stands; without it there is one pair.
	In    Value `json:"in,omitzero"`
	Name  Value `json:"name,omitzero"`
	Value Value `json:"value,omitzero"`
}

// Creation begins a basket.
type Creation struct {
	Request
	// Basket is the new basket's id.
	Basket Value `json:"basket,omitzero"`
}

// Basket reads a basket.
type Basket struct {
	Request
	// In is where the basket stands; an answer with nothing there says that the
	// shop has dropped it.
	In       Value `json:"in,omitzero"`
	Currency Value `json:"currency,omitzero"`
	Total    Value `json:"total,omitzero"`
	// TaxTotal is the tax in Total.
	TaxTotal Value `json:"tax_total,omitzero"`
	// DeliveryFee is what delivery costs, after its own discounts.
	DeliveryFee Value `json:"delivery_fee,omitzero"`
	// Discount is all that was taken off the goods. Without it, it is what the
	// lines say.
	Discount Value `json:"discount,omitzero"`
	// Codes are the discount codes in force.
	Codes Value `json:"codes,omitzero"`
	// Chosen is the id of the way of delivery in force.
	Chosen Value `json:"chosen,omitzero"`
	// NoDelivery is true when nothing in the basket has to be sent.
	NoDelivery Value     `json:"no_delivery,omitzero"`
	Lines      Lines     `json:"lines,omitzero"`
	Discounts  Discounts `json:"discounts,omitzero"`
	Fees       []Pairs   `json:"fees,omitempty"`
	// Ordered is the order that the basket has become.
	Ordered Placed `json:"ordered,omitzero"`
}

// Lines says where things stand in each line of a basket or an order.
type Lines struct {
	In Value `json:"in,omitzero"`
	// ID is the shop's name for the line.
	ID Value `json:"id,omitzero"`
	// Item is the variant's id, Product its product's.
	Item     Value `json:"item,omitzero"`
	Product  Value `json:"product,omitzero"`
	Title    Value `json:"title,omitzero"`
	Quantity Value `json:"quantity,omitzero"`
	// Fulfilled and Returned are how many of it were sent and came back.
	Fulfilled Value `json:"fulfilled,omitzero"`
	Returned  Value `json:"returned,omitzero"`
	// Unit is what one costs, Subtotal what all cost before discounts and Total
	// what they cost after. One of Unit and Subtotal must be mapped.
	Unit     Value   `json:"unit,omitzero"`
	Subtotal Value   `json:"subtotal,omitzero"`
	Total    Value   `json:"total,omitzero"`
	Image    Value   `json:"image,omitzero"`
	URL      Value   `json:"url,omitzero"`
	Choices  []Pairs `json:"choices,omitempty"`
}

// Discounts says where things stand in each discount.
type Discounts struct {
	In     Value `json:"in,omitzero"`
	Code   Value `json:"code,omitzero"`
	Title  Value `json:"title,omitzero"`
	Amount Value `json:"amount,omitzero"`
	// OnDelivery is true for one that makes the delivery cheaper.
	OnDelivery Value `json:"on_delivery,omitzero"`
}

// Delivery reads the ways of delivery. Without a request they stand in the
// basket's answer.
type Delivery struct {
	Request
	In          Value `json:"in,omitzero"`
	ID          Value `json:"id,omitzero"`
	Title       Value `json:"title,omitzero"`
	Description Value `json:"description,omitzero"`
	Carrier     Value `json:"carrier,omitzero"`
	Price       Value `json:"price,omitzero"`
	Earliest    Value `json:"earliest,omitzero"`
	Latest      Value `json:"latest,omitzero"`
}

// Placed says where things stand in an order that was just made.
type Placed struct {
	In Value `json:"in,omitzero"`
	// ID is the order's number, as a buyer may read it, and Key what the shop
	// wants to know besides to show it.
	ID    Value `json:"id,omitzero"`
	Key   Value `json:"key,omitzero"`
	Total Value `json:"total,omitzero"`
	// Currency is the mapping's first one if it is not mapped.
	Currency Value `json:"currency,omitzero"`
	URL      Value `json:"url,omitzero"`
}

// Placing orders a basket.
type Placing struct {
	Request
	Placed
}

// Recovery finds the order of a basket among one or more.
type Recovery struct {
	Request
	Placed
	// Attempt holds the name of the attempt that made an order, and Basket the id
	// of its basket. An order counts if those that are mapped agree.
	Attempt Value `json:"attempt,omitzero"`
	Basket  Value `json:"basket,omitzero"`
}

// Order reads an order.
type Order struct {
	Request
	Placed
	PlacedAt Value `json:"placed_at,omitzero"`
	Status   Value `json:"status,omitzero"`
	// Canceled is true when the shop will not send what is left.
	Canceled Value `json:"canceled,omitzero"`
	// DeliveryTitle is how the goods travel, DeliveryFee what that costs.
	DeliveryTitle Value   `json:"delivery_title,omitzero"`
	DeliveryFee   Value   `json:"delivery_fee,omitzero"`
	TaxTotal      Value   `json:"tax_total,omitzero"`
	Discount      Value   `json:"discount,omitzero"`
	Fees          []Pairs `json:"fees,omitempty"`
	Lines         Lines   `json:"lines,omitzero"`
	Address       Address `json:"address,omitzero"`
	// Events happened to the goods, Adjustments to the money.
	Events      []Happening `json:"events,omitempty"`
	Adjustments []Happening `json:"adjustments,omitempty"`
}

// Address says where things stand in an address.
type Address struct {
	In         Value `json:"in,omitzero"`
	FirstName  Value `json:"first_name,omitzero"`
	LastName   Value `json:"last_name,omitzero"`
	Company    Value `json:"company,omitzero"`
	Street     Value `json:"street,omitzero"`
	Extended   Value `json:"extended,omitzero"`
	City       Value `json:"city,omitzero"`
	Region     Value `json:"region,omitzero"`
	PostalCode Value `json:"postal_code,omitzero"`
	Country    Value `json:"country,omitzero"`
	Phone      Value `json:"phone,omitzero"`
}

// Happening says where things stand in something that happened to an order. One
// whose Type or mapped time comes to nothing has not happened.
type Happening struct {
	In   Value `json:"in,omitzero"`
	ID   Value `json:"id,omitzero"`
	Type Value `json:"type,omitzero"`
	When Value `json:"when,omitzero"`
	Text Value `json:"text,omitzero"`
	// Carrier, Tracking and TrackingURL are for events; Amount and Status for
	// adjustments, whose amount is taken to go back to the buyer.
	Carrier     Value `json:"carrier,omitzero"`
	Tracking    Value `json:"tracking,omitzero"`
	TrackingURL Value `json:"tracking_url,omitzero"`
	Amount      Value `json:"amount,omitzero"`
	Status      Value `json:"status,omitzero"`
	// Lines are what it happened to: ids of lines and quantities.
	Lines Pairs `json:"lines,omitzero"`
}
