/**
 * Removes from texts for users what they must not read: secrets (user info, stream keys and the secret options of
 * addresses), and the folders of this machine.
 */

const MASK = '…'
const address = /\b([a-z][a-z0-9+.-]*:\/\/)([^\s"'<>\\]+)/gi
const secretNames =
  'passphrase|streamid|password|passwd|pass|pwd|token|secret|key|auth|signature|sig|rtmp_app|rtmp_playpath'
const secretOption = new RegExp(`\\b(${secretNames})=[^\\s&"'\\\\]+`, 'gi')
/** Punctuation of a sentence after an address. */
const punctuation = /[:;,.)\]]*$/
/** Shorter secrets could be ordinary words of the text. */
const SHORTEST_KNOWN = 4

/** `known` are secrets that may be in the text without the address that they belong to. */
export function redactSecrets(text: string, known: readonly string[] = []): string {
  let clear = text
  for (const secret of known) if (secret.length >= SHORTEST_KNOWN) clear = clear.replaceAll(secret, MASK)
  if (!clear.includes('://') && !clear.includes('=')) return clear
  return clear
    .replace(address, (_, scheme: string, rest: string) => scheme + withoutSecrets(scheme, rest))
    .replace(secretOption, `$1=${MASK}`)
}

function withoutSecrets(scheme: string, rest: string): string {
  const end = punctuation.exec(rest)?.[0] ?? ''
  const whole = rest.slice(0, rest.length - end.length)
  const pathAt = whole.search(/[/?#]/)
  const authority = pathAt < 0 ? whole : whole.slice(0, pathAt)
  const path = pathAt < 0 ? '' : whole.slice(pathAt)
  const host = authority.includes('@') ? MASK + authority.slice(authority.lastIndexOf('@')) : authority
  return host + (/^rtmp/i.test(scheme) ? withoutStreamKey(path) : path) + end
}

/** The last part of the path is the stream key; a query before it may hold a token. */
function withoutStreamKey(path: string): string {
  const open = path.split('?')[0]!
  const keyAt = open.lastIndexOf('/')
  if (keyAt <= 0) return open === path ? path : `${open}?${MASK}`
  return `${open.slice(0, keyAt)}/${MASK}`
}

/** Absolute paths in the messages of ffmpeg and of the system; only quoted ones and those after `file:` may have spaces. */
const paths: readonly RegExp[] = [
  /(?<=(['"]))(?:file:)?\/(?:[^'"\n/]+\/)*([^'"\n/]+)(?=\1)/g,
  /(\b)file:\/+(?:[^:'"\n/]+\/)*([^:'"\n/]+)/g,
  /(?<![\w/.…\]]|:(?=\/\/))()\/(?:[^\s'":;,()/]+\/)*([^\s'":;,()/]+)/g,
]

/** Leaves of each absolute path the name of its file; addresses such as `rtmp://far.example/live` are kept. */
export const withoutFolders = (text: string): string =>
  paths.reduce((clear, path) => clear.replace(path, '$2'), text)
