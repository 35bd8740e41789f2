package basket

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

// issues derives what to tell about an open basket from what was wanted, what
// the shop's basket holds and what the shop said.
func issues(w *Wanted, o *upstream.Observed, notices []upstream.Notice, can upstream.Capabilities) (blockers, warnings []Issue) {
	told := make(map[string]bool, len(w.Lines))
	for _, n := range notices {
		issue, blocks := issueOf(n, w)
		if n.Line != "" {
			told[n.Line] = true
		}
		if blocks {
			blockers = append(blockers, issue)
		} else {
			warnings = append(warnings, issue)
		}
	}
	blockers = append(blockers, dropped(w, o, told)...)
	nameItems(blockers, w, o)
	nameItems(warnings, w, o)
	for _, m := range missing(w, o) {
		if !slices.ContainsFunc(blockers, func(refused Issue) bool { return refused.covers(m, w.Buyer) }) {
			blockers = append(blockers, m)
		}
	}
	switch {
	case can.Place:
	case o.HandOff != "":
		blockers = append(blockers, Issue{
			Code: HandOff, Field: FieldBasket, ByBuyer: true,
			Text: "This shop takes orders on its own page only.",
		})
	default:
		blockers = append(blockers, Issue{Code: NotOrderable, Field: FieldBasket, Text: defaultText(NotOrderable)})
	}
	slices.SortStableFunc(blockers, func(a, b Issue) int {
		return cmp.Or(cmp.Compare(rank(a.Field), rank(b.Field)), cmp.Compare(a.Index, b.Index))
	})
	return blockers, warnings
}

// covers reports whether a shop that refused something lacks it for that reason,
// which is no second thing to mend. Who refuses a buyer's address takes no name with
// it.
func (i Issue) covers(missing Issue, sent upstream.Buyer) bool {
	switch {
	case i.Field == FieldLine:
		return false
	case i.Field == missing.Field:
		return true
	case i.Code != BuyerRefused:
		return false
	}
	switch missing.Field {
	case FieldFirstName:
		return sent.FirstName != ""
	case FieldLastName:
		return sent.LastName != ""
	case FieldPhone:
		return sent.Phone != ""
	}
	return false
}

// rank is where a field stands when a buyer goes through a basket.
func rank(f Field) int {
	return slices.Index([]Field{
		FieldLine, FieldQuantity, FieldCode,
		FieldEmail, FieldFirstName, FieldLastName, FieldPhone,
		FieldDestination, FieldStreet, FieldCity, FieldRegion, FieldPostalCode,
		FieldDelivery, FieldPayment, FieldBasket,
	}, f)
}

// issueOf turns a notice of the shop into an issue, and says whether it blocks.
func issueOf(n upstream.Notice, w *Wanted) (issue Issue, blocks bool) {
	issue = Issue{Text: n.Text, Options: n.Options, Variants: n.Variants}
	if n.Line != "" {
		issue.Field = FieldLine
		issue.Index = max(0, slices.IndexFunc(w.Lines, func(l Line) bool { return l.ID == n.Line }))
	}
	if n.Discount != "" {
		issue.Field = FieldCode
		issue.Index = max(0, slices.Index(w.Codes, n.Discount))
	}
	switch n.Code {
	case upstream.NoticeNotFound:
		issue.Code, blocks = NotFound, true
	case upstream.NoticeOptionNeeded:
		issue.Code, blocks = OptionNeeded, true
	case upstream.NoticeOutOfStock:
		issue.Code, blocks = OutOfStock, true
	case upstream.NoticeNotBuyable:
		issue.Code, blocks = NotBuyable, true
	case upstream.NoticeQuantityLowered:
		issue.Code, issue.Field = QuantityLowered, FieldQuantity
	case upstream.NoticeDiscountUnknown:
		issue.Code = CodeUnknown
	case upstream.NoticeDiscountExpired:
		issue.Code = CodeExpired
	case upstream.NoticeDiscountNotMet:
		issue.Code = CodeNotMet
	case upstream.NoticeDiscountNotCombinable:
		issue.Code = CodeNotCombinable
	case upstream.NoticeAddressRefused:
		issue.Code, issue.Field, blocks = AddressRefused, FieldDestination, true
	case upstream.NoticeNoDelivery:
		issue.Code, issue.Field, blocks = NoDelivery, FieldDestination, true
	case upstream.NoticeDeliveryUnknown:
		issue.Code, issue.Field, blocks = DeliveryUnknown, FieldDelivery, true
	case upstream.NoticeBuyerRefused:
		issue.Code, issue.Field, blocks = BuyerRefused, FieldEmail, true
	case upstream.NoticeBasketRenewed:
		issue.Code = BasketRenewed
	default:
		// A notice that this code does not know must not be passed over.
		issue.Code, blocks = IssueCode(n.Code), true
	}
	if issue.Text == "" {
		issue.Text = defaultText(issue.Code)
	}
	return issue, blocks
}

// maxItemInText bounds the id of an item that a text repeats, in bytes.
const maxItemInText = 64

