package relevance

import (
	"testing"

	"github.com/storeware/caddy-storeware/upstream"
)

func TestOf(t *testing.T) {
	for _, tt := range []struct {
		language, asked, title string
		want                   Relevance
	}{
		{"en", "printer", "Brother HL-L2350DW Mono Laser Printer", Related},
		{"en", "printer", "Brother TN-2420 Toner Cartridge for HL-L2350DW Printer", Unrelated},
		{"en", "printer", "Ink Cartridge compatible with HP printers", Unrelated},
		{"en", "printer", "Printer stand, black", Unrelated},
		{"en", "tv", "Samsung 55\" QLED Smart Television", Related},
		{"en", "tv", "TV wall mount for 32-70 inch screens", Unrelated},
		{"en", "television", "LG OLED TV 65\"", Related},
		{"en", "boots", "Men's leather walking boots", Related},
		{"en", "boots", "Boot polish, brown", Unrelated},
		{"en", "boots", "Tarn Wellington Boot", Related},
		{"en", "walking boots", "Tarn Wellington Boot", Unrelated},
		{"en", "walking boots", "Moraine Leather Boot", Related},
		{"en", "walking boots", "Merrell hiking boots", Related},
		{"en", "walking boots", "Suede Chelsea boots", Unrelated},
		{"en", "walking boots", "Running shoes", Unrelated},
		{"en", "wellingtons", "Moraine Leather Boot", Unrelated},
		{"en", "yoga mat", "Non-slip exercise mat, 6 mm", Related},
		{"en", "yoga mat", "Inflatable camping mat", Unrelated},
		{"en", "yoga mat", "Folding treadmill", Unrelated},
		{"en", "hdmi adapter", "HDMI to DVI rotating adapter", Related},
		{"en", "charger", "USB-A to USB-C cable for chargers", Unrelated},
		{"en", "shovel", "Petrol lawn mower", Unrelated},
		{"en", "tools", "Claw hammer", Related},
		{"en", "hammer", "Cordless drill", Unrelated},
		{"en", "plates", "Kiln pasta bowl", Unrelated},
		{"en", "tableware", "Kiln pasta bowl", Related},
		{"en", "stove", "Kettle gas stove", Related},
		{"en", "boots", "Chelsea boot with elastic sides", Related},
		{"en", "boots", "Running shoes", Unrelated},
		{"en", "footwear", "Chelsea boots", Related},
		{"en", "phone case", "Silicone case for iPhone 15", Related},
		{"en", "phone case", "Galaxy phone, 128 GB", Unrelated},
		{"en", "phone case", "Laptop case 15 inch", Unrelated},
		{"en", "iphone 15", "Apple iPhone 15 128 GB Black", Related},
		{"en", "iphone 15", "iPhone 15 Pro Max Case", Unrelated},
		{"en", "iphone 15", "Charger for iPhone 15", Unrelated},
		{"en", "laptop", "Lenovo notebook 14\" Intel Core i5", Related},
		{"en", "laptop", "Laptop sleeve, grey", Unrelated},
		{"en", "trainers", "Retro sneakers in white", Related},
		{"en", "jumper", "Merino wool sweater", Related},
		{"en", "desk", "Oak writing desk with chair", Related},
		{"en", "chair", "Oak writing desk with chair", Unrelated},
		{"en", "waterproof jacket", "Proteus shell jacket", Related},
		{"en", "tent", "Tent pegs, set of 10", Unrelated},
		{"en", "hdmi cable", "HDMI cable 2 m", Related},
		{"en", "hdmi cable", "USB-C cable 1 m", Unrelated},
		{"en", "mouse", "Wireless keyboard and mouse", Related},
		{"en", "mouse", "Keyboard/Mouse cable 2 m", Unrelated},
		{"en", "under desk treadmill", "Foldable treadmill for home", Related},
		{"en", "crampons", "Ten-point crampons", Related},
		{"en", "crampons", "Ice axe", Unrelated},
		{"en", "crampons", "Bag for crampons", Unrelated},
		{"en", "cord", "Surge protector, 8-ft. cord", Unrelated},
		{"en", "desk chair", "Model 300, mesh, desk chair", Related},
		{"en", "chairs", "Set of 4 dining chairs", Related},
		{"de", "Drucker", "Brother Laserdrucker HL-L2350DW", Related},
		{"de", "Drucker", "Druckerpatrone schwarz", Unrelated},
		{"de", "Drucker", "Toner für Brother Drucker", Unrelated},
		{"de", "Stiefel", "Wanderstiefel aus Leder", Related},
		{"de", "Stiefel", "Stiefelpflege für Leder", Unrelated},
		{"de", "Handyhülle", "Hülle für iPhone 15", Related},
		{"de", "Handyhülle", "Laptophülle 15 Zoll", Unrelated},
		{"de", "Fernseher", "LG Smart TV 55 Zoll", Related},
		{"de", "Fernseher", "Wandhalterung für Fernseher", Unrelated},
		{"de", "Regenjacke", "Jacke mit Kapuze", Related},
		{"de", "Lampe", "Stehlampe mit Lampenschirm", Related},
		{"de", "Lampe", "Lampenschirm weiß", Unrelated},
		{"de", "Schuhe", "Schuhregal aus Bambus", Unrelated},
		{"fr", "imprimante", "Imprimante laser Brother", Related},
		{"fr", "imprimante", "Toner noir pour imprimante Brother", Unrelated},
		{"fr", "bottes", "Bottes de pluie femme", Related},
		{"fr", "bottes", "Cirage pour bottes en cuir", Unrelated},
		{"fr", "téléviseur", "Support mural pour téléviseur", Unrelated},
		{"fr", "chaussures", "Baskets blanches homme", Related},
		{"fr", "coque de téléphone", "Coque silicone pour iPhone 15", Related},
		{"fr", "machine à café", "Cafetière italienne", Related},
		{"fr", "casque", "Casque audio sans fil", Related},
		{"es", "impresora", "Impresora láser Brother", Related},
		{"es", "impresora", "Cartucho de tinta para impresora HP", Unrelated},
		{"es", "botas", "Botas de montaña", Related},
		{"es", "botas", "Betún para botas", Unrelated},
		{"es", "móvil", "Funda para móvil", Unrelated},
		{"es", "portátil", "Ordenador portátil 14\"", Related},
		{"es", "funda de móvil", "Funda de silicona para iPhone", Related},
		{"es", "silla", "Sillas de comedor, juego de 4", Related},
		{"ja", "プリンター", "ブラザー レーザープリンター", Related},
		{"ja", "プリンター", "プリンター用トナー", Unrelated},
		{"ja", "プリンター", "プリンター用 純正品", Unrelated},
		{"ja", "ブーツ", "レザーブーツ 黒", Related},
		{"ja", "ブーツ", "ブーツ用防水スプレー", Unrelated},
		{"ja", "スマホ", "スマホケース", Unrelated},
		{"ja", "スマホケース", "iPhone 15 ケース", Related},
		{"ja", "靴", "靴ひも 120cm", Unrelated},
		{"ja", "テレビ", "テレビ 壁掛け金具", Unrelated},
		{"ja", "リュック", "防水バックパック", Related},
		{"ja", "椅子", "オフィスチェア", Related},
		{"nl", "laarzen", "Leren laarzen", NotJudged},
		{"en", "", "Boots", NotJudged},
		{"en", "under 50", "Boots", NotJudged},
		{"en", "boots", " ", NotJudged},
	} {
		j := For(Question{Words: tt.asked, Language: tt.language}, nil)
		if got := j.Explain(&upstream.Product{Title: tt.title}); got.Relevance != tt.want {
			t.Errorf("%s: asked for %q, %q: %d (%s, %s), want %d", tt.language, tt.asked, tt.title, got.Relevance, got.Reason, got.Kind, tt.want)
		}
	}
}

