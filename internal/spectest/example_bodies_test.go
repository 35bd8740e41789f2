package spectest_test

// The bodies that the tests start from: the shapes of the examples in the
// prose, of a shop of our own.

const searchAnswer = `{
  "ucp": {"version": "2026-08-25", "status": "success",
          "capabilities": {"dev.ucp.shopping.catalog.search": [{"version": "2026-08-25"}]}},
  "products": [{
    "id": "p1", "title": "Tarn Boot", "description": {"plain": "A boot."},
    "price_range": {"min": {"amount": 4500, "currency": "GBP"}, "max": {"amount": 4500, "currency": "GBP"}},
    "variants": [{"id": "v1", "title": "Size 5", "description": {"plain": "Size 5"},
                  "price": {"amount": 4500, "currency": "GBP"}, "availability": {"available": true}}]
  }],
  "pagination": {"cursor": "b", "has_next_page": true}
}`

const lookupAnswer = `{
  "ucp": {"version": "2026-08-25", "status": "success",
          "capabilities": {"dev.ucp.shopping.catalog.lookup": [{"version": "2026-08-25"}],
                           "dev.ucp.shopping.fulfillment": [{"version": "2026-08-25"}]}},
  "products": [{
    "id": "p1", "title": "Tarn Boot", "description": {"plain": "A boot."},
    "price_range": {"min": {"amount": 4500, "currency": "JPY"}, "max": {"amount": 4500, "currency": "JPY"}},
    "variants": [{"id": "v1", "title": "Size 5", "description": {"plain": "Size 5"},
                  "price": {"amount": 4500, "currency": "JPY"},
                  "inputs": [{"id": "p1", "match": "featured"}],
                  "fulfillment": {"methods": [{"type": "shipping", "options": [{"id": "s", "title": "Standard"}]}]}}]
  }],
  "messages": [{"type": "info", "code": "not_found", "content": "p2"}]
}`

const productAnswer = `{
  "ucp": {"version": "2026-08-25", "status": "success",
          "capabilities": {"dev.ucp.shopping.catalog.lookup": [{"version": "2026-08-25"}]}},
  "product": {
    "id": "p1", "title": "Tarn Boot", "description": {"plain": "A boot."},
    "price_range": {"min": {"amount": 4500, "currency": "GBP"}, "max": {"amount": 4500, "currency": "GBP"}},
    "options": [{"name": "Size", "values": [{"label": "5", "available": true, "exists": true},
                                            {"label": "6", "available": false, "exists": false}]}],
    "selected": [{"name": "Size", "label": "5"}],
    "variants": [{"id": "v1", "title": "Size 5", "description": {"plain": "Size 5"},
                  "price": {"amount": 4500, "currency": "GBP"}, "options": [{"name": "Size", "label": "5"}]}]
  }
}`

const cartAnswer = `{
  "ucp": {"version": "2026-08-25", "status": "success",
          "capabilities": {"dev.ucp.shopping.cart": [{"version": "2026-08-25"}],
                           "dev.ucp.shopping.discount": [{"version": "2026-08-25"}]}},
  "id": "b1", "currency": "GBP",
  "line_items": [{"id": "l1", "item": {"id": "v1", "title": "Tarn Boot", "price": 2000}, "quantity": 2,
    "totals": [{"type": "subtotal", "amount": 4000}, {"type": "items_discount", "amount": -800}, {"type": "total", "amount": 3200}]}],
  "discounts": {"codes": ["SUMMER20", "OLD"],
                "applied": [{"code": "SUMMER20", "title": "Summer", "amount": 800, "method": "each",
                             "allocations": [{"path": "$.line_items[0]", "amount": 800}]}]},
  "totals": [{"type": "subtotal", "amount": 4000}, {"type": "items_discount", "amount": -800}, {"type": "total", "amount": 3200}],
  "messages": [{"type": "warning", "code": "discount_code_expired", "path": "$.discounts.codes[1]", "content": "OLD has expired"}]
}`

