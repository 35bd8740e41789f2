package bolt

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// The buckets of the queues. Among the messages of a group only the first stands
// in the bucket ready, be it leased (until it is due) or not.
const (
	queues   = "queues"
	messages = "messages"
	ids      = "ids"
	ready    = "ready"
)

// message is a record of the messages bucket, together with its key. Its value
// belongs to the file, or to whoever wrote it.
type message struct {
	queue string
	group string
	seq   uint64 // the order in which messages were put, from 1

	due   int64
	token uint64 // of the latest lease, 0 if it was put back since
	tries uint32
	id    string
	value []byte
}

const messageHeader = 8 + 8 + 4

func (m message) leased(now int64) bool { return m.token != 0 && m.due > now }

func (m message) encode() []byte {
	out := make([]byte, 0, messageHeader+2+len(m.id)+len(m.value))
	out = binary.BigEndian.AppendUint64(out, uint64(m.due))
	out = binary.BigEndian.AppendUint64(out, m.token)
	out = binary.BigEndian.AppendUint32(out, m.tries)
	return append(appendName(out, m.id), m.value...)
}

func decodeMessage(key, record []byte) (message, error) {
	queue, key, okQueue := cutName(key)
	group, key, okGroup := cutName(key)
	if !okQueue || !okGroup || len(key) != 8 || len(record) < messageHeader {
		return message{}, damagedMessage(record)
	}
	id, value, ok := cutName(record[messageHeader:])
	if !ok {
		return message{}, damagedMessage(record)
	}
	return message{
		queue: queue,
		group: group,
		seq:   binary.BigEndian.Uint64(key),
		due:   int64(binary.BigEndian.Uint64(record)),
		token: binary.BigEndian.Uint64(record[8:]),
		tries: binary.BigEndian.Uint32(record[16:]),
		id:    id,
		value: value,
	}, nil
}

func damagedMessage(record []byte) error {
	return unavailable(fmt.Errorf("a message of %d bytes is damaged", len(record)))
}

// appendName appends a name so that it can be told from what follows.
func appendName(out []byte, name string) []byte {
	return append(binary.BigEndian.AppendUint16(out, uint16(len(name))), name...)
}

// cutName is the reverse of appendName.
func cutName(in []byte) (name string, rest []byte, ok bool) {
	if len(in) < 2 || len(in)-2 < int(binary.BigEndian.Uint16(in)) {
		return "", nil, false
	}
	end := 2 + int(binary.BigEndian.Uint16(in))
	return string(in[2:end]), in[end:], true
}

func queuePrefix(queue string) []byte { return appendName(nil, queue) }

func groupPrefix(queue, group string) []byte { return appendName(queuePrefix(queue), group) }

func idKey(queue, id string) []byte { return append(queuePrefix(queue), id...) }

func (m message) key() []byte {
	return binary.BigEndian.AppendUint64(groupPrefix(m.queue, m.group), m.seq)
}

func (m message) idKey() []byte { return idKey(m.queue, m.id) }

func (m message) readyKey() []byte {
	key := binary.BigEndian.AppendUint64(queuePrefix(m.queue), uint64(m.due))
	return binary.BigEndian.AppendUint64(key, m.seq)
}

// message returns the message with an id, and false if there is none.
func (t *txn) message(queue, id string) (m message, found bool, err error) {
	key := t.bucket(ids).Get(idKey(queue, id))
	if key == nil {
		return message{}, false, nil
	}
	m, err = decodeMessage(key, t.bucket(messages).Get(key))
	return m, true, err
}

// append adds a message, the last of its group.
func (t *txn) append(m message) {
	group := groupPrefix(m.queue, m.group)
	if first, _ := t.bucket(messages).Cursor().Seek(group); first == nil || !bytes.HasPrefix(first, group) {
		t.put(ready, m.readyKey(), m.key())
	}
	t.put(messages, m.key(), m.encode())
	t.put(ids, m.idKey(), m.key())
	t.setLength(m.queue, t.length(m.queue)+1)
	if bucket := t.bucket(messages); m.seq > bucket.Sequence() {
		t.write(func() error { return bucket.SetSequence(m.seq) })
	}
}

// replace changes a message in its place.
func (t *txn) replace(before, after message) {
	head := t.bucket(ready).Get(before.readyKey()) != nil
	t.put(messages, after.key(), after.encode())
	if head {
		t.delete(ready, before.readyKey())
		t.put(ready, after.readyKey(), after.key())
	}
}

// remove removes a message and lets the next of its group follow.
func (t *txn) remove(m message) error {
	next, found, err := t.follower(m)
	if err != nil {
		return err
	}
	if found && t.bucket(ready).Get(m.readyKey()) != nil {
		t.put(ready, next.readyKey(), next.key())
	}
	t.delete(ready, m.readyKey())
	t.delete(messages, m.key())
	t.delete(ids, m.idKey())
	t.setLength(m.queue, t.length(m.queue)-1)
	return nil
}

// follower returns the message of the same group behind one.
func (t *txn) follower(m message) (next message, found bool, err error) {
	cursor := t.bucket(messages).Cursor()
	cursor.Seek(m.key())
	key, record := cursor.Next()
	if key == nil || !bytes.HasPrefix(key, groupPrefix(m.queue, m.group)) {
		return message{}, false, nil
	}
	next, err = decodeMessage(key, record)
	return next, true, err
}

// length returns the number of messages in a queue.
func (t *txn) length(queue string) uint64 {
	if n := t.bucket(queues).Get([]byte(queue)); len(n) == 8 {
		return binary.BigEndian.Uint64(n)
	}
	return 0
}

func (t *txn) setLength(queue string, n uint64) {
	if n == 0 {
		t.delete(queues, []byte(queue))
		return
	}
	t.put(queues, []byte(queue), binary.BigEndian.AppendUint64(nil, n))
}
