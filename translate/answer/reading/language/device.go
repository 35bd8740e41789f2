package language

// devices are names that things are made for, of any language. Who shops for a
// case names one of them; with the name of a maker alone it is no less clear.
const devices = `iphone, galaxy tab, galaxy note, galaxy watch, galaxy buds, ipad, ipod, macbook, imac, airpods, apple watch, galaxy, samsung, samsung galaxy, google pixel, pixel,
	kindle, playstation, ps4, ps5, xbox, nintendo switch, steam deck, chromebook, surface pro, fitbit, garmin, gopro,
	huawei, xiaomi, redmi, oneplus, oppo, motorola, moto, nokia, xperia, sony, canon, nikon, fujifilm, lenovo, thinkpad,
	dell, asus, acer, apple, echo dot, fire tv, roku, chromecast`

// models are the words that tell the models of a device apart.
const models = `x, pro, max, plus, mini, ultra, air, lite, note, play, fold, flip, se, xr, xs, series, gen, edge, fe, neo, zoom`
