// The Spanish words of every page, and those of core and the contract.
import app from './app.json' with { type: 'json' }
import refusals from './refusals.json' with { type: 'json' }
import ui from './ui.json' with { type: 'json' }

export const first = { app, ui } as const

/** English texts of core and the contract, which English itself has no keys for. */
export { refusals }
