// The English words of the sign-in page.
import words from './sign-in.json' with { type: 'json' }

export const signIn = { signIn: words } as const
