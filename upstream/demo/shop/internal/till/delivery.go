package till

import (
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/goods"
)

// zone is a part of the world that costs the same.
type zone int

const (
	zoneHome zone = iota
	zoneEurope
	zoneAmerica
	zoneJapan
)

// way is a way of delivery.
type way struct {
	zone        zone
	id          string
	title       string
	description string
	carrier     string
	pence       int64
	// fastest and slowest are in working days.
	fastest, slowest int
	// fast ways do not reach everywhere and take nothing oversize.
	fast bool
}

// Carriers of the shop, by their names.
const (
	carrierNorthbound = "Northbound Parcels"
	carrierMerlin     = "Merlin Express"
	carrierOutpost    = "Outpost International"
)

var ways = []way{
	{zoneHome, "standard", "Standard delivery", "3 to 5 working days", carrierNorthbound, 495, 3, 5, false},
	{zoneHome, "next-day", "Next-day delivery", "Next working day when ordered by 2 pm", carrierMerlin, 995, 1, 1, true},
	{zoneEurope, "standard", "Standard delivery", "5 to 8 working days", carrierOutpost, 1195, 5, 8, false},
	{zoneEurope, "express", "Express delivery", "2 to 3 working days", carrierMerlin, 2495, 2, 3, true},
	{zoneAmerica, "standard", "Standard delivery", "8 to 12 working days", carrierOutpost, 1895, 8, 12, false},
	{zoneAmerica, "express", "Express delivery", "3 to 5 working days", carrierMerlin, 3995, 3, 5, true},
	{zoneJapan, "standard", "Standard delivery", "9 to 14 working days; import duty may be due", carrierOutpost, 2195, 9, 14, false},
	{zoneJapan, "express", "Express delivery", "4 to 6 working days; import duty may be due", carrierMerlin, 4495, 4, 6, true},
}

// Delivery is a way the goods can travel.
type Delivery struct {
	ID          string
	Title       string
	Description string
	Carrier     string
	Price       int64
	// Earliest and Latest are the days between which the goods arrive, at midnight
	// UTC.
	Earliest time.Time
	Latest   time.Time
}

// Tariff is the price of a way of delivery, for the page that lists them.
type Tariff struct {
	Country     string
	Title       string
	Description string
	Price       int64
}

// Tariffs lists all ways of delivery to all countries.
func Tariffs(currency money.Currency) ([]Tariff, error) {
	var out []Tariff
	for _, country := range countries {
		for _, w := range ways {
			if w.zone != country.zone {
				continue
			}
			price, err := goods.Convert(w.pence, currency)
			if err != nil {
				return nil, err
			}
			out = append(out, Tariff{country.Name, w.title, w.description, price})
		}
	}
	return out, nil
}

// deliveries are the ways on offer for a basket; none while nobody knows where it
// goes, and none for goods that are sent by e-mail.
func deliveries(b Basket) ([]Delivery, error) {
	country := countryOf(b.Country)
	if country == nil || !b.Travels() {
		return nil, nil
	}
	oversize := false
	for _, item := range b.Items {
		oversize = oversize || item.Oversize
	}
	var out []Delivery
	for _, w := range ways {
		if w.zone != country.zone || w.fast && (oversize || country.Code == Home && remote(b.PostalCode)) {
			continue
		}
		price, err := goods.Convert(w.pence, b.Currency)
		if err != nil {
			return nil, err
		}
		out = append(out, Delivery{
			ID: w.id, Title: w.title, Description: w.description, Carrier: w.carrier, Price: price,
			Earliest: workingDays(b.Now, w.fastest), Latest: workingDays(b.Now, w.slowest),
		})
	}
	return out, nil
}

// cutOff is the hour, UTC, after which an order leaves the day after.
const cutOff = 14

// workingDays returns the day that is n working days after t.
func workingDays(t time.Time, n int) time.Time {
	t = t.UTC()
	day := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	if t.Hour() >= cutOff {
		n++
	}
	for ; n > 0; n-- {
		day = day.AddDate(0, 0, 1)
		for day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
			day = day.AddDate(0, 0, 1)
		}
	}
	return day
}
