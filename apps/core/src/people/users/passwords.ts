// Hashes passwords with argon2id; a check takes the same time whether there is a hash to compare with or not.
import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** The sizes of salt and hash as the library makes them. */
const saltBytes = 16
const hashBytes = 32

export interface HashingCost {
  memoryKib: number
  passes: number
}

export interface Passwords {
  hash(password: string): Promise<string>
  /** `stored` is undefined where the account does not exist: then the same work is done, and false answered. */
  matches(stored: string | undefined, password: string): Promise<boolean>
}

export function createPasswords({ memoryKib, passes }: HashingCost, compare = verify): Passwords {
  // The library's own choice of algorithm is argon2id.
  const options = { memoryCost: memoryKib, timeCost: passes, parallelism: 1 }
  const nobodys = madeUpHash(options)
  return {
    hash: (password) => hash(password, options),
    async matches(stored, password) {
      const isRight = await compare(stored ?? nobodys, password)
      return isRight && stored !== undefined
    },
  }
}

/** Takes as long to compare with as a hash of the same cost, and is made without its work: no password gives it. */
function madeUpHash(options: { memoryCost: number; timeCost: number; parallelism: number }): string {
  const { memoryCost, timeCost, parallelism } = options
  const [salt, hashed] = [saltBytes, hashBytes].map((bytes) =>
    randomBytes(bytes).toString('base64').replaceAll('=', ''),
  )
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${hashed}`
}

/** For several users with the same password: it is hashed once, and not before it is needed. */
export function rememberHashes({ hash }: Passwords): (password: string) => Promise<string> {
  const hashes = new Map<string, Promise<string>>()
  return (password) => {
    const made = hashes.get(password) ?? hash(password)
    hashes.set(password, made)
    return made
  }
}

/** Remembers results for a password that is compared with the same hashes repeatedly. */
export function rememberMatches({
  matches,
}: Passwords): (stored: string, password: string) => Promise<boolean> {
  const answers = new Map<string, Promise<boolean>>()
  return (stored, password) => {
    const key = `${stored} ${password}`
    const answer = answers.get(key) ?? matches(stored, password)
    answers.set(key, answer)
    return answer
  }
}
