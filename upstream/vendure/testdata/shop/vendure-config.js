'use strict'
// the shop never calls anything outside this machine
process.env.VENDURE_DISABLE_TELEMETRY = 'true'

const path = require('node:path')
const {
  DefaultLogger, DefaultSearchPlugin, dummyPaymentHandler, LanguageCode, LogLevel
} = require('@vendure/core')
const { InMemoryJobQueueStrategy } = require('@vendure/core/dist/job-queue/in-memory-job-queue-strategy')
const { AssetServerPlugin } = require('@vendure/asset-server-plugin')
const { Webhooks } = require('./plugins/webhooks')

const data = path.resolve(process.env.VENDURE_DATA || path.join(__dirname, 'data'))
const port = Number(process.env.VENDURE_PORT || 3101)

/** @type {import('@vendure/core').VendureConfig} */
const config = {
  // the one channel's token: callers may leave it out
  defaultChannelToken: 'fell-and-ford',
  logger: new DefaultLogger({ level: process.env.VENDURE_DEBUG ? LogLevel.Debug : LogLevel.Info, timestamp: false }),
  apiOptions: {
    hostname: '127.0.0.1',
    port,
    adminApiPath: 'admin-api',
    shopApiPath: 'shop-api'
  },
  authOptions: {
    // a proxy carries the session as a token, browsers keep their cookie, and
    // whoever reads orders later has an API key of the back office
    tokenMethod: ['bearer', 'cookie', 'api-key'],
    // test credentials for a shop on loopback: nothing real is behind them
    superadminCredentials: { identifier: 'superadmin', password: 'superadmin' },
    cookieOptions: { secret: 'a-test-shop-has-no-secrets' },
    requireVerification: false
  },
  dbConnectionOptions: {
    // SQLite in the process itself: nothing to compile, nothing to install. It is
    // read at the start and written by whoever ends the process (server.js, seed.js).
    type: 'sqljs',
    location: path.join(data, 'shop.sqlite'),
    autoSave: false,
    synchronize: process.env.VENDURE_SEEDING === '1',
    logging: false
  },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  // the default strategy, but five jobs a second are few: the search index is filled by jobs
  jobQueueOptions: { jobQueueStrategy: new InMemoryJobQueueStrategy({ pollInterval: 10 }) },
  importExportOptions: { importAssetsDir: path.join(data, 'import') },
  customFields: {
    // which agent placed the order, and by which attempt: upstream/vendure fills them in
    Order: [
      { name: 'storewareAgent', type: 'string', nullable: true, label: [{ languageCode: LanguageCode.en, value: 'Agent' }] },
      { name: 'storewareAttempt', type: 'string', nullable: true, label: [{ languageCode: LanguageCode.en, value: 'Attempt' }] }
    ],
    Product: [
      { name: 'weightGrams', type: 'int', nullable: true, label: [{ languageCode: LanguageCode.en, value: 'Weight (g)' }] }
    ],
    ProductVariant: [
      { name: 'gtin', type: 'string', nullable: true, label: [{ languageCode: LanguageCode.en, value: 'GTIN' }] }
    ]
  },
  plugins: [
    AssetServerPlugin.init({
      route: 'assets',
      assetUploadDir: path.join(data, 'assets'),
      assetUrlPrefix: `http://127.0.0.1:${port}/assets/`
    }),
    DefaultSearchPlugin.init({ indexStockStatus: true, indexCurrencyCode: true }),
    Webhooks
  ]
}

module.exports = { config, data, port }
