package picture

import "strings"

// shapes are what can be drawn, on a grid of 100 by 100.
var shapes = map[string][]layer{
	"boot": {
		{"M 30 16 L 56 16 C 57 32 57 42 62 50 C 70 56 84 58 86 68 L 86 78 L 28 78 C 26 58 30 40 30 16 Z", base},
		{"M 62 50 C 70 56 84 58 86 68 L 86 72 L 66 72 C 60 64 58 58 58 50 Z", light},
		{"M 27 76 L 87 76 L 87 84 L 80 84 L 80 88 L 72 88 L 72 84 L 60 84 L 56 88 L 28 88 Z", ink},
		{"M 30 16 L 56 16 L 56 22 L 30 22 Z", darker},
		{"M 46 28 L 57 27 L 57 30 L 46 31 Z M 46 36 L 58 35 L 58 38 L 46 39 Z M 47 44 L 60 43 L 61 46 L 47 47 Z M 49 52 L 64 51 L 67 54 L 49 55 Z", bone},
	},
	"wellington": {
		{"M 34 10 L 58 10 C 58 36 58 48 61 58 C 70 62 84 64 85 74 L 85 82 L 34 82 C 32 60 34 40 34 10 Z", base},
		{"M 34 10 L 58 10 L 58 16 L 34 16 Z", dark},
		{"M 52 16 L 58 16 C 58 36 58 48 61 58 C 66 60 72 61 77 64 C 66 64 58 62 55 58 C 52 48 52 30 52 16 Z", light},
		{"M 33 80 L 86 80 L 86 88 L 60 88 L 60 85 L 54 85 L 54 88 L 33 88 Z", ink},
		{"M 50 22 L 60 22 L 60 27 L 50 27 Z", darker},
	},
	"shoe": {
		{"M 12 50 C 20 46 26 52 34 52 L 46 40 C 56 52 72 60 86 64 C 90 66 91 70 90 76 L 12 76 C 10 66 11 58 12 50 Z", base},
		{"M 34 52 L 46 40 C 52 46 58 52 66 56 L 58 66 C 48 64 38 60 34 52 Z", light},
		{"M 10 74 L 91 74 C 92 82 88 86 82 86 L 16 86 C 11 86 9 80 10 74 Z", bone},
		{"M 10 80 L 91 80 C 90 84 87 86 82 86 L 16 86 C 12 86 10 84 10 80 Z", darker},
		{"M 44 46 L 48 43 L 52 56 L 48 58 Z M 52 51 L 55 49 L 60 60 L 56 62 Z", ink},
	},
	"jacket": {
		{"M 36 18 L 64 18 L 82 28 L 92 68 L 80 72 L 73 46 L 73 86 L 27 86 L 27 46 L 20 72 L 8 68 L 18 28 Z", base},
		{"M 36 18 C 36 8 64 8 64 18 L 58 28 L 42 28 Z", dark},
		{"M 41 19 C 42 13 58 13 59 19 L 55 26 L 45 26 Z", darker},
		{"M 49 27 L 51 27 L 51 86 L 49 86 Z", ink},
		{"M 32 60 L 44 58 L 44 62 L 32 64 Z M 56 58 L 68 60 L 68 64 L 56 62 Z", dark},
		{"M 27 46 L 27 86 L 31 86 L 31 42 Z M 73 46 L 73 86 L 69 86 L 69 42 Z", light},
	},
	"jumper": {
		{"M 38 18 L 62 18 L 80 26 L 92 72 L 80 76 L 72 48 L 72 82 L 28 82 L 28 48 L 20 76 L 8 72 L 20 26 Z", base},
		{"M 38 18 C 42 28 58 28 62 18 L 58 16 C 54 22 46 22 42 16 Z", dark},
		{"M 28 76 L 72 76 L 72 82 L 28 82 Z M 9 67 L 22 71 L 20 76 L 8 72 Z M 91 67 L 78 71 L 80 76 L 92 72 Z", dark},
		{"M 34 40 L 66 40 L 66 43 L 34 43 Z M 34 48 L 66 48 L 66 51 L 34 51 Z", light},
	},
	"tee": {
		{"M 38 18 L 62 18 L 82 28 L 88 48 L 74 52 L 72 46 L 72 84 L 28 84 L 28 46 L 26 52 L 12 48 L 18 28 Z", base},
		{"M 38 18 C 42 28 58 28 62 18 L 59 17 C 55 23 45 23 41 17 Z", dark},
		{"M 72 46 L 72 84 L 67 84 L 67 42 Z", dark},
	},
	"trousers": {
		{"M 32 12 L 68 12 L 74 88 L 56 88 L 50 40 L 44 88 L 26 88 Z", base},
		{"M 32 12 L 68 12 L 69 20 L 31 20 Z", darker},
		{"M 49 20 L 51 20 L 51 36 L 49 36 Z", ink},
		{"M 34 24 L 42 24 L 36 34 L 33 34 Z M 66 24 L 58 24 L 64 34 L 67 34 Z", dark},
		{"M 68 20 L 69 20 L 74 88 L 69 88 Z", light},
	},
	"glove": {
		{"M 32 84 L 32 54 L 18 40 C 14 34 20 28 26 32 L 34 40 L 34 20 C 34 13 43 13 43 20 L 44 14 C 45 8 53 8 53 14 L 54 18 C 55 12 63 12 63 20 L 64 26 C 66 20 73 21 73 28 L 72 60 L 68 84 Z", base},
		{"M 31 74 L 70 74 L 68 88 L 32 88 Z", darker},
		{"M 43 22 L 44 42 L 42 42 Z M 53 20 L 54 42 L 52 42 Z M 63 24 L 63 44 L 61 44 Z", darker},
		{"M 40 52 L 64 52 L 62 66 L 42 66 Z", light},
	},
	"hat": {
		{"M 22 62 C 22 26 78 26 78 62 Z", base},
		{"M 18 58 L 82 58 C 86 58 86 76 82 76 L 18 76 C 14 76 14 58 18 58 Z", dark},
		{"O 50 26 10 10", light},
		{"M 38 38 L 41 36 L 40 58 L 36 58 Z M 49 35 L 52 35 L 52 58 L 49 58 Z M 60 36 L 63 38 L 65 58 L 61 58 Z", dark},
	},
	"cap": {
		{"M 20 60 C 20 28 70 26 72 58 Z", base},
		{"M 18 58 C 40 54 70 54 92 64 C 94 70 88 72 82 70 C 60 64 40 66 20 70 Z", dark},
		{"O 47 32 3 2", darker},
		{"M 46 34 L 49 34 L 54 56 L 51 56 Z", dark},
	},
	"sock": {
		{"M 38 10 L 62 10 L 62 56 C 62 66 46 70 38 82 C 32 90 16 86 18 74 C 20 64 38 62 38 50 Z", base},
		{"M 38 10 L 62 10 L 62 20 L 38 20 Z", darker},
		{"M 18 74 C 20 66 28 64 33 60 C 38 68 40 74 38 82 C 32 90 16 86 18 74 Z", dark},
		{"M 38 26 L 62 26 L 62 30 L 38 30 Z M 38 35 L 62 35 L 62 39 L 38 39 Z", light},
	},
	"pack": {
		{"M 38 22 C 38 8 62 8 62 22 L 58 22 C 58 14 42 14 42 22 Z", ink},
		{"M 28 30 C 28 16 72 16 72 30 L 76 84 C 76 88 24 88 24 84 Z", base},
		{"M 28 30 C 28 16 72 16 72 30 L 73 44 L 27 44 Z", light},
		{"M 32 56 L 68 56 L 70 82 L 30 82 Z", dark},
		{"M 32 56 L 68 56 L 68 60 L 32 60 Z", ink},
		{"M 46 36 L 54 36 L 54 50 L 46 50 Z", ink},
		{"M 18 46 L 25 42 L 24 76 L 18 74 Z M 82 46 L 75 42 L 76 76 L 82 74 Z", dark},
	},
	"bag": {
		{"M 34 24 L 66 24 L 72 84 C 72 88 28 88 28 84 Z", base},
		{"M 34 18 L 66 18 L 66 28 L 34 28 Z", dark},
		{"M 44 10 L 56 10 L 56 18 L 52 18 L 52 14 L 48 14 L 48 18 L 44 18 Z", ink},
		{"M 38 44 L 62 44 L 63 60 L 37 60 Z", lighter},
	},
	"tent": {
		{"M 50 18 L 92 84 L 8 84 Z", base},
		{"M 50 18 L 72 84 L 28 84 Z", light},
		{"M 50 34 L 64 84 L 36 84 Z", ink},
		{"M 50 34 L 64 84 L 56 84 L 50 62 Z", dark},
		{"M 50 18 L 92 84 L 86 84 L 50 24 Z", dark},
	},
	"sleepingbag": {
		{"M 30 26 C 30 6 70 6 70 26 L 76 50 L 66 84 C 60 90 40 90 34 84 L 24 50 Z", base},
		{"O 50 26 13 11", darker},
		{"O 50 27 9 7", bone},
		{"M 27 46 L 73 46 L 75 52 L 25 52 Z M 26 60 L 73 60 L 71 66 L 29 66 Z M 30 74 L 69 74 L 67 80 L 32 80 Z", light},
	},
	"mat": {
		{"M 16 70 L 74 30 L 92 44 L 34 86 Z", base},
		{"M 16 70 L 34 86 L 34 90 L 16 75 Z", darker},
		{"M 26 68 L 74 35 L 77 37 L 29 71 Z M 34 75 L 81 42 L 84 44 L 37 78 Z", light},
		{"O 25 78 11 10", dark}, {"O 25 78 5 4.5", light},
	},
	"stove": {
		{"M 36 58 L 64 58 C 70 66 70 80 64 88 L 36 88 C 30 80 30 66 36 58 Z", base},
		{"M 44 46 L 56 46 L 56 58 L 44 58 Z", ink},
		{"M 30 40 L 70 40 L 66 47 L 34 47 Z", dark},
		{"M 18 32 L 22 32 L 46 46 L 42 48 Z M 82 32 L 78 32 L 54 46 L 58 48 Z", ink},
		{"M 42 40 C 36 30 46 28 44 16 C 54 22 52 30 56 28 C 62 34 58 40 58 40 Z", glow},
	},
	"mug": {
		{"M 24 30 L 68 30 L 66 82 C 66 87 26 87 26 82 Z", base},
		{"M 68 40 C 90 38 90 72 66 70 L 66 63 C 80 64 80 46 68 47 Z", dark},
		{"O 46 30 22 6", darker}, {"O 46 31 18 4", ink},
		{"M 25 62 L 67 62 L 66 82 C 66 87 26 87 26 82 Z", light},
	},
	"bowl": {
		{"M 12 44 L 88 44 C 86 66 70 80 58 82 L 58 86 L 42 86 L 42 82 C 30 80 14 66 12 44 Z", base},
		{"O 50 44 38 9", dark}, {"O 50 45 33 6.5", lighter},
		{"M 20 62 C 40 70 60 70 80 62 C 76 70 66 80 58 82 L 42 82 C 32 80 24 70 20 62 Z", dark},
	},
	"plate": {
		{"O 50 52 40 36", base}, {"O 50 50 40 34", light}, {"O 50 50 27 22", base}, {"O 50 49 25 20", lighter},
	},
	"teapot": {
		{"M 24 50 C 24 34 76 34 76 50 C 80 72 66 84 50 84 C 34 84 20 72 24 50 Z", base},
		{"M 76 52 C 84 50 84 40 92 36 L 94 42 C 88 48 86 64 74 66 Z", dark},
		{"M 24 48 C 4 44 4 78 28 76 L 27 70 C 14 70 14 52 24 55 Z", dark},
		{"O 50 40 20 5", darker}, {"O 50 34 4 4", ink},
		{"M 28 60 C 40 66 60 66 72 60 L 71 65 C 60 71 40 71 29 65 Z", light},
	},
	"jug": {
		{"M 36 16 L 66 16 L 62 34 C 78 50 74 86 50 88 C 26 86 22 50 40 34 Z", base},
		{"M 36 16 L 66 16 L 72 22 L 64 26 L 38 24 Z", dark},
		{"M 38 28 C 16 26 14 62 30 64 L 31 58 C 22 54 24 34 38 35 Z", dark},
		{"M 28 66 C 40 72 60 72 72 64 C 72 78 64 87 50 88 C 36 87 28 78 28 66 Z", light},
	},
	"flask": {
		{"M 36 32 L 64 32 L 64 84 C 64 88 36 88 36 84 Z", base},
		{"M 38 12 L 62 12 L 64 32 L 36 32 Z", dark},
		{"M 36 44 L 64 44 L 64 62 L 36 62 Z", light},
		{"M 36 32 L 64 32 L 64 35 L 36 35 Z", ink},
	},
	"torch": {
		{"M 10 44 C 30 24 70 24 90 44 L 90 54 C 70 36 30 36 10 54 Z", dark},
		{"M 32 38 L 68 38 L 72 70 C 72 74 28 74 28 70 Z", base},
		{"O 50 56 14 14", ink}, {"O 50 56 10 10", glow}, {"O 50 56 5 5", bone},
	},
	"poles": {
		{"M 30 12 L 36 12 L 46 88 L 44 88 Z M 70 12 L 64 12 L 54 88 L 56 88 Z", base},
		{"M 28 8 L 38 8 L 40 30 L 32 30 Z M 72 8 L 62 8 L 60 30 L 68 30 Z", ink},
		{"O 44 78 7 2", dark}, {"O 56 78 7 2", dark},
	},
	"chair": {
		{"M 22 28 L 28 26 L 68 88 L 61 88 Z M 78 28 L 72 26 L 32 88 L 39 88 Z", ink},
		{"M 26 18 L 74 18 L 72 46 L 28 46 Z", base},
		{"M 24 58 L 76 58 L 72 68 L 28 68 Z", dark},
		{"M 28 40 L 72 40 L 72 46 L 28 46 Z", light},
	},
	"textile": {
		{"M 18 34 C 40 26 60 38 82 30 L 82 76 C 60 84 40 72 18 80 Z", base},
		{"M 18 42 C 40 34 60 46 82 38 L 82 44 C 60 52 40 40 18 48 Z M 18 58 C 40 50 60 62 82 54 L 82 57 C 60 65 40 53 18 61 Z", light},
		{"M 18 76 C 40 68 60 80 82 72 L 82 76 C 60 84 40 72 18 80 Z", darker},
		{"M 62 35 C 70 36 76 33 82 30 L 82 76 C 76 79 70 81 62 80 Z", dark},
	},
	"cushion": {
		{"M 20 22 C 40 28 60 28 80 22 C 76 42 76 62 82 82 C 60 76 40 76 18 82 C 24 62 24 42 20 22 Z", base},
		{"M 30 32 C 44 35 56 35 70 32 C 68 44 68 60 72 72 C 56 69 44 69 28 72 C 32 60 32 44 30 32 Z", light},
		{"O 50 52 3 3", darker},
	},
	"candle": {
		{"M 24 40 L 36 40 L 36 84 L 24 84 Z M 44 28 L 56 28 L 56 84 L 44 84 Z M 64 46 L 76 46 L 76 84 L 64 84 Z", base},
		{"M 32 40 L 36 40 L 36 84 L 32 84 Z M 52 28 L 56 28 L 56 84 L 52 84 Z M 72 46 L 76 46 L 76 84 L 72 84 Z", dark},
		{"M 30 24 C 36 32 33 38 30 38 C 27 38 24 32 30 24 Z M 50 12 C 56 20 53 26 50 26 C 47 26 44 20 50 12 Z M 70 30 C 76 38 73 44 70 44 C 67 44 64 38 70 30 Z", glow},
		{"M 16 84 L 84 84 L 80 90 L 20 90 Z", ink},
	},
	"lantern": {
		{"M 34 30 C 20 12 80 12 66 30 L 62 30 C 70 18 30 18 38 30 Z", ink},
		{"M 38 26 L 62 26 L 68 36 L 32 36 Z", base},
		{"M 34 36 L 66 36 L 70 68 L 30 68 Z", bone},
		{"M 50 42 C 58 52 55 64 50 64 C 45 64 42 52 50 42 Z", glow},
		{"M 28 68 L 72 68 L 76 88 L 24 88 Z", base}, {"M 28 68 L 72 68 L 73 73 L 27 73 Z", dark},
		{"M 33 36 L 36 36 L 32 68 L 29 68 Z M 67 36 L 64 36 L 68 68 L 71 68 Z", dark},
	},
	"basket": {
		{"M 24 44 C 24 6 76 6 76 44 L 71 44 C 71 14 29 14 29 44 Z", dark},
		{"M 14 44 L 86 44 L 78 84 C 78 88 22 88 22 84 Z", base},
		{"M 12 40 L 88 40 L 88 48 L 12 48 Z", darker},
		{"M 17 56 L 83 56 L 82 60 L 18 60 Z M 19 68 L 81 68 L 80 72 L 20 72 Z", dark},
		{"M 34 48 L 38 48 L 41 86 L 38 86 Z M 62 48 L 66 48 L 62 86 L 59 86 Z M 48 48 L 52 48 L 52 87 L 48 87 Z", light},
	},
	"card": {
		{"M 12 30 L 88 30 L 88 78 L 12 78 Z", base},
		{"M 60 30 L 68 30 L 68 78 L 60 78 Z M 12 50 L 88 50 L 88 57 L 12 57 Z", light},
		{"M 64 52 C 50 36 42 46 64 53 C 86 46 78 36 64 52 Z", bone},
	},
	"box": {
		{"M 14 36 L 50 24 L 86 36 L 86 76 L 50 90 L 14 76 Z", base},
		{"M 14 36 L 50 48 L 50 90 L 14 76 Z", light},
		{"M 50 48 L 86 36 L 86 76 L 50 90 Z", dark},
		{"M 28 31 L 36 29 L 72 41 L 72 54 L 64 57 L 64 43 Z", bone},
	},
}

