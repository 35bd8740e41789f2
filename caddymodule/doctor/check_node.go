package doctor

// The modules that are used unless the configuration names others.
const (
	stateFile    = "bolt"
	stateRedis   = "redis"
	storageFiles = "file_system"
)

// state says whether the state can be reached, and who can share it.
func (e *examination) state() {
	const check = "state"
	if e.Inside != nil && e.Inside.State.Error != "" {
		advice := "agents' writes are refused until it is back; look after the state module " + e.Inside.State.Module
		if e.Inside.State.Module == stateRedis {
			advice = "agents' writes are refused until it is back; see that the Redis runs, and that the URL and password after state redis are right"
		}
		e.report.add(Finding{Check: check, Status: Failure, Found: "cannot be reached: " + e.Inside.State.Error, Advice: advice})
		return
	}
	found := "is kept by the module " + e.config.State
	switch e.config.State {
	case stateFile:
		found = "is a file of this node: good for one Caddy, and not shared with others (state redis is)"
	case stateRedis:
		found = "is a Redis, which several Caddys can share"
	}
	e.report.add(Finding{Check: check, Status: OK, Found: found})
}

// storage says who can share the signing keys, and the key of the state.
func (e *examination) storage() {
	const check = "storage"
	switch {
	case e.config.Storage != storageFiles:
		e.report.add(Finding{Check: check, Status: OK, Found: "of the keys is the module " + e.config.Storage})
	case e.config.State == stateFile:
		e.report.add(Finding{Check: check, Status: OK, Found: "of the keys is a folder of this node, as its state is"})
	default:
		e.report.add(Finding{
			Check: check, Status: Warning,
			Found:  "of the keys is a folder, while the state can be shared",
			Advice: "if several Caddys share the state, they must share this folder too, or have another storage module: the state is encrypted with a key in it, and a shop must sign with the same keys everywhere",
		})
	}
}

// fromInside says what Caddy itself knows of a shop.
func (p *patient) fromInside() {
	if p.inside == nil {
		return
	}
	p.upstream()
	if p.inside.KeysError != "" {
		p.add("keys", Failure, "the signing keys cannot be read from Caddy's storage: "+p.inside.KeysError,
			"restore storeware/keys in Caddy's storage from a backup; this Caddy still has the keys and would not start again")
	}
	switch {
	case p.inside.AgentsError != "":
		p.add("agents", Failure, "cannot be looked up: "+p.inside.AgentsError, "see the check of the state")
	case p.inside.Agents == 0:
		p.add("agents", Warning, "none may call yet", "make a key for one: storeware agent add NAME --shop "+p.name)
	default:
		p.add("agents", OK, count(p.inside.Agents, "agent", "agents")+" may call", "")
	}
	if p.inside.Contact == "" {
		p.add("contact", Warning, "agents without a key are not told how to get one", "add contact, with an address for mail or a URL, to the storeware block")
	} else {
		p.add("contact", OK, "agents without a key are told of "+p.inside.Contact, "")
	}
}

// upstream says whether the shop's API answers.
func (p *patient) upstream() {
	const check = "shop"
	what := "the API of the shop (" + p.inside.System + ") "
	switch p.inside.Code {
	case "":
		p.add(check, OK, what+"answers as "+p.inside.Title, "")
		p.orders()
	case "denied":
		p.add(check, Failure, what+"refuses our credentials: "+p.inside.Error,
			"see the keys in the upstream block, and the rights that they have at the shop")
	case "busy":
		p.add(check, Warning, what+"asks to be left alone for a while: "+p.inside.Error,
			"raise the shop's limits for this machine, or lower max_concurrent in the upstream block")
	default:
		p.add(check, Failure, what+"does not answer as it should: "+p.inside.Error,
			"see that the shop runs, that the word after upstream names its system, and that the URL after that is of its API")
	}
	for _, doubt := range p.inside.Doubts {
		p.add("shop settings", Warning, doubt, "correct the upstream block, or the shop")
	}
}

// orders says whether the shop's API shows orders.
func (p *patient) orders() {
	const check = "orders"
	switch p.inside.OrdersCode {
	case "denied":
		p.add(check, Failure, "the API of the shop refuses to show orders: "+p.inside.OrdersError,
			"see the key for orders in the upstream block, and the rights that it has at the shop")
	case "unavailable", "busy":
		p.add(check, Warning, "the API of the shop shows no orders just now: "+p.inside.OrdersError,
			"see the shop's own log, and the URLs in the upstream block")
	}
}
