'use strict'
// Builds the shop anew in the data folder: taxes, delivery, payment, products,
// collections, promotions and a customer, all from catalogue.json.
const fs = require('node:fs')
const path = require('node:path')
process.env.VENDURE_SEEDING = '1'
const { config, data } = require('./vendure-config')
const catalogue = require('./catalogue.json')
const { productImage } = require('./images')

const LANGUAGE = 'en'

function slug(text) {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
}

function csv(rows) {
  return rows.map(row => row.map(cell => `"${String(cell ?? '').replaceAll('"', '""')}"`).join(',')).join('\n')
}

// One row a variant; a product's own columns stand in its first row only.
function productRows() {
  const rows = [['name', 'slug', 'description', 'assets', 'facets', 'optionGroups', 'optionValues', 'sku', 'price', 'taxCategory',
    'stockOnHand', 'trackInventory', 'variantAssets', 'variantFacets', 'product:weightGrams', 'variant:gtin']]
  for (const product of catalogue.products) {
    const facets = [
      `category:${product.category}`, `brand:${product.brand}`, `audience:${product.audience}`, `material:${product.material}`,
      ...product.features.map(v => `feature:${v}`), ...product.activities.map(v => `activity:${v}`)
    ].join('|')
    product.variants.forEach((variant, i) => {
      const variantFacets = variant.options.Colour ? `colour:${variant.options.Colour}` : ''
      const own = i === 0
        ? [product.name, product.handle, product.description, `${product.handle}.png`, facets, Object.keys(product.options).join('|')]
        : ['', '', '', '', '', '']
      rows.push([...own, Object.values(variant.options).join('|'), variant.sku, (variant.price / 100).toFixed(2), product.tax,
        variant.stock, 'true', '', variantFacets, i === 0 ? product.weight : '', variant.gtin])
    })
  }
  return rows
}

function initialData() {
  const categories = [...new Set(catalogue.products.map(p => p.category))]
  return {
    defaultLanguage: LANGUAGE,
    defaultZone: 'UK',
    countries: [
      { code: 'GB', name: 'United Kingdom', zone: 'UK' },
      { code: 'IE', name: 'Ireland', zone: 'Abroad' },
      { code: 'US', name: 'United States of America', zone: 'Abroad' }
    ],
    taxRates: Object.entries(catalogue.taxes).map(([name, percentage]) => ({ name, percentage })),
    shippingMethods: [],
    paymentMethods: [
      { name: 'Test card', handler: { code: 'dummy-payment-handler', arguments: [{ name: 'automaticSettle', value: 'true' }] } }
    ],
    collections: categories.map(name => ({
      name,
      slug: slug(name),
      description: `${name} for the hills`,
      filters: [{ code: 'facet-value-filter', args: { facetValueNames: [`category:${name}`], containsAny: false } }]
    }))
  }
}

