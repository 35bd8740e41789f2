package medusa

// What is asked for of each kind of object. Asked for all, Medusa answers with
// three to ten times as much. It computes totals from what it loads for an
// answer: who leaves out the amount or the tax lines of a delivery, say, is told
// a total without it. So the fields that totals depend on are always there.
const (
	regionFields   = "id,currency_code,countries.iso_2,payment_providers.id,payment_providers.is_enabled"
	categoryFields = "id,name,parent_category_id"
	taxFields      = "id,variants.id,variants.manage_inventory,variants.inventory_quantity," +
		"variants.calculated_price.is_calculated_price_tax_inclusive"

	productFields = "id,title,handle,description,thumbnail,material,weight,length,height,width,origin_country,updated_at," +
		"images.url,categories.id,collection.title,type.value,tags.value,options.title,options.values.value," +
		"variants.id,variants.title,variants.sku,variants.ean,variants.upc,variants.barcode,variants.thumbnail," +
		"variants.manage_inventory,variants.allow_backorder,variants.inventory_quantity," +
		"variants.options.value,variants.options.option.title," +
		"variants.calculated_price.calculated_amount,variants.calculated_price.original_amount," +
		"variants.calculated_price.currency_code,variants.calculated_price.is_calculated_price_tax_inclusive"

	cartFields = "id,region_id,currency_code,email,completed_at,metadata,total,tax_total,credit_lines.amount," +
		itemFields + "," + methodFields + "," + shippingFields + "," + billingFields +
		",items.product.shipping_profile.id,promotions.code,promotions.is_automatic,promotions.campaign.name," +
		"payment_collection.id,payment_collection.status,payment_collection.payment_sessions.status," +
		"order.id,order.display_id,order.custom_display_id,order.currency_code,order.total"

	// placedFields are what is read of an order that was just placed.
	placedFields = "id,display_id,custom_display_id,currency_code,total"

	// orderFields leave out how many of an item came back: with that Medusa takes
	// them out of the order's figures, which are those of what was bought.
	orderFields = "id,display_id,custom_display_id,status,payment_status,fulfillment_status,created_at,updated_at,canceled_at," +
		"currency_code,total,tax_total,credit_lines.id,credit_lines.amount,credit_lines.reference," +
		itemFields + "," + methodFields + "," + shippingFields +
		",items.detail.quantity,items.detail.shipped_quantity," +
		"fulfillments.id,fulfillments.created_at,fulfillments.shipped_at,fulfillments.delivered_at,fulfillments.canceled_at," +
		"fulfillments.items.line_item_id,fulfillments.items.quantity," +
		"fulfillments.labels.tracking_number,fulfillments.labels.tracking_url," +
		"payment_collections.payments.refunds.id,payment_collections.payments.refunds.amount," +
		"payment_collections.payments.refunds.created_at,payment_collections.payments.refunds.refund_reason.label," +
		"returns.id,returns.received_at,returns.items.*"
)

// Parts that carts and orders have in common.
const (
	itemFields = "items.id,items.variant_id,items.product_id,items.product_title,items.product_handle,items.thumbnail," +
		"items.quantity,items.unit_price,items.is_tax_inclusive,items.requires_shipping,items.total,items.subtotal," +
		"items.original_total,items.discount_subtotal,items.tax_lines.rate,items.adjustments.code,items.adjustments.amount," +
		"items.adjustments.is_tax_inclusive,items.variant.options.value,items.variant.options.option.title"

	methodFields = "shipping_methods.id,shipping_methods.name,shipping_methods.shipping_option_id,shipping_methods.amount," +
		"shipping_methods.is_tax_inclusive,shipping_methods.total,shipping_methods.subtotal,shipping_methods.original_total," +
		"shipping_methods.discount_subtotal,shipping_methods.tax_lines.rate,shipping_methods.adjustments.code," +
		"shipping_methods.adjustments.amount,shipping_methods.adjustments.is_tax_inclusive"

	shippingFields = "shipping_address.first_name,shipping_address.last_name,shipping_address.company," +
		"shipping_address.address_1,shipping_address.address_2,shipping_address.city,shipping_address.province," +
		"shipping_address.postal_code,shipping_address.country_code,shipping_address.phone"

	billingFields = "billing_address.first_name,billing_address.last_name,billing_address.company," +
		"billing_address.address_1,billing_address.address_2,billing_address.city,billing_address.province," +
		"billing_address.postal_code,billing_address.country_code,billing_address.phone"
)
