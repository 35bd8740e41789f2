package reading

import (
	"strings"

	"github.com/storeware/caddy-storeware/translate/answer/reading/language"
	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// fitting reads which device an accessory is for, in the phrases [from, to):
// "iphone 15 case", "coque iPhone 15", "case for my iPhone XR". A device with no
// accessory beside it is what is asked for, and is left alone.
func (s *sentence) fitting(from, to int) (Attribute, bool) {
	for i := from; i < to; i++ {
		end := s.deviceEnd(i, to)
		if end == i {
			continue
		}
		if !s.accessory(from, i, end, to) {
			i = end - 1
			continue
		}
		s.set(i, end, measured)
		for back := i - 1; back >= max(from, i-2); back-- {
			// What led to the device says nothing more.
			p := s.at(back)
			if p.mark == free && p.is(language.For) {
				s.set(back, i, gone)
				break
			}
		}
		return Attribute{Key: language.CompatibleKey, Value: strings.ToLower(s.span(i, end))}, true
	}
	return Attribute{}, false
}

// deviceEnd returns where the name of a device that begins at i ends: its name
// and what tells its model ("iphone 11 pro max"), or a model alone ("z3 play").
func (s *sentence) deviceEnd(i, to int) int {
	end, models := i, 0
	for ; end < to && s.at(end).is(language.Device) && s.at(end).mark == free; end++ {
	}
	devices := end - i
	for ; end < to && s.model(end); end++ {
		models++
		if devices == 0 && models == 1 && s.at(end).is(language.Model) {
			// "pro" alone is a word like any other.
			return i
		}
	}
	if devices > 0 || models > 1 {
		return end
	}
	return i
}

// model reports whether the phrase at i can tell one model of a device from others.
func (s *sentence) model(i int) bool {
	p := s.at(i)
	switch {
	case p.number():
		return p.tokens[0].Suffix == "" && s.at(i+1).Unit == "" && (p.mark == free || p.mark == measured)
	case p.mark != free || p.symbol() || len(p.tokens) > 1:
		return false
	case p.is(language.Model):
		return true
	}
	word := p.tokens[0]
	return p.plain() && word.Kind == text.Word && (strings.ContainsAny(word.Fold, "0123456789") || len(word.Fold) <= 2 && s.at(i-1).is(language.Device))
}

// accessory reports whether the device at [start, end) stands beside the name of
// something that is made for devices.
func (s *sentence) accessory(from, start, end, to int) bool {
	for i := end; i < to && i < end+4 && !s.at(i).stop(); i++ {
		p := s.at(i)
		if p.mark != free && p.mark != measured || p.is(language.With|language.For) && !p.is(language.Accessory) {
			break
		}
		if s.accessoryName(i) {
			return true
		}
	}
	for i := start - 1; i >= from && !s.at(i).stop(); i-- {
		if s.accessoryName(i) {
			return true
		}
	}
	return false
}

// accessoryName reports whether the phrase at i names an accessory, by itself or
// at the end of a compound such as "Handyhülle".
func (s *sentence) accessoryName(i int) bool {
	p := s.at(i)
	if p.mark != free || p.symbol() {
		return false
	}
	return p.is(language.Accessory) || p.plain() && s.CapitalNouns && s.EndsIn(p.fold(), language.Accessory)
}