const checkoutAnswer = `{
  "ucp": {"version": "2026-08-25", "status": "success", "payment_handlers": {},
          "capabilities": {"dev.ucp.shopping.checkout": [{"version": "2026-08-25"}],
                           "dev.ucp.shopping.fulfillment": [{"version": "2026-08-25"}]}},
  "id": "b1", "status": "incomplete", "currency": "GBP", "links": [],
  "line_items": [{"id": "l1", "item": {"id": "v1", "title": "Tarn Boot", "price": 2000}, "quantity": 2,
    "totals": [{"type": "subtotal", "amount": 4000}, {"type": "total", "amount": 4000}]}],
  "fulfillment": {"methods": [{"id": "m1", "type": "shipping", "line_item_ids": ["l1"], "selected_destination_id": "d1",
    "destinations": [{"type": "shipping_address", "id": "d1", "postal_code": "LA22 9AA", "address_country": "GB"}],
    "groups": [{"id": "g1", "line_item_ids": ["l1"], "selected_option_id": "std",
      "options": [{"id": "std", "title": "Standard", "description": {"plain": "In 3 days"}, "totals": [{"type": "total", "amount": 500}]}]}]}]},
  "totals": [{"type": "subtotal", "amount": 4000}, {"type": "fulfillment", "amount": 500},
             {"type": "tax", "amount": 900, "lines": [{"display_text": "VAT", "amount": 900}]}, {"type": "total", "amount": 5400}],
  "messages": [{"type": "error", "code": "missing", "severity": "recoverable", "path": "$.buyer.email", "content": "An email address is needed"}],
  "continue_url": "https://shop.example/basket/b1", "expires_at": "2026-12-01T12:00:00Z"
}`

const orderAnswer = `{
  "ucp": {"version": "2026-08-25", "status": "success",
          "capabilities": {"dev.ucp.shopping.order": [{"version": "2026-08-25"}]}},
  "id": "o1", "checkout_id": "b1", "permalink_url": "https://shop.example/orders/o1", "currency": "GBP",
  "line_items": [{"id": "l1", "item": {"id": "v1", "title": "Tarn Boot", "price": 2000},
    "quantity": {"original": 2, "total": 2, "fulfilled": 1}, "status": "partial",
    "totals": [{"type": "subtotal", "amount": 4000}, {"type": "total", "amount": 4000}]}],
  "fulfillment": {
    "expectations": [{"id": "x1", "line_items": [{"id": "l1", "quantity": 2}], "method_type": "shipping", "destination": {}}],
    "events": [{"id": "e1", "occurred_at": "2026-11-30T10:00:00Z", "type": "shipped", "line_items": [{"id": "l1", "quantity": 1}]}]},
  "adjustments": [{"id": "a1", "type": "refund", "occurred_at": "2026-11-30T11:00:00Z", "status": "completed",
    "totals": [{"type": "total", "amount": -500}]}],
  "totals": [{"type": "subtotal", "amount": 4000}, {"type": "fulfillment", "amount": 0}, {"type": "total", "amount": 4000}]
}`

const notFound = `{
  "ucp": {"version": "2026-08-25", "status": "error", "capabilities": {"dev.ucp.shopping.cart": [{"version": "2026-08-25"}]}},
  "messages": [{"type": "error", "code": "not_found", "severity": "unrecoverable", "content": "No such cart"}]
}`

const businessProfile = `{
  "ucp": {"version": "2026-08-25",
    "services": {"dev.ucp.shopping": [{"version": "2026-08-25", "transport": "rest", "endpoint": "https://shop.example/api/ucp/v1",
      "schema": "https://ucp.dev/2026-08-25/services/shopping/rest.openapi.json"}]},
    "capabilities": {
      "dev.ucp.shopping.checkout": [{"version": "2026-08-25", "schema": "https://ucp.dev/2026-08-25/schemas/shopping/checkout.json"}],
      "dev.ucp.shopping.fulfillment": [{"version": "2026-08-25", "extends": ["dev.ucp.shopping.checkout"],
        "schema": "https://ucp.dev/2026-08-25/schemas/shopping/fulfillment.json", "config": {"method_combinations": [["shipping", "pickup"]]}}],
      "ai.storeware.shopping.answer": [{"version": "2026-11-01", "extends": "dev.ucp.shopping.catalog.search",
        "schema": "https://storeware.ai/schemas/answer.json"}]},
    "payment_handlers": {"example.shop.upstream": [{"id": "upstream", "version": "2026-08-25"}]}},
  "keys": [{"kid": "k1", "kty": "EC", "crv": "P-256", "x": "a", "y": "b", "alg": "ES256", "use": "sig"}]
}`

const platformProfile = `{
  "ucp": {"version": "2026-08-25", "services": {}, "payment_handlers": {},
    "capabilities": {"dev.ucp.shopping.checkout": [{"version": "2026-08-25",
      "spec": "https://ucp.dev/2026-08-25/specification/shopping/checkout",
      "schema": "https://ucp.dev/2026-08-25/schemas/shopping/checkout.json"}]}}
}`
