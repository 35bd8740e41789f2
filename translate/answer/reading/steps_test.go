package reading_test

import (
	"testing"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
)

// row is a question in a language, for a shop with a currency, and what is read.
type row struct {
	language string
	currency money.Currency
	words    string
	want     string
}

func check(t *testing.T, rows []row) {
	t.Helper()
	rules := reading.NewRules()
	for _, row := range rows {
		got, err := rules.Read(t.Context(), reading.Question{Words: row.words, Language: row.language, Currency: row.currency})
		if err != nil {
			t.Fatal(err)
		}
		if s := full(got); s != row.want {
			t.Errorf("%q read as %q, want %q", row.words, s, row.want)
		}
	}
}

func TestPrices(t *testing.T) {
	check(t, []row{
		{"en", "GBP", "boots under £150", "boot <=15000 GBP"},
		{"en", "GBP", "boots for 150 quid", "boot <=15000 GBP"},
		{"en", "GBP", "shoes between 50 and 80", "shoes >=5000 <=8000"},
		{"en", "GBP", "headphones around £100", "headphones >=8000 <=12000 GBP"},
		{"en", "USD", "laptop under 2k", "laptop <=200000"},
		{"en", "GBP", "a lamp, £40 or less", "lamp <=4000 GBP"},
		{"en", "GBP", "a lamp, not more than 40 pounds", "lamp <=4000 GBP"},
		{"en", "GBP", "a tent and a stove, budget 300", "tent <=30000 | stove <=30000"},
		{"de", "EUR", "Stiefel bis 50 €", "stiefel <=5000 EUR"},
		{"de", "EUR", "Fahrrad bis 1.299,00 €", "fahrrad <=129900 EUR"},
		{"de", "EUR", "Kopfhörer um die 100 €", "kopfhörer >=8000 <=12000 EUR"},
		{"fr", "EUR", "casque autour de 100 €", "casque >=8000 <=12000 EUR"},
		{"fr", "EUR", "tente à moins de 199,99 €", "tente <=19999 EUR"},
		{"es", "EUR", "auriculares de unos 100 euros", "auriculares >=8000 <=12000 EUR"},
		{"ja", "JPY", "¥3,000以下のバッグ", "バッグ <=3000 JPY"},
		{"ja", "JPY", "5000円から8000円の靴", "靴 >=5000 <=8000 JPY"},
		{"ja", "JPY", "1万円くらいのヘッドホン", "ヘッドホン >=8000 <=12000 JPY"},
	})
}

func TestNumbersThatAreNoPrices(t *testing.T) {
	check(t, []row{
		{"en", "GBP", "iphone 15 case", "case +compatible_with:iphone 15"},
		{"en", "GBP", "100% cotton shirt", "shirt +material:cotton"},
		{"en", "GBP", "2 person tent", "tent +capacity:2 person"},
		{"en", "GBP", "under desk treadmill", "treadmill"},
		{"en", "GBP", "less than perfect book", "book"},
		{"de", "EUR", "2-Personen-Zelt", "zelt +capacity:2-personen"},
		{"fr", "EUR", "t-shirt 100 % coton", "t-shirt +material:coton"},
		{"es", "EUR", "camiseta 100% algodón", "camiseta +material:algodón"},
		{"ja", "JPY", "綿100%のシャツ", "シャツ +material:綿"},
	})
}

func TestMeasures(t *testing.T) {
	check(t, []row{
		{"en", "GBP", "trainers UK 9", "trainer +size:uk 9"},
		{"en", "GBP", "jeans 32x34", "jeans +size:32x34"},
		{"en", "GBP", "hoodie 2XL", "hoodie +size:2xl"},
		{"en", "GBP", "20kg kettlebell", "kettlebell +weight:20kg"},
		{"en", "GBP", "a suitcase at most 2 kg", "suitcase +weight_max:2 kg"},
		{"de", "EUR", "schwarze Schuhe Größe 43 zwischen 50 und 80 Euro", "schuhe >=5000 <=8000 +color:schwarz +size:43 EUR"},
		{"fr", "EUR", "robe rouge taille M sans manches", "robe +color:rouge +sleeve:sans manches +size:m"},
		{"es", "EUR", "zapatos talla 42 entre 50 y 80 euros", "zapatos >=5000 <=8000 +size:42 EUR"},
	})
}

func TestDenials(t *testing.T) {
	check(t, []row{
		{"en", "GBP", "wallet not leather", "wallet -leather"},
		{"en", "GBP", "no wire bra", "bra -wire"},
		{"en", "GBP", "non adhesive shelf liner", "liner -adhesive"},
		{"en", "GBP", "wool non shedding area rug", "rug +material:wool -shedding"},
		// What a product is or is not is "true" under its own key.
		{"en", "GBP", "speaker not bluetooth", "speaker -true"},
		{"en", "GBP", "shoes without wheels or buckles", "shoes -wheels -buckles"},
		{"en", "GBP", "chair covers without arms set of 2", "chair cover -arms"},
		{"en", "GBP", `mug with "you can't tell me" on it`, "mug"},
		{"en", "GBP", "earphones that won't fall out", "earphone"},
		{"de", "EUR", "Jacke ohne Kapuze", "jacke -kapuze"},
		{"de", "EUR", "zuckerfreie Bonbons", "bonbons -zucker"},
		{"fr", "EUR", "un sac pas en cuir", "sac -cuir"},
		{"es", "EUR", "mochila sin ruedas", "mochila -ruedas"},
		{"ja", "JPY", "革以外の財布", "財布 -革"},
	})
}

