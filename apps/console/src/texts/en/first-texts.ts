// The English words that a user reads before and during the sign-in.
import app from './app.json' with { type: 'json' }
import signIn from './sign-in.json' with { type: 'json' }
import ui from './ui.json' with { type: 'json' }

export const first = { app, ui, signIn } as const
