// The data for a starting console: who has signed in, what this installation offers, and warnings.
import {
  type ApplicationConfiguration,
  applicationUrlKeys,
  configurationFor,
} from '@backhaul/contract/nouns/application-configurations'
import type { ApplicationUrls, ClientConfiguration, MapTiles } from '@backhaul/contract/nouns/client'
import { SUBSCRIBE_BATCH_SIZE } from '@backhaul/contract/nouns/client'
import type { Clock } from '@backhaul/runtime/clock'
import type { Customers } from '../../database/scope.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Users } from '../../people/users/users.ts'

/** The services that consoles use in addition to core: none unless the operator names an address. */
export interface PageServices {
  internetCheckUrl: string | undefined
  chatUrl: string | undefined
  pageVisitsUrl: string | undefined
}

/** The settings by vendor staff for the calling application override those of the operator for the installation. */
export interface Client {
  configuration(caller: Caller, application: string): Promise<ClientConfiguration>
  applicationUrls(caller: Caller, application: string): Promise<ApplicationUrls>
}

interface Needs {
  clock: Clock
  groups: Groups
  users: Users
  /** Names of the services in force for one of these customers. */
  servicesInForce: (customers: readonly Customers[]) => Promise<string[]>
  /** The release that runs. */
  version: string
  /** Changes with the built console; a page with another value reloads itself (PU-CONN-08). */
  consoleBuild: string
  applicationUrls: ApplicationUrls
  applicationConfigurations: () => Promise<readonly ApplicationConfiguration[]>
  pageServices: Pick<PageServices, 'chatUrl' | 'pageVisitsUrl'>
  isInternetReachable: () => boolean
  mapTiles: MapTiles | undefined
  /** Names of users whose password is published, where others can reach this installation. */
  usersWithPublishedPassword: () => Promise<string[]>
}

export function createClient(needs: Needs): Client {
  const { clock, groups, users, servicesInForce, version, consoleBuild, applicationUrls, mapTiles } = needs
  const valuesFor = async ({ scope }: Caller, application: string) =>
    configurationFor(await needs.applicationConfigurations(), application, scope.inventories)

  return {
    async configuration(caller, application) {
      const { userId, username, roles, scope } = caller
      const values = await valuesFor(caller, application)
      const person = await users.person(userId)
      const isSuperUser = roles.includes('super_user')
      const expiresMs = person?.passwordExpiresMs ?? null
      return {
        userId,
        username,
        secondsToPwdExpiration: expiresMs === null ? null : Math.floor((expiresMs - clock.nowMs()) / 1000),
        hasInternet: needs.isInternetReachable(),
        analyticsConfiguration: linkTo(needs.pageServices.pageVisitsUrl),
        chatConfiguration: linkTo(values.chat ?? needs.pageServices.chatUrl),
        loggedUserRoles: [...roles],
        userServices: [...(person?.services ?? [])],
        services: await servicesInForce(scope.customers),
        wsLibrary: consoleBuild,
        activeFeatures: await groups.activeFeatures(scope.customers),
        subscribeBatchSize: Number(values.subscribeBatchSize ?? SUBSCRIBE_BATCH_SIZE),
        version,
        applicationConfiguration: values,
        ...(mapTiles && { mapTiles }),
        ...(isSuperUser && { usersWithPublishedPassword: await needs.usersWithPublishedPassword() }),
      }
    },
    async applicationUrls(caller, application) {
      const values = await valuesFor(caller, application)
      const set = applicationUrlKeys.filter((key) => values[key] !== undefined)
      return { ...applicationUrls, ...Object.fromEntries(set.map((key) => [key, values[key]])) }
    },
  }
}

const linkTo = (url: string | undefined) => (url === undefined ? null : { url })