func TestPasses(t *testing.T) {
	check(t, []row{
		{"en", "GBP", "First, a blue hat under £20. Second, a red scarf.", "hat <=2000 +color:blue GBP | scarf +color:red"},
		{"en", "GBP", "a blue hat under £20; a scarf over £5; and a red bag", "hat <=2000 +color:blue GBP | scarf >=500 GBP | bag +color:red"},
		{"en", "GBP", "both a cadet hat and a bucket hat. The bucket hat should be red and cost over £5. For the cadet hat I want wool.", "hat +material:wool | hat >=500 +color:red GBP"},
		{"en", "GBP", "paper plates (white, round, over £2) and wooden spoons (over £3)", "plate >=200 +material:paper +color:white +shape:round GBP | spoon >=300 +material:wood GBP"},
		{"en", "GBP", "a tent (for two, a porch, and a groundsheet) and a stove", "tent | stove"},
		{"en", "GBP", "black and white shirt", "shirt +color:black and white"},
		{"en", "GBP", "a jacket with a hood and a zip", "jacket"},
		{"de", "EUR", "ein Zelt und zwei Schlafsäcke", "zelt | schlafsäcke"},
		{"de", "EUR", "ein Zelt für 4 Personen und warme Handschuhe", "zelt +capacity:4 personen | handschuhe +warm:true"},
		{"en", "GBP", "a tent for 4 people and warm gloves", "tent +capacity:4 people | gloves +warm:true"},
		{"en", "GBP", "a tent for 4 people and a dog", "tent (for 4 people and a dog)"},
		{"ja", "JPY", "白い本棚", "本棚 +color:白"},
		{"ja", "JPY", "木製の人形", "人形 +material:木"},
		{"fr", "EUR", "une tente et un sac de couchage", "tente | sac"},
		{"es", "EUR", "una tienda y un saco de dormir", "tienda | saco"},
		{"ja", "JPY", "テントとランタン", "テント | ランタン"},
	})
}

func TestAttributesAndContext(t *testing.T) {
	check(t, []row{
		{"en", "GBP", "rust orange scarf", "scarf +color:rust orange"},
		{"en", "GBP", "dark green wool hat", "hat +color:dark green +material:wool"},
		{"en", "GBP", "hoodies in stock", "hoodie in stock"},
		{"en", "GBP", "waterproof boots for a wet week in Iceland", "boot +waterproof:true (for a wet week in Iceland)"},
		{"en", "GBP", "moisturiser for women over 40", "moisturiser +gender:women (over 40)"},
		{"en", "GBP", "watches for women on sale", "watch +gender:women"},
		{"en", "GBP", "headphones, wired not wireless", "headphones +wired:true -true"},
		{"en", "GBP", "night cream", "night cream"},
		{"en", "GBP", "boots with a large number of reviews", "boot"},
		{"fr", "EUR", "une jupe bleu foncé", "jupe +color:bleu foncé"},
		{"es", "EUR", "zapatos negros de cuero", "zapatos +color:negro +material:cuero"},
	})
}

func TestDevices(t *testing.T) {
	check(t, []row{
		{"en", "GBP", "case for my iPhone XR", "case +compatible_with:iphone xr"},
		{"en", "GBP", "dark green iPhone XR case", "case +compatible_with:iphone xr +color:dark green"},
		{"en", "GBP", "11 pro max case", "case +compatible_with:11 pro max"},
		{"en", "GBP", "samsung galaxy s22 screen protector", "screen protector +compatible_with:samsung galaxy s22"},
		{"en", "GBP", "refurbished iPhone X under £300", "iphone x <=30000 +condition:refurbished GBP"},
		{"en", "GBP", "samsung 55 inch tv", "tv +length:55 inch"},
		{"de", "EUR", "Hülle für iPhone 15", "hülle +compatible_with:iphone 15"},
		{"de", "EUR", "iPhone 15 Handyhülle", "handyhülle +compatible_with:iphone 15"},
		{"fr", "EUR", "coque pour iPhone 15 à moins de 20 €", "coque <=2000 +compatible_with:iphone 15 EUR"},
		{"es", "EUR", "funda iPhone 15", "funda +compatible_with:iphone 15"},
		{"ja", "JPY", "iPhone 15 ケース", "ケース +compatible_with:iphone 15"},
	})
}

func TestLanguageIsFound(t *testing.T) {
	rules := reading.NewRules()
	for words, want := range map[string]string{
		"schwarze Jacke": "de", "robe noire": "fr", "zapatos negros": "es", "黒い靴": "ja", "jacket": "en", "pro case": "en",
		"giacca nera": "", "scarpe sotto 50 euro": "", "jas zonder capuchon": "", "jaqueta sem capuz": "", "jacka utan luva": "",
		"kurtka bez kaptura": "", "boty do 500": "", "sukienka": "", "kırmızı elbise": "", "áo khoác": "", "куртка": "", "재킷": "", "买鞋": "",
	} {
		got, err := rules.Read(t.Context(), reading.Question{Words: words})
		if err != nil {
			t.Fatal(err)
		}
		if got.Language != want || got.Degraded != (want == "") {
			t.Errorf("%q: language %q, degraded %v, want %q", words, got.Language, got.Degraded, want)
		}
	}
}
