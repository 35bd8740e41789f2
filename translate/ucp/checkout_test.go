package ucp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/spectest"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

func pounds(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: "GBP"} }

// everything is what a platform that speaks it all negotiates for a checkout.
func everything(op Operation) Active {
	var a Active
	for _, name := range []Capability{op.Root(), CapabilityFulfillment, CapabilityDiscount} {
		if name != CapabilityFulfillment || op.Root() == CapabilityCheckout {
			a = append(a, Selected{name, Release})
		}
	}
	return a
}

// boots is a basket that lacks nothing.
func boots() *basket.Basket {
	return &basket.Basket{
		ID: "bsk_boots", State: basket.Open, CanPlace: true,
		Methods: []upstream.PaymentMethod{{ID: "card", Title: "Card"}},
		Wanted: basket.Wanted{
			Lines:        []basket.Line{{ID: "li_1", Item: "boot-9", Quantity: 1}, {ID: "li_2", Item: "sock", Quantity: 2}},
			Codes:        []string{"WELCOME10"},
			Buyer:        upstream.Buyer{Email: "ada@example.com", FirstName: "Ada"},
			Destinations: []basket.Destination{{ID: "dest_1", Address: upstream.Address{Street: "12 Stricklandgate", City: "Kendal", Country: "GB"}}},
			Destination:  "dest_1", Delivery: "post",
			Notes: map[string]json.RawMessage{noteName: json.RawMessage(`{"context":{"address_country":"GB"},"attribution":{"campaign":"x"}}`)},
		},
		Observed: upstream.Observed{
			Currency: "GBP", Tax: upstream.TaxIncluded, TaxTotal: &money.Amount{Minor: 2100, Currency: "GBP"},
			Lines: []upstream.Line{
				{Key: "li_2", Item: "sock", Title: "Sock", Quantity: 2, Unit: pounds(999), Subtotal: pounds(1998), Total: pounds(1798)},
				{Key: "li_1", Item: "boot-9", Title: "Boot", Choices: []upstream.Choice{{Name: "Size", Value: "9"}}, Quantity: 1, Unit: pounds(12000), Subtotal: pounds(12000), Total: pounds(10800), Image: "https://shop.example/boot.png"},
			},
			Totals: []upstream.Total{
				{Kind: upstream.TotalSubtotal, Amount: pounds(13998)},
				{Kind: upstream.TotalItemsDiscount, Label: "10% off", Amount: pounds(-1400)},
				{Kind: upstream.TotalFulfillment, Label: "Post", Amount: pounds(495)},
				{Kind: upstream.TotalDiscount, Amount: pounds(0)},
			},
			Total: pounds(13093),
			Discounts: []upstream.Discount{{
				Code: "WELCOME10", Title: "10% off", Amount: pounds(1400),
				Lines: map[string]money.Amount{"li_1": pounds(1200), "li_2": pounds(200)},
			}},
			Delivery: []upstream.DeliveryOption{
				{ID: "post", Title: "Post", Description: "3 to 5 days", Price: pounds(495)},
				{ID: "express", Title: "Express", Carrier: "Hare", Price: pounds(995), Latest: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)},
			},
			Chosen: "post",
		},
		HandOff: "https://shop.example/basket/1",
		Expires: time.Date(2026, 11, 30, 18, 0, 0, 0, time.UTC),
	}
}

// baskets answers every operation with one basket, order or error, and keeps
// what it was asked for.
type baskets struct {
	basket  *basket.Basket
	order   *basket.PlacedOrder
	err     error
	wanted  basket.Wanted
	payment basket.Payment
	calls   []string
	// once is the error of the next call alone.
	once error
}

func (f *baskets) answer(call string) (*basket.Basket, error) {
	f.calls = append(f.calls, call)
	if err := f.once; err != nil {
		f.once = nil
		return nil, err
	}
	return f.basket, f.err
}

func (f *baskets) Create(_ context.Context, _ basket.Owner, _ upstream.Visit, w basket.Wanted) (*basket.Basket, error) {
	f.wanted = w
	return f.answer("create")
}

func (f *baskets) Get(context.Context, basket.Owner, upstream.Visit, string) (*basket.Basket, error) {
	return f.answer("get")
}

