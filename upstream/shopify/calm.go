package shopify

import "net/http"

// statusRejected is Shopify's own status for a visitor whom it takes for a robot.
// It means what 429 means elsewhere: come back later, and more slowly.
const statusRejected = 430

// calm gives Shopify's status the number that everybody knows.
type calm struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (c calm) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := c.next.RoundTrip(request)
	if err == nil && response.StatusCode == statusRejected {
		response.StatusCode = http.StatusTooManyRequests
	}
	return response, err
}

// CloseIdleConnections closes the connections that next keeps for later.
func (c calm) CloseIdleConnections() {
	if idle, ok := c.next.(interface{ CloseIdleConnections() }); ok {
		idle.CloseIdleConnections()
	}
}
