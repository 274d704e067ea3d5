// User name and password of an address: ffmpeg takes them from its arguments alone, which every user of the machine sees.

export interface Credentials {
  readonly user: string
  readonly password: string
}

const userPart = /^([a-z]+:\/\/)([^/@]*)@/

/** Unchanged where it is not validly encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The address without the user, and the user with the password. */
export function splitCredentials(url: string): { url: string; credentials: Credentials | undefined } {
  const [whole = '', scheme = '', named = ''] = userPart.exec(url) ?? []
  if (whole === '') return { url, credentials: undefined }
  const at = named.indexOf(':')
  const [user, password] = at < 0 ? [named, ''] : [named.slice(0, at), named.slice(at + 1)]
  return {
    url: scheme + url.slice(whole.length),
    credentials: { user: decoded(user), password: decoded(password) },
  }
}