func TestEvidence(t *testing.T) {
	typed := func(value string) []upstream.Attribute {
		return []upstream.Attribute{{Key: "Product_Type", Values: []string{value}}}
	}
	for _, tt := range []struct {
		name, asked string
		product     upstream.Product
		want        Judgement
	}{
		{"leaf category", "jacket", upstream.Product{Title: "Proteus", Categories: []string{"Men/Tops/Jackets"}}, Judgement{Related, ByCategory, ""}},
		{"list of a category", "sweatshirt", upstream.Product{Title: "Chaz", Categories: []string{"Hoodies & Sweatshirts"}}, Judgement{Related, ByCategory, ""}},
		{"boots among walking boots", "walking boots", upstream.Product{Title: "Icefall Boot", Categories: []string{"Footwear/Walking boots"}}, Judgement{Related, ByCategory, ""}},
		{"boots among wellingtons", "walking boots", upstream.Product{Title: "Tarn Boot", Categories: []string{"Footwear/Wellingtons"}}, Judgement{Unrelated, ByCategory, "wellington"}},
		{"boots among shoes", "walking boots", upstream.Product{Title: "Tarn Boot", Categories: []string{"Shoes"}}, Judgement{Related, ByTitle, ""}},
		{"nothing but a wider category", "walking boots", upstream.Product{Title: "Tarn", Categories: []string{"Footwear/Boots"}}, Judgement{Related, ByCategory, ""}},
		{"nothing but a narrower category of another kind", "walking boots", upstream.Product{Title: "Tarn", Categories: []string{"Footwear/Boots/Wellingtons"}}, Judgement{Unrelated, ByCategory, "wellington"}},
		{"device type", "tablet", upstream.Product{Title: "TAQ-10383K", Attributes: []upstream.Attribute{{Key: "device_type", Values: []string{"Full-size tablet"}}}}, Judgement{Related, ByType, ""}},
		{"brand, and all that it makes", "huawei", upstream.Product{Title: "Huawei Cover case", Brand: "Huawei"}, Judgement{Related, ByBrand, ""}},
		{"brand of two words", "under armour", upstream.Product{Title: "Sports bag", Brand: "Under Armour"}, Judgement{Related, ByBrand, ""}},
		{"wider category", "footwear", upstream.Product{Title: "Fjell", Categories: []string{"Footwear/Winter"}}, Judgement{Related, ByCategory, ""}},
		{"accessories of a category", "printer", upstream.Product{Title: "XL 304", Categories: []string{"Printers/Ink"}}, Judgement{Unrelated, ByCategory, "ink"}},
		{"title before category", "printer", upstream.Product{Title: "Toner 304", Categories: []string{"Printers"}}, Judgement{Unrelated, TitleServes, "toner"}},
		{"type", "fan", upstream.Product{Title: "F8 Pro", Attributes: typed("Fan")}, Judgement{Related, ByType, ""}},
		{"type of another kind", "keyboard", upstream.Product{Title: "WetEx", Attributes: typed("Keyboard cover")}, Judgement{Unrelated, ByType, "case"}},
		{"brand", "fjellkraft", upstream.Product{Title: "Fjellkraft boots", Brand: "Fjellkraft"}, Judgement{Related, ByBrand, ""}},
		{"brand is no kind", "case", upstream.Product{Title: "Case Logic Backpack", Brand: "Case Logic"}, Judgement{Unrelated, TitleOther, "backpack"}},
		{"nothing", "jacket", upstream.Product{Title: "Fjell 3"}, Judgement{Unrelated, Nowhere, ""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := For(Question{Words: tt.asked, Language: "en"}, nil).Explain(&tt.product); got != tt.want {
				t.Errorf("got %+v (%s), want %+v", got, got.Reason, tt.want)
			}
		})
	}
}

