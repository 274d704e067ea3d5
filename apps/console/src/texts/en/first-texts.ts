// The English words of every page.
import app from './app.json' with { type: 'json' }
import ui from './ui.json' with { type: 'json' }

export const first = { app, ui } as const