func (f *baskets) Replace(_ context.Context, _ basket.Owner, _ upstream.Visit, _ string, w basket.Wanted) (*basket.Basket, error) {
	f.wanted = w
	return f.answer("replace")
}

func (f *baskets) Cancel(context.Context, basket.Owner, upstream.Visit, string) (*basket.Basket, error) {
	return f.answer("cancel")
}

func (f *baskets) Complete(_ context.Context, _ basket.Owner, _ upstream.Visit, _ string, p basket.Payment) (*basket.Basket, error) {
	f.payment = p
	return f.answer("complete")
}

func (f *baskets) Order(context.Context, basket.Owner, upstream.Visit, string) (*basket.PlacedOrder, error) {
	f.calls = append(f.calls, "order")
	return f.order, f.err
}

func newServer(f *baskets) *Server {
	return &Server{
		Baskets: f, Storefront: "https://shop.example/", Handlers: Handlers{UpstreamHandler{}},
		Links: []upstream.Link{{Type: "refund_policy", URL: "https://shop.example/returns"}},
	}
}

// do runs an operation and validates its answer.
func do(t *testing.T, s *Server, op Operation, payload string, active Active) (*Reply, gjson.Result) {
	t.Helper()
	reply, err := s.Do(t.Context(), &Call{
		Op: op, ID: "bsk_boots", Payload: []byte(payload), Active: active,
		Negotiated: append(slices.Clone(active), Selected{CapabilityCart, Release}),
	})
	if err != nil {
		t.Fatalf("%s: %v", op, err)
	}
	if err := spectest.Open(t, Release).Response(string(op), nil, reply.Status, reply.Body); err != nil {
		t.Errorf("%s does not follow the schema: %v\n%s", op, err, reply.Body)
	}
	if err := spectest.Totals(reply.Body); err != nil {
		t.Errorf("%s: totals: %v", op, err)
	}
	return reply, gjson.ParseBytes(reply.Body)
}

func TestCheckoutReady(t *testing.T) {
	reply, got := do(t, newServer(&baskets{basket: boots()}), GetCheckout, "", everything(GetCheckout))
	if reply.Status != http.StatusOK || reply.Outcome != "ok" || reply.Failed {
		t.Errorf("reply %d %q failed %v", reply.Status, reply.Outcome, reply.Failed)
	}
	for path, want := range map[string]string{
		"status":                                            "ready_for_complete",
		"line_items.0.id":                                   "li_1",
		"line_items.0.item.title":                           "Boot (9)",
		"line_items.0.totals.1.amount":                      "-1200",
		"totals.#(type==total).amount":                      "13093",
		"totals.#":                                          "4",
		"context.address_country":                           "GB",
		"attribution.campaign":                              "x",
		"fulfillment.methods.0.selected_destination_id":     "dest_1",
		"fulfillment.methods.0.groups.0.selected_option_id": "post",
		"fulfillment.methods.0.groups.0.options.0.description.plain":       "3 to 5 days",
		"fulfillment.methods.0.groups.0.options.1.latest_fulfillment_time": "2026-12-01T00:00:00Z",
		"discounts.applied.0.allocations.0.path":                           "$.line_items[0]",
		"discounts.applied.0.allocations.1.amount":                         "200",
		"ucp.payment_handlers.ai\\.storeware\\.payments\\.upstream.0.id":   "upstream:card",
		"continue_url":       "https://shop.example/basket/1",
		"expires_at":         "2026-11-30T18:00:00Z",
		"links.0.type":       "refund_policy",
		"messages.0.code":    "tax_included",
		"messages.0.content": "The total includes £21.00 of tax.",
	} {
		if v := got.Get(path).String(); v != want {
			t.Errorf("%s = %q, want %q", path, v, want)
		}
	}
}

