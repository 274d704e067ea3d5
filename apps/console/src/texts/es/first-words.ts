// The Spanish words that a user reads before and while somebody signs in, and those of core and the contract.
import app from './app.json' with { type: 'json' }
import refusals from './refusals.json' with { type: 'json' }
import signIn from './sign-in.json' with { type: 'json' }
import ui from './ui.json' with { type: 'json' }

export const first = { app, ui, signIn } as const

/** What core and the contract say in English, which English itself has no keys for. */
export { refusals }
