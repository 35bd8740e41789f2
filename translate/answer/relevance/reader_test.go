package relevance

import (
	"testing"

	"github.com/storeware/caddy-storeware/upstream"
)

// TestNounsOfAReader asks as a reader does, with the noun apart.
func TestNounsOfAReader(t *testing.T) {
	for _, c := range []struct {
		lang, q, noun, title string
		want                 Relevance
	}{
		{"en", "waterproof walking boots", "walking boots", "Fjell Trail GTX boots", Related},
		{"en", "waterproof walking boots", "boots", "Alpine Summit GTX hiking boots", Related},
		{"en", "waterproof walking boots", "walking boots", "Boot dryer", Unrelated},
		{"en", "waterproof walking boots", "boot", "Tarn Wellington Boot", Unrelated},
		{"en", "waterproof walking boots", "boot", "Moraine Leather Boot", Related},
		{"en", "a thick yoga mat", "mat", "Camping mat, self-inflating", Unrelated},
		{"en", "a thick yoga mat", "mat", "Yoga mat 183 x 61 cm", Related},
		{"fr", "bottes de randonnée imperméables", "bottes", "Bottes de pluie", Unrelated},
		{"en", "printer paper 8.5x11", "printer paper", "A4 copy paper 500 sheets", Related},
		{"en", "iphone 15 pro max", "iphone 15 pro max", "Apple iPhone 15 Pro Max", Related},
		{"en", "iphone 15 pro max", "iphone 15 pro max", "Case for iPhone 15 Pro Max", Unrelated},
		{"en", "1tb ssd", "ssd", "Samsung 990 Pro NVMe SSD 1 TB", Related},
		{"en", "15x70 binoculars", "binoculars", "Celestron SkyMaster 15x70 Binoculars", Related},
		{"en", "toys for 2 yr old girl", "toys", "Wooden stacking toy for toddlers", Related},
		{"en", "vsco stickers", "sticker", "50 vinyl stickers", Related},
		{"en", "baby monitors without wifi", "baby monitor", "Audio baby monitor", Related},
		{"en", "baby monitors", "baby monitor", "27 inch computer monitor", Unrelated},
		{"en", "glass teapot", "teapot", "Glass teapot with infuser", Related},
		{"en", "bunk beds", "bunk beds", "Twin over twin bunk bed with ladder", Related},
		{"en", "mailbox", "mailbox", "Wall mounted mailbox", Related},
		{"en", "electrolyte powder", "electrolyte powder", "Lemon lime electrolyte powder 30 servings", Related},
		{"en", "loafers", "loafers", "Men's suede penny loafers", Related},
		{"en", "gps", "gps", "Garmin dezl 780 GPS for truckers", Related},
		{"en", "spinning rods", "spinning rod", "6 ft medium action spinning rod", Related},
		{"en", "shorts", "shorts", "Men's running shorts with pockets", Related},
		{"en", "shirt", "shirt", "Short sleeve shirt", Related},
		{"en", "dress", "dress", "Dress shoes, leather", Unrelated},
		{"en", "shirt", "shirt", "Long sleeve tee", Related},
		{"en", "daybed comforter sets", "comforter set", "5-piece daybed comforter set", Related},
		{"en", "headphones", "headphones", "Headphone stand", Unrelated},
		{"en", "headphones", "headphones", "Noise cancelling headphones with carrying case", Related},
		{"en", "backpack", "backpack", "Laptop backpack 17 inch", Related},
		{"en", "laptop", "laptop", "Laptop backpack 17 inch", Unrelated},
		{"en", "coffee", "coffee", "Ground coffee, dark roast, 1 kg", Related},
		{"en", "coffee", "coffee", "Coffee mug", Unrelated},
		{"en", "wine", "wine", "Wine glass set of 6", Unrelated},
		{"en", "jacket", "jacket", "Jacket hanger", Unrelated},
		{"en", "drill", "drill", "20V cordless drill with battery and charger", Related},
		{"en", "drill", "drill", "Drill bit set, 29 pieces", Unrelated},
		{"en", "camera", "camera", "Camera bag", Unrelated},
		{"en", "camera", "camera", "Memory card for cameras", Unrelated},
		{"de", "wasserdichte Wanderschuhe bis 150 €", "Wanderschuhe", "Fjell GTX Trekkingschuh", Related},
		{"de", "Kaffeemaschine", "Kaffeemaschine", "Entkalker für Kaffeemaschinen", Unrelated},
		{"de", "Kaffeemaschine", "Kaffeemaschine", "De'Longhi Kaffeevollautomat", Related},
		{"de", "Rucksack ohne Kapuze", "Rucksack", "Regenhülle für Rucksack", Unrelated},
		{"de", "Jacke", "Jacke", "Winterjacke mit Kapuze", Related},
		{"de", "Bettwäsche", "Bettwäsche", "Bettwäsche 135x200 Baumwolle", Related},
		{"de", "Stuhl", "Stuhl", "Stühle, 4er Set", Related},
		{"de", "Handschuhe", "Handschuhe", "Lederhandschuhe Damen", Related},
		{"de", "Schuhe", "Schuhe", "Lederhandschuhe Damen", Unrelated},
		{"fr", "chaussures de randonnée", "chaussures de randonnée", "Chaussures de marche imperméables", Related},
		{"fr", "chaussures", "chaussures", "Lacets pour chaussures", Unrelated},
		{"fr", "sac à dos", "sac à dos", "Sac à dos 40 L", Related},
		{"fr", "sac à dos", "sac à dos", "Housse de pluie pour sac à dos", Unrelated},
		{"fr", "veste", "veste", "Vestes de pluie homme", Related},
		{"fr", "table basse", "table basse", "Table à manger extensible", Unrelated},
		{"fr", "lampe", "lampe", "Abat-jour pour lampe", Unrelated},
		{"es", "zapatillas de correr", "zapatillas de correr", "Zapatillas running hombre", Related},
		{"es", "zapatillas", "zapatillas", "Cordones para zapatillas", Unrelated},
		{"es", "mochila", "mochila", "Mochila de senderismo 30L", Related},
		{"es", "chaqueta", "chaqueta", "Chaquetas impermeables mujer", Related},
		{"es", "cafetera", "cafetera", "Descalcificador para cafetera", Unrelated},
		{"es", "mesa", "mesa", "Lámpara de mesa", Unrelated},
		{"ja", "登山靴 防水", "登山靴", "防水 登山靴 メンズ", Related},
		{"ja", "登山靴", "登山靴", "登山靴用 インソール", Unrelated},
		{"ja", "カメラ", "カメラ", "カメラバッグ", Unrelated},
		{"ja", "カメラ", "カメラ", "デジタルカメラ ブラック", Related},
		{"ja", "コーヒーメーカー", "コーヒーメーカー", "全自動コーヒーメーカー 4杯", Related},
		{"ja", "コーヒー", "コーヒー", "コーヒーメーカー", Unrelated},
	} {
		j := For(Question{Words: c.q, Noun: c.noun, Language: c.lang}, NewKinds(c.lang))
		if got := j.Explain(&upstream.Product{Title: c.title}); got.Relevance != c.want {
			t.Errorf("%s %q, %q: %d (%s, %s)", c.lang, c.noun, c.title, got.Relevance, got.Reason, got.Kind)
		}
	}
}