func TestStatus(t *testing.T) {
	withDelivery := everything(GetCheckout)
	without := Active{{CapabilityCheckout, Release}}
	missing := basket.Issue{Code: basket.Missing, Field: basket.FieldDestination, Text: "An address is needed."}
	for name, test := range map[string]struct {
		state    basket.State
		blockers []basket.Issue
		warnings []basket.Issue
		active   Active
		want     Status
	}{
		"nothing in the way":              {basket.Open, nil, nil, withDelivery, ReadyForComplete},
		"a warning":                       {basket.Open, nil, []basket.Issue{{Code: basket.CodeUnknown, Field: basket.FieldCode, Text: "?"}}, withDelivery, ReadyForComplete},
		"the agent can mend it":           {basket.Open, []basket.Issue{missing}, nil, withDelivery, Incomplete},
		"the agent cannot say it":         {basket.Open, []basket.Issue{missing}, nil, without, RequiresEscalation},
		"only the buyer":                  {basket.Open, []basket.Issue{{Code: basket.HandOff, ByBuyer: true, Text: "!"}}, nil, withDelivery, RequiresEscalation},
		"first the agent, then the buyer": {basket.Open, []basket.Issue{{Code: basket.HandOff, ByBuyer: true, Text: "!"}, missing}, nil, withDelivery, Incomplete},
		"nobody can mend it":              {basket.Open, []basket.Issue{{Code: basket.NotOrderable, Text: "!"}}, nil, withDelivery, Incomplete},
		"one the buyer, one nobody":       {basket.Open, []basket.Issue{missing, {Code: basket.NotOrderable, Text: "!"}}, nil, without, RequiresEscalation},
		"one nobody, one the buyer":       {basket.Open, []basket.Issue{{Code: basket.NotOrderable, Text: "!"}, missing}, nil, without, RequiresEscalation},
		"sent to the shop":                {basket.Completing, nil, nil, withDelivery, CompleteInProgress},
		"given up":                        {basket.Canceled, nil, nil, withDelivery, Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			b := boots()
			b.State, b.Blockers, b.Warnings = test.state, test.blockers, test.warnings
			_, got := do(t, newServer(&baskets{basket: b}), GetCheckout, "", test.active)
			if status := got.Get("status").String(); status != string(test.want) {
				t.Errorf("status %q, want %q", status, test.want)
			}
		})
	}
}

func TestCompletedCheckout(t *testing.T) {
	b := boots()
	b.State, b.HandOff = basket.Completed, ""
	b.Order = &basket.Order{ID: "ORD1", Total: pounds(13093)}
	_, got := do(t, newServer(&baskets{basket: b}), CompleteCheckout, `{"payment":{"instruments":[{"id":"1","handler_id":"upstream:card","type":"card"}]}}`, everything(CompleteCheckout))
	if got.Get("status").String() != "completed" || got.Get("order.id").String() != "ORD1" || got.Get("order.permalink_url").String() == "" || got.Get("continue_url").Exists() {
		t.Errorf("completed: %s", got)
	}
}

