package shoptest

import (
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

func codeCases() []testCase {
	percent := []need{needCodes, needPercent}
	return []testCase{
		{"a percentage", percent, codePercent},
		{"taken away", percent, codeRemoved},
		{"kept when lines change", percent, codeKept},
		{"in small letters and with spaces", percent, codeLoud},
		{"the same twice", percent, codeTwice},
		{"unknown", []need{needCodes}, codeUnknown},
		{"odd codes", []need{needCodes}, codeOdd},
		{"on an empty basket", percent, codeEmpty},
		{"unknown, on an empty basket", []need{needCodes}, codeUnknownEmpty},
		{"expired", []need{needCodes, needExpired}, codeExpired},
		{"with its minimum met", []need{needCodes, needFixed}, codeMet},
		{"with its minimum not met", []need{needCodes, needFixed}, codeNotMet},
		{"met, then not met any more", []need{needCodes, needFixed}, codeMetNoMore},
		{"a good one among bad ones", percent, codeAmongBad},
		{"several", []need{needManyCodes, needPercent, needFixed}, codeSeveral},
		{"several where one is allowed", []need{needOneCode, needPercent, needFixed}, codeOneOnly},
		{"free delivery", []need{needCodes, needDelivery, needFreeDelivery}, codeFreeDelivery},
		{"on an order", []need{needPlace, needCodes, needPercent}, codeOrdered},
	}
}

// coded returns a basket that meets the minimum of Codes.Fixed, with codes.
func (r *run) coded(codes ...string) upstream.Desired {
	r.Helper()
	_, variant := r.find(r.f.Single)
	n := int64(2)
	if r.f.Codes.Minimum > 0 {
		n = (r.f.Codes.Minimum + variant.Price.Minor - 1) / variant.Price.Minor
	}
	d := r.single(n)
	d.Codes = codes
	return d
}

// saves fails unless the code is in force and takes off what it says.
func (r *run) saves(o upstream.Observed, code string) {
	r.Helper()
	if !inForce(o, code) {
		r.Errorf("code %q is not in force; discounts: %+v", code, o.Discounts)
		return
	}
	if off := -totalOf(o, upstream.TotalItemsDiscount, upstream.TotalDiscount); off <= 0 {
		r.Errorf("code %q is in force, and Totals take %d off", code, off)
	}
}

// totalOf adds up the totals of some kinds, in minor units.
func totalOf(o upstream.Observed, kinds ...upstream.TotalKind) int64 {
	var p problems
	return p.ofKinds(o, kinds...).Minor
}

// refusedCode fails if the code is in force, or unless a notice says why not.
func (r *run) refusedCode(applied upstream.Applied, code string, why upstream.NoticeCode) {
	r.Helper()
	if inForce(applied.Observed, code) {
		r.Errorf("code %q is in force", code)
	}
	codes := []upstream.NoticeCode{why}
	if r.f.Codes.Vague {
		codes = append(codes, upstream.NoticeDiscountUnknown, upstream.NoticeDiscountExpired, upstream.NoticeDiscountNotMet)
	}
	for _, n := range noticesOf(applied, codes...) {
		if n.Discount == code {
			return
		}
	}
	r.Errorf("no notice of code %q is one of %v; there are %+v", code, codes, applied.Notices)
}

func codePercent(r *run) {
	d := r.coded()
	before := r.apply(upstream.Handle{}, d)
	d.Codes = []string{r.f.Codes.Percent}
	after := r.apply(before.Handle, d)
	r.saves(after.Observed, r.f.Codes.Percent)
	if after.Observed.Total.Minor >= before.Observed.Total.Minor {
		r.Errorf("with the code it costs %v, without %v", after.Observed.Total, before.Observed.Total)
	}
	r.same("the same again", after.Observed, r.apply(after.Handle, d).Observed)
	r.same("read", after.Observed, r.read(after.Handle))
}

func codeRemoved(r *run) {
	d := r.coded()
	before := r.apply(upstream.Handle{}, d)
	d.Codes = []string{r.f.Codes.Percent}
	with := r.apply(before.Handle, d)
	d.Codes = nil
	r.same("after the code was taken away", before.Observed, r.apply(with.Handle, d).Observed)
}

func codeKept(r *run) {
	d := r.coded(r.f.Codes.Percent)
	before := r.apply(upstream.Handle{}, d)
	d.Lines = append(d.Lines, r.line("two", r.f.Variant, 1))
	after := r.apply(before.Handle, d)
	r.saves(after.Observed, r.f.Codes.Percent)
	if a, b := totalOf(before.Observed, upstream.TotalItemsDiscount, upstream.TotalDiscount), totalOf(after.Observed, upstream.TotalItemsDiscount, upstream.TotalDiscount); b >= a {
		r.Errorf("a percentage takes off %d of one line and %d of two", -a, -b)
	}
}

// codeLoud: whether a shop minds how a code is written is its own matter, but it
// is in force or refused.
func codeLoud(r *run) {
	for _, code := range []string{strings.ToLower(r.f.Codes.Percent), " " + r.f.Codes.Percent + " "} {
		d := r.coded(code)
		applied, err := r.shop.Apply(r.Context(), r.visit, upstream.Handle{}, d)
		r.must(err, "Apply")
		if inForce(applied.Observed, code) || inForce(applied.Observed, strings.TrimSpace(code)) {
			CheckObserved(r.TB, applied.Observed)
			continue
		}
		r.checkApplied(d, applied)
		r.refusedCode(applied, code, upstream.NoticeDiscountUnknown)
	}
}

func codeTwice(r *run) {
	once := r.apply(upstream.Handle{}, r.coded(r.f.Codes.Percent))
	twice := r.apply(upstream.Handle{}, r.coded(r.f.Codes.Percent, r.f.Codes.Percent))
	if once.Observed.Total != twice.Observed.Total {
		r.Errorf("with the code twice it costs %v, once %v", twice.Observed.Total, once.Observed.Total)
	}
}

func codeUnknown(r *run) {
	code := r.f.Codes.Unknown
	if code == "" {
		code = "NO-SUCH-CODE-XQ"
	}
	d := r.coded()
	before := r.apply(upstream.Handle{}, d)
	d.Codes = []string{code}
	after := r.apply(before.Handle, d)
	r.refusedCode(after, code, upstream.NoticeDiscountUnknown)
	r.same("with an unknown code", before.Observed, after.Observed)
}

// codeEmpty: a code on a basket without lines takes nothing off, and works as soon
// as there are some, whether there were others before or not.
func codeEmpty(r *run) {
	d := r.coded(r.f.Codes.Percent)
	lines := d.Lines
	var h upstream.Handle
	for _, what := range []string{"begun with a code alone", "emptied"} {
		d.Lines = nil
		empty := r.emptyWithCode(what, h, d)
		d.Lines = lines
		filled := r.apply(empty.Handle, d)
		r.saves(filled.Observed, r.f.Codes.Percent)
		h = filled.Handle
	}
}

// emptyWithCode applies a code without lines. A notice of it is allowed, and none
// too: nothing is lost yet.
func (r *run) emptyWithCode(what string, h upstream.Handle, d upstream.Desired) upstream.Applied {
	r.Helper()
	empty, err := r.shop.Apply(r.Context(), r.visit, h, d)
	r.must(err, "Apply of a code without lines")
	CheckObserved(r.TB, empty.Observed)
	r.checkNotices(d, empty)
	if o := empty.Observed; len(o.Lines) > 0 || o.Total.Minor != 0 {
		r.Errorf("a basket %s has %d lines and costs %v", what, len(o.Lines), o.Total)
	}
	return empty
}

// codeUnknownEmpty: what is wrong with a code is said when there is something to
// take it off, at the latest.
func codeUnknownEmpty(r *run) {
	const code = "NO-SUCH-CODE-XQ"
	d := r.coded(code)
	lines := d.Lines
	d.Lines = nil
	empty := r.emptyWithCode("begun with a code alone", upstream.Handle{}, d)
	d.Lines = lines
	r.refusedCode(r.apply(empty.Handle, d), code, upstream.NoticeDiscountUnknown)
}

func codeOdd(r *run) {
	for _, code := range []string{"", " ", "%", "*", `"`, `"}`, "../..", "größe 🧥", "\x00", strings.Repeat("X", 2000)} {
		d := r.coded(code)
		applied, err := r.shop.Apply(r.Context(), r.visit, upstream.Handle{}, d)
		switch {
		case err != nil:
			r.refused(err, "Apply with the code "+code[:min(len(code), 10)], upstream.CodeInvalid)
		case len(applied.Observed.Discounts) > 0:
			r.Errorf("code %.10q gives the discounts %+v", code, applied.Observed.Discounts)
		default:
			CheckObserved(r.TB, applied.Observed)
		}
	}
}

func codeExpired(r *run) {
	r.refusedCode(r.apply(upstream.Handle{}, r.coded(r.f.Codes.Expired)), r.f.Codes.Expired, upstream.NoticeDiscountExpired)
}

func codeMet(r *run) {
	r.saves(r.apply(upstream.Handle{}, r.coded(r.f.Codes.Fixed)).Observed, r.f.Codes.Fixed)
}

// codeNotMet: a code that does not apply yet is not forgotten by the caller, and
// applies as soon as it can.
func codeNotMet(r *run) {
	d := r.coded(r.f.Codes.Fixed)
	enough := d.Lines[0].Quantity
	d.Lines[0].Quantity = 1
	applied := r.apply(upstream.Handle{}, d)
	r.refusedCode(applied, r.f.Codes.Fixed, upstream.NoticeDiscountNotMet)
	d.Lines[0].Quantity = enough
	r.saves(r.apply(applied.Handle, d).Observed, r.f.Codes.Fixed)
}

func codeMetNoMore(r *run) {
	d := r.coded(r.f.Codes.Fixed)
	applied := r.apply(upstream.Handle{}, d)
	d.Lines[0].Quantity = 1
	r.refusedCode(r.apply(applied.Handle, d), r.f.Codes.Fixed, upstream.NoticeDiscountNotMet)
}

func codeAmongBad(r *run) {
	applied := r.apply(upstream.Handle{}, r.coded("NO-SUCH-CODE-XQ", r.f.Codes.Percent))
	if r.d.Capabilities.Codes == upstream.CodesMany {
		r.saves(applied.Observed, r.f.Codes.Percent)
	}
	r.refusedCode(applied, "NO-SUCH-CODE-XQ", upstream.NoticeDiscountUnknown)
}

// codeSeveral: what two codes come to together is the shop's rule. Each has an
// effect or a notice, which apply checks.
func codeSeveral(r *run) {
	codes := []string{r.f.Codes.Percent, r.f.Codes.Fixed}
	applied := r.apply(upstream.Handle{}, r.coded(codes...))
	if len(applied.Observed.Discounts) == 0 {
		r.Errorf("of the codes %v none is in force", codes)
	}
	r.same("read", applied.Observed, r.read(applied.Handle))
	alone := r.apply(applied.Handle, r.coded(codes[1]))
	r.saves(alone.Observed, codes[1])
	if inForce(alone.Observed, codes[0]) {
		r.Errorf("code %q is still in force", codes[0])
	}
}

func codeOneOnly(r *run) {
	codes := []string{r.f.Codes.Percent, r.f.Codes.Fixed}
	applied := r.apply(upstream.Handle{}, r.coded(codes...))
	if inForce(applied.Observed, codes[0]) == inForce(applied.Observed, codes[1]) {
		r.Errorf("of two codes, one is to be in force: %+v", applied.Observed.Discounts)
	}
}

func codeFreeDelivery(r *run) {
	d, before := r.complete(upstream.Handle{}, r.coded())
	d.Codes = []string{r.f.Codes.FreeDelivery}
	after := r.apply(before.Handle, d)
	if !inForce(after.Observed, r.f.Codes.FreeDelivery) {
		r.Errorf("code %q is not in force; discounts: %+v", r.f.Codes.FreeDelivery, after.Observed.Discounts)
	}
	goods := totalOf(before.Observed, upstream.TotalSubtotal, upstream.TotalItemsDiscount, upstream.TotalDiscount)
	if r.d.Tax == upstream.TaxIncluded && after.Observed.Total.Minor != goods {
		r.Errorf("with free delivery it costs %v, the goods alone %d", after.Observed.Total, goods)
	}
	if after.Observed.Total.Minor >= before.Observed.Total.Minor {
		r.Errorf("with free delivery it costs %v, before %v", after.Observed.Total, before.Observed.Total)
	}
}

func codeOrdered(r *run) {
	_, applied := r.complete(upstream.Handle{}, r.coded(r.f.Codes.Percent))
	r.saves(applied.Observed, r.f.Codes.Percent)
	placed := r.place(applied.Handle, r.placement(applied.Observed.Total))
	if r.d.Capabilities.Orders {
		r.sameOrder(placed, applied.Observed)
	}
}
