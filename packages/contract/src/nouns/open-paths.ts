/** Pages of the console that open without a sign-in; the part after the # is never sent by the browser itself. */

/** The page of an invitation. */
export const JOIN_PATH = '/join'
export const joinPath = (code: string): string => `${JOIN_PATH}#${code}`

/** The page that shows the picture of a share link. */
export const SHARED_RETURN_PATH = '/shared_return'
export const sharedReturnPath = (token: string): string => `${SHARED_RETURN_PATH}#${token}`

/** The page on which the owner of an address confirms that they want alerts. */
export const VERIFY_PATH = '/verify'
export const verifyPath = (token: string): string => `${VERIFY_PATH}#${token}`