async function main() {
  fs.rmSync(data, { recursive: true, force: true })
  fs.mkdirSync(config.importExportOptions.importAssetsDir, { recursive: true })
  fs.mkdirSync(path.join(data, 'assets'), { recursive: true })
  for (const product of catalogue.products) {
    fs.writeFileSync(path.join(config.importExportOptions.importAssetsDir, `${product.handle}.png`), productImage(product))
  }

  const {
    bootstrap, ChannelService, CustomerService, Importer, JobQueueService, Populator, PromotionService, RequestContextService,
    SellerService, ShippingMethodService, TransactionalConnection, User, Zone
  } = require('@vendure/core')

  // any free port: nobody calls this server
  const app = await bootstrap({ ...config, apiOptions: { ...config.apiOptions, port: 0 } })
  const channels = app.get(ChannelService)
  const contexts = app.get(RequestContextService)
  const connection = app.get(TransactionalConnection)
  const owner = await connection.rawConnection.getRepository(User).findOneOrFail({
    where: { identifier: config.authOptions.superadminCredentials.identifier },
    relations: ['roles', 'roles.channels']
  })

  async function context() {
    const channelOrToken = await channels.getDefaultChannel()
    return contexts.create({ apiType: 'admin', user: owner, languageCode: LANGUAGE, channelOrToken })
  }
  function must(result) {
    if (result && result.__typename && /Error$/.test(result.__typename)) throw new Error(`${result.__typename}: ${result.message}`)
    return result
  }

  // The currency and the way prices are entered have to stand before any price does.
  const channel = await channels.getDefaultChannel()
  must(await channels.update(await context(), {
    id: channel.id,
    defaultCurrencyCode: catalogue.currency,
    availableCurrencyCodes: [catalogue.currency],
    pricesIncludeTax: catalogue.pricesIncludeTax,
    outOfStockThreshold: 0,
    trackInventory: true
  }))

  const [seller] = (await app.get(SellerService).findAll(await context())).items
  await app.get(SellerService).update(await context(), { id: seller.id, name: catalogue.shop })

  const populator = app.get(Populator)
  await populator.populateInitialData(initialData())

  const ctx = await context()
  for (const method of catalogue.shipping) {
    must(await app.get(ShippingMethodService).create(ctx, {
      code: method.code,
      fulfillmentHandler: 'manual-fulfillment',
      checker: { code: 'default-shipping-eligibility-checker', arguments: [{ name: 'orderMinimum', value: '0' }] },
      calculator: {
        code: 'default-shipping-calculator',
        arguments: [
          { name: 'rate', value: String(method.price) },
          { name: 'taxRate', value: String(catalogue.taxes.standard) },
          { name: 'includesTax', value: 'include' }
        ]
      },
      translations: [{ languageCode: LANGUAGE, name: method.name, description: method.description }]
    }))
  }

  const imported = await new Promise((resolve, reject) => {
    let last
    app.get(Importer).parseAndImport(csv(productRows()), ctx, false).subscribe({ next: v => { last = v }, error: reject, complete: () => resolve(last) })
  })
  if (imported.errors.length || imported.imported !== catalogue.products.length) {
    throw new Error(`imported ${imported.imported} of ${catalogue.products.length} products: ${imported.errors.join('; ')}`)
  }

  for (const coupon of catalogue.coupons) {
    const action = {
      percent: { code: 'order_percentage_discount', arguments: [{ name: 'discount', value: String(coupon.value) }] },
      fixed: { code: 'order_fixed_discount', arguments: [{ name: 'discount', value: String(coupon.value) }] },
      'free-shipping': { code: 'free_shipping', arguments: [] }
    }[coupon.kind]
    const conditions = coupon.minimum
      ? [{ code: 'minimum_order_amount', arguments: [{ name: 'amount', value: String(coupon.minimum) }, { name: 'taxInclusive', value: 'true' }] }]
      : []
    must(await app.get(PromotionService).createPromotion(ctx, {
      enabled: true,
      couponCode: coupon.code,
      endsAt: coupon.endsAt ? new Date(coupon.endsAt) : undefined,
      translations: [{ languageCode: LANGUAGE, name: coupon.name, description: '' }],
      conditions,
      actions: [action]
    }))
  }

  for (const person of catalogue.customers) {
    const customer = must(await app.get(CustomerService).create(ctx, {
      emailAddress: person.email, firstName: person.firstName, lastName: person.lastName, phoneNumber: person.phone
    }, person.password))
    await app.get(CustomerService).createAddress(ctx, customer.id, {
      fullName: `${person.firstName} ${person.lastName}`,
      streetLine1: person.address.line1,
      streetLine2: person.address.line2,
      city: person.address.city,
      province: person.address.province,
      postalCode: person.address.postcode,
      countryCode: person.address.country,
      phoneNumber: person.phone,
      defaultShippingAddress: true,
      defaultBillingAddress: true
    })
  }

  // Collections fill and the search index builds in jobs: run them here, and wait.
  await app.get(JobQueueService).start()
  await populator.populateCollections(initialData())
  await settled(connection)
  await connection.rawConnection.sqljsManager.saveDatabase()
  fs.rmSync(config.importExportOptions.importAssetsDir, { recursive: true, force: true })
  console.log(`seeded ${catalogue.products.length} products`)

  async function settled(db) {
    const variants = catalogue.products.flatMap(p => p.variants).length
    const deadline = Date.now() + 120_000
    let same = 0
    for (let last = ''; same < 4;) {
      if (Date.now() > deadline) throw new Error('the search index did not settle within two minutes')
      await new Promise(resolve => setTimeout(resolve, 500))
      const [row] = await db.rawConnection.query(
        "select count(*) as n, sum(length(collectionIds)) as c, sum(case when collectionSlugs <> '' then 1 else 0 end) as filed from search_index_item")
      const now = JSON.stringify(row)
      same = now === last && row.n === variants && row.filed === variants ? same + 1 : 0
      last = now
    }
  }
}

main().then(() => process.exit(0), error => {
  console.error(error)
  process.exit(1)
})
