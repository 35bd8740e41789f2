'use strict'
const path = require('node:path')

// the shop never calls anything outside this machine
process.env.MEDUSA_DISABLE_TELEMETRY = 'true'

const { defineConfig } = require('@medusajs/framework/utils')

const port = process.env.MEDUSA_PORT || 3102
const pgPort = process.env.MEDUSA_PG_PORT || 5499
const database = process.env.MEDUSA_DATABASE || 'shop'

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: `postgres://medusa@127.0.0.1:${pgPort}/${database}?sslmode=disable`,
    databaseDriverOptions: { connection: { ssl: false } },
    http: {
      storeCors: `http://127.0.0.1:${port}`,
      adminCors: `http://127.0.0.1:${port}`,
      authCors: `http://127.0.0.1:${port}`,
      // a test shop on loopback: nothing real is behind these
      jwtSecret: 'a-test-shop-has-no-secrets',
      cookieSecret: 'a-test-shop-has-no-secrets'
    }
  },
  admin: { disable: true },
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: { providers: [{ resolve: './src/modules/test-card', id: 'test' }] }
    },
    {
      resolve: '@medusajs/medusa/file',
      options: {
        providers: [{
          resolve: '@medusajs/medusa/file-local',
          id: 'local',
          options: { upload_dir: path.join(__dirname, 'static'), backend_url: `http://127.0.0.1:${port}/static` }
        }]
      }
    }
  ]
})
