// Hashes passwords with argon2id; checking costs the same time whether there is a hash to compare with or not.
import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

export interface HashingCost {
  memoryKib: number
  passes: number
}

export interface Passwords {
  hash(password: string): Promise<string>
  /** `stored` is undefined where the account does not exist: then the work is done all the same, and false answered. */
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
