// Package answer answers a search: what was understood, which products qualify and
// on what evidence, what was turned away and why.
//
//	read → find → read live → judge → explain
//
// A reader ([reading.Reader]) turns the question into constraints. Candidates are
// found by words alone, so that what fails a constraint can be shown. They are read
// from the shop at once, and that moment is as_of: no price, no stock and no fact of
// an answer is older. Then each of them is judged: whether it is the kind of thing
// that was asked for (package relevance), and whether it meets each constraint
// (package verdict).
//
// results, ruled_out and what is unrelated are together all candidates that were
// read: an answer names nothing else. Counts are over the candidates, of which
// there are at most [Service.Candidates].
//
// The names and shapes are those of https://storeware.ai/docs/agents/answers, and
// what is added to them:
//
//	understood.excluded_attributes   what must not be; its verdicts have the
//	                                 constraint excluded_attribute
//	understood.in_stock              true where only what can be had was wanted
//	understood.passes                the reading of each of several things
//	results[].pass, ruled_out[].pass which of them a product is an answer to
//	conversation, next               how to go on
package answer
