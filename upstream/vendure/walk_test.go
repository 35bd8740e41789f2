package vendure_test

import "testing"

// TestWalk: a small shop is one page.
func TestWalk(t *testing.T) {
	flow(t, func(s *stage) {
		if _, err := s.shop.Describe(s.Context()); err != nil {
			s.Fatal(err)
		}
		s.requests(1, func() {
			walked, err := s.shop.Walk(s.Context(), agent, "")
			if err != nil {
				s.Fatal(err)
			}
			if len(walked.Products) < 30 || walked.More || !walked.Whole || walked.Next == "" {
				s.Errorf("%d products, more: %v, whole: %v", len(walked.Products), walked.More, walked.Whole)
			}
			for _, p := range walked.Products {
				if len(p.Attributes) == 0 || len(p.Categories) == 0 || p.Variants[0].SKU == "" {
					s.Errorf("%s has %d attributes, %d categories and the SKU %q", p.Handle, len(p.Attributes), len(p.Categories), p.Variants[0].SKU)
				}
			}
		})
	})
}
