// The first super user of an installation, made in the console with the setup code.
import { randomUUID } from 'node:crypto'
import { Conflict, InvalidRequest } from '@backhaul/contract/define/errors'
import type { FirstUser as GivenUser } from '@backhaul/contract/nouns/sign-ins'
import { hashSecret, isSecretOf } from '../../database/secrets.ts'
import type { LoginRateLimit } from '../../doors/api/login-rate-limit.ts'
import type { Person, Users } from '../users/users.ts'

export interface FirstUser {
  /** Until there is a user, the code admits the first one, as a member of these inventories. */
  offer(setupCode: string, inventories: readonly string[]): void
  isWanted(): Promise<boolean>
  /** Throws InvalidRequest for a wrong code, TooMany after several, Conflict once there is a user. */
  make(given: GivenUser, address: string): Promise<Person>
}

export function createFirstUser({ users, attempts }: { users: Users; attempts: LoginRateLimit }): FirstUser {
  let offered: { codeHash: string; inventories: readonly string[] } | undefined

  const tooLate = () => new Conflict('installation.hasUser')

  return {
    offer(setupCode, inventories) {
      offered = { codeHash: hashSecret(setupCode.trim()), inventories }
    },
    isWanted: async () => offered !== undefined && !(await users.hasAny()),
    async make({ setupCode, ...given }, address) {
      if (!offered || (await users.hasAny())) throw tooLate()
      // Counted by address alone: an attacker's guesses must not block the owner.
      const takeBack = await attempts.take({ account: `setup code at ${address}`, address })
      if (!isSecretOf(offered.codeHash, setupCode.trim()))
        throw InvalidRequest.at('setupCode', 'installation.wrongCode')
      await takeBack()
      const id = randomUUID()
      const { inventories } = offered
      const isFirst = await users.addFirst({ ...given, id, userType: 'superuser', inventories, groups: [] })
      const person = isFirst ? await users.person(id) : undefined
      if (!person) throw tooLate()
      return person
    },
  }
}