// nameItems says of issues about lines which item it is, in words too where the
// basket does not hold it: nothing else would say it then.
func nameItems(issues []Issue, w *Wanted, o *upstream.Observed) {
	for i := range issues {
		issue := &issues[i]
		if issue.Field != FieldLine && issue.Field != FieldQuantity || issue.Index >= len(w.Lines) {
			continue
		}
		line := w.Lines[issue.Index]
		issue.Item = line.Item
		if !slices.ContainsFunc(o.Lines, func(l upstream.Line) bool { return l.Key == line.ID }) {
			issue.Text = fmt.Sprintf("Item %s: %s", plaintext.Cut(line.Item, maxItemInText), issue.Text)
		}
	}
}

// defaultText says an issue where the shop's adapter did not.
func defaultText(code IssueCode) string {
	switch code {
	case NotFound:
		return "The shop has no such item."
	case OptionNeeded:
		return "Choose one of the variants of this product."
	case OutOfStock:
		return "This item is out of stock."
	case NotBuyable:
		return "The shop does not sell this item at the moment."
	case QuantityLowered:
		return "There are fewer than wanted; the quantity was lowered."
	case CodeUnknown:
		return "The shop does not know this discount code."
	case CodeExpired:
		return "This discount code has expired."
	case CodeNotMet:
		return "The basket does not meet the conditions of this discount code."
	case CodeNotCombinable:
		return "This discount code cannot be combined with another one."
	case AddressRefused:
		return "The shop does not accept this address."
	case NoDelivery:
		return "The shop does not deliver to this address."
	case DeliveryUnknown:
		return "The chosen way of delivery is not on offer for this basket."
	case BuyerRefused:
		return "The shop does not accept these buyer details."
	case BasketRenewed:
		return "The shop had dropped the basket; it was built anew, and figures may have changed."
	case NotOrderable:
		return "This shop takes no orders here and has no page to go on with this basket. The page of the basket shows it, and how to reach the merchant, who alone can take the order."
	}
	return "The shop does not accept the basket as it stands."
}

// refusedWhole is the error of a shop that does not take what is wanted. A shop that
// could name a line or a field would have done so with a notice, so the text says
// where to look.
func refusedWhole(err error) error {
	var refusal *upstream.Error
	if !errors.As(err, &refusal) || refusal.Code != upstream.CodeInvalid {
		return err
	}
	reason := cmp.Or(refusal.Text, "it gives no reason")
	return &upstream.Error{
		Code: upstream.CodeInvalid, Op: refusal.Op, Err: err,
		Text: reason + " (it names no part of the basket: check items, quantities, codes, buyer and addresses)",
	}
}

// dropped finds lines that the shop's basket holds no more, or holds fewer of,
// without a notice that says so.
func dropped(w *Wanted, o *upstream.Observed, told map[string]bool) []Issue {
	var out []Issue
	for i, line := range w.Lines {
		if told[line.ID] {
			continue
		}
		at := slices.IndexFunc(o.Lines, func(l upstream.Line) bool { return l.Key == line.ID })
		switch {
		case at < 0:
			out = append(out, Issue{Code: OutOfStock, Field: FieldLine, Index: i, Text: "The shop took this item out of the basket."})
		case o.Lines[at].Quantity != line.Quantity:
			out = append(out, Issue{
				Code: QuantityLowered, Field: FieldQuantity, Index: i,
				Text: fmt.Sprintf("The basket holds %d of this item and not %d; ask for the quantity you want again.", o.Lines[at].Quantity, line.Quantity),
			})
		}
	}
	return out
}

// missing turns what the shop still wants into blockers.
func missing(w *Wanted, o *upstream.Observed) []Issue {
	var out []Issue
	for _, m := range o.Missing {
		if m == upstream.MissingLines && len(w.Lines) > 0 {
			continue // each line that is not there has its own blocker
		}
		field, text := missingField(m)
		out = append(out, Issue{Code: Missing, Field: field, Text: text})
	}
	return out
}

func missingField(m upstream.Missing) (Field, string) {
	switch m {
	case upstream.MissingLines:
		return FieldLine, "The basket is empty."
	case upstream.MissingEmail:
		return FieldEmail, "The buyer's e-mail address is needed."
	case upstream.MissingFirstName:
		return FieldFirstName, "The buyer's first name is needed."
	case upstream.MissingLastName:
		return FieldLastName, "The buyer's last name is needed."
	case upstream.MissingPhone:
		return FieldPhone, "The buyer's phone number is needed."
	case upstream.MissingAddress:
		return FieldDestination, "An address to deliver to is needed."
	case upstream.MissingStreet:
		return FieldStreet, "The street of the address is needed."
	case upstream.MissingCity:
		return FieldCity, "The town of the address is needed."
	case upstream.MissingRegion:
		return FieldRegion, "The region of the address is needed."
	case upstream.MissingPostalCode:
		return FieldPostalCode, "The postal code of the address is needed."
	case upstream.MissingDelivery:
		return FieldDelivery, "A way of delivery must be chosen."
	}
	return FieldBasket, "The shop wants something more: " + string(m) + "."
}
