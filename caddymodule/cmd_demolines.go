package caddymodule

import (
	"context"
	"fmt"
	"net/url"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream/demo"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// demoLines returns what the demo prints: where the shop is, and lines for a shell
// that search, make a checkout and complete it, with something that this shop
// really has.
func demoLines(ctx context.Context, origin, shop string, key secret.String) (string, error) {
	base, err := url.Parse(shop)
	if err != nil {
		return "", err
	}
	adapter, err := demo.New(demo.Config{Client: shopclient.Config{BaseURL: base}})
	if err != nil {
		return "", err
	}
	defer adapter.Close()
	pick, err := pickTryout(ctx, adapter)
	if err != nil {
		return "", fmt.Errorf("looking for something to buy in the demo shop: %w", err)
	}
	return fmt.Sprintf("\nThe shop:   %s\nAgent key:  %s\n\n%s\nCtrl-C ends it.\n", origin, key.Reveal(), pick.lines(origin, "'X-API-Key: "+key.Reveal()+"'", origin+"/agent.json")), nil
}
