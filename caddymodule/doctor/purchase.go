package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// basketPages is where this module shows the baskets of shops that cannot.
const basketPages = "/storeware/basket/"

// purchase does what an agent does up to the point of ordering.
func (p *patient) purchase(ctx context.Context, v *visit) {
	key, err := p.Key(ctx, p.name)
	if err != nil {
		p.add("key", Failure, "there is none to call the shop with: "+err.Error(), "what needs a key was not examined")
		return
	}
	if key.Release != nil {
		defer func() {
			if err := key.Release(); err != nil {
				p.add("key", Warning, "the key of this examination could not be ended: "+err.Error(), "it ends by itself within minutes")
			}
		}()
	}
	item := p.search(ctx, v, key)
	switch can := v.profile.Get(`ucp.capabilities.dev\.ucp\.shopping\.cart`).Exists(); {
	case item == "":
	case !can:
		p.add("basket", OK, "the shop has none that agents could fill", "")
	default:
		p.basket(ctx, v, key, item)
	}
}

// search searches for anything, and returns what could be put into a basket.
func (p *patient) search(ctx context.Context, v *visit, key Key) (item string) {
	const check = "search"
	got, err := v.call(ctx, key, http.MethodPost, restPath+"/catalog/search", `{"query": ""}`)
	switch {
	case err != nil:
		p.add(check, Failure, err.Error(), "see Caddy's log")
		return ""
	case got.status == http.StatusUnauthorized || got.status == http.StatusForbidden:
		p.add("key", Failure, "the shop does not take it: "+got.refusal(), "a key is good for one shop, and with the profile that it is bound to: see --shop and --profile")
		return ""
	case got.status != http.StatusOK || !got.get("products").IsArray():
		p.add(check, Failure, "it is refused: "+got.refusal(), "see the check of the shop, and Caddy's log")
		return ""
	}
	products := got.get("products").Array()
	if len(products) == 0 {
		p.add(check, Failure, "it finds nothing, whatever is sold", "see that the shop has products that are published, in the channel or market that the upstream block names")
		return ""
	}
	p.add(check, OK, "it finds "+count(len(products), "product", "products")+" on its first page", "")
	p.productPages(ctx, v, products)
	for _, product := range products {
		for _, variant := range product.Get("variants").Array() {
			if available := variant.Get("availability.available"); !available.Exists() || available.Bool() {
				return variant.Get("id").Str
			}
		}
	}
	p.add("basket", Warning, "was not tried: nothing of what was found can be bought", "see the stock in the shop")
	return ""
}

// basket puts one thing into a basket, looks at it, and takes it back. Once begun
// it goes on to its end, even when the examination is interrupted: nobody else
// would know of the basket.
func (p *patient) basket(ctx context.Context, v *visit, key Key, item string) {
	const check = "basket"
	if ctx.Err() != nil {
		return
	}
	ctx = context.WithoutCancel(ctx)
	wanted, err := json.Marshal(map[string]any{
		"line_items": []any{map[string]any{"item": map[string]any{"id": item}, "quantity": 1}},
	})
	if err != nil {
		p.add(check, Failure, err.Error(), "")
		return
	}
	got, err := v.call(ctx, key, http.MethodPost, restPath+"/carts", string(wanted))
	if err != nil {
		p.add(check, Failure, err.Error(), "see Caddy's log")
		return
	}
	id := got.get("id").Str
	if id == "" {
		p.add(check, Failure, "it is refused: "+got.refusal(), "see the checks of the shop and of the state, and Caddy's log")
		return
	}
	page := got.get("continue_url").Str
	seen := v.look(ctx, page) // while the basket is there
	dropped := p.drop(ctx, v, key, id)
	switch {
	case got.get("line_items.#").Int() != 1:
		p.add(check, Failure, fmt.Sprintf("the shop did not put %s into it: %s", item, got.refusal()), "see why the shop sells it to nobody, though its stock says otherwise")
		return
	case dropped != nil:
		p.add(check, Warning, "was built and could not be dropped: "+dropped.Error(), "it expires by itself; the shop may keep one that was left behind")
	default:
		p.add(check, OK, "was built, emptied and given up: nothing was ordered", "")
	}
	if wrong := misadded(got.get("@this")); len(wrong) > 0 {
		p.add("totals", Failure, "of the basket do not add up: "+strings.Join(wrong, "; "), "compare the basket with the same one in the shop; currency, decimals and tax of the shop must be as the upstream block has them")
	} else {
		p.add("totals", OK, fmt.Sprintf("of the basket add up to %d %s in minor units", got.get(`totals.#(type=="total").amount`).Int(), got.get("currency").Str), "")
	}
	switch ordered := v.profile.Get(`ucp.capabilities.dev\.ucp\.shopping\.checkout`).Exists(); {
	case !ordered:
		p.add("checkout page", Warning, "nobody can order: the shop takes no orders here and names no page to go on with a basket, so that no checkout is declared",
			"set checkout_url in the upstream block (hand_off in a mapping), or switch on a way to pay in the shop that payment in the upstream block allows")
	case strings.HasPrefix(page, v.origin+basketPages):
		p.add("checkout page", Warning, "the shop names none: a person who has to go on with a basket sees this module's own page, which cannot sell", "set checkout_url in the upstream block, if the shop's system has it")
	default:
		v.handOff(page, seen)
	}
}

