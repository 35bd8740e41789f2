package reading_test

import (
	"testing"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
)

// TestLanguages asks the same in all languages: prices, sizes, what must not be,
// and several things, as shoppers of each put it.
func TestLanguages(t *testing.T) {
	rules := reading.NewRules()
	for _, test := range []struct {
		language, words string
		currency        money.Currency
		want            string
	}{
		{"en", "trail running shoes size 8.5 for less than £90", "GBP", "shoes <=9000 +size:8.5 GBP"},
		{"en", "a kettle that costs no more than forty pounds", "GBP", "kettle <=4000 GBP"},
		{"en", "bookcase between £100 and £250, not white", "GBP", "bookcase >=10000 <=25000 -white GBP"},
		{"en", "something around 30 quid for my dad", "GBP", ">=2400 <=3600 GBP (for my dad)"},
		{"en", "3-pack of white t-shirts in XL", "GBP", "t-shirt +color:white +size:xl +pieces:3-pack"},
		{"en", "jeans 32x34 without rips", "GBP", "jeans +size:32x34 -rips"},
		{"en", "wool-free jumper, M, under 45", "GBP", "jumper <=4500 +size:m -wool"},
		{"en", "desk lamp and office chair, each under £120", "GBP", "lamp <=12000 GBP | chair <=12000 GBP"},
		{"en", "a red dress and black shoes in size 6", "GBP", "dress +color:red | shoes +color:black +size:6"},
		{"en", "tv at least 50 inches, max £600", "GBP", "tv <=60000 +length_min:50 inches GBP"},
		{"en", "noise cancelling headphones that aren't bluetooth", "GBP", "headphones +noise_cancelling:true -true"},
		{"en", "13 inch laptop sleeve no zip", "GBP", "sleeve +length:13 inch -zip"},
		{"en", "face cream without parabens or perfume £15-£25", "GBP", "face cream >=1500 <=2500 -parabens -perfume GBP"},
		{"en", "a 20 litre rucksack, anything but pink", "GBP", "rucksack +capacity:20 litre -pink"},
		{"en", "vacuum cleaner not cordless, up to 1.5k", "GBP", "cleaner <=150000 -true"},
		{"en", "kids bike 16 inch under $120.50", "USD", "bike <=12050 +age:kids +length:16 inch USD"},
		{"en", "two pairs of wool socks from £5 upwards", "GBP", "sock >=500 +material:wool GBP"},
		{"en", "coffee table, not glass, not metal, cheaper than 200 pounds", "GBP", "table <=20000 -glass -metal GBP"},
		{"en", "is there a tent for 4 people in stock below £300?", "GBP", "tent <=30000 +capacity:4 people in stock GBP"},
		{"en", "iphone 14 pro case, black, tenner max", "GBP", "case <=1000 +compatible_with:iphone 14 pro +color:black"},

		{"de", "Laufschuhe Größe 43 unter 90 €", "EUR", "laufschuhe <=9000 +size:43 EUR"},
		{"de", "Wasserkocher, der höchstens vierzig Euro kostet", "EUR", "wasserkocher <=4000 EUR"},
		{"de", "Bücherregal zwischen 100 und 250 Euro, nicht weiß", "EUR", "bücherregal >=10000 <=25000 -weiß EUR"},
		{"de", "etwas für ungefähr 30 € für meinen Vater", "EUR", ">=2400 <=3600 EUR (für meinen Vater)"},
		{"de", "3er-Pack weiße T-Shirts in XL", "EUR", "t-shirts +color:weiß +size:xl"},
		{"de", "Jeans 32/34 ohne Löcher", "EUR", "jeans +size:32x34 -löcher"},
		{"de", "Pullover ohne Wolle, Größe M, bis 45 Euro", "EUR", "pullover <=4500 +size:m -wolle EUR"},
		{"de", "Schreibtischlampe und Bürostuhl, jeweils unter 120 €", "EUR", "schreibtischlampe <=12000 EUR | bürostuhl <=12000 EUR"},
		{"de", "ein rotes Kleid und schwarze Schuhe in Größe 38", "EUR", "kleid +color:rot | schuhe +color:schwarz +size:38"},
		{"de", "Fernseher ab 50 Zoll, maximal 600 €", "EUR", "fernseher <=60000 +length_min:50 zoll EUR"},
		{"de", "Kopfhörer, aber keine mit Bluetooth", "EUR", "kopfhörer -true"},
		{"de", "Gesichtscreme ohne Parabene und ohne Parfüm, 15 bis 25 Euro", "EUR", "gesichtscreme >=1500 <=2500 -parabene -parfüm EUR"},
		{"de", "Rucksack 20 Liter, alles außer rosa", "EUR", "rucksack +capacity:20 liter -rosa"},
		{"de", "Staubsauger nicht kabellos bis 1.500 €", "EUR", "staubsauger <=150000 -true EUR"},
		{"de", "Kinderfahrrad 16 Zoll für weniger als 120,50 €", "EUR", "kinderfahrrad <=12050 +length:16 zoll EUR"},
		{"de", "zwei Paar Wollsocken ab 5 Euro", "EUR", "wollsocken >=500 EUR"},
		{"de", "Couchtisch, nicht aus Glas, günstiger als 200 Euro", "EUR", "couchtisch <=20000 -glas EUR"},
		{"de", "Zelt für 4 Personen auf Lager unter 300 €", "EUR", "zelt <=30000 +capacity:4 personen in stock EUR"},
		{"de", "iPhone 14 Pro Hülle schwarz max. 10€", "EUR", "hülle <=1000 +compatible_with:iphone 14 pro +color:schwarz EUR"},
		{"de", "zuckerfreie Schokolade unter 5 Euro", "EUR", "schokolade <=500 -zucker EUR"},

		{"fr", "chaussures de course taille 42 à moins de 90 €", "EUR", "chaussures <=9000 +size:42 EUR"},
		{"fr", "une bouilloire qui ne coûte pas plus de quarante euros", "EUR", "bouilloire <=4000 EUR"},
		{"fr", "bibliothèque entre 100 et 250 euros, pas blanche", "EUR", "bibliothèque >=10000 <=25000 -blanche EUR"},
		{"fr", "un cadeau d'environ 30 € pour mon père", "EUR", "cadeau >=2400 <=3600 EUR (pour mon père)"},
		{"fr", "lot de 3 t-shirts blancs en XL", "EUR", "t-shirts +color:blanc +size:xl"},
		{"fr", "jean 32x34 sans trous", "EUR", "jean +size:32x34 -trous"},
		{"fr", "pull sans laine, taille M, jusqu'à 45 euros", "EUR", "pull <=4500 +size:m -laine EUR"},
		{"fr", "une lampe de bureau et une chaise de bureau, chacune à moins de 120 €", "EUR", "lampe <=12000 EUR | chaise <=12000 EUR"},
		{"fr", "une robe rouge et des chaussures noires en 38", "EUR", "robe +color:rouge | chaussures +color:noir"},
		{"fr", "téléviseur d'au moins 50 pouces, maximum 600 €", "EUR", "téléviseur <=60000 +length_min:50 pouces EUR"},
		{"fr", "casque audio mais pas bluetooth", "EUR", "casque -true"},
		{"fr", "crème visage sans parabènes ni parfum, 15 à 25 euros", "EUR", "crème >=1500 <=2500 -parabènes -parfum EUR"},
		{"fr", "sac à dos 20 litres, tout sauf rose", "EUR", "sac +capacity:20 litres -rose"},
		{"fr", "aspirateur avec fil, 1 500 € max", "EUR", "aspirateur <=150000 EUR"},
		{"fr", "vélo enfant 16 pouces à moins de 120,50 €", "EUR", "vélo <=12050 +age:enfant +length:16 pouces EUR"},
		{"fr", "deux paires de chaussettes en laine à partir de 5 euros", "EUR", "chaussettes >=500 +material:laine EUR"},
		{"fr", "table basse pas en verre, moins chère que 200 euros", "EUR", "table <=20000 -verre EUR"},
		{"fr", "tente 4 personnes en stock en dessous de 300 €", "EUR", "tente <=30000 +capacity:4 personnes in stock EUR"},
		{"fr", "coque iPhone 14 Pro noire 10€ maximum", "EUR", "coque <=1000 +compatible_with:iphone 14 pro +color:noir EUR"},
		{"fr", "chocolat sans sucre de moins de 5 euros", "EUR", "chocolat <=500 -sucre EUR"},

		{"es", "zapatillas de correr talla 42 por menos de 90 €", "EUR", "zapatillas <=9000 +size:42 EUR"},
		{"es", "un hervidor que no cueste más de cuarenta euros", "EUR", "hervidor <=4000 EUR"},
		{"es", "estantería entre 100 y 250 euros, que no sea blanca", "EUR", "estantería >=10000 <=25000 -blanco EUR"},
		{"es", "un regalo de unos 30 € para mi padre", "EUR", "regalo >=2400 <=3600 EUR (para mi padre)"},
		{"es", "pack de 3 camisetas blancas en XL", "EUR", "camisetas +color:blanco +size:xl"},
		{"es", "vaqueros 32x34 sin rotos", "EUR", "vaqueros +size:32x34 -rotos"},
		{"es", "jersey sin lana, talla M, hasta 45 euros", "EUR", "jersey <=4500 +size:m -lana EUR"},
		{"es", "una lámpara de escritorio y una silla de oficina, cada una por menos de 120 €", "EUR", "lámpara <=12000 EUR | silla <=12000 EUR"},
		{"es", "un vestido rojo y unos zapatos negros talla 38", "EUR", "vestido +color:rojo | zapatos +color:negro +size:38"},
		{"es", "televisor de al menos 50 pulgadas, máximo 600 €", "EUR", "televisor <=60000 +length_min:50 pulgadas EUR"},
		{"es", "auriculares pero que no sean bluetooth", "EUR", "auriculares -true"},
		{"es", "crema facial sin parabenos ni perfume, de 15 a 25 euros", "EUR", "crema >=1500 <=2500 -parabenos -perfume EUR"},
		{"es", "mochila de 20 litros, cualquier color menos rosa", "EUR", "mochila +capacity:20 litros -rosa"},
		{"es", "aspiradora con cable, máximo 1.500 €", "EUR", "aspiradora <=150000 EUR"},
		{"es", "bicicleta infantil de 16 pulgadas por menos de 120,50 €", "EUR", "bicicleta <=12050 +age:niño +length:16 pulgadas EUR"},
		{"es", "dos pares de calcetines de lana a partir de 5 euros", "EUR", "calcetines >=500 +material:lana EUR"},
		{"es", "mesa de centro que no sea de cristal, más barata que 200 euros", "EUR", "mesa <=20000 -cristal EUR"},
		{"es", "tienda de campaña para 4 personas en stock por debajo de 300 €", "EUR", "tienda <=30000 +capacity:4 personas in stock EUR"},
		{"es", "funda iPhone 14 Pro negra 10€ máximo", "EUR", "funda <=1000 +compatible_with:iphone 14 pro +color:negro EUR"},
		{"es", "chocolate sin azúcar por menos de 5 euros", "EUR", "chocolate <=500 -azúcar EUR"},

		{"ja", "ランニングシューズ 26.5cm 9,000円以下", "JPY", "ランニングシューズ <=9000 +length:26.5cm JPY"},
		{"ja", "4000円を超えない電気ケトル", "JPY", "ケトル <=4000 JPY"},
		{"ja", "1万円から2万5千円の本棚、白以外", "JPY", "本棚 >=10000 <=25000 -白 JPY"},
		{"ja", "父への3000円くらいのプレゼント", "JPY", "プレゼント >=2400 <=3600 JPY (父への)"},
		{"ja", "白いTシャツ XL 3枚セット", "JPY", "シャツ +color:白 +size:xl +pieces:3枚セット"},
		{"ja", "穴なしのジーンズ 32インチ", "JPY", "ジーンズ +length:32インチ -穴"},
		{"ja", "ウールを使っていないセーター Mサイズ 4500円まで", "JPY", "セーター <=4500 +size:m -ウール JPY"},
		{"ja", "赤いドレスと黒い靴", "JPY", "ドレス +color:赤 | 靴 +color:黒"},
		{"ja", "50インチ以上のテレビ 6万円以内", "JPY", "テレビ <=60000 +length_min:50インチ JPY"},
		{"ja", "Bluetoothではないヘッドホン", "JPY", "ヘッドホン -true"},
		{"ja", "香料不使用のフェイスクリーム 1500円~2500円", "JPY", "フェイスクリーム >=1500 <=2500 -香料 JPY"},
		{"ja", "20リットルのリュック ピンク以外", "JPY", "リュック +capacity:20リットル -ピンク"},
		{"ja", "コードレスじゃない掃除機 15万円未満", "JPY", "掃除機 <=150000 -true JPY"},
		{"ja", "子供用自転車 16インチ ¥12,050以下", "JPY", "自転車 <=12050 +age:子供 +length:16インチ JPY"},
		{"ja", "500円以上のウールの靴下", "JPY", "靴下 >=500 +material:ウール JPY"},
		{"ja", "ガラス製ではないコーヒーテーブル 2万円より安い", "JPY", "コーヒーテーブル <=20000 -ガラス JPY"},
		{"ja", "4人用テント 在庫あり 3万円以下", "JPY", "テント <=30000 +capacity:4人用 in stock JPY"},
		{"ja", "iPhone 14 Pro ケース 黒 千円以下", "JPY", "ケース <=1000 +compatible_with:iphone 14 pro +color:黒 JPY"},
		{"ja", "砂糖不使用のチョコレート 500円以下", "JPY", "チョコレート <=500 -砂糖 JPY"},
		{"ja", "防水の登山靴と帽子が欲しい、革は避けたい", "JPY", "登山靴 +waterproof:true | 帽子 -革"},
	} {
		got, err := rules.Read(t.Context(), reading.Question{Words: test.words, Language: test.language, Currency: test.currency})
		if err != nil {
			t.Fatal(err)
		}
		if s := full(got); s != test.want {
			t.Errorf("%q read as %q, want %q", test.words, s, test.want)
		}
	}
}
