// Package viewtest lets tests see pages as people do: in a headless Chromium, and
// within a host that speaks the messages of MCP Apps.
//
// A test is skipped where there is no Chromium. STOREWARE_CHROMIUM names one that is
// not in PATH, STOREWARE_AXE a file axe.min.js (npm axe-core) that pages are then
// examined with, and STOREWARE_VIEW_SHOTS a folder for pictures.
package viewtest