// drop empties a basket, so that the shop keeps nothing aside for it, and gives it
// up.
func (p *patient) drop(ctx context.Context, v *visit, key Key, id string) error {
	path := restPath + "/carts/" + url.PathEscape(id)
	emptied, err := v.call(ctx, key, http.MethodPut, path, `{"line_items": []}`)
	if err == nil && (emptied.status != http.StatusOK || emptied.get("line_items.#").Int() != 0) {
		err = fmt.Errorf("it still holds something: %s", emptied.refusal())
	}
	canceled, cancelErr := v.call(ctx, key, http.MethodPost, path+"/cancel", "{}")
	switch {
	case err != nil:
		return err
	case cancelErr != nil:
		return cancelErr
	case canceled.status != http.StatusOK:
		return fmt.Errorf("giving it up: %s", canceled.refusal())
	}
	return nil
}

// pages looks at the pages that agents are told of.
func (p *patient) pages(ctx context.Context, v *visit) {
	const check = "pages"
	if p.inside == nil {
		return
	}
	var gone, missing []string
	for _, page := range p.inside.Pages {
		path, own := strings.CutPrefix(page.URL, v.origin)
		if !own && !strings.HasPrefix(path, "/") {
			continue // a page elsewhere is not ours to call
		}
		got, err := v.send(ctx, http.MethodGet, v.origin+path, http.Header{}, "")
		if err != nil {
			gone = append(gone, fmt.Sprintf("%s at %s (%v)", page.Type, path, err))
		} else if got.status >= http.StatusBadRequest {
			gone = append(gone, fmt.Sprintf("%s at %s (HTTP %d)", page.Type, path, got.status))
		} else if isBlank(got.status, got.header, int64(len(got.body))) {
			gone = append(gone, fmt.Sprintf("%s at %s (empty)", page.Type, path))
		}
	}
	for _, kind := range []string{"privacy_policy", "terms_of_service", "refund_policy", "shipping_policy"} {
		if !slices.ContainsFunc(p.inside.Pages, func(page InsidePage) bool { return page.Type == kind }) {
			missing = append(missing, kind)
		}
	}
	switch {
	case len(gone) > 0:
		p.add(check, Warning, "agents are told of pages that are not there: "+strings.Join(gone, "; "), "correct the lines page in the storeware block, or add the pages to the shop")
	case len(missing) > 0:
		p.add(check, Warning, "agents are not told of "+list(missing), "add lines such as page "+missing[0]+" /path to the storeware block")
	default:
		p.add(check, OK, "agents are told of "+count(len(p.inside.Pages), "page", "pages"), "")
	}
}