// guesses lead from the beginning of a word to a shape. The first that fits counts.
var guesses = []struct{ word, shape string }{
	{"gift", "card"}, {"wellington", "wellington"}, {"sleeping bag", "sleepingbag"}, {"sleeping mat", "mat"},
	{"walking boot", "boot"}, {"boot", "boot"}, {"shoe", "shoe"}, {"slipper", "shoe"}, {"runner", "shoe"}, {"sneaker", "shoe"},
	{"jacket", "jacket"}, {"softshell", "jacket"}, {"coat", "jacket"}, {"gilet", "jacket"},
	{"trouser", "trousers"}, {"overtrouser", "trousers"}, {"short", "trousers"}, {"pant", "trousers"}, {"legging", "trousers"}, {"dungaree", "trousers"}, {"tights", "trousers"}, {"bottom", "trousers"},
	{"fleece", "jumper"}, {"jumper", "jumper"}, {"cardigan", "jumper"}, {"half zip", "jumper"}, {"knitwear", "jumper"}, {"hoodie", "jumper"}, {"sweatshirt", "jumper"}, {"long sleeve", "jumper"},
	{"tee", "tee"}, {"shirt", "tee"}, {"tank", "tee"}, {"bras", "tee"},
	{"glove", "glove"}, {"mitten", "glove"}, {"cap", "cap"}, {"hat", "hat"}, {"beanie", "hat"}, {"sock", "sock"},
	{"daypack", "pack"}, {"rucksack", "pack"}, {"backpack", "pack"}, {"roll top", "pack"}, {"dry bag", "bag"}, {"bag", "bag"},
	{"tent", "tent"}, {"tarp", "tent"}, {"mat", "mat"}, {"stove", "stove"}, {"mug", "mug"}, {"pot", "mug"}, {"bowl", "bowl"}, {"plate", "plate"},
	{"teapot", "teapot"}, {"jug", "jug"}, {"flask", "flask"}, {"bottle", "flask"}, {"head torch", "torch"}, {"torch", "torch"}, {"pole", "poles"}, {"chair", "chair"},
	{"cushion", "cushion"}, {"blanket", "textile"}, {"duvet", "textile"}, {"towel", "textile"}, {"rug", "textile"}, {"textile", "textile"},
	{"candle", "candle"}, {"lantern", "lantern"}, {"lamp", "lantern"}, {"basket", "basket"},
}

// separators stand between words as spaces do.
var separators = strings.NewReplacer("-", " ", "/", " ")

// guess returns the shape of goods that words speak of, the most telling words
// first.
func guess(words []string) string {
	for _, text := range words {
		text = " " + strings.ToLower(separators.Replace(text))
		for _, g := range guesses {
			if strings.Contains(text, " "+g.word) {
				return g.shape
			}
		}
	}
	return "box"
}