// Every blocker arrives as an error with a code, a path that leads somewhere and
// words.
func TestMessages(t *testing.T) {
	b := boots()
	b.Wanted.Lines = append([]basket.Line{{ID: "li_9", Item: "jacket", Quantity: 1}}, b.Wanted.Lines...)
	b.Blockers = []basket.Issue{
		{
			Code: basket.OptionNeeded, Field: basket.FieldLine, Index: 0, Item: "jacket", Text: "Choose a size.",
			Options:  []upstream.Option{{Name: "Size", Values: []string{"S", "M"}}},
			Variants: []upstream.Variant{{ID: "v1", Options: []upstream.Choice{{Name: "Size", Value: "S"}}}, {ID: "v2", Options: []upstream.Choice{{Name: "Size", Value: "M"}}, Availability: upstream.OutOfStock}},
		},
		{Code: basket.OutOfStock, Field: basket.FieldLine, Index: 1, Text: "Sold out."},
		{Code: basket.Missing, Field: basket.FieldEmail, Text: "E-mail."},
		{Code: basket.Missing, Field: basket.FieldPostalCode, Text: "Postal code."},
		{Code: basket.NoDelivery, Field: basket.FieldDestination, Text: "Too far."},
		{Code: basket.Missing, Field: basket.FieldDelivery, Text: "Choose."},
		{Code: basket.PaymentDeclined, Field: basket.FieldPayment, Text: "Declined."},
		{Code: basket.PriceChanged, Text: "Changed."},
	}
	b.Warnings = []basket.Issue{
		{Code: basket.QuantityLowered, Field: basket.FieldQuantity, Index: 2, Text: "Fewer."},
		{Code: basket.CodeExpired, Field: basket.FieldCode, Index: 0, Text: "Expired."},
		{Code: basket.CodeNotCombinable, Field: basket.FieldCode, Index: 0, Text: "One only."},
		{Code: basket.BasketRenewed, Text: "Anew."},
	}
	_, got := do(t, newServer(&baskets{basket: b}), GetCheckout, "", everything(GetCheckout))
	type row struct{ Type, Code, Path, Severity string }
	var rows []row
	for _, m := range got.Get("messages").Array() {
		rows = append(rows, row{m.Get("type").String(), m.Get("code").String(), m.Get("path").String(), m.Get("severity").String()})
	}
	want := []row{
		{"error", "option_required", "$.line_items[?@.item.id == 'jacket']", "recoverable"},
		{"error", "out_of_stock", "$.line_items[0]", "recoverable"},
		{"error", "missing", "$.buyer.email", "recoverable"},
		{"error", "missing", "$.fulfillment.methods[0].destinations[0].postal_code", "recoverable"},
		{"error", "address_undeliverable", "$.fulfillment.methods[0].selected_destination_id", "recoverable"},
		{"error", "missing", "$.fulfillment.methods[0].groups[0].selected_option_id", "recoverable"},
		{"error", "payment_failed", "$.payment.instruments", "recoverable"},
		{"error", "price_changed", "", "recoverable"},
		{"warning", "quantity_adjusted", "$.line_items[1].quantity", ""},
		{"warning", "discount_code_expired", "$.discounts.codes[0]", ""},
		{"warning", "discount_code_combination_disallowed", "$.discounts.codes[0]", ""},
		{"warning", "basket_renewed", "", ""},
		{"info", "tax_included", "$.totals", ""},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if content := got.Get("messages.0.content").String(); content != "Choose a size. Size: S, M. Use one of these ids as item.id: S = v1; M (sold out) = v2." {
		t.Errorf("the choices read %q", content)
	}
}

func TestReadWanted(t *testing.T) {
	payload := `{
		"line_items":[{"item":{"id":"boot-9"},"quantity":2},{"id":"li_2","item":{"id":"sock","quantity_unit":{"unit":"KGM","scale":2,"display_text":"kg"}},"quantity":3}],
		"buyer":{"email":" ada@example.com ","first_name":"Ada","phone_number":"+441539000001"},
		"context":{"address_country":"GB"},"attribution":{"campaign":"x"},
		"discounts":{"codes":["WELCOME10"]},
		"payment":{"instruments":[{"id":"1","handler_id":"h","type":"card","billing_address":{"address_country":"gb"}}]},
		"fulfillment":{"methods":[
			{"type":"pickup"},
			{"type":"shipping","destinations":[{"street_address":"12 Stricklandgate","address_country":"gb"}],"groups":[{"id":"package_1","selected_option_id":"post"}]},
			{"type":"shipping"}]}}`
	w, messages := readWanted(gjson.Parse(payload), everything(CreateCheckout))
	want := basket.Wanted{
		Lines:        []basket.Line{{Item: "boot-9", Quantity: 2}, {ID: "li_2", Item: "sock", Quantity: 3}},
		Codes:        []string{"WELCOME10"},
		Buyer:        upstream.Buyer{Email: "ada@example.com", FirstName: "Ada", Phone: "+441539000001"},
		Destinations: []basket.Destination{{Address: upstream.Address{Street: "12 Stricklandgate", Country: "GB"}}},
		Destination:  basket.FirstDestination, Delivery: "post",
		Billing: &upstream.Address{Country: "GB"},
		Notes:   map[string]json.RawMessage{"ucp": json.RawMessage(`{"context":{"address_country":"GB"},"attribution":{"campaign":"x"}}`)},
	}
	if diff := cmp.Diff(want, w); diff != "" {
		t.Errorf("wanted (-want +got):\n%s", diff)
	}
	var codes []string
	for _, m := range messages {
		codes = append(codes, m.Code+" "+m.Path)
	}
	if diff := cmp.Diff([]string{
		"fulfillment_method_unavailable $.fulfillment.methods[0].type",
		"fulfillment_method_unavailable $.fulfillment.methods[2]",
		"quantity_unit_mismatch $.line_items[1].item.quantity_unit",
	}, codes); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	// Extensions that were not negotiated are not there.
	w, _ = readWanted(gjson.Parse(payload), Active{{CapabilityCheckout, Release}})
	if w.Codes != nil || w.Destinations != nil || w.Delivery != "" {
		t.Errorf("without the extensions: %+v", w)
	}
}

func TestUnknownDestinationChangesNothing(t *testing.T) {
	f := &baskets{basket: boots(), once: &basket.Invalid{Field: basket.FieldDestination}}
	_, got := do(t, newServer(f), UpdateCheckout, `{"line_items":[],"fulfillment":{"methods":[{"type":"shipping","selected_destination_id":"dest_77"}]}}`, everything(UpdateCheckout))
	if m := got.Get("messages.#(type==error)"); m.Get("path").String() != "$.fulfillment.methods[0].selected_destination_id" || m.Get("severity").String() != "recoverable" {
		t.Errorf("message %s", m)
	}
	if diff := cmp.Diff([]string{"replace", "get"}, f.calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

func TestPaymentIsChosen(t *testing.T) {
	const card = `{"id":"1","handler_id":"upstream:card","type":"card","credential":{"type":"token","token":"tok"}}`
	selected := func(selected bool) string {
		return strings.Replace(card, `{"id"`, fmt.Sprintf(`{"selected":%v,"id"`, selected), 1)
	}
	for name, test := range map[string]struct {
		instruments string
		method      string
	}{
		"one":                {card, "card"},
		"one of two":         {selected(false) + "," + selected(true), "card"},
		"one that is not":    {selected(false), ""},
		"none":               {"", ""},
		"two, none selected": {card + "," + card, ""},
		"two selected":       {selected(true) + "," + selected(true), ""},
		"unknown handler":    {strings.ReplaceAll(card, "upstream:card", "stripe"), ""},
		"no handler's name":  {strings.ReplaceAll(card, "upstream:card", "upstream:"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := &baskets{basket: boots()}
			reply, got := do(t, newServer(f), CompleteCheckout, `{"payment":{"instruments":[`+test.instruments+`]}}`, everything(CompleteCheckout))
			if f.payment.Method != test.method {
				t.Errorf("paid with %q, want %q", f.payment.Method, test.method)
			}
			if test.method == "" {
				if reply.Outcome != "payment_failed" || slices.Contains(f.calls, "complete") {
					t.Errorf("outcome %q, calls %v", reply.Outcome, f.calls)
				}
			} else if strings.Contains(got.Raw, "tok") && strings.Contains(got.Raw, `"token"`) {
				t.Error("the answer shows the credential")
			}
		})
	}
}

func TestCartIsTheSameBasket(t *testing.T) {
	b := boots()
	b.Blockers = []basket.Issue{{Code: basket.Missing, Field: basket.FieldEmail, Text: "E-mail."}, {Code: basket.OutOfStock, Field: basket.FieldLine, Text: "Sold out."}}
	b.Observed.Estimated = true
	f := &baskets{basket: b}
	s := newServer(f)
	_, got := do(t, s, CreateCart, `{"line_items":[{"item":{"id":"boot-9"},"quantity":1}]}`, everything(CreateCart))
	if got.Get("messages.#(code==missing)").Exists() || !got.Get("messages.#(code==out_of_stock)").Exists() || !got.Get("messages.#(code==estimated_totals)").Exists() {
		t.Errorf("messages %s", got.Get("messages"))
	}
	do(t, s, GetCart, "", everything(GetCart))
	do(t, s, UpdateCart, `{"line_items":[{"item":{"id":"boot-9"},"quantity":1}]}`, everything(UpdateCart))
	if f.wanted.Destination != "dest_1" || f.wanted.Delivery != "post" {
		t.Errorf("updating a cart lost its checkout's address: %+v", f.wanted)
	}
	do(t, s, CancelCart, "", everything(CancelCart))
	if f.calls[len(f.calls)-1] != "cancel" {
		t.Errorf("calls %v", f.calls)
	}
	_, got = do(t, s, CreateCheckout, `{"cart_id":"bsk_boots","line_items":[],"buyer":{"email":"other@example.com"},"discounts":{"codes":["OTHER"]}}`, everything(CreateCheckout))
	if got.Get("id").String() != "bsk_boots" || got.Get("buyer.email").String() != "ada@example.com" {
		t.Errorf("converted %s", got)
	}
	if slices.Contains(f.calls[len(f.calls)-1:], "replace") {
		t.Error("what the cart holds was overwritten")
	}
	b.State = basket.Completed
	b.Order = &basket.Order{ID: "ORD1"}
	reply, _ := do(t, s, GetCart, "", everything(GetCart))
	if !reply.Failed || reply.Outcome != "not_found" {
		t.Errorf("the cart of an order: %d %q", reply.Status, reply.Outcome)
	}
	for _, state := range []basket.State{basket.Completed, basket.Canceled} {
		b.State = state
		reply, got := do(t, s, CreateCheckout, `{"cart_id":"bsk_boots","line_items":[]}`, everything(CreateCheckout))
		if !reply.Failed || reply.Outcome != "not_found" || got.Get("messages.0.path").String() != "$.cart_id" {
			t.Errorf("a checkout of a cart that is %s: %d %s", state, reply.Status, got)
		}
	}
	b.State, b.Order = basket.Completing, nil
	if reply, got := do(t, s, CreateCheckout, `{"cart_id":"bsk_boots","line_items":[]}`, everything(CreateCheckout)); reply.Failed || got.Get("status").String() != "complete_in_progress" {
		t.Errorf("a checkout of a cart that is being ordered: %d %s", reply.Status, got)
	}
}

func TestConversionAddsWhatTheCartLacks(t *testing.T) {
	b := boots()
	b.Wanted.Buyer, b.Wanted.Codes, b.Wanted.Destinations, b.Wanted.Destination = upstream.Buyer{}, nil, nil, ""
	f := &baskets{basket: b}
	do(t, newServer(f), CreateCheckout, `{"cart_id":"bsk_boots","line_items":[{"item":{"id":"kettle"},"quantity":7}],"buyer":{"email":"ada@example.com"},"discounts":{"codes":["NEW"]}}`, everything(CreateCheckout))
	if f.wanted.Buyer.Email != "ada@example.com" || !slices.Equal(f.wanted.Codes, []string{"NEW"}) || len(f.wanted.Lines) != 2 {
		t.Errorf("wanted %+v", f.wanted)
	}
}

func TestNoBasket(t *testing.T) {
	for name, test := range map[string]struct {
		err  error
		op   Operation
		want string
	}{
		"no such checkout":  {basket.ErrNotFound, GetCheckout, "not_found"},
		"no such cart":      {basket.ErrNotFound, UpdateCart, "not_found"},
		"no such order":     {basket.ErrNotFound, GetOrder, "not_found"},
		"nothing to be had": {&basket.Nothing{Issues: []basket.Issue{{Code: basket.OutOfStock, Field: basket.FieldLine, Text: "Sold out."}}}, CreateCheckout, "out_of_stock"},
	} {
		t.Run(name, func(t *testing.T) {
			reply, _ := do(t, newServer(&baskets{err: test.err}), test.op, `{"line_items":[{"item":{"id":"x"},"quantity":1}]}`, everything(test.op))
			if !reply.Failed || reply.Status != http.StatusOK || reply.Outcome != test.want {
				t.Errorf("reply %d %q", reply.Status, reply.Outcome)
			}
		})
	}
	_, err := newServer(&baskets{err: &basket.Invalid{Field: basket.FieldQuantity, Index: 1, Text: "must be at most 99999"}}).Do(t.Context(), &Call{Op: CreateCheckout, Payload: []byte(`{}`), Active: everything(CreateCheckout)})
	var failure *Failure
	if !errors.As(err, &failure) || failure.Status != http.StatusBadRequest || !strings.Contains(failure.Content, "$.line_items[1].quantity") {
		t.Errorf("invalid input: %v", err)
	}
}

func TestOrder(t *testing.T) {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	f := &baskets{order: &basket.PlacedOrder{BasketID: "bsk_boots", Order: upstream.Order{
		Ref: upstream.OrderRef{ID: "ORD1"}, URL: "https://shop.example/orders/ORD1", PlacedAt: at, Currency: "GBP", Total: pounds(13998),
		Totals:  []upstream.Total{{Kind: upstream.TotalSubtotal, Amount: pounds(13998)}},
		Address: &upstream.Address{Street: "12 Stricklandgate", Country: "GB"}, Delivery: "Post",
		Lines: []upstream.OrderLine{
			{ID: "1", Item: "boot-9", Title: "Boot", Ordered: 1, Active: 1, Unit: pounds(12000), Subtotal: pounds(12000), Total: pounds(12000)},
			{ID: "2", Item: "sock", Title: "Sock", Ordered: 2, Active: 2, Fulfilled: 1, Unit: pounds(999), Subtotal: pounds(1998), Total: pounds(1998)},
			{ID: "3", Item: "hat", Title: "Hat", Ordered: 1, Active: 0},
			{ID: "4", Item: "mug", Title: "Mug", Ordered: 1, Active: 1, Fulfilled: 1},
		},
		Events:      []upstream.FulfillmentEvent{{ID: "e1", Type: "shipped", At: at, Lines: []upstream.LineQuantity{{Line: "2", Quantity: 1}}, Carrier: "Hare", Tracking: "T1", TrackingURL: "https://hare.example/T1"}},
		Adjustments: []upstream.Adjustment{{ID: "a1", Type: "refund", At: at, Status: "completed", Amount: pounds(-500), Lines: []upstream.LineQuantity{{Line: "3", Quantity: -1}}}},
	}}}
	_, got := do(t, newServer(f), GetOrder, "", Active{{CapabilityOrder, Release}})
	for path, want := range map[string]string{
		"checkout_id":         "bsk_boots",
		"line_items.#.status": `["processing","partial","removed","fulfilled"]`,

		"fulfillment.expectations.0.line_items.#": "3",
		"fulfillment.events.0.tracking_number":    "T1",
		"adjustments.0.totals.0.amount":           "-500",
	} {
		if v := got.Get(path).String(); v != want {
			t.Errorf("%s = %s, want %s", path, v, want)
		}
	}
}

// Whatever a shop's basket holds, the answer follows the schema and adds up.
func TestCheckoutProperties(t *testing.T) {
	spec := spectest.Open(t, Release)
	rapid.Check(t, func(t *rapid.T) {
		b := boots()
		b.Wanted.Lines, b.Observed.Lines, b.Observed.Discounts = nil, nil, nil
		var subtotal, total int64
		for i := range rapid.IntRange(0, 5).Draw(t, "lines") {
			id := fmt.Sprintf("li_%d", i)
			quantity := rapid.Int64Range(1, 99).Draw(t, "quantity")
			unit := rapid.Int64Range(0, 1e6).Draw(t, "unit")
			off := rapid.Int64Range(0, quantity*unit).Draw(t, "off")
			b.Wanted.Lines = append(b.Wanted.Lines, basket.Line{ID: id, Item: id, Quantity: quantity})
			b.Observed.Lines = append(b.Observed.Lines, upstream.Line{Key: id, Item: id, Title: id, Quantity: quantity, Unit: pounds(unit), Subtotal: pounds(quantity * unit), Total: pounds(quantity*unit - off)})
			subtotal, total = subtotal+quantity*unit, total+quantity*unit-off
		}
		delivery := rapid.Int64Range(0, 5000).Draw(t, "delivery")
		rounding := rapid.Int64Range(-2, 2).Draw(t, "rounding")
		b.Observed.Totals = []upstream.Total{
			{Kind: upstream.TotalSubtotal, Amount: pounds(subtotal)},
			{Kind: upstream.TotalItemsDiscount, Amount: pounds(total - subtotal)},
			{Kind: upstream.TotalFulfillment, Amount: pounds(delivery)},
			{Kind: upstream.TotalRounding, Amount: pounds(rounding)},
		}
		b.Observed.Total = pounds(total + delivery + rounding)
		b.State = rapid.SampledFrom([]basket.State{basket.Open, basket.Completing, basket.Canceled}).Draw(t, "state")
		reply, err := newServer(&baskets{basket: b}).Do(context.Background(), &Call{Op: GetCheckout, Active: everything(GetCheckout)})
		if err != nil {
			t.Fatal(err)
		}
		if err := spec.Response(string(GetCheckout), nil, reply.Status, reply.Body); err != nil {
			t.Fatalf("%v\n%s", err, reply.Body)
		}
		if err := spectest.Totals(reply.Body); err != nil {
			t.Fatalf("%v\n%s", err, reply.Body)
		}
	})
}
