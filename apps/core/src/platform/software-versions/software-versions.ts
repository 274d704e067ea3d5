// Software versions as administrators see them: those for all customers, and those for their own alone.
import type { Page, PageQuery } from '@backhaul/contract/define/answers'
import { InvalidRequest, NotAllowed, NotFound } from '@backhaul/contract/define/errors'
import {
  type KnownSoftwareVersion,
  type SoftwareVersion,
  type SoftwareVersionChange,
  softwareVersionKeys,
} from '@backhaul/contract/nouns/software-versions'
import { pageOf, pagingOf } from '../../database/paging.ts'
import { readsInventory, type Scope } from '../../database/scope.ts'
import type { Inventories } from '../inventories/inventories.ts'
import type { Kept, SystemSettings } from '../system-settings/system-settings.ts'

export interface SoftwareVersions {
  /** Every version that a customer of the scope may have, the newest last. */
  known(scope: Scope): Promise<KnownSoftwareVersion[]>
  page(scope: Scope, query: PageQuery): Promise<Page<KnownSoftwareVersion>>
  /** Throws NotFound for one that no customer of the scope may have. */
  get(scope: Scope, id: string): Promise<KnownSoftwareVersion>
  /** Throws Conflict where a customer would have the number twice, InvalidRequest where no customer is named. */
  create(scope: Scope, version: SoftwareVersion): Promise<KnownSoftwareVersion>
  /** Throws the same, and NotAllowed for one that customers of others have too. */
  change(scope: Scope, id: string, changes: SoftwareVersionChange): Promise<KnownSoftwareVersion>
  remove(scope: Scope, id: string): Promise<void>
}

interface Needs {
  inventories: Inventories
  systemSettings: Pick<SystemSettings, 'softwareVersions'>
}

export function createSoftwareVersions({ inventories, systemSettings }: Needs): SoftwareVersions {
  const store = systemSettings.softwareVersions

  const known = async (scope: Scope) =>
    (await store.all()).filter((version) => mayHave(scope, version)).map((version) => shown(scope, version))

  async function get(scope: Scope, id: string): Promise<KnownSoftwareVersion> {
    const found = (await known(scope)).find((version) => version.id === id)
    if (!found) throw new NotFound('softwareVersion')
    return found
  }

  async function requireOwn(scope: Scope, id: string): Promise<SoftwareVersion> {
    const { id: _, versionRecord: __, mayChange, ...version } = await get(scope, id)
    if (!mayChange) throw new NotAllowed('softwareVersion.forAll')
    return version
  }

  /** Only vendor staff may give a version to all customers. */
  async function requireCustomers(
    scope: Scope,
    requested: readonly string[],
    before: readonly string[] = [],
  ) {
    if (requested.length === 0 && !scope.everything) throw InvalidRequest.at('inventories', 'field.required')
    for (const id of requested) if (!before.includes(id)) await inventories.get(scope, id)
  }

  return {
    known,
    get,
    async page(scope, query) {
      const named = (await known(scope)).map((version) => ({ ...version, name: version.number }))
      const { items, ...window } = pageOf(named, pagingOf(query, softwareVersionKeys))
      return { ...window, items: items.map(({ name: _, ...version }) => version) }
    },
    async create(scope, version) {
      await requireCustomers(scope, version.inventories)
      return shown(scope, await store.create(version))
    },
    async change(scope, id, changes) {
      const before = await requireOwn(scope, id)
      const after = { ...before, ...changes }
      await requireCustomers(scope, after.inventories, before.inventories)
      return shown(scope, await store.change(id, after))
    },
    async remove(scope, id) {
      await requireOwn(scope, id)
      await store.remove(id)
    },
  }
}

/** A version that names no inventories is for all. */
const mayHave = (scope: Scope, { inventories }: SoftwareVersion): boolean =>
  inventories.length === 0 || inventories.some((id) => readsInventory(scope, id))

function shown(scope: Scope, { id, ...version }: Kept<SoftwareVersion>): KnownSoftwareVersion {
  const inventories = version.inventories.filter((one) => readsInventory(scope, one))
  return {
    id,
    ...version,
    inventories,
    versionRecord: { version: version.number, versionNumberId: id },
    mayChange:
      scope.everything || (inventories.length > 0 && inventories.length === version.inventories.length),
  }
}
