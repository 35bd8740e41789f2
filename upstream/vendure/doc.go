// Package vendure speaks to a Vendure 3 shop (3.1 or later) through its Shop
// API, https://docs.vendure.io/reference/graphql-api/shop/queries.
//
// # Sessions
//
// A Vendure basket is the active order of a session: whoever has the session's
// token has the basket. The token travels in the header vendure-auth-token and
// comes back as a bearer token, or as a cookie where the shop knows nothing
// else; it is kept in the basket's handle together with the order's code, which
// tells the basket from a new one in the same session. What is read from the
// catalogue needs no session.
//
// # Requests
//
// A basket is read, changed and read again: three requests, one where nothing
// changes. All changes go in one document, since the mutations of a document run
// one after the other. Two habits of Vendure matter there. A mutation that
// throws (rather than return an error type) ends the document, so what could
// throw is checked beforehand, and after a throw the basket is read again. And a
// mutation used twice in a document sees the session as it was at the first use:
// were that the one that begins the order, the second would begin another. So a
// new order is begun by a mutation of its own.
//
// # Orders
//
// An order is placed by locking the basket (the state ArrangingPayment), looking
// at the locked total, and adding a payment of that total. Anybody may read an
// order by its code for two hours; after that the shop shows it to its customer
// alone. For orders to be readable longer, either the shop's configuration says
// so (orderByCodeAccessStrategy), or [Config.AdminKey] is set.
//
// The order tells which agent placed it in the custom fields storewareAgent and
// storewareAttempt, if the shop has them, and always in the metadata of its
// payment, as far as the payment's handler keeps what it is given.
//
// # Tests
//
// Most tests play what a real shop said from testdata/tapes. With
// STOREWARE_VENDURE_URL, such as http://127.0.0.1:3101, they run against the shop
// of testdata/shop too (setup.sh, start.sh; Node 20), and so does the suite of
// upstream/shoptest. STOREWARE_VENDURE_DIR is the folder it was set up in, for
// those that restart it. STOREWARE_VENDURE_RECORD=1 records the tapes anew.
package vendure
