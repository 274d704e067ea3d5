// Hashes passwords with argon2id; a check takes the same time whether there is a hash to compare with or not.
import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

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
  const nobodys = hash(randomBytes(16), options)
  return {
    hash: (password) => hash(password, options),
    async matches(stored, password) {
      const isRight = await compare(stored ?? (await nobodys), password)
      return isRight && stored !== undefined
    },
  }
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

/** For a password that is compared with the same hashes repeatedly: each is compared once. */
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
