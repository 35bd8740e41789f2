package language_test

import (
	"testing"

	"github.com/storeware/caddy-storeware/translate/answer/reading/language"
)

func TestKey(t *testing.T) {
	for name, want := range map[string]string{
		"Product Colour": "color", "Farbe": "color", "recommended_gender": "gender", "pa_size": "size", "Größe": "size", "素材": "material",
		"Compatibility": language.CompatibleKey, "Geeignet für": language.CompatibleKey, "Product type": language.KindKey,
	} {
		if key, ok := language.Key(name); key != want || !ok {
			t.Errorf("Key(%q) = %q, %v", name, key, ok)
		}
	}
	for name, want := range map[string]string{"Cable Colour": "cable colour", "is_Waterproof": "waterproof", "": ""} {
		if key, ok := language.Key(name); key != want || ok {
			t.Errorf("Key(%q) = %q, %v", name, key, ok)
		}
	}
}
