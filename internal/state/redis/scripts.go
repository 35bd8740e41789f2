package redis

import goredis "github.com/redis/go-redis/v9"

// Keys that stand alone, and the beginnings of those that come in numbers.
const (
	schemaKey = "schema"
	namesKey  = "names"
	dueKey    = "due"
	fenceKey  = "fence"

	queuesKey   = "queues"
	sequenceKey = "sequence"

	entryPrefix   = "e:"
	counterPrefix = "c:"
	leasePrefix   = "l:"
	waitingPrefix = "w:"
	orderPrefix   = "qo:"
	readyPrefix   = "qr:"
	messagePrefix = "qm:"
)

// scripts are the Lua scripts. Redis keeps them too, under their digests.
type scripts struct {
	write, remove, add, page *goredis.Script
	sweep, clear, raiseFence *goredis.Script
	acquire, renew, release  *goredis.Script
	initialSchema            *goredis.Script

	putMessage, takeMessages, removeMessage, retryMessage *goredis.Script
	reschedule, listMessages, listQueues, clearQueues     *goredis.Script
}

func newScripts() scripts {
	return scripts{
		write:         goredis.NewScript(due + writeSource),
		remove:        goredis.NewScript(removeSource),
		add:           goredis.NewScript(due + addSource),
		page:          goredis.NewScript(pageSource),
		sweep:         goredis.NewScript(now + sweepSource),
		clear:         goredis.NewScript(clearSource),
		raiseFence:    goredis.NewScript(raiseFenceSource),
		acquire:       goredis.NewScript(acquireSource),
		renew:         goredis.NewScript(renewSource),
		release:       goredis.NewScript(releaseSource),
		initialSchema: goredis.NewScript(initialSchemaSource),
		putMessage:    goredis.NewScript(inGroup + putMessageSource),
		takeMessages:  goredis.NewScript(now + takeMessagesSource),
		removeMessage: goredis.NewScript(inGroup + removeMessageSource),
		retryMessage:  goredis.NewScript(now + retryMessageSource),
		reschedule:    goredis.NewScript(now + rescheduleSource),
		listMessages:  goredis.NewScript(now + listMessagesSource),
		listQueues:    goredis.NewScript(listQueuesSource),
		clearQueues:   goredis.NewScript(clearQueuesSource),
	}
}

// now is the time of the Redis in milliseconds, so that the clocks of the nodes
// do not matter.
const now = `
local function now()
	local t = redis.call('TIME')
	return t[1] * 1000 + math.floor(t[2] / 1000)
end
`

// due notes when a name expires: in ttl milliseconds, or never if that is 0.
const due = now + `
local function due(set, name, ttl)
	if ttl == 0 then
		redis.call('ZREM', set, name)
	else
		redis.call('ZADD', set, now() + ttl, name)
	end
end
`

// KEYS: entry, names, due. ARGV: name, version and value, ttl, 'any' or 'match',
// and the version that must be there, ” for none. Replies 1, or 0 for a
// conflict.
const writeSource = `
if ARGV[4] == 'match' and redis.call('GETRANGE', KEYS[1], 0, 7) ~= ARGV[5] then
	return 0
end
local ttl = tonumber(ARGV[3])
if ttl == 0 then
	redis.call('SET', KEYS[1], ARGV[2])
else
	redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
end
redis.call('ZADD', KEYS[2], 0, ARGV[1])
due(KEYS[3], ARGV[1], ttl)
return 1
`

// KEYS: entry, names, due. ARGV: name, 'any' or 'match', and the version that
// must be there. Replies 1, or 0 for a conflict.
const removeSource = `
if ARGV[2] == 'match' and redis.call('GETRANGE', KEYS[1], 0, 7) ~= ARGV[3] then
	return 0
end
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
return 1
`

// KEYS: counter, names, due. ARGV: name, delta, ttl of a new counter. Replies
// with the sum, as a string: a number of Lua would have 53 bits only.
const addSource = `
local new = redis.call('EXISTS', KEYS[1]) == 0
redis.call('INCRBY', KEYS[1], ARGV[2])
if new then
	local ttl = tonumber(ARGV[3])
	if ttl > 0 then
		redis.call('PEXPIRE', KEYS[1], ARGV[3])
	end
	redis.call('ZADD', KEYS[2], 0, ARGV[1])
	due(KEYS[3], ARGV[1], ttl)
end
return redis.call('GET', KEYS[1])
`

// KEYS: names. ARGV: prefix of all keys, first and last name as for ZRANGEBYLEX,
// how many names and bytes make a page. Replies with the name to go on after, ”
// at the end, and then for each record its name, what is stored, and its
// remaining time in milliseconds, -1 for ever.
const pageSource = `
local names = redis.call('ZRANGEBYLEX', KEYS[1], ARGV[2], ARGV[3], 'LIMIT', 0, ARGV[4])
local page, size = {''}, 0
for i, name in ipairs(names) do
	local stored = redis.call('GET', ARGV[1] .. name)
	if stored then
		page[#page + 1] = name
		page[#page + 1] = stored
		page[#page + 1] = redis.call('PTTL', ARGV[1] .. name)
		size = size + #name + #stored
	end
	if i == tonumber(ARGV[4]) or size >= tonumber(ARGV[5]) then
		page[1] = name
		break
	end
end
return page
`

// KEYS: names, due. ARGV: prefix of all keys, how many names to look at. Replies
// with how many it removed.
const sweepSource = `
local names = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now(), 'LIMIT', 0, ARGV[2])
local removed = 0
for _, name in ipairs(names) do
	if redis.call('EXISTS', ARGV[1] .. name) == 0 then
		redis.call('ZREM', KEYS[1], name)
		redis.call('ZREM', KEYS[2], name)
		removed = removed + 1
	end
end
return removed
`

// KEYS: names, due. ARGV: prefix of all keys, how many records to remove. Replies
// with how many there were.
const clearSource = `
local names = redis.call('ZRANGE', KEYS[1], 0, ARGV[2] - 1)
for _, name in ipairs(names) do
	redis.call('DEL', ARGV[1] .. name)
	redis.call('ZREM', KEYS[1], name)
	redis.call('ZREM', KEYS[2], name)
end
return #names
`

// KEYS: fence. ARGV: the token that later ones must exceed. Numbers of this size
// are compared as text, since those of Lua are not exact.
const raiseFenceSource = `
local fence = redis.call('GET', KEYS[1]) or '0'
if #fence < #ARGV[1] or (#fence == #ARGV[1] and fence < ARGV[1]) then
	redis.call('SET', KEYS[1], ARGV[1])
end
`

// KEYS: lease, waiting, fence. ARGV: id, ttl, process, mode, how long a waiting
// process is remembered. Replies with a fencing token, or nil if the lease is
// held or, for mode 'next', another process waits for it.
const acquireSource = `
if ARGV[4] == 'next' then
	local waiting = redis.call('GET', KEYS[2])
	if waiting and waiting ~= ARGV[3] then
		return false
	end
end
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
	redis.call('INCR', KEYS[3])
	return redis.call('GET', KEYS[3])
end
if ARGV[4] ~= 'try' then
	redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[5])
end
return false
`

// KEYS: lease. ARGV: id, ttl. Replies 1, or 0 if the lease is no longer ours.
const renewSource = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
	return 0
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`

// KEYS: lease. ARGV: id. Replies 1, or 0 if the lease is no longer ours.
const releaseSource = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
	return 0
end
redis.call('DEL', KEYS[1])
return 1
`

// KEYS: schema. ARGV: the version of a new store. Replies with the version.
const initialSchemaSource = `
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])
`
