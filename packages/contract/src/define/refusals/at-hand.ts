import { refusals } from './all.ts'

/**
 * The texts that are at hand: all of them in a program. A page of the console begins with those that its first screens
 * may need (apps/console/build/contract-for-browser.ts) and adds the others once they are loaded.
 */
export const atHand: { [C in keyof typeof refusals]?: string } = { ...refusals }
