package mapped

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// refusal is why the shop did not do what was asked.
type refusal struct {
	status int
	// notice is what it means where that is a notice, empty where the mapping
	// does not say.
	notice upstream.NoticeCode
	// again: nothing came of the request, and it may be sent again.
	again bool
}

// Error says nothing that the shop wrote.
func (r *refusal) Error() string {
	if r.status == 0 {
		return "the shop said no"
	}
	return fmt.Sprintf("the shop answered %d", r.status)
}

// asRefusal returns the refusal in an error's chain, if the shop understood the
// request and said no. That it is busy, denies us or knows no such basket is none.
func asRefusal(err error) (*refusal, bool) {
	var r *refusal
	return r, errors.As(err, &r) && upstream.CodeOf(err) == upstream.CodeInvalid
}

// noticeCodes are the codes of a mapping's refusals that become notices, and
// errorCodes those that become errors.
func noticeCodes() []upstream.NoticeCode {
	return []upstream.NoticeCode{
		upstream.NoticeOutOfStock, upstream.NoticeNotBuyable, upstream.NoticeDiscountUnknown, upstream.NoticeDiscountExpired,
		upstream.NoticeDiscountNotMet, upstream.NoticeDiscountNotCombinable, upstream.NoticeAddressRefused,
		upstream.NoticeNoDelivery, upstream.NoticeDeliveryUnknown, upstream.NoticeBuyerRefused,
	}
}

func errorCodes() map[upstream.Code]string {
	return map[upstream.Code]string{
		upstream.CodeNotFound:        "the shop knows no such thing",
		upstream.CodeInvalid:         "the shop does not take this as it stands",
		upstream.CodeBasketGone:      "the shop has dropped the basket",
		upstream.CodePriceChanged:    "the price has changed",
		upstream.CodePaymentDeclined: "the payment was declined",
		upstream.CodeIncomplete:      "the shop wants to know more before it takes the order",
		upstream.CodeEscalate:        "a person has to go on at the shop",
		upstream.CodeNotPlaced:       "the shop did not take the order",
		upstream.CodeUnavailable:     "the shop cannot do this now",
		upstream.CodeBusy:            "the shop asks to be left alone",
		upstream.CodeDenied:          "the shop refuses our credentials",
	}
}

// refusalAgain is the code of a refusal that nothing came of and that the next
// attempt may not meet.
const refusalAgain = "again"

func refusalCodes() []string {
	var all []string
	for _, code := range noticeCodes() {
		all = append(all, string(code))
	}
	for code := range maps.Keys(errorCodes()) {
		all = append(all, string(code))
	}
	return append(all, refusalAgain)
}

func isRefusalCode(code string) bool { return slices.Contains(refusalCodes(), code) }

// refusedBy is the error for an answer that says no, nil for one that does not.
func (s *Shop) refusedBy(c call, status int, answer gjson.Result) error {
	if rule, ok := matching(c.request.Refusals, status, answer); ok {
		return s.refused(c, status, rule.Code)
	}
	if rule, ok := matching(s.m.Refusals, status, answer); ok {
		return s.refused(c, status, rule.Code)
	}
	switch {
	case status/100 == 2 && c.request.GraphQL != "" && there(answer.Get("errors")):
		return s.unclear(c, status)
	case status/100 == 2:
		return nil
	case status == http.StatusNotFound, status == http.StatusGone:
		return s.refused(c, status, string(upstream.CodeNotFound))
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return s.refused(c, status, string(upstream.CodeDenied))
	case status/100 == 4 && status != http.StatusRequestTimeout && status != http.StatusConflict:
		return s.refused(c, status, "")
	}
	return s.unclear(c, status)
}

// refused is the error for an answer that means what a mapping's code says. The
// empty code is an answer that the mapping knows nothing of.
func (s *Shop) refused(c call, status int, code string) error {
	e := &upstream.Error{Code: upstream.CodeInvalid, Op: c.op, Err: &refusal{status: status}}
	if text, ok := errorCodes()[upstream.Code(code)]; ok {
		e.Code, e.Text = upstream.Code(code), text
		return e
	}
	if code == refusalAgain {
		e.Code, e.Text, e.RetryAfter = upstream.CodeBusy, "the shop was at work on something else", again
		e.Err = &refusal{status: status, again: true}
		return e
	}
	e.Err = &refusal{status: status, notice: upstream.NoticeCode(code)}
	e.Text = "the shop refused it"
	switch {
	case !c.order:
	case code == string(upstream.NoticeOutOfStock):
		e.Code, e.Text = upstream.CodeOutOfStock, "something in the basket was sold meanwhile"
	default:
		e.Code, e.Text = upstream.CodeNotPlaced, "the shop did not take the order"
	}
	return e
}

// unclear is the error for an answer that does not say what came of a request.
func (s *Shop) unclear(c call, status int) error {
	e := upstream.Errorf(upstream.CodeUnavailable, c.op, "the shop answered %d in a way that its mapping does not explain", status)
	e.Err = &refusal{status: status}
	if c.order {
		e.Code, e.Err = upstream.CodeUnknownOutcome, fmt.Errorf("%w: %w", shopclient.ErrLost, e.Err)
	}
	return e
}

// classify makes a refusal of an error that the client made of a status of 4xx
// without JSON. Which status it was is not known then: for an order, it may be the
// answer of a shop that is at work on it.
func (s *Shop) classify(c call, err error) error {
	if upstream.CodeOf(err) != upstream.CodeInvalid {
		return err
	}
	e := &upstream.Error{Code: upstream.CodeInvalid, Op: c.op, Text: "the shop refused it", Err: errors.Join(&refusal{}, err)}
	if c.order {
		e.Code, e.Text, e.Err = upstream.CodeUnknownOutcome, "the shop answered in a way that cannot be understood", errors.Join(shopclient.ErrLost, err)
	}
	return e
}

// matching returns the first rule that an answer meets.
func matching(rules []Refusal, status int, answer gjson.Result) (Refusal, bool) {
	for _, rule := range rules {
		if rule.matches(status, answer) {
			return rule, true
		}
	}
	return Refusal{}, false
}

func (r Refusal) matches(status int, answer gjson.Result) bool {
	if len(r.Status) > 0 && !slices.Contains(r.Status, status) {
		return false
	}
	if r.Path == "" {
		return true
	}
	found := answer.Get(r.Path)
	switch r.Test {
	case TestThere:
		return there(found)
	case TestMissing:
		return !there(found)
	}
	return slices.ContainsFunc(flat(found), func(text string) bool {
		if r.Test == TestIs {
			return slices.Contains(r.Words, text)
		}
		return slices.ContainsFunc(r.Words, func(word string) bool { return strings.Contains(text, word) })
	})
}