func TestNounOfAReader(t *testing.T) {
	trap := For(Question{Words: "mouse trap that kills", Noun: "mouse trap", Language: "en"}, nil)
	for title, want := range map[string]Relevance{"Mouse trap, wood": Related, "Gaming mouse": Unrelated, "Bait for mouse traps": Unrelated} {
		if got := trap.Explain(&upstream.Product{Title: title}); got.Relevance != want {
			t.Errorf("%s: %+v (%s), want %d", title, got, got.Reason, want)
		}
	}
}

// TestAcrossLanguages asks an English shop in other languages.
func TestAcrossLanguages(t *testing.T) {
	shop := NewKinds("en-GB")
	for _, q := range []Question{{Words: "wasserdichte Stiefel", Language: "de"}, {Words: "bottes", Language: "fr"}, {Words: "botas", Language: "es"}, {Words: "ブーツ", Language: "ja"}} {
		j := For(q, shop)
		if got := j.Of(&upstream.Product{Title: "Fjell walking boots"}); got != Related {
			t.Errorf("%s: %d, want related", q.Words, got)
		}
		if got := j.Of(&upstream.Product{Title: "Polish for boots"}); got != Unrelated {
			t.Errorf("%s, polish: %d, want unrelated", q.Words, got)
		}
	}
}

func TestLearner(t *testing.T) {
	learner := NewLearner("en")
	for range enough {
		learner.Add(&upstream.Product{Title: "Victor 10", Categories: []string{"Garden/Mouse Traps"}})
		learner.Add(&upstream.Product{Title: "Winter boots", Categories: []string{"Boots Winter"}})
		learner.Add(&upstream.Product{Title: "Petromax sparkler for stoves"})
	}
	learner.Add(&upstream.Product{Title: "Once", Categories: []string{"Gizmos"}})
	kinds := learner.Kinds()
	j := For(Question{Words: "mouse", Language: "en"}, kinds)
	if got := j.Explain(&upstream.Product{Title: "Victor mouse trap"}); got.Relevance != Unrelated {
		t.Errorf("mouse trap: %+v (%s)", got, got.Reason)
	}
	if got, want := len(kinds.learned), 2; got != want {
		t.Errorf("learned %d nouns, want %d: %v", got, want, kinds.learned)
	}
	if got := NewLearner("nl"); got.Kinds() == nil {
		t.Error("no kinds for a language that is not known")
	}
}
