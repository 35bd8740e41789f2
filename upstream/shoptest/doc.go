// Package shoptest is the suite that every adapter of a shop passes.
//
// [Run] takes a [Fixture], which says how to get at a shop and what is in it, and
// runs more than a hundred named cases against it: what the contract of package
// upstream promises, and how real shops are known to break it. It is run against
// the real thing wherever that can be had; a fake proves little.
//
// A case that the shop's own description excludes, or that needs a hook the
// fixture has not got, is skipped by name with the reason. What the description
// promises must be testable: a fixture that leaves out the data for it fails,
// unless it says in [Fixture.Lacks] why the shop cannot have it.
//
// [CheckObserved] is what always holds for a basket; tests elsewhere can use it.
package shoptest
