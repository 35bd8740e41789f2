'use strict'
// Drops a cart, as a shop that tidies up does. Medusa itself has no call for it.
const { Modules } = require('@medusajs/framework/utils')

exports.DELETE = async (req, res) => {
  await req.scope.resolve(Modules.CART).deleteCarts([req.params.id])
  res.json({ id: req.params.id, deleted: true })
}
