'use strict'
// Fills an empty, migrated database from catalogue.json: region, taxes,
// delivery, products with stock, promotions, a customer and a member of staff.
const fs = require('node:fs')
const path = require('node:path')
const { ContainerRegistrationKeys, Modules, ProductStatus } = require('@medusajs/framework/utils')
const flows = require('@medusajs/medusa/core-flows')
const catalogue = require('../../catalogue.json')
const { productImage } = require('../../images')

const COUNTRY = 'gb'
const currency = catalogue.currency.toLowerCase()
const pounds = pence => pence / 100

// A second, smaller market, with prices of its own.
const IRELAND = { country: 'ie', currency: 'eur' }
const PROVIDERS = ['pp_system_default', 'pp_test-card_test']
const prices = pence => [
  { currency_code: currency, amount: pounds(pence) },
  { currency_code: IRELAND.currency, amount: Math.ceil(pence * 1.2) / 100 }
]

function handle(text) {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
}

exports.default = async function seed({ container }) {
  const link = container.resolve(ContainerRegistrationKeys.LINK)
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const run = async (workflow, input) => (await workflow(container).run({ input })).result

  // ---- the shop and its channel
  const [channel] = await run(flows.createSalesChannelsWorkflow, { salesChannelsData: [{ name: 'Web shop' }] })
  const [store] = await container.resolve(Modules.STORE).listStores()
  await run(flows.updateStoresWorkflow, {
    selector: { id: store.id },
    update: {
      name: catalogue.shop,
      supported_currencies: [
        { currency_code: currency, is_default: true, is_tax_inclusive: catalogue.pricesIncludeTax },
        { currency_code: IRELAND.currency, is_tax_inclusive: catalogue.pricesIncludeTax }
      ],
      default_sales_channel_id: channel.id
    }
  })
  const [key] = await run(flows.createApiKeysWorkflow, { api_keys: [{ title: 'Web shop', type: 'publishable', created_by: '' }] })
  await run(flows.linkSalesChannelsToApiKeyWorkflow, { id: key.id, add: [channel.id] })

  // ---- region and taxes
  const [region] = await run(flows.createRegionsWorkflow, {
    regions: [{
      name: 'United Kingdom', currency_code: currency, countries: [COUNTRY], payment_providers: PROVIDERS,
      automatic_taxes: true, is_tax_inclusive: catalogue.pricesIncludeTax
    }]
  })
  await run(flows.createRegionsWorkflow, {
    regions: [{
      name: 'Ireland', currency_code: IRELAND.currency, countries: [IRELAND.country], payment_providers: PROVIDERS,
      automatic_taxes: true, is_tax_inclusive: catalogue.pricesIncludeTax
    }]
  })
  const [taxRegion] = await run(flows.createTaxRegionsWorkflow, [
    { country_code: COUNTRY, provider_id: 'tp_system', default_tax_rate: { name: 'VAT', code: 'standard', rate: catalogue.taxes.standard } },
    { country_code: IRELAND.country, provider_id: 'tp_system', default_tax_rate: { name: 'VAT', code: 'ie-standard', rate: 23 } }
  ])

  // ---- where stock lies, and how it is sent
  const [location] = await run(flows.createStockLocationsWorkflow, {
    locations: [{ name: 'Kendal warehouse', address: { address_1: '1 Mill Lane', city: 'Kendal', postal_code: 'LA9 6AA', country_code: COUNTRY } }]
  })
  await run(flows.linkSalesChannelsToStockLocationWorkflow, { id: location.id, add: [channel.id] })
  await link.create({ [Modules.STOCK_LOCATION]: { stock_location_id: location.id }, [Modules.FULFILLMENT]: { fulfillment_provider_id: 'manual_manual' } })
  const fulfillment = container.resolve(Modules.FULFILLMENT)
  const profile = (await fulfillment.listShippingProfiles({ type: 'default' }))[0] ||
    (await run(flows.createShippingProfilesWorkflow, { data: [{ name: 'Parcels', type: 'default' }] }))[0]
  const set = await fulfillment.createFulfillmentSets({
    name: 'Delivery from Kendal', type: 'shipping',
    service_zones: [{ name: 'Great Britain and Ireland', geo_zones: [COUNTRY, IRELAND.country].map(code => ({ type: 'country', country_code: code })) }]
  })
  await link.create({ [Modules.STOCK_LOCATION]: { stock_location_id: location.id }, [Modules.FULFILLMENT]: { fulfillment_set_id: set.id } })
  await run(flows.createShippingOptionsWorkflow, catalogue.shipping.map(method => ({
    name: method.name,
    price_type: 'flat',
    provider_id: 'manual_manual',
    service_zone_id: set.service_zones[0].id,
    shipping_profile_id: profile.id,
    type: { label: method.name, description: method.description, code: method.code },
    prices: prices(method.price),
    rules: [{ attribute: 'enabled_in_store', value: 'true', operator: 'eq' }, { attribute: 'is_return', value: 'false', operator: 'eq' }]
  })))

  // ---- products
  const categories = await run(flows.createProductCategoriesWorkflow, {
    product_categories: [...new Set(catalogue.products.map(p => p.category))].map(name => ({ name, handle: handle(name), is_active: true }))
  })
  const brands = await run(flows.createCollectionsWorkflow, {
    collections: [...new Set(catalogue.products.map(p => p.brand))].map(title => ({ title, handle: handle(title) }))
  })
  const types = await run(flows.createProductTypesWorkflow, {
    product_types: [...new Set(catalogue.products.map(p => p.category))].map(value => ({ value }))
  })
  const tags = await run(flows.createProductTagsWorkflow, {
    product_tags: [...new Set(catalogue.products.flatMap(p => [p.audience, ...p.features, ...p.activities]))].map(value => ({ value }))
  })
  const tagId = value => tags.find(t => t.value === value).id

  const images = await run(flows.uploadFilesWorkflow, {
    files: catalogue.products.map(product => ({
      filename: `${product.handle}.png`, mimeType: 'image/png', content: productImage(product).toString('base64'), access: 'public'
    }))
  })
  const products = await run(flows.createProductsWorkflow, {
    products: catalogue.products.map((product, i) => ({
      title: product.name,
      handle: product.handle,
      description: product.description,
      status: ProductStatus.PUBLISHED,
      material: product.material,
      weight: product.weight,
      category_ids: [categories.find(c => c.name === product.category).id],
      collection_id: brands.find(b => b.title === product.brand).id,
      type_id: types.find(t => t.value === product.category).id,
      tag_ids: [product.audience, ...product.features, ...product.activities].map(tagId),
      metadata: { brand: product.brand, audience: product.audience, features: product.features, activities: product.activities },
      shipping_profile_id: profile.id,
      sales_channels: [{ id: channel.id }],
      thumbnail: images[i].url,
      images: [{ url: images[i].url }],
      options: Object.keys(product.options).length
        ? Object.entries(product.options).map(([title, values]) => ({ title, values }))
        : [{ title: 'Default', values: ['Default'] }],
      variants: product.variants.map(variant => ({
        title: Object.values(variant.options).join(' / ') || 'Default',
        sku: variant.sku,
        ean: variant.gtin,
        manage_inventory: true,
        allow_backorder: false,
        options: Object.keys(variant.options).length ? variant.options : { Default: 'Default' },
        prices: prices(variant.price)
      }))
    }))
  })

  // what bears no VAT
  const exempt = products.filter(p => catalogue.products.find(c => c.handle === p.handle).tax === 'zero')
  await run(flows.createTaxRatesWorkflow, [{
    tax_region_id: taxRegion.id, name: 'Zero rate', code: 'zero', rate: catalogue.taxes.zero,
    rules: exempt.map(p => ({ reference: 'product', reference_id: p.id }))
  }])

  const stock = new Map(catalogue.products.flatMap(p => p.variants).map(v => [v.sku, v.stock]))
  const { data: items } = await query.graph({ entity: 'inventory_item', fields: ['id', 'sku'] })
  await run(flows.createInventoryLevelsWorkflow, {
    inventory_levels: items.map(item => ({ inventory_item_id: item.id, location_id: location.id, stocked_quantity: stock.get(item.sku) }))
  })

  // ---- promotions
  for (const coupon of catalogue.coupons) {
    const shipping = coupon.kind === 'free-shipping'
    await run(flows.createPromotionsWorkflow, {
      promotionsData: [{
        code: coupon.code,
        type: 'standard',
        status: 'active',
        is_automatic: false,
        is_tax_inclusive: coupon.kind === 'fixed',
        application_method: {
          type: coupon.kind === 'fixed' ? 'fixed' : 'percentage',
          target_type: shipping ? 'shipping_methods' : coupon.kind === 'fixed' ? 'order' : 'items',
          allocation: shipping || coupon.kind === 'percent' ? 'across' : undefined,
          value: coupon.kind === 'fixed' ? pounds(coupon.value) : shipping ? 100 : coupon.value,
          currency_code: currency
        },
        // a cart's totals are in pounds
        rules: coupon.minimum ? [{ attribute: 'item_total', operator: 'gte', values: [String(pounds(coupon.minimum))] }] : [],
        campaign: coupon.endsAt
          ? { name: coupon.name, campaign_identifier: handle(coupon.name), starts_at: new Date('2024-06-01'), ends_at: new Date(coupon.endsAt) }
          : undefined
      }]
    })
  }

  // ---- people
  const auth = container.resolve(Modules.AUTH)
  async function identity(email, password) {
    const { success, authIdentity, error } = await auth.register('emailpass', { body: { email, password } })
    if (!success) throw new Error(`${email}: ${error}`)
    return authIdentity.id
  }
  for (const person of catalogue.customers) {
    const customer = await run(flows.createCustomerAccountWorkflow, {
      authIdentityId: await identity(person.email, person.password),
      customerData: { email: person.email, first_name: person.firstName, last_name: person.lastName, phone: person.phone }
    })
    await run(flows.createCustomerAddressesWorkflow, {
      addresses: [{
        customer_id: customer.id, address_name: 'Home', first_name: person.firstName, last_name: person.lastName, phone: person.phone,
        address_1: person.address.line1, city: person.address.city, province: person.address.province, postal_code: person.address.postcode,
        country_code: COUNTRY, is_default_shipping: true, is_default_billing: true
      }]
    })
  }
  await run(flows.createUserAccountWorkflow, {
    authIdentityId: await identity('staff@example.com', 'Fell-and-Ford-0'),
    userData: { email: 'staff@example.com', first_name: 'Sam', last_name: 'Staff' }
  })

  // what a caller has to know beforehand
  const known = { publishableKey: key.token, regionId: region.id, salesChannelId: channel.id, stockLocationId: location.id, currency }
  fs.writeFileSync(path.join(process.env.MEDUSA_DATA, 'shop.json'), JSON.stringify(known, null, 2) + '\n')
  container.resolve(ContainerRegistrationKeys.LOGGER).info(`seeded ${products.length} products`)
}
