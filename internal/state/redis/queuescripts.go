package redis

// The scripts of queues get KEYS: order, ready, queues, sequence; and ARGV: the
// beginning of the keys of the queue's messages, the name of the queue, and what
// each says.

// group is what the members of order in a group begin with, place is the member
// of a message, and first is the id of the first message of a group.
const inGroup = now + `
local function group(name)
	return #name .. ':' .. name .. ':'
end
local function place(name, seq, id)
	return group(name) .. string.format('%016d', seq) .. ':' .. id
end
local function first(name)
	local prefix = group(name)
	local found = redis.call('ZRANGEBYLEX', KEYS[1], '[' .. prefix, '(' .. string.sub(prefix, 1, -2) .. ';', 'LIMIT', 0, 1)
	if found[1] then
		return string.sub(found[1], #prefix + 18)
	end
end
`

// ARGV: …, id, group, value, milliseconds until it is due, limit, the number in
// sequence or ” for the next, tries. Replies with what hinders, or 'put'.
const putMessageSource = `
local item = ARGV[1] .. ARGV[3]
if redis.call('EXISTS', item) == 1 then
	return 'exists'
end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[7]) then
	return 'full'
end
local seq
if ARGV[8] == '' then
	seq = redis.call('INCR', KEYS[4])
else
	seq = tonumber(ARGV[8])
	if seq > tonumber(redis.call('GET', KEYS[4]) or '0') then
		redis.call('SET', KEYS[4], ARGV[8])
	end
end
local due = now() + tonumber(ARGV[6])
local head = first(ARGV[4])
redis.call('HSET', item, 'g', ARGV[4], 's', seq, 'd', due, 'k', '', 'n', ARGV[9], 'v', ARGV[5])
redis.call('ZADD', KEYS[1], 0, place(ARGV[4], seq, ARGV[3]))
redis.call('ZADD', KEYS[3], 0, ARGV[2])
if not head then
	redis.call('ZADD', KEYS[2], due, ARGV[3])
end
return 'put'
`

// ARGV: …, how many, milliseconds of the lease, token, how many bytes are enough.
// Replies with id, group, tries and value of each.
const takeMessagesSource = `
local time, tasks, size = now(), {}, 0
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', time, 'LIMIT', 0, ARGV[3])) do
	if size >= tonumber(ARGV[6]) then
		break
	end
	local item = redis.call('HMGET', ARGV[1] .. id, 'g', 'n', 'v')
	redis.call('HSET', ARGV[1] .. id, 'k', ARGV[5], 'd', time + ARGV[4])
	redis.call('ZADD', KEYS[2], time + ARGV[4], id)
	tasks[#tasks + 1] = {id, item[1], item[2], item[3]}
	size = size + #item[3]
end
return tasks
`

// ARGV: …, id, token of the lease, ” for any. Replies with what hinders, or
// 'removed'.
const removeMessageSource = `
local item = redis.call('HMGET', ARGV[1] .. ARGV[3], 'g', 's', 'k')
if not item[1] then
	return 'missing'
end
if ARGV[4] ~= '' and ARGV[4] ~= item[3] then
	return 'lost'
end
redis.call('DEL', ARGV[1] .. ARGV[3])
redis.call('ZREM', KEYS[1], place(item[1], tonumber(item[2]), ARGV[3]))
redis.call('ZREM', KEYS[2], ARGV[3])
local head = first(item[1])
if head then
	redis.call('ZADD', KEYS[2], redis.call('HGET', ARGV[1] .. head, 'd'), head)
elseif redis.call('EXISTS', KEYS[1]) == 0 then
	redis.call('ZREM', KEYS[3], ARGV[2])
end
return 'removed'
`

