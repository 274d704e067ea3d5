// The Spanish words that a user reads before and during the sign-in, and those of core and the contract.
import app from './app.json' with { type: 'json' }
import refusals from './refusals.json' with { type: 'json' }
import signIn from './sign-in.json' with { type: 'json' }
import ui from './ui.json' with { type: 'json' }

export const first = { app, ui, signIn } as const

/** English texts of core and the contract, which English itself has no keys for. */
export { refusals }
