'use strict'
// A way to pay for tests: it takes every payment at once, but for one whose
// data say otherwise ("outcome": "declined", "more" or "broken").
const { randomUUID } = require('node:crypto')
const { AbstractPaymentProvider, ModuleProvider, Modules, PaymentActions, PaymentSessionStatus } = require('@medusajs/framework/utils')

class TestCard extends AbstractPaymentProvider {
  static identifier = 'test-card'

  async initiatePayment(input) {
    return { id: randomUUID(), data: { outcome: input.data?.outcome || 'paid' } }
  }

  async authorizePayment({ data }) {
    switch (data.outcome) {
      case 'declined': return { data, status: PaymentSessionStatus.ERROR }
      case 'more': return { data, status: PaymentSessionStatus.REQUIRES_MORE }
      case 'broken': throw new Error('the gateway is on fire')
    }
    return { data, status: PaymentSessionStatus.AUTHORIZED }
  }

  async updatePayment({ data }) { return { data } }
  async deletePayment() { return { data: {} } }
  async capturePayment({ data }) { return { data } }
  async refundPayment({ data }) { return { data } }
  async cancelPayment({ data }) { return { data } }
  async retrievePayment({ data }) { return { data } }
  async getPaymentStatus() { return { status: PaymentSessionStatus.AUTHORIZED } }
  async getWebhookActionAndData() { return { action: PaymentActions.NOT_SUPPORTED } }
}

module.exports = ModuleProvider(Modules.PAYMENT, { services: [TestCard] })
