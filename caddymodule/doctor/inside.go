package doctor

// Inside is what a Caddy says of itself. It is what the admin API answers at
// /storeware/doctor.
type Inside struct {
	// State is the module that keeps the state, with what is wrong with it.
	State struct {
		Module string `json:"module"`
		Error  string `json:"error,omitempty"`
	} `json:"state"`
	Shops []InsideShop `json:"shops"`
}

// InsideShop is what a Caddy knows of a shop.
type InsideShop struct {
	Name string `json:"name"`
	// System is the shop's system, such as vendure.
	System string `json:"system"`
	// Title is what the shop calls itself, empty as long as it has not.
	Title string `json:"title,omitempty"`
	// Error is what came of asking the shop just now, and Code is its code as
	// package upstream has it, such as denied. Both are empty if it answered.
	Error string `json:"error,omitempty"`
	Code  string `json:"code,omitempty"`
	// Doubts are what of the configuration does not fit the shop, or may have been
	// forgotten: a sentence each.
	Doubts []string `json:"doubts,omitempty"`
	// OrdersError is what came of asking the shop for an order that nobody has
	// placed, and OrdersCode is its code: not_found if all is well. Both are empty
	// if the shop shows no orders, or did not answer before.
	OrdersError string `json:"orders_error,omitempty"`
	OrdersCode  string `json:"orders_code,omitempty"`
	// Keys are the kids of the signing keys that are published, and KeysError is
	// what is wrong with where they are stored.
	Keys      []string `json:"keys"`
	KeysError string   `json:"keys_error,omitempty"`
	// Agents counts those that may call, and AgentsError says why they could not
	// be counted.
	Agents      int    `json:"agents"`
	AgentsError string `json:"agents_error,omitempty"`
	// Contact is what agents without a key are told.
	Contact string `json:"contact,omitempty"`
	// Pages are the pages that agents are told of.
	Pages []InsidePage `json:"pages"`
}

// InsidePage is a page of a shop.
type InsidePage struct {
	// Type is a well-known link type of UCP, such as refund_policy.
	Type string `json:"type"`
	// URL is absolute, or a path on the shop's site.
	URL string `json:"url"`
}

// shop returns what is known of a shop, nil if nothing is.
func (i *Inside) shop(name string) *InsideShop {
	if i == nil {
		return nil
	}
	for n := range i.Shops {
		if i.Shops[n].Name == name {
			return &i.Shops[n]
		}
	}
	return nil
}