// ARGV: …, id, token of the lease, value, milliseconds until it is due. Replies
// with what hinders, or 'back'.
const retryMessageSource = `
if redis.call('HGET', ARGV[1] .. ARGV[3], 'k') ~= ARGV[4] then
	return 'lost'
end
local due = now() + tonumber(ARGV[6])
redis.call('HSET', ARGV[1] .. ARGV[3], 'k', '', 'd', due, 'v', ARGV[5])
redis.call('HINCRBY', ARGV[1] .. ARGV[3], 'n', 1)
redis.call('ZADD', KEYS[2], 'XX', due, ARGV[3])
return 'back'
`

// ARGV: …, id, milliseconds until it is due. Replies with what hinders, or
// 'moved'.
const rescheduleSource = `
local item = redis.call('HMGET', ARGV[1] .. ARGV[3], 'k', 'd')
if not item[2] then
	return 'missing'
end
local time = now()
if item[1] ~= '' and tonumber(item[2]) > time then
	return 'leased'
end
local due = time + tonumber(ARGV[4])
redis.call('HSET', ARGV[1] .. ARGV[3], 'k', '', 'd', due)
redis.call('ZADD', KEYS[2], 'XX', due, ARGV[3])
return 'moved'
`

// ARGV: …, where in order to begin, as for ZRANGEBYLEX, how many messages and
// bytes make a page. Replies with where to go on after, ” at the end, and then
// for each message its id, group, number, tries, when it is due, 1 if it is
// leased, and its value.
const listMessagesSource = `
local time, page, size = now(), {''}, 0
local members = redis.call('ZRANGEBYLEX', KEYS[1], ARGV[3], '+', 'LIMIT', 0, ARGV[4])
for i, member in ipairs(members) do
	local colon = string.find(member, ':', 1, true)
	local id = string.sub(member, colon + tonumber(string.sub(member, 1, colon - 1)) + 19)
	local item = redis.call('HMGET', ARGV[1] .. id, 'g', 's', 'n', 'd', 'k', 'v')
	if item[6] then
		local leased = 0
		if item[5] ~= '' and tonumber(item[4]) > time then
			leased = 1
		end
		page[#page + 1] = {id, item[1], item[2], item[3], item[4], leased, item[6]}
		size = size + #member + #item[6]
	end
	if i == tonumber(ARGV[4]) or size >= tonumber(ARGV[5]) then
		page[1] = member
		break
	end
end
return page
`

// KEYS: queues. ARGV: prefix of all keys, first and last name as for ZRANGEBYLEX,
// how many make a page. Replies with the name to go on after, ” at the end, and
// then for each queue its name, its length, and the milliseconds until a message
// is due.
const listQueuesSource = now + `
local time, page = now(), {''}
local names = redis.call('ZRANGEBYLEX', KEYS[1], ARGV[2], ARGV[3], 'LIMIT', 0, ARGV[4])
for i, name in ipairs(names) do
	local due = redis.call('ZRANGE', ARGV[1] .. 'qr:' .. name, 0, 0, 'WITHSCORES')
	if due[2] then
		page[#page + 1] = {name, redis.call('ZCARD', ARGV[1] .. 'qo:' .. name), due[2] - time}
	end
	if i == tonumber(ARGV[4]) then
		page[1] = name
	end
end
return page
`

// KEYS: queues. ARGV: prefix of all keys, how many messages to remove. Replies
// with how many queues there were.
const clearQueuesSource = `
local name = redis.call('ZRANGE', KEYS[1], 0, 0)[1]
if not name then
	return 0
end
local order = ARGV[1] .. 'qo:' .. name
local members = redis.call('ZRANGE', order, 0, ARGV[2] - 1)
for _, member in ipairs(members) do
	local colon = string.find(member, ':', 1, true)
	local id = string.sub(member, colon + tonumber(string.sub(member, 1, colon - 1)) + 19)
	redis.call('DEL', ARGV[1] .. 'qm:' .. #name .. ':' .. name .. ':' .. id)
	redis.call('ZREM', order, member)
end
if redis.call('EXISTS', order) == 0 then
	redis.call('DEL', ARGV[1] .. 'qr:' .. name)
	redis.call('ZREM', KEYS[1], name)
end
return 1
`
