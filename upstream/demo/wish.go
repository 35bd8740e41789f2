package demo

import "github.com/storeware/caddy-storeware/upstream"

// wish is the whole of what a basket shall be, as the shop's API takes it.
type wish struct {
	Lines    []wishLine `json:"lines"`
	Codes    []string   `json:"codes,omitempty"`
	Buyer    wishBuyer  `json:"buyer"`
	Address  *address   `json:"address,omitempty"`
	Billing  *address   `json:"billing,omitempty"`
	Delivery string     `json:"delivery,omitempty"`
	Country  string     `json:"country,omitempty"`
	Agent    string     `json:"agent,omitempty"`
}

type wishLine struct {
	Key      string `json:"key"`
	Item     string `json:"item"`
	Quantity int64  `json:"quantity"`
}

type wishBuyer struct {
	Email     string `json:"email,omitempty"`
	FirstName string `json:"first_name,omitempty"`
	LastName  string `json:"last_name,omitempty"`
	Phone     string `json:"phone,omitempty"`
}

type address struct {
	FirstName  string `json:"first_name,omitempty"`
	LastName   string `json:"last_name,omitempty"`
	Company    string `json:"company,omitempty"`
	Street     string `json:"street,omitempty"`
	Extended   string `json:"extended,omitempty"`
	City       string `json:"city,omitempty"`
	Region     string `json:"region,omitempty"`
	PostalCode string `json:"postal_code,omitempty"`
	Country    string `json:"country,omitempty"`
	Phone      string `json:"phone,omitempty"`
}

func wishOf(v upstream.Visit, d upstream.Desired) wish {
	w := wish{
		Lines: make([]wishLine, len(d.Lines)), Codes: d.Codes, Buyer: wishBuyer(d.Buyer),
		Address: (*address)(d.Address), Billing: (*address)(d.Billing), Delivery: d.Delivery,
		Country: v.Market.Country, Agent: v.Agent,
	}
	for i, line := range d.Lines {
		w.Lines[i] = wishLine(line)
	}
	return w
}

// order is what turns a basket into an order, as the shop's API takes it.
type order struct {
	Attempt    string `json:"attempt"`
	Method     string `json:"method"`
	Credential string `json:"credential,omitempty"`
	Total      int64  `json:"total"`
	Currency   string `json:"currency"`
	Agent      string `json:"agent,omitempty"`
}

func placement(v upstream.Visit, p upstream.Placement) order {
	return order{
		Attempt: p.Attempt, Method: p.Method, Credential: p.Credential.Reveal(),
		Total: p.Expected.Minor, Currency: string(p.Expected.Currency), Agent: v.Agent,
	}
}

// withdrawal withdraws an attempt.
type withdrawal struct {
	Attempt string `json:"attempt"`
}
