/** Calls whose path ends in the secret of a link. */
const secretPath = /(\/v2\/public\/[\w-]+\/).+/

/** The path of a request without its query, and without the secret of a link. */
export const loggedPath = (url: string): string => (url.split('?')[0] ?? '').replace(secretPath, '$1{token}')
