// Package redis keeps the state in a Redis (7 or later, or a server that speaks
// the same), which several processes share.
//
// # What it asks of the Redis
//
// One primary; replicas may stand behind it, but a Redis Cluster is not
// supported, since a script touches several keys. It must not evict
// (maxmemory-policy noeviction) and should keep an append-only file: whatever
// Redis forgets, the shop's agents will do twice. A primary that fails takes the
// writes of its last moments with it, and its leases; what then happened twice
// is for the reader of the record to find out, who compares with the shop.
//
// # Keys
//
// All keys begin with a prefix, so that several installations may share a Redis.
//
//	schema       version of this layout
//	e:<key>      entry: version in 8 bytes, value; expires by itself
//	c:<key>      counter; expires by itself
//	names        sorted set of "e:<key>" and "c:<key>", all with score 0, which
//	             Redis orders bytewise: what a scan or a backup walks through
//	due          sorted set of those names that expire, scored by when (Unix
//	             milliseconds), from which a sweep clears names and due
//	l:<name>     lease: random id of the holder; expires unless renewed
//	w:<name>     the process that waits for the lease, for a moment
//	fence        the latest fencing token
//	queues       sorted set of the names of queues, all with score 0
//	sequence     the number of the latest message
//	qm:<length of the queue's name>:<queue>:<id>
//	             message: hash of g group, s number, d when it is due (Unix
//	             milliseconds), k token of its lease, n tries, v value
//	qo:<queue>   sorted set of "<length of the group>:<group>:<number>:<id>", all
//	             with score 0: the messages, those of a group in their order
//	qr:<queue>   sorted set of the first message of each group, scored by when it
//	             is due
//
// Whatever touches several keys, or decides before it writes, is a Lua script,
// which Redis runs on its own.
package redis
