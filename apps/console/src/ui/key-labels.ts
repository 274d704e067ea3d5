/** A key as it is printed on a keyboard. */
export const printed = (key: string): string => key.toUpperCase()

/** A control's words with the key that does the same. */
export const withKey = (words: string, key: string): string => `${words} (${printed(key)})`
